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

// HomePrefix starts paths in nfa's data folder, such as nfa:reports/a.md. It identifies the file
// without revealing the user's name.
const HomePrefix = "nfa:"

// reportsFolder is the folder of reports in the data folder.
const reportsFolder = "reports"

// These errors are the reasons why a path cannot be used. The errors of this package wrap one of
// them, fs.ErrNotExist, fs.ErrExist or a system error.
var (
	ErrOutsideWorkspace = errors.New("outside the working directory and nfa's own skills, agents and reports")
	ErrHiddenFile       = errors.New("hidden files and folders are not opened, because they may hold keys")
	ErrSecretFile       = errors.New("its name suggests keys or passwords, so it is not opened")
	ErrInvisible        = errors.New("its name has invisible characters")
	ErrSymlink          = errors.New("links are not followed; use the path of the target")
	ErrNotFile          = errors.New("not a regular file")
	ErrNotFolder        = errors.New("not a folder")
	ErrNotText          = errors.New("not UTF-8 text")
	ErrFileChanged      = errors.New("the file was replaced while it was being opened; try again")
	ErrReadOnly         = errors.New("reports cannot be written there; use the working directory or " + HomePrefix + reportsFolder)
)

// WorkspaceOptions sets the folders of a Workspace.
type WorkspaceOptions struct {
	Dir  string // the working directory, for relative paths
	Home string // nfa's data folder; may not exist yet
	// SecretNames allows files whose names suggest keys: the user named them.
	SecretNames bool
}

// Workspace reads, lists, measures and writes files. It is safe for concurrent use, keeps no files
// open between calls, and does not cache the disk.
type Workspace struct {
	dir, typedDir string // with links resolved, and as given
	home          string
	secretNames   bool
	writeContent  func(*os.File, []byte) error
}

// NewWorkspace returns a Workspace. It does not access the disk; the first operation that needs a
// folder reports errors about it.
func NewWorkspace(o WorkspaceOptions) *Workspace {
	absolute, err := filepath.Abs(o.Dir)
	if err != nil {
		absolute = o.Dir
	}
	return &Workspace{dir: resolveLinks(absolute), typedDir: absolute, home: filepath.Clean(o.Home), secretNames: o.SecretNames, writeContent: writeAndSync}
}

// resolveLinks resolves links in the existing part of an absolute path.
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

// location is a path as segments below a root.
type location struct {
	root     string
	segments []string // none is empty, "." or ".."
	inHome   bool     // the root is nfa's data folder
}

// String returns the path as shown to the model and the user.
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

// abs returns the absolute path, only for the user.
func (p location) abs() string { return filepath.Join(p.root, filepath.Join(p.segments...)) }

// locate finds the root of a path by its text; files and links are checked later. An empty path is
// the working directory.
func (w *Workspace) locate(path string) (location, error) {
	if i := strings.IndexFunc(path, unicode.IsControl); i >= 0 {
		return location{}, fmt.Errorf("%q: a path must not contain control characters", path)
	}
	p, ok := w.resolveRoot(filepath.FromSlash(path))
	if !ok {
		return location{}, fmt.Errorf("%s: %w", path, ErrOutsideWorkspace)
	}
	for _, step := range p.segments {
		if err := checkName(step); err != nil && !(w.secretNames && errors.Is(err, ErrSecretFile)) {
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
		// Check the data folder first, because it may be inside the working directory.
		for _, root := range []string{home, w.home, w.dir, w.typedDir} {
			if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
				return w.locateBelow(rel, root == home || root == w.home, home)
			}
		}
		return location{}, false
	}
	return w.locateBelow(path, false, home)
}

// locateBelow returns a path in the data folder or in the working directory. If the working
// directory is inside the data folder, the rules of the data folder apply.
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

// splitPath splits a relative path. Because no link is followed, "a/.." cancels out; it fails if
// ".." leads outside.
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
