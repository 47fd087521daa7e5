package app

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// DatabasePath is the file of the database of a home.
func DatabasePath(home string) string { return filepath.Join(home, "nfa.db") }

// Database is a home's one file for what is no file of its own: the conversations, and
// skills while their folder cannot be written. Most runs need none. It is safe for
// concurrent use.
type Database struct {
	path   string
	notice func(string)

	mu     sync.Mutex
	opened *sqlite.DB
}

// NewDatabase is the database of a home; notice is told where it was damaged, and what
// became of it.
func NewDatabase(home string, notice func(string)) *Database {
	return &Database{path: DatabasePath(home), notice: notice}
}

// Open gives the one handle, and makes the file where it is missing. Close is what gives
// it back.
func (d *Database) Open(ctx context.Context) (*sqlite.DB, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened != nil {
		return d.opened, nil
	}
	db, err := sqlite.Open(ctx, d.path, sqlite.Options{Notice: d.notice})
	if err == nil {
		d.opened = db
	}
	return db, err
}

// Exists reports whether there is a file to look into.
func (d *Database) Exists() bool {
	_, err := os.Stat(d.path)
	return err == nil
}

// Close gives the file back, where it was opened.
func (d *Database) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened == nil {
		return nil
	}
	return d.opened.Close()
}

// Skills are those in the database, which only a change makes.
func (d *Database) Skills() skill.Store { return storedSkills{d} }

type storedSkills struct{ db *Database }

func (s storedSkills) All(ctx context.Context) ([]skill.StoredSkill, error) {
	if !s.db.Exists() {
		return nil, nil
	}
	db, err := s.db.Open(ctx)
	if err != nil {
		return nil, err
	}
	return db.Skills().All(ctx)
}

func (s storedSkills) Swap(ctx context.Context, before, after []skill.StoredSkill) error {
	db, err := s.db.Open(ctx)
	if err != nil {
		return err
	}
	return db.Skills().Swap(ctx, before, after)
}
