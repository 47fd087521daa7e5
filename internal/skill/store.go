package skill

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing/fstest"
	"time"
)

// storeScheme is the prefix of paths in a Store, so that they are not taken for files.
const storeScheme = "store:"

// storeWait is the timeout for reading a Store, because scans and loads have no context and another
// program may lock the database.
const storeWait = 5 * time.Second

// ErrStoreChanged means that another program changed or removed a skill that Swap was to remove, or
// took the name of one that it was to add.
var ErrStoreChanged = errors.New("another program has changed it")

// Store stores skills while the skills folder cannot be written: only the SKILL.md of each. It is
// safe for concurrent use, also by several programs.
type Store interface {
	// All returns the skills, sorted by name.
	All(ctx context.Context) ([]StoredSkill, error)
	// Swap removes skills, which must be unchanged since All, and adds others, whose names must
	// then be free. Otherwise it changes nothing and returns ErrStoreChanged.
	Swap(ctx context.Context, remove, add []StoredSkill) error
}

// StoredSkill is a skill in a Store.
type StoredSkill struct {
	Name      string // canonical
	Text      string // the whole SKILL.md, byte for byte
	CreatedAt time.Time
	ChangedAt time.Time
}

// Path returns the path of its SKILL.md for users and the model.
func (s StoredSkill) Path() string { return storeScheme + s.Name + "/" + FileName }

// ParseStorePath returns the name of the skill for a path in a Store. For the path of a file, ok is
// false.
func ParseStorePath(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, storeScheme)
	return CanonicalName(strings.TrimSuffix(name, "/"+FileName)), ok
}

// StoreRoot returns the root of the skills in a store, which is read at every scan and load.
func StoreRoot(s Store) Root {
	return Root{Dir: storeScheme, Source: SourceStore, store: s}
}

// snapshotStore returns the current files NAME/SKILL.md of a store.
func snapshotStore(s Store) fs.FS {
	ctx, cancel := context.WithTimeout(context.Background(), storeWait)
	defer cancel()
	skills, err := s.All(ctx)
	if err != nil {
		return unreadableFS{err}
	}
	files := fstest.MapFS{}
	for _, k := range skills {
		files[k.Name+"/"+FileName] = &fstest.MapFile{Data: []byte(k.Text), Mode: 0o400, ModTime: k.ChangedAt}
	}
	return files
}

// unreadableFS is a file system that fails with err.
type unreadableFS struct{ err error }

func (f unreadableFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: f.err}
}
