package toolstest

import (
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"

	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// MustDecimal is a number as it is written.
func MustDecimal(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// MustDay is a date as it is written.
func MustDay(text string) market.Date { return portfoliotest.Day(text) }

// PortfolioFixture is what a test looks at; change it before calling Deps.
type PortfolioFixture struct {
	Accounts     []portfolio.Account
	Transactions []portfolio.Transaction
	Securities   []portfolio.Security
	Targets      []portfolio.Target
	Series       []market.Series
	Rates        map[market.Pair]market.RateSeries
	Clock        string
	Hide         bool
	Base         string
	Rules        string // the jurisdiction of the user
}

// Trade is a purchase or a sale.
func Trade(kind portfolio.Kind, id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: MustDay(on), Kind: kind, Account: account, Symbol: market.Symbol(symbol),
		Quantity: MustDecimal(quantity), Amount: MustDecimal(amount), Currency: currency,
	}
}

// Buy is a purchase.
func Buy(id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return Trade(portfolio.KindBuy, id, account, symbol, quantity, amount, currency, on)
}

// Sell is a sale.
func Sell(id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return Trade(portfolio.KindSell, id, account, symbol, quantity, amount, currency, on)
}

// Daily is a series as it was paid, of whose splits its source tells.
func Daily(sym, currency string, first market.Date, closes ...string) market.Series {
	s := markettest.Daily(market.Symbol(sym), first, closes...)
	s.Provenance.Currency, s.Provenance.Adjustment, s.Actions = currency, market.AdjustmentSplit, []market.Action{}
	return s
}

// Split is one of so many fresh shares for so many old.
func Split(on, fresh, old string) market.Action {
	return market.Action{Kind: market.ActionSplit, Date: MustDay(on), New: MustDecimal(fresh), Old: MustDecimal(old)}
}

// TwoCurrencyFixture is the world of the worked examples. In account us, whose cash is
// kept, 2,000 USD came in on Tuesday, January 2, and bought 10 VTI for 1,000 and a fee
// of 10. In account de, whose cash is not, 4 SAP were bought for 500 EUR the day
// after. On Monday, January 8, VTI costs 120 USD, SAP 150 EUR, and a euro 1.10 USD,
// after 1.05 until Friday.
func TwoCurrencyFixture() *PortfolioFixture {
	de := portfolio.NewAccount("de")
	de.Cash = portfolio.CashUntracked
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
		Accounts: []portfolio.Account{portfolio.NewAccount("us"), de},
		Transactions: []portfolio.Transaction{
			{ID: "0", Date: MustDay("2024-01-02"), Kind: portfolio.KindDeposit, Account: "us", Amount: MustDecimal("2000"), Currency: "USD"},
			bought, Buy("2", "de", "SAP", "4", "500", "EUR", "2024-01-03"),
		},
		Series: []market.Series{vti, Daily("SAP", "EUR", first, "125", "125", "125", "130", "140", "150")},
		Rates:  map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, MustDay("2023-12-20"), append(rates, "1.10", "1.10", "1.10")...)},
		Clock:  "2024-01-08T20:00:00Z", Base: "USD",
	}
}

// Deps are the world as a room knows it.
func (w *PortfolioFixture) Deps(t testing.TB) positions.Deps {
	t.Helper()
	store := &portfoliotest.Store{}
	err := store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: w.Accounts, Add: w.Transactions, Securities: w.Securities, Targets: w.Targets}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	source := markettest.NewSource(w.Series...)
	return positions.Deps{
		Prices: toolkit.Prices{Bars: source, Directory: source, Now: Clock(t, w.Clock)}, Quotes: source, Store: store,
		Rates: &markettest.FakeFeeds{FX: w.Rates}, Base: w.Base, HideAmounts: w.Hide,
	}
}

// EventfulFixture is a world in which every list of every tool has something: lots at a loss,
// a wash sale, one that is waiting, a split that nobody booked, and a security without
// a price. Its sums and quantities hold a canary.
func EventfulFixture() *PortfolioFixture {
	w := TwoCurrencyFixture()
	w.Rules = "us"
	w.Accounts = append(w.Accounts, func() portfolio.Account {
		a := portfolio.NewAccount("old")
		a.Cash = portfolio.CashUntracked
		return a
	}())
	w.Transactions = append(w.Transactions,
		Buy("10", "old", "LOSS", "17.7771", "3771.77", "USD", "2023-12-27"), Sell("11", "old", "LOSS", "7.7772", "777.23", "USD", "2024-01-03"),
		Buy("12", "old", "LOSS", "2.7773", "277.77", "USD", "2024-01-04"), Buy("13", "old", "NONE", "1.7774", "17.77", "USD", "2024-01-04"),
		Buy("14", "old", "FIT", "7.7775", "777.79", "USD", "2023-12-27"), Sell("15", "old", "FIT", "1.7776", "17.79", "USD", "2024-01-05"),
	)
	loss := Daily("LOSS", "USD", MustDay("2023-12-20"), "200", "200", "200", "200", "200", "200", "200", "200", "200", "100", "100", "100", "100", "100")
	fit := Daily("FIT", "USD", MustDay("2023-12-20"), "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "99", "98")
	fit.Actions = []market.Action{Split("2024-01-02", "3", "1")}
	w.Series = append(w.Series, loss, fit)
	w.Targets = []portfolio.Target{{Symbol: "VTI", Weight: MustDecimal("0.6")}}
	return w
}

// ObjectAt is a part of an answer by the path to it; a name in a list is that of the
// element whose first of the keys has it.
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
		t.Fatalf("%v is no object: %v", path, v)
	}
	return out
}
