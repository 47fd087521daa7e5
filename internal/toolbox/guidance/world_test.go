package guidance_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/guidance"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func part(text string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(text)) }

// profiles keep one profile in memory.
type profiles struct {
	profile *investor.Profile
	err     error
}

func (p *profiles) Profile(context.Context) (investor.Profile, bool, error) {
	if p.profile == nil {
		return investor.Profile{}, false, p.err
	}
	return *p.profile, true, p.err
}

func (p *profiles) SaveProfile(_ context.Context, saved investor.Profile) error {
	p.profile = &saved
	return nil
}

// world is a book with the things that a test changes in it.
type world struct {
	accounts     []portfolio.Account
	transactions []portfolio.Transaction
	securities   []portfolio.Security
	targets      []portfolio.Target
	series       []market.Series
	profile      *investor.Profile
	now          string
}

// rebalancing is the worked example of package rebalance as a book: 75 A at 100 and
// 50 B at 50 are 10000, of which 60 % should be A and 40 % B. A cost 80 a share in
// 2022, B 40.
func rebalancing() world {
	return world{
		accounts: []portfolio.Account{portfolio.NewAccount("main")},
		transactions: []portfolio.Transaction{
			deposit("1", "main", "8000", "2022-01-03"),
			buy("2", "main", "AAA", "75", "6000", "2022-01-04"), buy("3", "main", "BBB", "50", "2000", "2022-01-04"),
		},
		targets: []portfolio.Target{{Symbol: "AAA", Weight: dec("0.6")}, {Symbol: "BBB", Weight: dec("0.4")}},
		series:  []market.Series{flat("AAA", "100"), flat("BBB", "50"), flat("CCC", "10")},
		now:     "2024-06-28T20:00:00Z",
	}
}

// flat closes at one price in the week of the tests.
func flat(sym, price string) market.Series {
	return markettest.Daily(market.Symbol(sym), portfoliotest.Day("2024-06-24"), price, price, price, price, price)
}

func deposit(id, account, amount, day string) portfolio.Transaction {
	return portfolio.Transaction{ID: id, Date: portfoliotest.Day(day), Kind: portfolio.KindDeposit, Account: account, Amount: dec(amount), Currency: "USD"}
}

func buy(id, account, symbol, quantity, amount, day string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: portfoliotest.Day(day), Kind: portfolio.KindBuy, Account: account, Symbol: market.Symbol(symbol),
		Quantity: dec(quantity), Amount: dec(amount), Currency: "USD",
	}
}

func (w world) deps(t testing.TB) guidance.Deps {
	t.Helper()
	store := &portfoliotest.Store{}
	err := store.Update(t.Context(), func(portfolio.Ledger) (portfolio.Change, error) {
		return portfolio.Change{Accounts: w.accounts, Add: w.transactions, Securities: w.securities, Targets: w.targets}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	source := markettest.NewSource(w.series...)
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	rates := market.RateSeries{Pair: pair, Provenance: market.Provenance{Source: "markettest"}}
	for _, r := range []struct{ day, value string }{{"2022-01-03", "1.25"}, {"2022-01-04", "1.25"}, {"2024-06-27", "1.10"}} {
		rates.Rates = append(rates.Rates, market.Rate{Date: portfoliotest.Day(r.day), Value: dec(r.value)})
	}
	return guidance.Deps{
		Deps: book.Deps{
			Prices: question.Prices{Bars: source, Directory: source, Now: toolboxtest.Clock(t, w.now)}, Quotes: source, Store: store, Base: "USD",
			Rates: &markettest.Feeds{FX: map[market.Pair]market.RateSeries{pair: rates}},
		},
		Profiles: &profiles{profile: w.profile},
	}
}

// known is a profile that answers what a plan of trades rests on, with the rates
// and terms of the United States.
func known(t testing.TB, more ...string) *investor.Profile {
	t.Helper()
	answers := []string{
		investor.AskObjectives, "retirement, 2050", investor.AskHorizon, "2050", investor.AskLiquidityNeeds, "none",
		investor.AskRiskFall, "wait", investor.AskRiskRange, "moderate", investor.AskRiskLoss, "quarter", investor.AskRiskRegret, "loss", investor.AskRiskNews, "fine",
		investor.AskLossCapacity, "35 %", investor.AskJurisdiction, "us", investor.AskShortGains, "30 %", investor.AskLongGains, "15 %",
	}
	answers = append(answers, more...)
	var p investor.Profile
	interview := investor.NewInterview(time.Date(2024, 6, 28, 0, 0, 0, 0, time.UTC))
	for i := 0; i+1 < len(answers); i += 2 {
		if err := interview.Set(&p, answers[i], answers[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return &p
}

// trades are told as "sell AAA main".
func trades(t testing.TB, value map[string]any) []string {
	t.Helper()
	out := []string{}
	for _, one := range value["trades"].([]any) {
		trade := one.(map[string]any)
		words := []string{trade["side"].(string), trade["symbol"].(string), trade["account"].(string)}
		if q, ok := trade["quantity"].(string); ok {
			words = slices.Insert(words, 1, q)
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}
