package install

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/nfa-cli/nfa/internal/skill"
)

// pathSet checks that paths can coexist on every file system, including those that ignore case or
// Unicode composition.
type pathSet struct {
	spelled map[string]string // each path and folder, by its folded form
	files   map[string]bool
	fold    cases.Caser
}

func newPathSet() *pathSet {
	return &pathSet{spelled: map[string]string{}, files: map[string]bool{}, fold: cases.Fold()}
}

func (p *pathSet) key(name string) string {
	return norm.NFD.String(p.fold.String(norm.NFD.String(name)))
}

func (p *pathSet) addFile(name string) error {
	key := p.key(name)
	if existing, known := p.spelled[key]; known && existing == name {
		return fmt.Errorf("%w: %q appears twice", ErrUnsafePath, name)
	}
	if err := p.addFolder(name); err != nil {
		return err
	}
	p.files[key] = true
	return nil
}

// addFolder adds name and its parent folders.
func (p *pathSet) addFolder(name string) error {
	if err := checkPath(name); err != nil {
		return err
	}
	for current := name; current != "."; current = path.Dir(current) {
		key := p.key(current)
		existing, known := p.spelled[key]
		switch {
		case known && existing != current:
			return fmt.Errorf("%w: %q and %q are the same file on some systems", ErrUnsafePath, existing, current)
		case p.files[key]:
			return fmt.Errorf("%w: %q appears twice", ErrUnsafePath, current)
		}
		p.spelled[key] = current
	}
	return nil
}

// checkPath rejects a path that could mean something other than a file below its folder, on any
// system.
func checkPath(name string) error {
	switch {
	case !utf8.ValidString(name):
		return fmt.Errorf("%w: %q is not UTF-8", ErrUnsafePath, name)
	case strings.Contains(name, `\`):
		return fmt.Errorf("%w: %q contains a backslash", ErrUnsafePath, name)
	case strings.Contains(name, ":"):
		return fmt.Errorf("%w: %q contains a colon", ErrUnsafePath, name)
	case strings.ContainsFunc(name, skill.IsDeceptiveRune):
		return fmt.Errorf("%w: %q contains an invisible character", ErrUnsafePath, name)
	case !fs.ValidPath(name) || name == ".":
		return fmt.Errorf("%w: %q points outside the skill folder", ErrUnsafePath, name)
	case len(name) > maxPathLength:
		return fmt.Errorf("%w: %q is longer than %d bytes", ErrUnsafePath, name, maxPathLength)
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.TrimRight(part, ". ") != part || isDeviceName(part) {
			return fmt.Errorf("%w: %q is not a valid name on Windows", ErrUnsafePath, name)
		}
	}
	return nil
}

// isDeviceName reports whether a name, with any extension, opens a device on Windows.
func isDeviceName(part string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	port, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		port, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok && slices.Contains(strings.Split("0 1 2 3 4 5 6 7 8 9 ¹ ² ³", " "), port)
}
