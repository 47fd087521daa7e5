package skilltest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill"
)

// RunStore tests a store against the contract of skill.Store. open returns an empty one for each
// subtest.
func RunStore(t *testing.T, open func(t *testing.T) skill.Store) {
	for name, part := range map[string]func(*testing.T, skill.Store){
		"skills are listed by name":            listsByName,
		"text is stored byte for byte":         keepsBytes,
		"names are canonical":                  canonicalNames,
		"a concurrently changed skill is kept": refusesStale,
		"a duplicate name is refused":          refusesTaken,
		"a swap is all or nothing":             swapsWhole,
		"of two concurrent swaps one succeeds": swapsOnce,
	} {
		t.Run(name, func(t *testing.T) { part(t, open(t)) })
	}
}

var storedAt = time.Date(2026, 11, 21, 15, 4, 5, 678000, time.UTC)

// StoredSkill returns a small stored skill.
func StoredSkill(name string) skill.StoredSkill {
	return skill.StoredSkill{Name: name, Text: SkillFile(name), CreatedAt: storedAt, ChangedAt: storedAt.Add(time.Hour)}
}

func swap(t *testing.T, s skill.Store, remove, add []skill.StoredSkill) {
	t.Helper()
	if err := s.Swap(t.Context(), remove, add); err != nil {
		t.Fatalf("Swap(%v, %v) = %v", remove, add, err)
	}
}

// WantStored compares everything in a store.
func WantStored(t testing.TB, s skill.Store, want ...skill.StoredSkill) {
	t.Helper()
	all, err := s.All(t.Context())
	if err != nil {
		t.Fatalf("All() = %v", err)
	}
	if diff := cmp.Diff(want, append([]skill.StoredSkill(nil), all...)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

func listsByName(t *testing.T, s skill.Store) {
	WantStored(t, s)
	swap(t, s, nil, []skill.StoredSkill{StoredSkill("cd"), StoredSkill("ab")})
	swap(t, s, nil, []skill.StoredSkill{StoredSkill("bc")})
	WantStored(t, s, StoredSkill("ab"), StoredSkill("bc"), StoredSkill("cd"))
	swap(t, s, []skill.StoredSkill{StoredSkill("bc"), StoredSkill("ab")}, nil)
	WantStored(t, s, StoredSkill("cd"))
}

func keepsBytes(t *testing.T, s skill.Store) {
	odd := StoredSkill("ab")
	odd.Text = "\ufeff---\r\nname: ab\r\n---\r\n$1,000 'quoted' \"twice\" 价格 {{x}} \t\n\n"
	swap(t, s, nil, []skill.StoredSkill{odd})
	WantStored(t, s, odd)
	swap(t, s, []skill.StoredSkill{odd}, nil)
	WantStored(t, s)
}

func canonicalNames(t *testing.T, s skill.Store) {
	wide := StoredSkill("ａb") // full-width a
	swap(t, s, nil, []skill.StoredSkill{wide})
	kept := wide
	kept.Name = "ab"
	WantStored(t, s, kept)
	swap(t, s, []skill.StoredSkill{wide}, nil)
	WantStored(t, s)
}

func refusesStale(t *testing.T, s skill.Store) {
	first, edited := StoredSkill("ab"), StoredSkill("ab")
	edited.Text += "edited"
	swap(t, s, nil, []skill.StoredSkill{first})
	swap(t, s, []skill.StoredSkill{first}, []skill.StoredSkill{edited})
	wantChanged(t, s, []skill.StoredSkill{first}, nil)
	wantChanged(t, s, []skill.StoredSkill{StoredSkill("cd")}, nil)
	WantStored(t, s, edited)
}

func refusesTaken(t *testing.T, s skill.Store) {
	swap(t, s, nil, []skill.StoredSkill{StoredSkill("ab")})
	other := StoredSkill("ab")
	other.Text += "other"
	wantChanged(t, s, nil, []skill.StoredSkill{other})
	WantStored(t, s, StoredSkill("ab"))
}

func swapsWhole(t *testing.T, s skill.Store) {
	swap(t, s, nil, []skill.StoredSkill{StoredSkill("ab"), StoredSkill("cd")})
	wantChanged(t, s, []skill.StoredSkill{StoredSkill("ab"), StoredSkill("gone")}, []skill.StoredSkill{StoredSkill("ef")})
	wantChanged(t, s, []skill.StoredSkill{StoredSkill("ab")}, []skill.StoredSkill{StoredSkill("ef"), StoredSkill("cd")})
	WantStored(t, s, StoredSkill("ab"), StoredSkill("cd"))
}

func swapsOnce(t *testing.T, s skill.Store) {
	swap(t, s, nil, []skill.StoredSkill{StoredSkill("ab")})
	var won atomic.Int32
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			mine := StoredSkill("ab")
			mine.Text += fmt.Sprint(n)
			switch err := s.Swap(t.Context(), []skill.StoredSkill{StoredSkill("ab")}, []skill.StoredSkill{mine}); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, skill.ErrStoreChanged):
				t.Errorf("Swap() = %v, want nil or ErrStoreChanged", err)
			}
		})
	}
	wait.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 8 succeeded, want one", won.Load())
	}
}

func wantChanged(t *testing.T, s skill.Store, remove, add []skill.StoredSkill) {
	t.Helper()
	if err := s.Swap(t.Context(), remove, add); !errors.Is(err, skill.ErrStoreChanged) {
		t.Errorf("Swap(%v, %v) = %v, want ErrStoreChanged", remove, add, err)
	}
}
