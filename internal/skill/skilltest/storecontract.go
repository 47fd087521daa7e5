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

// RunStore holds a store to the contract of skill.Store. open gives an empty one
// for each part.
func RunStore(t *testing.T, open func(t *testing.T) skill.Store) {
	for name, part := range map[string]func(*testing.T, skill.Store){
		"what is put in comes out by name":       putIn,
		"text is kept byte for byte":             keepsBytes,
		"names are canonical":                    canonicalNames,
		"what was changed meanwhile stays":       refusesStale,
		"a name that is taken is refused":        refusesTaken,
		"a swap happens whole or not at all":     swapsWhole,
		"of two that take the same one succeeds": swapsOnce,
	} {
		t.Run(name, func(t *testing.T) { part(t, open(t)) })
	}
}

var stored = time.Date(2026, 11, 21, 15, 4, 5, 678000, time.UTC)

// InStore is a small skill as a store keeps it.
func InStore(name string) skill.Stored {
	return skill.Stored{Name: name, Text: Named(name), CreatedAt: stored, ChangedAt: stored.Add(time.Hour)}
}

func swap(t *testing.T, s skill.Store, was, is []skill.Stored) {
	t.Helper()
	if err := s.Swap(t.Context(), was, is); err != nil {
		t.Fatalf("Swap(%v, %v) = %v", was, is, err)
	}
}

// WantStored compares all that a store holds.
func WantStored(t testing.TB, s skill.Store, want ...skill.Stored) {
	t.Helper()
	all, err := s.All(t.Context())
	if err != nil {
		t.Fatalf("All() = %v", err)
	}
	if diff := cmp.Diff(want, append([]skill.Stored(nil), all...)); diff != "" {
		t.Errorf("stored (-want +got):\n%s", diff)
	}
}

func putIn(t *testing.T, s skill.Store) {
	WantStored(t, s)
	swap(t, s, nil, []skill.Stored{InStore("cd"), InStore("ab")})
	swap(t, s, nil, []skill.Stored{InStore("bc")})
	WantStored(t, s, InStore("ab"), InStore("bc"), InStore("cd"))
	swap(t, s, []skill.Stored{InStore("bc"), InStore("ab")}, nil)
	WantStored(t, s, InStore("cd"))
}

func keepsBytes(t *testing.T, s skill.Store) {
	odd := InStore("ab")
	odd.Text = "\ufeff---\r\nname: ab\r\n---\r\n$1,000 'quoted' \"twice\" \x00 价格 {{x}} \t\n\n"
	swap(t, s, nil, []skill.Stored{odd})
	WantStored(t, s, odd)
	swap(t, s, []skill.Stored{odd}, nil)
	WantStored(t, s)
}

func canonicalNames(t *testing.T, s skill.Store) {
	wide := InStore("ａb") // full width a
	swap(t, s, nil, []skill.Stored{wide})
	kept := wide
	kept.Name = "ab"
	WantStored(t, s, kept)
	swap(t, s, []skill.Stored{wide}, nil)
	WantStored(t, s)
}

func refusesStale(t *testing.T, s skill.Store) {
	first, edited := InStore("ab"), InStore("ab")
	edited.Text += "edited"
	swap(t, s, nil, []skill.Stored{first})
	swap(t, s, []skill.Stored{first}, []skill.Stored{edited})
	wantChanged(t, s, []skill.Stored{first}, nil)
	wantChanged(t, s, []skill.Stored{InStore("cd")}, nil)
	WantStored(t, s, edited)
}

func refusesTaken(t *testing.T, s skill.Store) {
	swap(t, s, nil, []skill.Stored{InStore("ab")})
	other := InStore("ab")
	other.Text += "other"
	wantChanged(t, s, nil, []skill.Stored{other})
	WantStored(t, s, InStore("ab"))
}

func swapsWhole(t *testing.T, s skill.Store) {
	swap(t, s, nil, []skill.Stored{InStore("ab"), InStore("cd")})
	wantChanged(t, s, []skill.Stored{InStore("ab"), InStore("gone")}, []skill.Stored{InStore("ef")})
	wantChanged(t, s, []skill.Stored{InStore("ab")}, []skill.Stored{InStore("ef"), InStore("cd")})
	WantStored(t, s, InStore("ab"), InStore("cd"))
}

func swapsOnce(t *testing.T, s skill.Store) {
	swap(t, s, nil, []skill.Stored{InStore("ab")})
	var won atomic.Int32
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			mine := InStore("ab")
			mine.Text += fmt.Sprint(n)
			switch err := s.Swap(t.Context(), []skill.Stored{InStore("ab")}, []skill.Stored{mine}); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, skill.ErrStoreChanged):
				t.Errorf("Swap() = %v, want it done or ErrStoreChanged", err)
			}
		})
	}
	wait.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 8 succeeded, want one", won.Load())
	}
}

func wantChanged(t *testing.T, s skill.Store, was, is []skill.Stored) {
	t.Helper()
	if err := s.Swap(t.Context(), was, is); !errors.Is(err, skill.ErrStoreChanged) {
		t.Errorf("Swap(%v, %v) = %v, want ErrStoreChanged", was, is, err)
	}
}
