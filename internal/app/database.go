package app

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// DatabasePath returns the path of the database in a data folder.
func DatabasePath(home string) string { return filepath.Join(home, "nfa.db") }

// Database holds the sessions, and skills that could not be written to their folder. Most commands
// do not open it. It is safe for concurrent use.
type Database struct {
	path   string
	notice func(string)

	mu     sync.Mutex
	opened *sqlite.DB
}

// NewDatabase returns the database of a data folder without opening it. notice is called if the
// file is damaged.
func NewDatabase(home string, notice func(string)) *Database {
	return &Database{path: DatabasePath(home), notice: notice}
}

// Open opens the database, creates the file if it is missing, and returns the same handle on every
// call. Close releases it.
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

// Exists reports whether the file exists.
func (d *Database) Exists() bool {
	_, err := os.Stat(d.path)
	return err == nil
}

// Close closes the file if it was opened.
func (d *Database) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened == nil {
		return nil
	}
	return d.opened.Close()
}

// Skills returns a store for the skills in the database. Reading it does not create the file.
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
