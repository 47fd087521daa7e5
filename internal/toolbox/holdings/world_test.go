package holdings_test

import (
	"context"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = toolboxtest.Args

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func day(text string) market.Date { return portfoliotest.Day(text) }

// world is what a test looks at; change it before calling deps.
type world struct {
	accounts   []portfolio.Account
	added      []portfolio.Transaction
	securities []portfolio.Security
	targets    []portfolio.Target
	series     []market.Series
	rates      map[market.Pair]market.RateSeries
	clock      string
	hide       bool
	base       string
	rules      string // the jurisdiction of the user
}

// trade is a purchase or a sale.
func trade(kind portfolio.Kind, id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: day(on), Kind: kind, Account: account, Symbol: market.Symbol(symbol),
		Quantity: dec(quantity), Amount: dec(amount), Currency: currency,
	}
}

func buy(id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return trade(portfolio.KindBuy, id, account, symbol, quantity, amount, currency, on)
}

func sell(id, account, symbol, quantity, amount, currency, on string) portfolio.Transaction {
	return trade(portfolio.KindSell, id, account, symbol, quantity, amount, currency, on)
}

// daily is a series as it was paid, of whose splits its source tells.
func daily(sym, currency string, first market.Date, closes ...string) market.Series {
	s := markettest.Daily(market.Symbol(sym), first, closes...)
	s.Provenance.Currency, s.Provenance.Adjustment, s.Actions = currency, market.AdjustmentSplit, []market.Action{}
	return s
}

func split(on, fresh, old string) market.Action {
	return market.Action{Kind: market.ActionSplit, Date: day(on), New: dec(fresh), Old: dec(old)}
}

// twoCurrencies is the world of the worked examples. In account us, whose cash is
// kept, 2,000 USD came in on Tuesday, January 2, and bought 10 VTI for 1,000 and a fee
// of 10. In account de, whose cash is not, 4 SAP were bought for 500 EUR the day
// after. On Monday, January 8, VTI costs 120 USD, SAP 150 EUR, and a euro 1.10 USD,
// after 1.05 until Friday.
func twoCurrencies() *world {
	de := portfolio.NewAccount("de")
	de.Cash = portfolio.CashUntracked
	bought := buy("1", "us", "VTI", "10", "1000", "USD", "2024-01-02")
	bought.Fee = dec("10")
	first := day("2024-01-01")
	vti := daily("VTI", "USD", first, "100", "100", "105", "110", "115", "120")
	vti.Kind = "fund"
	var rates []string
	for range 17 { // December 20 to January 5
		rates = append(rates, "1.05")
	}
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	return &world{
		accounts: []portfolio.Account{portfolio.NewAccount("us"), de},
		added: []portfolio.Transaction{
			{ID: "0", Date: day("2024-01-02"), Kind: portfolio.KindDeposit, Account: "us", Amount: dec("2000"), Currency: "USD"},
			bought, buy("2", "de", "SAP", "4", "500", "EUR", "2024-01-03"),
		},
		series: []market.Series{vti, daily("SAP", "EUR", first, "125", "125", "125", "130", "140", "150")},
		rates:  map[market.Pair]market.RateSeries{pair: markettest.DailyRates(pair, day("2023-12-20"), append(rates, "1.10", "1.10", "1.10")...)},
		clock:  "2024-01-08T20:00:00Z", base: "USD",
	}
}

func (w *world) deps(t testing.TB) holdings.Deps {
	t.Helper()
	store := &portfoliotest.Store{}
	err := store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: w.accounts, Add: w.added, Securities: w.securities, Targets: w.targets}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	source := markettest.NewSource(w.series...)
	return holdings.Deps{
		Deps: book.Deps{
			Prices: question.Prices{Bars: source, Directory: source, Now: toolboxtest.Clock(t, w.clock)}, Quotes: source, Store: store,
			Rates: &markettest.Feeds{FX: w.rates}, Base: w.base, HideAmounts: w.hide,
		},
		Jurisdiction: func(context.Context) (string, error) { return w.rules, nil },
	}
}

func (w *world) tools(t *testing.T) []tool.Tool { return holdings.Tools(w.deps(t)) }

// object is a part of an answer by the path to it; a name in a list is that of the
// element whose first of the keys has it.
func object(t *testing.T, v any, path ...string) map[string]any {
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
