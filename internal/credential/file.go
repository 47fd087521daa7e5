package credential

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"syscall"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// records are the stored keys by name.
type records map[string]record

type record struct {
	In  Place  `json:"in"`
	Key string `json:"key,omitempty"` // set if In is InFile
}

// document is the content of the file.
type document struct {
	Version int     `json:"version"`
	Keys    records `json:"keys"`
}

const (
	version     = 1
	maxFileSize = 1 << 20
)

// read reads the file; a missing file is empty. The decoder's error is dropped, because it may
// quote a key.
func read(path string) (records, error) {
	text, perm, err := atomicfile.Read(path, maxFileSize)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return records{}, nil // a parent that is a file also means a missing file; writing reports it
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, foreignFileError(path)
	case err != nil:
		return nil, fmt.Errorf("read the keys: %w", err)
	case runtime.GOOS != "windows" && perm&0o077 != 0:
		return nil, fmt.Errorf("read the keys: other users can read %s (mode %04o); run: chmod 600 %s", path, perm, path)
	}
	stored, ok := parse(text)
	if !ok {
		return nil, foreignFileError(path)
	}
	return stored, nil
}

func foreignFileError(path string) error {
	return fmt.Errorf("read the keys: unknown format in %s; fix the file, or move it away and set the keys again", path)
}

// parse accepts only what write produces.
func parse(text []byte) (records, bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var d document
	if decoder.Decode(&d) != nil || d.Version != version {
		return nil, false
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	for name, r := range d.Keys {
		if tidied, err := cleanSecret(r.Key); name == "" || r.In != InKeyring && (r.In != InFile || err != nil || tidied != r.Key) || r.In == InKeyring && r.Key != "" {
			return nil, false
		}
	}
	if d.Keys == nil {
		d.Keys = records{}
	}
	return d.Keys, true
}

// write replaces the file atomically. Only the user can read it at any time.
func (r records) write(path string) error {
	text, err := json.MarshalIndent(document{version, r}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the keys: %w", err)
	}
	if err := atomicfile.Replace(path, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("save the keys: %w", err)
	}
	return nil
}

func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("create the folder of the keys: %w", err)
	}
	return nil
}
