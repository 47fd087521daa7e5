package sqlite_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestK27_StoredSkillsHoldTheContract(t *testing.T) {
	skilltest.RunStore(t, func(t *testing.T) skill.Store {
		return open(t, filepath.Join(t.TempDir(), "nfa.db")).Skills()
	})
}

func TestK27_StoredSkillsOutliveTheProgramBesideTheSessions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	db := open(t, path)
	if err := db.Skills().Swap(t.Context(), nil, []skill.StoredSkill{skilltest.StoredSkill("ab")}); err != nil {
		t.Fatal(err)
	}
	if err := db.Sessions().Create(t.Context(), session.Session{ID: "a"}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	db = open(t, path)
	skilltest.WantStored(t, db.Skills(), skilltest.StoredSkill("ab"))
	if _, _, err := db.Sessions().Load(t.Context(), "a"); err != nil {
		t.Errorf("Load(a) = %v, want the session kept", err)
	}
}

func TestK27_AFileFromBeforeTheSkillsTakesThem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	newStoreOfVersion(t, path, 1)
	execute(t, path, "INSERT INTO session VALUES ('a', 'Old', 'm', 0, 0)")
	db := open(t, path)
	if err := db.Skills().Swap(t.Context(), nil, []skill.StoredSkill{skilltest.StoredSkill("ab")}); err != nil {
		t.Errorf("Swap() after the migration = %v", err)
	}
	if _, _, err := db.Sessions().Load(t.Context(), "a"); err != nil {
		t.Errorf("Load(a) = %v, want the session kept", err)
	}
}

// For SQLite, two handles are two programs.
func TestK27_TwoProgramsDoNotMoveOneSkillTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nfa.db")
	var names []skill.StoredSkill
	for n := range 20 {
		names = append(names, skilltest.StoredSkill(fmt.Sprintf("skill-%d", n)))
	}
	first, second := open(t, path).Skills(), open(t, path).Skills()
	if err := first.Swap(t.Context(), nil, names); err != nil {
		t.Fatal(err)
	}
	taken := make([][]string, 2)
	var wait sync.WaitGroup
	for k, s := range []skill.Store{first, second} {
		wait.Go(func() {
			for _, one := range names {
				err := s.Swap(t.Context(), []skill.StoredSkill{one}, nil)
				if err == nil {
					taken[k] = append(taken[k], one.Name)
				} else if !errors.Is(err, skill.ErrStoreChanged) {
					t.Errorf("Swap(%s) = %v", one.Name, err)
				}
			}
		})
	}
	wait.Wait()
	if n := len(taken[0]) + len(taken[1]); n != len(names) {
		t.Errorf("%d skills were taken out, want each of %d once: %v", n, len(names), taken)
	}
	skilltest.WantStored(t, second)
}
