package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// HomePrefix begins the paths that are meant from nfa's home: nfa:reports/a.md.
// They tell a reader where a file is without telling who the user is.
const HomePrefix = "nfa:"

// reportsFolder is the folder of the home that reports are written to.
const reportsFolder = "reports"

// What keeps a path from being used. The errors of this package wrap one of
// them, fs.ErrNotExist, fs.ErrExist or an error of the system.
var (
	ErrOutsideWorkspace = errors.New("outside of the working directory and of nfa's own skills, agents and reports")
	ErrHiddenFile       = errors.New("hidden files and folders are not opened, because keys are kept in them")
	ErrSecretFile       = errors.New("by its name it holds keys or passwords, which are not opened")
	ErrSymlink          = errors.New("a link, and links are not followed; name the file that it leads to")
	ErrNotFile          = errors.New("not an ordinary file")
	ErrNotFolder        = errors.New("not a folder")
	ErrNotText          = errors.New("not UTF-8 text")
	ErrFileChanged      = errors.New("it was replaced while it was being opened; try again")
	ErrReadOnly         = errors.New("nothing is written there; reports go to the working directory or to " + HomePrefix + reportsFolder)
)

// WorkspaceOptions say where a Workspace is.
type WorkspaceOptions struct {
	Dir  string // the working directory, which relative paths start from
	Home string // nfa's home, which need not exist yet
}

// Workspace reads, lists, measures and writes. It is safe for concurrent use,
// keeps nothing open between its acts, and sees the disk as it is at each.
type Workspace struct {
	dir, typedDir string // without links, and as given
	home          string
	writeContent  func(*os.File, []byte) error
}

// NewWorkspace makes a Workspace. It does not access the disk; the first operation that needs a
// folder reports what is wrong with it.
func NewWorkspace(o WorkspaceOptions) *Workspace {
	absolute, err := filepath.Abs(o.Dir)
	if err != nil {
		absolute = o.Dir
	}
	return &Workspace{dir: resolveLinks(absolute), typedDir: absolute, home: filepath.Clean(o.Home), writeContent: writeAndSync}
}

// resolveLinks resolves as much of an absolute path as there is.
func resolveLinks(path string) string {
	resolved, err := filepath.EvalSymlinks(path)
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		return filepath.Join(resolveLinks(parent), filepath.Base(path))
	}
	if err != nil {
		return path
	}
	return resolved
}

// location is where a path leads: steps down from a root.
type location struct {
	root     string
	segments []string // none is empty, "." or ".."
	inHome   bool     // the root is nfa's home
}

// String is the path as it is shown to the model and the user.
func (p location) String() string {
	path := strings.Join(p.segments, "/")
	switch {
	case p.inHome:
		return HomePrefix + path
	case path == "":
		return "."
	}
	return path
}

// abs is the path for the person at the keyboard alone.
func (p location) abs() string { return filepath.Join(p.root, filepath.Join(p.segments...)) }

// locate finds the root that a path is in, by its text alone; what stands there
// is looked at on the way down. An empty path is the working directory.
func (w *Workspace) locate(path string) (location, error) {
	if i := strings.IndexFunc(path, unicode.IsControl); i >= 0 {
		return location{}, fmt.Errorf("%q: a path has no control characters", path)
	}
	p, ok := w.resolveRoot(filepath.FromSlash(path))
	if !ok {
		return location{}, fmt.Errorf("%s: %w", path, ErrOutsideWorkspace)
	}
	for _, step := range p.segments {
		if err := checkName(step); err != nil {
			return location{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	if isSystemPath(p.abs()) {
		return location{}, fmt.Errorf("%s: %w", path, ErrNotFile)
	}
	return p, nil
}

func (w *Workspace) resolveRoot(path string) (location, bool) {
	home := resolveLinks(w.home)
	if rest, ok := strings.CutPrefix(path, HomePrefix); ok {
		steps, ok := splitPath(strings.TrimLeft(rest, `/\`))
		return location{home, steps, true}, ok
	}
	if filepath.IsAbs(path) {
		// The home first: it may lie in the working directory.
		for _, root := range []string{home, w.home, w.dir, w.typedDir} {
			if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
				return w.locateBelow(rel, root == home || root == w.home, home)
			}
		}
		return location{}, false
	}
	return w.locateBelow(path, false, home)
}

// locateBelow is a path from the home, or from the working directory, which may itself
// be in the home: then the rules of the home hold.
func (w *Workspace) locateBelow(path string, fromHome bool, home string) (location, bool) {
	steps, ok := splitPath(path)
	if fromHome {
		return location{home, steps, true}, ok
	}
	if rel, err := filepath.Rel(home, w.dir); err == nil && filepath.IsLocal(rel) {
		above, _ := splitPath(rel)
		return location{home, slices.Concat(above, steps), true}, ok
	}
	return location{w.dir, steps, false}, ok
}

// splitPath takes a relative path apart. Because no link is followed, a/.. is
// nothing, and what is left of ".." leads out.
func splitPath(path string) ([]string, bool) {
	clean := filepath.Clean(path)
	switch {
	case clean == ".":
		return nil, true
	case !filepath.IsLocal(clean):
		return nil, false
	}
	return strings.Split(clean, string(filepath.Separator)), true
}
