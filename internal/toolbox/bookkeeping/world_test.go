package bookkeeping_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book/booktest"
	"github.com/nfa-cli/nfa/internal/toolbox/bookkeeping"
)

type args = booktest.Args

// world has the tools of this room.
type world struct {
	*booktest.World
	Searches market.SearchSource
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: booktest.New(t)}
	w.Tools = func() []tool.Tool { return bookkeeping.Tools(w.deps()) }
	return w
}

func (w *world) deps() bookkeeping.Deps {
	return bookkeeping.Deps{Deps: w.Deps, NewIDs: w.NewIDs, Searches: w.Searches}
}

// imported is a world with four entries of a broker's file, the newest first: t1 is
// a sale, t4 the deposit that paid for it all.
func imported(t testing.TB) *world {
	t.Helper()
	w := newWorld(t)
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
