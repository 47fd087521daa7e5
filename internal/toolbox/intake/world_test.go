package intake_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book/booktest"
	"github.com/nfa-cli/nfa/internal/toolbox/bookkeeping"
	"github.com/nfa-cli/nfa/internal/toolbox/intake"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = booktest.Args

// world has the tool of this room, and those of entries by hand.
type world struct {
	*booktest.World
	Mappings intake.Mappings
	Searches market.SearchSource
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: booktest.New(t), Mappings: &booktest.Mappings{}}
	w.Tools = func() []tool.Tool {
		return slices.Concat(intake.Tools(w.deps()), bookkeeping.Tools(w.byHand()))
	}
	return w
}

func (w *world) deps() intake.Deps {
	return intake.Deps{Deps: w.Deps, NewIDs: w.NewIDs, Read: w.Read, Mappings: w.Mappings, Searches: w.Searches}
}

func (w *world) byHand() bookkeeping.Deps {
	return bookkeeping.Deps{Deps: w.Deps, NewIDs: w.NewIDs, Searches: w.Searches}
}

// sqliteWorld keeps its book in a real file.
func sqliteWorld(t testing.TB) *world {
	t.Helper()
	w := newWorld(t)
	w.Now = toolboxtest.Clock(t, "2026-11-20T12:00:00Z")
	b, err := sqlite.OpenBook(t.Context(), filepath.Join(t.TempDir(), "book.db"), sqlite.Options{Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	w.Store, w.Mappings = b, b
	return w
}
