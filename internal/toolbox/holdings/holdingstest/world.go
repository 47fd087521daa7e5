// Package holdingstest has the worlds and the promises that all rooms share which look
// at the user's book.
package holdingstest

import (
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"

	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// Args are the arguments of a call.
type Args = toolboxtest.Args

// Dec is a number as it is written.
func Dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// Day is a date as it is written.
func Day(text string) market.Date { return portfoliotest.Day(text) }

// World is what a test looks at; change it before calling Deps.
type World struct {
	Accounts   []portfolio.Account
	Added      []portfolio.Transaction
	Securities []portfolio.Security
	Targets    []portfolio.Target
	Series     []market.Series
	Rates      map[market.Pair]market.RateSeries
	Clock      string
	Hide       bool
	Base       string
	Rules      string // the jurisdiction of the user
}

// Trade is a purchase or a sale.
func Trade(kind portfolio.Kind, id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: Day(on), Kind: kind, Account: account, Symbol: market.Symbol(symbol),
		Quantity: Dec(quantity), Amount: Dec(amount), Currency: currency,
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
	return market.Action{Kind: market.ActionSplit, Date: Day(on), New: Dec(fresh), Old: Dec(old)}
}

// TwoCurrencies is the world of the worked examples. In account us, whose cash is
// kept, 2,000 USD came in on Tuesday, January 2, and bought 10 VTI for 1,000 and a fee
// of 10. In account de, whose cash is not, 4 SAP were bought for 500 EUR the day
// after. On Monday, January 8, VTI costs 120 USD, SAP 150 EUR, and a euro 1.10 USD,
// after 1.05 until Friday.
func TwoCurrencies() *World {
	de := portfolio.NewAccount("de")
	de.Cash = portfolio.CashUntracked
	bought := Buy("1", "us", "VTI", "10", "1000", "USD", "2024-01-02")
	bought.Fee = Dec("10")
	first := Day("2024-01-01")
	vti := Daily("VTI", "USD", first, "100", "100", "105", "110", "115", "120")
	vti.Kind = "fund"
	var rates []string
	for range 17 { // December 20 to January 5
		rates = append(rates, "1.05")
	}
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	return &World{
		Accounts: []portfolio.Account{portfolio.NewAccount("us"), de},
		Added: []portfolio.Transaction{
			{ID: "0", Date: Day("2024-01-02"), Kind: portfolio.KindDeposit, Account: "us", Amount: Dec("2000"), Currency: "USD"},
			bought, Buy("2", "de", "SAP", "4", "500", "EUR", "2024-01-03"),
		},
		Series: []market.Series{vti, Daily("SAP", "EUR", first, "125", "125", "125", "130", "140", "150")},
		Rates:  map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, Day("2023-12-20"), append(rates, "1.10", "1.10", "1.10")...)},
		Clock:  "2024-01-08T20:00:00Z", Base: "USD",
	}
}

// Deps are the world as a room knows it.
func (w *World) Deps(t testing.TB) book.Deps {
	t.Helper()
	store := &portfoliotest.Store{}
	err := store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: w.Accounts, Add: w.Added, Securities: w.Securities, Targets: w.Targets}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	source := markettest.NewSource(w.Series...)
	return book.Deps{
		Prices: question.Prices{Bars: source, Directory: source, Now: toolboxtest.Clock(t, w.Clock)}, Quotes: source, Store: store,
		Rates: &markettest.Feeds{FX: w.Rates}, Base: w.Base, HideAmounts: w.Hide,
	}
}

// Eventful is a world in which every list of every tool has something: lots at a loss,
// a wash sale, one that is waiting, a split that nobody booked, and a security without
// a price. Its sums and quantities hold a canary.
func Eventful() *World {
	w := TwoCurrencies()
	w.Rules = "us"
	w.Accounts = append(w.Accounts, func() portfolio.Account {
		a := portfolio.NewAccount("old")
		a.Cash = portfolio.CashUntracked
		return a
	}())
	w.Added = append(w.Added,
		Buy("10", "old", "LOSS", "17.7771", "3771.77", "USD", "2023-12-27"), Sell("11", "old", "LOSS", "7.7772", "777.23", "USD", "2024-01-03"),
		Buy("12", "old", "LOSS", "2.7773", "277.77", "USD", "2024-01-04"), Buy("13", "old", "NONE", "1.7774", "17.77", "USD", "2024-01-04"),
		Buy("14", "old", "FIT", "7.7775", "777.79", "USD", "2023-12-27"), Sell("15", "old", "FIT", "1.7776", "17.79", "USD", "2024-01-05"),
	)
	loss := Daily("LOSS", "USD", Day("2023-12-20"), "200", "200", "200", "200", "200", "200", "200", "200", "200", "100", "100", "100", "100", "100")
	fit := Daily("FIT", "USD", Day("2023-12-20"), "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "100", "99", "98")
	fit.Actions = []market.Action{Split("2024-01-02", "3", "1")}
	w.Series = append(w.Series, loss, fit)
	w.Targets = []portfolio.Target{{Symbol: "VTI", Weight: Dec("0.6")}}
	return w
}

// Object is a part of an answer by the path to it; a name in a list is that of the
// element whose first of the keys has it.
func Object(t testing.TB, v any, path ...string) map[string]any {
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
