// Package draftfile is a draft in a file, for the user's editor: in a folder of its own that
// only the user can open, and gone when its text has taken the place of the draft.
package draftfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// mostEdited is the most bytes that are taken back from an editor.
const mostEdited = 1 << 20

// File is that of one draft.
type File struct {
	Path   string
	before []byte
}

// Open writes a draft into a file.
func Open(text string) (File, error) {
	dir, err := os.MkdirTemp("", "nfa-message-*")
	if err != nil {
		return File{}, fmt.Errorf("opening the editor: %w", err)
	}
	s := File{Path: filepath.Join(dir, "message.md"), before: []byte(text)}
	if text != "" {
		s.before = append(s.before, '\n')
	}
	if err := os.WriteFile(s.Path, s.before, 0o600); err != nil {
		return File{}, fmt.Errorf("opening the editor: %w", errors.Join(err, s.Drop()))
	}
	return s, nil
}

// Drop takes the file away, and its folder.
func (s File) Drop() error { return os.RemoveAll(filepath.Dir(s.Path)) }

// Edited is what came of one. An error does not mean that nothing has changed.
type Edited struct {
	Text    string
	Changed bool
	Err     error
}

// Finish reads what an editor left that ended so, and takes the file away. One that
// cannot take the place of the draft is kept, and the error says where.
func (s File) Finish(ended error) Edited {
	after, err := s.read()
	gone := errors.Is(err, os.ErrNotExist)
	if gone {
		err = errors.New("it deleted the file that it was given")
	}
	if gone || err == nil && bytes.Equal(after, s.before) {
		if err = errors.Join(ended, err, s.Drop()); err != nil {
			err = fmt.Errorf("the editor: %w; the message is as it was", err)
		}
		return Edited{Err: err}
	}
	if err = errors.Join(ended, err); err != nil {
		return Edited{Err: fmt.Errorf("the editor: %w; the message is as it was, and what the editor left is in %s", err, s.Path)}
	}
	return Edited{Text: strings.TrimRight(string(after), "\n"), Changed: true, Err: s.Drop()}
}

func (s File) read() ([]byte, error) {
	info, err := os.Lstat(s.Path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it left no ordinary file")
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostEdited+1))
	if err == nil && len(text) > mostEdited {
		err = fmt.Errorf("a message has at most %d KiB", mostEdited>>10)
	}
	return text, err
}
