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

// pathSet holds paths that can stand side by side on every file system, also on
// those that ignore case or the composition of letters.
type pathSet struct {
	spelled map[string]string // each path and folder, by what such a system sees
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
		return fmt.Errorf("%w: %q is there twice", ErrUnsafePath, name)
	}
	if err := p.addFolder(name); err != nil {
		return err
	}
	p.files[key] = true
	return nil
}

// addFolder takes in name and every folder above it.
func (p *pathSet) addFolder(name string) error {
	if err := checkPath(name); err != nil {
		return err
	}
	for current := name; current != "."; current = path.Dir(current) {
		key := p.key(current)
		existing, known := p.spelled[key]
		switch {
		case known && existing != current:
			return fmt.Errorf("%w: %q and %q are one file on some systems", ErrUnsafePath, existing, current)
		case p.files[key]:
			return fmt.Errorf("%w: %q is there twice", ErrUnsafePath, current)
		}
		p.spelled[key] = current
	}
	return nil
}

// checkPath refuses a path that could mean something else than a file below the
// folder it is in, on any system.
func checkPath(name string) error {
	switch {
	case !utf8.ValidString(name):
		return fmt.Errorf("%w: %q is not UTF-8", ErrUnsafePath, name)
	case strings.Contains(name, `\`):
		return fmt.Errorf("%w: %q holds a backslash", ErrUnsafePath, name)
	case strings.Contains(name, ":"):
		return fmt.Errorf("%w: %q holds a colon, as drives do", ErrUnsafePath, name)
	case strings.ContainsFunc(name, skill.IsDeceptiveRune):
		return fmt.Errorf("%w: %q holds an invisible character", ErrUnsafePath, name)
	case !fs.ValidPath(name) || name == ".":
		return fmt.Errorf("%w: %q leads elsewhere", ErrUnsafePath, name)
	case len(name) > maxPathLength:
		return fmt.Errorf("%w: %q is longer than %d bytes", ErrUnsafePath, name, maxPathLength)
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.TrimRight(part, ". ") != part || isDeviceName(part) {
			return fmt.Errorf("%w: %q is another file on Windows", ErrUnsafePath, name)
		}
	}
	return nil
}

// isDeviceName tells the names that open a device on Windows, whatever follows
// their first dot.
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
