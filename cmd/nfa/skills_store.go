package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// database is the home's one file for what is no file of its own, opened when it
// is first needed: most verbs need none, and to look must not make one.
type database struct {
	path   string
	notice func(string) // told when it was damaged

	mu     sync.Mutex
	opened *sqlite.DB
}

func openLater(home string, notice func(string)) *database {
	return &database{path: filepath.Join(home, "nfa.db"), notice: notice}
}

// open gives the one handle, and makes the file where it is missing.
func (d *database) open(ctx context.Context) (*sqlite.DB, error) {
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

// isThere reports whether there is a file to look into.
func (d *database) isThere() bool {
	_, err := os.Stat(d.path)
	return err == nil
}

func (d *database) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened == nil {
		return nil
	}
	return d.opened.Close()
}

// storedSkills is the skill.Store of the database, which only a change makes.
type storedSkills struct{ *database }

func (s storedSkills) All(ctx context.Context) ([]skill.Stored, error) {
	if !s.isThere() {
		return nil, nil
	}
	db, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	return db.Skills().All(ctx)
}

func (s storedSkills) Swap(ctx context.Context, was, is []skill.Stored) error {
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	return db.Skills().Swap(ctx, was, is)
}

// told is who hears of what the program did unasked: the verb, else stderr.
func (w wiring) told(g *globals) func(string) {
	if w.notice != nil {
		return w.notice
	}
	return g.notice
}

// printWaiting is what skills doctor says of the skills that wait in the database.
func printWaiting(g *globals, waiting []install.Waiting) {
	for _, w := range waiting {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf("~ in the database: %s: %s", w.Name, w.Reason)))
		fmt.Fprintln(g.out, markdown.SanitizeLine("            "+w.Mend))
	}
}
