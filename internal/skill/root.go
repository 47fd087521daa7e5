package skill

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

//go:embed builtin
var builtin embed.FS

// Root is a place with skills, each in its own directory.
type Root struct {
	// Dir is the folder. If FS is set, Dir is used only for displayed paths.
	Dir string
	// FS, if not nil, is read instead of the folder.
	FS     fs.FS
	Source Source
	// Create creates a missing folder, for its owner only.
	Create bool
	// CheckTrust, if not nil, is called before each scan; an error excludes the root. Files of an
	// accepted root must not change until the next scan.
	CheckTrust func() error

	store Store // if not nil, read instead of both
}

// Builtin returns the root of the built-in skills.
func Builtin() Root {
	return Root{Dir: "builtin", FS: builtinSkills{}, Source: SourceBuiltin}
}

// builtinSkills is the embedded skills folder. fs.Sub would return an error that cannot occur.
type builtinSkills struct{}

func (builtinSkills) Open(name string) (fs.File, error) {
	return builtin.Open(path.Join("builtin", name))
}

// onDisk reports whether links, permissions and other programs matter.
func (r Root) onDisk() bool { return r.FS == nil && r.store == nil }

// files returns the current files of the root, as a snapshot of a store.
func (r Root) files() fs.FS {
	switch {
	case r.store != nil:
		return snapshotStore(r.store)
	case r.FS != nil:
		return r.FS
	}
	return os.DirFS(r.Dir)
}

// displayPath returns the path of name for users and the model.
func (r Root) displayPath(name string) string {
	switch {
	case r.onDisk():
		return filepath.Join(r.Dir, filepath.FromSlash(name))
	case r.Dir == storeScheme && name == ".":
		return r.Dir
	case r.Dir == storeScheme:
		return r.Dir + name
	}
	return path.Join(r.Dir, name)
}

// openConfined opens the directory dir of the root, confined to it, also for links.
func (r Root) openConfined(dir string) (fsys fs.FS, done func(), err error) {
	if !r.onDisk() {
		fsys, err = fs.Sub(r.files(), dir)
		return fsys, func() {}, err
	}
	root, err := os.OpenRoot(r.displayPath(dir))
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), func() { _ = root.Close() }, nil
}

// readSkillFile reads a SKILL.md. It checks for a regular file before opening, because opening a
// pipe would block.
func readSkillFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	case !info.Mode().IsRegular():
		return nil, ErrNotRegular
	case info.Size() > MaxSize:
		return nil, ErrTooLarge
	}
	return readRegularFile(fsys, name)
}

// readRegularFile reads a SKILL.md that is known to be a regular file.
func readRegularFile(fsys fs.FS, name string) ([]byte, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	case !info.Mode().IsRegular():
		return nil, ErrNotRegular // changed since the check
	case info.Size() > MaxSize:
		return nil, ErrTooLarge
	}
	// The buffer is larger than the size by one read, to detect the end. The limit still applies if
	// the file grows meanwhile.
	content := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := content.ReadFrom(io.LimitReader(file, MaxSize+1)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return content.Bytes(), nil
}
