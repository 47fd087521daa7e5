package credential

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// records is the file: each key by name.
type records map[string]record

type record struct {
	In  Place  `json:"in"`
	Key string `json:"key,omitempty"` // where In is the file
}

// document is the file as it is written.
type document struct {
	Version int     `json:"version"`
	Keys    records `json:"keys"`
}

const (
	version     = 1
	largestFile = 1 << 20
)

// read takes the file; one that is not there holds nothing. It looks before it
// opens, because opening a pipe would wait for somebody to write. What a decoder
// says of the content may quote it, and is left out.
func read(path string) (records, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return records{}, nil // below a file there is none either; what cannot be kept there is said when it is
	case err != nil:
		return nil, fmt.Errorf("reading the keys: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("reading the keys: %s is not a regular file", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("reading the keys: others may read %s (mode %04o); run: chmod 600 %s", path, info.Mode().Perm(), path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largestFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the keys: %w", err)
	}
	kept, ok := parse(text)
	if !ok {
		return nil, fmt.Errorf("reading the keys: %s is not what nfa wrote; mend it or move it away, and set the keys again", path)
	}
	return kept, nil
}

// parse accepts what write writes, and nothing that only looks like it.
func parse(text []byte) (records, bool) {
	if len(text) > largestFile {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var d document
	if decoder.Decode(&d) != nil || decoder.More() || d.Version != version {
		return nil, false
	}
	for name, r := range d.Keys {
		if tidied, err := tidy(r.Key); name == "" || r.In != InKeyring && (r.In != InFile || err != nil || tidied != r.Key) || r.In == InKeyring && r.Key != "" {
			return nil, false
		}
	}
	if d.Keys == nil {
		d.Keys = records{}
	}
	return d.Keys, true
}

// write puts the file in its place in one step, for the user alone from its
// first byte on.
func (r records) write(path string) error {
	text, err := json.MarshalIndent(document{version, r}, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the keys: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".auth-*") // made with mode 0600
	if err != nil {
		return fmt.Errorf("writing the keys: %w", err)
	}
	defer os.Remove(f.Name()) // nothing is there once it was renamed
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("writing the keys: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("writing the keys: %w", err)
	}
	return nil
}

func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("making the folder of the keys: %w", err)
	}
	return nil
}
