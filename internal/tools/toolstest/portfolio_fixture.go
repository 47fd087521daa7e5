package toolstest

import (
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// PortfolioFixture is a portfolio with its market data. Change it before calling Deps.
type PortfolioFixture struct {
	Accounts     []portfolio.Account
	Transactions []portfolio.Transaction
	Securities   []portfolio.Security
	Targets      []portfolio.Target
	Series       []market.Series
	Rates        map[market.Pair]market.RateSeries
	Clock        string // the time of the test in RFC 3339
	Base         string // the base currency
	Rules        string // the user's jurisdiction
}

// UntrackedAccount returns an account whose cash is not tracked.
func UntrackedAccount(name string) portfolio.Account {
	a := portfolio.NewAccount(name)
	a.Cash = portfolio.CashUntracked
	return a
}

// Deposit returns a deposit in USD.
func Deposit(id, account, amount, on string) portfolio.Transaction {
	return portfolio.Transaction{ID: id, Date: MustDay(on), Kind: portfolio.KindDeposit, Account: account, Amount: MustDecimal(amount), Currency: "USD"}
}

// Trade returns a purchase or a sale.
func Trade(kind portfolio.Kind, id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: MustDay(on), Kind: kind, Account: account, Symbol: market.Symbol(symbol),
		Quantity: MustDecimal(quantity), Amount: MustDecimal(amount), Currency: currency,
	}
}

// Buy returns a purchase.
func Buy(id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return Trade(portfolio.KindBuy, id, account, symbol, quantity, amount, currency, on)
}

// Sell returns a sale.
func Sell(id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return Trade(portfolio.KindSell, id, account, symbol, quantity, amount, currency, on)
}

// Daily returns a series of traded prices from a source that reports splits.
func Daily(sym, currency string, first market.Date, closes ...string) market.Series {
	s := markettest.Daily(market.Symbol(sym), first, closes...)
	s.Provenance.Currency, s.Provenance.Adjustment, s.Actions = currency, market.AdjustmentSplit, []market.Action{}
	return s
}

// Split returns a split: the number of new shares for a number of old ones.
func Split(on, fresh, old string) market.Action {
	return market.Action{Kind: market.ActionSplit, Date: MustDay(on), New: MustDecimal(fresh), Old: MustDecimal(old)}
}

// TwoCurrencyFixture returns the portfolio of the worked examples. Account us tracks its cash:
// 2,000 USD were deposited on Tuesday, January 2, and bought 10 VTI for 1,000 and a fee
// of 10. Account de does not: it bought 4 SAP for 500 EUR the day after. On Monday,
// January 8, VTI is at 120 USD, SAP at 150 EUR and the euro at 1.10 USD. The euro was at
// 1.05 until Friday.
func TwoCurrencyFixture() *PortfolioFixture {
	bought := Buy("1", "us", "VTI", "10", "1000", "USD", "2024-01-02")
	bought.Fee = MustDecimal("10")
	first := MustDay("2024-01-01")
	vti := Daily("VTI", "USD", first, "100", "100", "105", "110", "115", "120")
	vti.Kind = "fund"
	var rates []string
	for range 17 { // December 20 to January 5
		rates = append(rates, "1.05")
	}
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	return &PortfolioFixture{
		Accounts: []portfolio.Account{portfolio.NewAccount("us"), UntrackedAccount("de")},
		Transactions: []portfolio.Transaction{
			Deposit("0", "us", "2000", "2024-01-02"), bought, Buy("2", "de", "SAP", "4", "500", "EUR", "2024-01-03"),
		},
		Series: []market.Series{vti, Daily("SAP", "EUR", first, "125", "125", "125", "130", "140", "150")},
		Rates:  map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, MustDay("2023-12-20"), append(rates, "1.10", "1.10", "1.10")...)},
		Clock:  "2024-01-08T20:00:00Z", Base: "USD",
	}
}

// Deps returns the dependencies of tools that read the portfolio.
func (f *PortfolioFixture) Deps(t testing.TB) positions.Deps {
	t.Helper()
	store := &portfoliotest.Store{}
	err := store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: f.Accounts, Add: f.Transactions, Securities: f.Securities, Targets: f.Targets}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	source := markettest.NewSource(f.Series...)
	return positions.Deps{
		Prices: Prices(t, source, f.Clock), Quotes: source, Store: store,
		Rates: &markettest.FakeFeeds{FX: f.Rates}, Base: f.Base,
	}
}

// EventfulFixture returns a portfolio that fills every list of every tool: lots at a loss, a
// wash sale, a pending one, a split that is not recorded, and a security without a price.
// Its amounts and quantities contain a canary.
func EventfulFixture() *PortfolioFixture {
	f := TwoCurrencyFixture()
	f.Rules = "us"
	f.Accounts = append(f.Accounts, UntrackedAccount("old"))
	f.Transactions = append(f.Transactions,
		Buy("10", "old", "LOSS", "17.7771", "3771.77", "USD", "2023-12-27"), Sell("11", "old", "LOSS", "7.7772", "777.23", "USD", "2024-01-03"),
		Buy("12", "old", "LOSS", "2.7773", "277.77", "USD", "2024-01-04"), Buy("13", "old", "NONE", "1.7774", "17.77", "USD", "2024-01-04"),
		Buy("14", "old", "FIT", "7.7775", "777.79", "USD", "2023-12-27"), Sell("15", "old", "FIT", "1.7776", "17.79", "USD", "2024-01-05"),
	)
	loss := Daily("LOSS", "USD", MustDay("2023-12-20"), "200", "200", "200", "200", "200", "200", "200", "200", "200", "100", "100", "100", "100", "100")
	fit := Daily("FIT", "USD", MustDay("2023-12-20"), "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "99", "98")
	fit.Actions = []market.Action{Split("2024-01-02", "3", "1")}
	f.Series = append(f.Series, loss, fit)
	f.Targets = []portfolio.Target{{Symbol: "VTI", Weight: MustDecimal("0.6")}}
	return f
}

// ObjectAt returns the object at a path in an answer. In a list, a step is the value of
// one of the naming fields of the element: symbol, account, name and so on.
func ObjectAt(t testing.TB, v any, path ...string) map[string]any {
	t.Helper()
	for _, step := range path {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			i := slices.IndexFunc(at, func(e any) bool {
				for _, key := range []string{"symbol", "account", "name", "by", "of", "method", "what", "lot"} {
					if text, ok := e.(map[string]any)[key]; ok && text == step {
						return true
					}
				}
				return false
			})
			if i < 0 {
				t.Fatalf("no %q in %v", step, at)
			}
			v = at[i]
		}
	}
	out, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%v is not an object: %v", path, v)
	}
	return out
}
