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

// Root is a place that holds skills, each in a directory of its own.
type Root struct {
	// Dir is the folder. With FS set it is only what paths are shown under.
	Dir string
	// FS, where not nil, is read instead of the folder.
	FS     fs.FS
	Source Source
	// Create makes the folder, for its owner alone, when it is missing.
	Create bool
	// CheckTrust, where not nil, is asked before each scan: an error keeps the skills of
	// the root out. What was read of one that was let in must not change until then.
	CheckTrust func() error

	store Store // where not nil, read instead of either
}

// Builtin is the root of the skills that come with the program.
func Builtin() Root {
	return Root{Dir: "builtin", FS: builtinSkills{}, Source: SourceBuiltin}
}

// builtinSkills reads from the embedded files below their common folder, which
// fs.Sub would do with an error that cannot happen.
type builtinSkills struct{}

func (builtinSkills) Open(name string) (fs.File, error) {
	return builtin.Open(path.Join("builtin", name))
}

// onDisk reports whether links, permissions and other programs are to be
// reckoned with.
func (r Root) onDisk() bool { return r.FS == nil && r.store == nil }

// files are those of the root now; what a store holds later is not among them.
func (r Root) files() fs.FS {
	switch {
	case r.store != nil:
		return snapshotStore(r.store)
	case r.FS != nil:
		return r.FS
	}
	return os.DirFS(r.Dir)
}

// displayPath is the path of name as people and the model see it.
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

// openConfined opens the directory dir of the root so that nothing outside it can
// be reached, by whatever link.
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

// readSkillFile reads a SKILL.md. Whether it is an ordinary file is asked before
// it is opened: to open a pipe is to wait for a writer.
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

// readRegularFile reads a SKILL.md that is known for an ordinary file.
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
		return nil, ErrNotRegular // since it was looked at
	case info.Size() > MaxSize:
		return nil, ErrTooLarge
	}
	// The buffer is larger than the size by one read, which is how the end is detected. The limit
	// holds against a file that grows meanwhile.
	content := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := content.ReadFrom(io.LimitReader(file, MaxSize+1)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return content.Bytes(), nil
}
