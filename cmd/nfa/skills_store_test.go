package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

func openedLater(t *testing.T, home string) *database {
	t.Helper()
	db := openLater(home, func(text string) { t.Errorf("unexpected notice: %s", text) })
	t.Cleanup(func() { _ = db.close() })
	return db
}

func TestK27_StoredSkillsHoldTheContract(t *testing.T) {
	skilltest.RunStore(t, func(t *testing.T) skill.Store { return storedSkills{openedLater(t, t.TempDir())} })
}

func TestK27_ToLookMakesNoDatabase(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	db := openedLater(t, home)
	if all, err := (storedSkills{db}).All(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("All() = %v, %v, want nothing", all, err)
	}
	if err := db.close(); err != nil {
		t.Errorf("close() = %v", err)
	}
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Errorf("the home is there: %v", err)
	}
}

func TestK27_SkillsAndSessionsShareOneHandle(t *testing.T) {
	db := openedLater(t, t.TempDir())
	handles := make([]*sqlite.DB, 8)
	var wait sync.WaitGroup
	for n := range handles {
		wait.Go(func() {
			var err error
			if handles[n], err = db.open(t.Context()); err != nil {
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

// Sessions are in that file too: who only looked at skills is told as well that
// it was damaged.
func TestK27_ADamagedDatabaseIsToldToWhoeverMeetsIt(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "nfa.db"), []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	g := &globals{terminal: terminal{err: &stderr, env: os.Getenv}, home: home}
	h, err := wire(t.Context(), g, wiring{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	if !strings.Contains(stderr.String(), "set aside as "+filepath.Join(home, "nfa.db.damaged-")) {
		t.Errorf("stderr = %q, want what became of the file", stderr.String())
	}
}

func TestK27_ADatabaseThatCannotBeOpenedIsADiagnostic(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "nfa.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	g := &globals{terminal: terminal{err: new(strings.Builder), env: os.Getenv}, home: home}
	h, err := wire(t.Context(), g, wiring{})
	if err != nil {
		t.Fatalf("wire() = %v, want every other skill usable", err)
	}
	defer h.close()
	if _, ok := h.skills.Lookup("get-price"); !ok {
		t.Error("get-price is not there")
	}
	for _, d := range h.skills.Diagnostics() {
		if d.Source == skill.SourceStore && errors.Is(d.Err, skill.ErrUnreadable) {
			return
		}
	}
	t.Errorf("diagnostics = %+v, want one of the store", h.skills.Diagnostics())
}
