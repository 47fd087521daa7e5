package app_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

func reopened(t *testing.T, home string) *app.Database {
	t.Helper()
	db := app.NewDatabase(home, func(text string) { t.Errorf("unexpected notice: %s", text) })
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestDatabase_StoredSkillsHoldTheContract(t *testing.T) {
	skilltest.RunStore(t, func(t *testing.T) skill.Store { return reopened(t, t.TempDir()).Skills() })
}

func TestDatabase_ToLookMakesNone(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	db := reopened(t, home)
	if all, err := db.Skills().All(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("All() = %v, %v, want nothing", all, err)
	}
	if db.Exists() {
		t.Error("a database is there that nobody made")
	}
	if err := db.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Errorf("the home is there: %v", err)
	}
}

func TestDatabase_SkillsAndSessionsShareOneHandle(t *testing.T) {
	db := reopened(t, t.TempDir())
	handles := make([]*sqlite.DB, 8)
	var wait sync.WaitGroup
	for n := range handles {
		wait.Go(func() {
			var err error
			if handles[n], err = db.Open(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for n, handle := range handles {
		if handle != handles[0] {
			t.Errorf("handle %d is another", n)
		}
	}
}
