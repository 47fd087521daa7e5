package ledger_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type importArgs = toolstest.Args

// importFixture has the tool of this room, and those of entries by hand.
type importFixture struct {
	*toolstest.LedgerFixture
	Mappings ledger.Mappings
	Searches market.SearchSource
}

func newImportFixture(t testing.TB) *importFixture {
	t.Helper()
	w := &importFixture{LedgerFixture: toolstest.NewLedgerFixture(t), Mappings: &toolstest.Mappings{}}
	w.Tools = func() []tool.Tool {
		return slices.Concat(ledger.ImportTools(w.deps()), ledger.Tools(w.byHand()))
	}
	return w
}

func (w *importFixture) deps() ledger.ImportDeps {
	return ledger.ImportDeps{Deps: w.Deps, NewIDs: w.NewIDs, Read: w.Read, Mappings: w.Mappings, Searches: w.Searches}
}

func (w *importFixture) byHand() ledger.Deps {
	return ledger.Deps{Deps: w.Deps, NewIDs: w.NewIDs, Searches: w.Searches}
}

// newSQLiteFixture keeps its book in a real file.
func newSQLiteFixture(t testing.TB) *importFixture {
	t.Helper()
	w := newImportFixture(t)
	w.Now = toolstest.Clock(t, "2026-11-20T12:00:00Z")
	b, err := sqlite.OpenPortfolioStore(t.Context(), filepath.Join(t.TempDir(), "book.db"), sqlite.Options{Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	w.Store, w.Mappings = b, b
	return w
}
