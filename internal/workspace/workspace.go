// Package workspace is the part of the disk that the assistant may touch: text
// files in the working directory and in some folders of nfa's home. No link is
// followed, no device is opened, hidden files and files that are known to hold
// keys are as if they were locked, whatever a model, a page or a file asks for.
package workspace

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
	ErrOutside   = errors.New("outside of the working directory and of nfa's own skills, agents and reports")
	ErrHidden    = errors.New("hidden files and folders are not opened, because keys are kept in them")
	ErrSecret    = errors.New("by its name it holds keys or passwords, which are not opened")
	ErrLink      = errors.New("a link, and links are not followed; name the file that it leads to")
	ErrNotFile   = errors.New("not an ordinary file")
	ErrNotFolder = errors.New("not a folder")
	ErrNotText   = errors.New("not UTF-8 text")
	ErrChanged   = errors.New("it was replaced while it was being opened; try again")
	ErrReadOnly  = errors.New("nothing is written there; reports go to the working directory or to " + HomePrefix + reportsFolder)
)

// Options say where a Workspace is.
type Options struct {
	Dir  string // the working directory, which relative paths start from
	Home string // nfa's home, which need not exist yet
}

// Workspace reads, lists, measures and writes. It is safe for concurrent use,
// keeps nothing open between its acts, and sees the disk as it is at each.
type Workspace struct {
	dir, typedDir string // without links, and as given
	home          string
	fill          func(*os.File, []byte) error
}

// New makes a Workspace. It touches nothing: what is wrong with a folder is told
// by the first act that needs it.
func New(o Options) *Workspace {
	typed, err := filepath.Abs(o.Dir)
	if err != nil {
		typed = o.Dir
	}
	return &Workspace{dir: withoutLinks(typed), typedDir: typed, home: filepath.Clean(o.Home), fill: writeAndSync}
}

// withoutLinks resolves as much of an absolute path as there is.
func withoutLinks(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		return filepath.Join(withoutLinks(parent), filepath.Base(path))
	}
	if err != nil {
		return path
	}
	return real
}

// place is where a path leads: steps down from a root.
type place struct {
	root  string
	steps []string // none is empty, "." or ".."
	home  bool     // the root is nfa's home
}

// String is the path as the model and the user are told it.
func (p place) String() string {
	path := strings.Join(p.steps, "/")
	switch {
	case p.home:
		return HomePrefix + path
	case path == "":
		return "."
	}
	return path
}

// abs is the path for the person at the keyboard alone.
func (p place) abs() string { return filepath.Join(p.root, filepath.Join(p.steps...)) }

// locate finds the root that a path is in, by its text alone; what stands there
// is looked at on the way down. An empty path is the working directory.
func (w *Workspace) locate(path string) (place, error) {
	if i := strings.IndexFunc(path, unicode.IsControl); i >= 0 {
		return place{}, fmt.Errorf("%q: a path has no control characters", path)
	}
	p, ok := w.rooted(filepath.FromSlash(path))
	if !ok {
		return place{}, fmt.Errorf("%s: %w", path, ErrOutside)
	}
	for _, step := range p.steps {
		if err := allowed(step); err != nil {
			return place{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	if isSystem(p.abs()) {
		return place{}, fmt.Errorf("%s: %w", path, ErrNotFile)
	}
	return p, nil
}

func (w *Workspace) rooted(path string) (place, bool) {
	home := withoutLinks(w.home)
	if rest, ok := strings.CutPrefix(path, HomePrefix); ok {
		steps, ok := split(strings.TrimLeft(rest, `/\`))
		return place{home, steps, true}, ok
	}
	if filepath.IsAbs(path) {
		// The home first: it may lie in the working directory.
		for _, root := range []string{home, w.home, w.dir, w.typedDir} {
			if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
				return w.under(rel, root == home || root == w.home, home)
			}
		}
		return place{}, false
	}
	return w.under(path, false, home)
}

// under is a path from the home, or from the working directory, which may itself
// be in the home: then the rules of the home hold.
func (w *Workspace) under(path string, fromHome bool, home string) (place, bool) {
	steps, ok := split(path)
	if fromHome {
		return place{home, steps, true}, ok
	}
	if rel, err := filepath.Rel(home, w.dir); err == nil && filepath.IsLocal(rel) {
		above, _ := split(rel)
		return place{home, slices.Concat(above, steps), true}, ok
	}
	return place{w.dir, steps, false}, ok
}

// split takes a relative path apart. Because no link is followed, a/.. is
// nothing, and what is left of ".." leads out.
func split(path string) ([]string, bool) {
	clean := filepath.Clean(path)
	switch {
	case clean == ".":
		return nil, true
	case !filepath.IsLocal(clean):
		return nil, false
	}
	return strings.Split(clean, string(filepath.Separator)), true
}
