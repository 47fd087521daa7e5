package skill

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing/fstest"
	"time"
)

// storeScheme begins the paths of what lies in a Store, so that none is taken
// for a file.
const storeScheme = "store:"

// storeWait bounds a look into a Store: scans and loads have no context of their
// own, and another program may hold the database.
const storeWait = 5 * time.Second

// ErrStoreChanged means that what a Swap was to replace is not there any more,
// or that the name of what it was to add is taken: another program was first.
var ErrStoreChanged = errors.New("changed by another program meanwhile")

// Store keeps skills where a skills folder cannot be written: the SKILL.md of
// each and nothing beside it. It is safe for concurrent use, also by several
// programs.
type Store interface {
	// All gives the skills by name.
	All(ctx context.Context) ([]StoredSkill, error)
	// Swap takes out the skills of was, which must be as All gave them, and puts
	// in those of is, whose names must then be free; else it is ErrStoreChanged.
	// All of it happens or nothing.
	Swap(ctx context.Context, remove, add []StoredSkill) error
}

// StoredSkill is a skill in a Store.
type StoredSkill struct {
	Name      string // canonical
	Text      string // the whole SKILL.md, byte for byte
	CreatedAt time.Time
	ChangedAt time.Time
}

// Path is the path of its SKILL.md as people and the model see it.
func (s StoredSkill) Path() string { return storeScheme + s.Name + "/" + FileName }

// ParseStorePath is the name of the skill in a Store that a path leads to, of its
// directory or its SKILL.md. A path to a file is not ok.
func ParseStorePath(path string) (name string, ok bool) {
	name, ok = strings.CutPrefix(path, storeScheme)
	return CanonicalName(strings.TrimSuffix(name, "/"+FileName)), ok
}

// StoreRoot is the root of the skills in a store, which is read anew whenever
// they are looked for or loaded.
func StoreRoot(s Store) Root {
	return Root{Dir: storeScheme, Source: SourceStore, store: s}
}

// snapshotStore returns the files NAME/SKILL.md of a store as they are at this moment.
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
