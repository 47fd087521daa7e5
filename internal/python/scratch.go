package python

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// scratch is the folder of one run.
type scratch struct{ dir string }

func newScratch() (scratch, error) {
	dir, err := os.MkdirTemp("", "nfa-python-*") // 0700
	if err != nil {
		return scratch{}, fmt.Errorf("create scratch folder: %w", err)
	}
	s := scratch{dir}
	for _, sub := range []string{s.boot(), s.work()} {
		if err := os.Mkdir(sub, 0o700); err != nil {
			return scratch{}, errors.Join(fmt.Errorf("create scratch folder: %w", err), s.remove())
		}
	}
	return s, nil
}

func (s scratch) boot() string   { return filepath.Join(s.dir, "boot") }
func (s scratch) work() string   { return filepath.Join(s.dir, "work") } // the system's working directory
func (s scratch) report() string { return filepath.Join(s.dir, "report.json") }

// writeProgram writes the program for the interpreter.
func (s scratch) writeProgram(program []byte) error {
	if err := os.WriteFile(filepath.Join(s.boot(), "boot.py"), program, 0o600); err != nil {
		return fmt.Errorf("write program: %w", err)
	}
	return nil
}

// remove deletes the folder, even if a script removed its own permissions.
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
