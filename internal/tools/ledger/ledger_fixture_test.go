package ledger_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type editArgs = toolstest.Args

// fixture has the tools of this room.
type fixture struct {
	*toolstest.LedgerFixture
	Searches market.SearchSource
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	w := &fixture{LedgerFixture: toolstest.NewLedgerFixture(t)}
	w.Tools = func() []tool.Tool { return ledger.Tools(w.deps()) }
	return w
}

func (w *fixture) deps() ledger.Deps {
	return ledger.Deps{Deps: w.Deps, NewIDs: w.NewIDs, Searches: w.Searches}
}

// newImportedFixture is a world with four entries of a broker's file, the newest first: t1 is
// a sale, t4 the deposit that paid for it all.
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
