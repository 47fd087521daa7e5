package python

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxInputBytes bounds a named input.
const maxInputBytes = 64 << 20

// scratch is the folder of one run.
type scratch struct{ dir string }

func newScratch() (scratch, error) {
	dir, err := os.MkdirTemp("", "nfa-python-*") // 0700
	if err != nil {
		return scratch{}, fmt.Errorf("making the scratch folder: %w", err)
	}
	s := scratch{dir}
	for _, sub := range []string{s.boot(), s.work(), s.inputs()} {
		if err := os.Mkdir(sub, 0o700); err != nil {
			return scratch{}, errors.Join(fmt.Errorf("making the scratch folder: %w", err), s.remove())
		}
	}
	return s, nil
}

func (s scratch) boot() string   { return filepath.Join(s.dir, "boot") }
func (s scratch) work() string   { return filepath.Join(s.dir, "work") } // the system's working directory
func (s scratch) inputs() string { return filepath.Join(s.work(), "inputs") }
func (s scratch) report() string { return filepath.Join(s.dir, "report.json") }

// writeProgram writes what the interpreter is given.
func (s scratch) writeProgram(program []byte) error {
	if err := os.WriteFile(filepath.Join(s.boot(), "boot.py"), program, 0o600); err != nil {
		return fmt.Errorf("writing the program: %w", err)
	}
	return nil
}

// copyInputs gives the run its own copies, so that what it reads cannot be
// exchanged and a link cannot lead anywhere.
func (s scratch) copyInputs(files map[string]string) error {
	for name, from := range files {
		if name != filepath.Base(name) || !filepath.IsLocal(name) || name == "." {
			return fmt.Errorf("input %q: a name has no folders", name)
		}
		if err := copyRegular(filepath.Join(s.inputs(), name), from); err != nil {
			return fmt.Errorf("input %s: %w", name, err)
		}
	}
	return nil
}

func copyRegular(to, from string) (err error) {
	root, err := os.OpenRoot(filepath.Dir(from))
	if err != nil {
		return err
	}
	defer root.Close()
	base := filepath.Base(from)
	info, err := root.Stat(base)
	if err != nil {
		return outsideError(root, base, err)
	}
	if !info.Mode().IsRegular() {
		return errors.New("not a regular file")
	}
	in, err := root.Open(base)
	if err != nil {
		return outsideError(root, base, err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	n, err := io.Copy(out, io.LimitReader(in, maxInputBytes+1))
	if err == nil && n > maxInputBytes {
		err = fmt.Errorf("larger than %s", megabytes(maxInputBytes))
	}
	return err
}

// remove takes the folder away, also where a script took its own rights to it.
func (s scratch) remove() error {
	if err := os.RemoveAll(s.dir); err == nil {
		return nil
	}
	_ = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(s.dir)
}
