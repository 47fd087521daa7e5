package ledger_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type args = toolstest.Args

// canary is in every amount and quantity of the tests of hidden amounts.
const canary = "77777"

// fixture has the tools that import transactions and edit the ledger.
type fixture struct {
	*toolstest.LedgerFixture
	Mappings ledger.Mappings
	Searches market.SearchSource
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	w := &fixture{LedgerFixture: toolstest.NewLedgerFixture(t), Mappings: &toolstest.MappingStore{}}
	w.Tools = func() []tool.Tool { return ledger.Tools(w.deps()) }
	return w
}

func (w *fixture) deps() ledger.Deps {
	return ledger.Deps{Deps: w.Deps, NewIDs: w.NewIDs, Searches: w.Searches, Read: w.Read, Mappings: w.Mappings}
}

// newSQLiteFixture returns a fixture with its ledger in a real file.
func newSQLiteFixture(t testing.TB) *fixture {
	t.Helper()
	w := newFixture(t)
	w.Now = toolstest.Clock(t, "2026-11-20T12:00:00Z")
	b, err := sqlite.OpenPortfolioStore(t.Context(), filepath.Join(t.TempDir(), "portfolio.db"), sqlite.Options{Now: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	w.Store, w.Mappings = b, b
	return w
}

// wantHidden checks that a model sees no amount of a result, but why, and that the user sees the amounts,
// except in an error.
func wantHidden(t *testing.T, subject string, res tool.Result) {
	t.Helper()
	digits := strings.NewReplacer(",", "")
	if output := toolstest.ModelOutput(res); strings.Contains(digits.Replace(output), canary) {
		t.Errorf("%s shows the model\n%s", subject, output)
	}
	if !strings.Contains(res.ModelText(), "share_amounts") {
		t.Errorf("%s shows the model\n%s\nwant why it sees no amounts", subject, res.ModelText())
	}
	if !res.IsError && !strings.Contains(digits.Replace(res.UserText()), canary) {
		t.Errorf("%s shows the user\n%s\nwant the amounts", subject, res.UserText())
	}
}

// newImportedFixture returns a fixture with four transactions of a broker's file, the newest first: t1 is a
// sale, t4 the first deposit.
func newImportedFixture(t testing.TB) *fixture {
	t.Helper()
	w := newFixture(t)
	num := decimal.RequireFromString
	entry := func(date string, kind portfolio.Kind, amount string) portfolio.Transaction {
		x := portfolio.Transaction{
			Date: portfoliotest.Day(date), Kind: kind, Account: "schwab", Currency: "USD", Amount: num(amount),
			Source: "schwab", SourceID: date,
		}
		if kind != portfolio.KindDeposit {
			x.Symbol, x.Name = "VTI", "VANGUARD TOTAL STOCK MARKET"
		}
		return x
	}
	sale, bought := entry("2024-02-01", portfolio.KindSell, "960"), entry("2024-01-03", portfolio.KindBuy, "2300")
	sale.Quantity, sale.Fee, bought.Quantity = num("4"), num("0.5"), num("10")
	all := []portfolio.Transaction{sale, entry("2024-01-15", portfolio.KindDividend, "7.25"), bought, entry("2024-01-02", portfolio.KindDeposit, "5000")}
	ids, err := w.NewIDs(len(all))
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		all[i].ID = ids[i]
	}
	w.Record(portfolio.Change{Accounts: []portfolio.Account{portfolio.NewAccount("schwab")}, Add: all})
	return w
}
