package advice_test

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
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func planDecimal(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func optionalPart(text string) decimal.NullDecimal { return decimal.NewNullDecimal(planDecimal(text)) }

// profileStub keep one profile in memory.
type profileStub struct {
	profile *investor.Profile
	err     error
}

func (p *profileStub) Profile(context.Context) (investor.Profile, bool, error) {
	if p.profile == nil {
		return investor.Profile{}, false, p.err
	}
	return *p.profile, true, p.err
}

func (p *profileStub) SaveProfile(_ context.Context, saved investor.Profile) error {
	p.profile = &saved
	return nil
}

// suitabilityFixture is a book with the things that a test changes in it.
type suitabilityFixture struct {
	accounts     []portfolio.Account
	transactions []portfolio.Transaction
	securities   []portfolio.Security
	targets      []portfolio.Target
	series       []market.Series
	profile      *investor.Profile
	now          string
}

// newRebalanceFixture is the worked example of package rebalance as a book: 75 A at 100 and
// 50 B at 50 are 10000, of which 60 % should be A and 40 % B. A cost 80 a share in
// 2022, B 40.
func newRebalanceFixture() suitabilityFixture {
	return suitabilityFixture{
		accounts: []portfolio.Account{portfolio.NewAccount("main")},
		transactions: []portfolio.Transaction{
			deposit("1", "main", "8000", "2022-01-03"),
			buy("2", "main", "AAA", "75", "6000", "2022-01-04"), buy("3", "main", "BBB", "50", "2000", "2022-01-04"),
		},
		targets: []portfolio.Target{{Symbol: "AAA", Weight: planDecimal("0.6")}, {Symbol: "BBB", Weight: planDecimal("0.4")}},
		series:  []market.Series{flat("AAA", "100"), flat("BBB", "50"), flat("CCC", "10")},
		now:     "2024-06-28T20:00:00Z",
	}
}

// flat closes at one price in the week of the tests.
func flat(sym, price string) market.Series {
	return markettest.Daily(market.Symbol(sym), portfoliotest.Day("2024-06-24"), price, price, price, price, price)
}

func deposit(id, account, amount, day string) portfolio.Transaction {
	return portfolio.Transaction{ID: id, Date: portfoliotest.Day(day), Kind: portfolio.KindDeposit, Account: account, Amount: planDecimal(amount), Currency: "USD"}
}

func buy(id, account, symbol, quantity, amount, day string) portfolio.Transaction {
	return portfolio.Transaction{
		ID: id, Date: portfoliotest.Day(day), Kind: portfolio.KindBuy, Account: account, Symbol: market.Symbol(symbol),
		Quantity: planDecimal(quantity), Amount: planDecimal(amount), Currency: "USD",
	}
}

func (w suitabilityFixture) deps(t testing.TB) advice.SuitabilityDeps {
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
		rates.Rates = append(rates.Rates, market.Rate{Date: portfoliotest.Day(r.day), Value: planDecimal(r.value)})
	}
	return advice.SuitabilityDeps{
		Deps: positions.Deps{
			Prices: toolkit.Prices{Bars: source, Directory: source, Now: toolstest.Clock(t, w.now)}, Quotes: source, Store: store, Base: "USD",
			Rates: &markettest.FakeFeeds{FX: map[market.Pair]market.RateSeries{pair: rates}},
		},
		Profiles: &profileStub{profile: w.profile},
	}
}

// newProfile is a profile that answers what a plan of trades rests on, with the rates
// and terms of the United States.
func newProfile(t testing.TB, more ...string) *investor.Profile {
	t.Helper()
	answers := []string{
		investor.QuestionObjectives, "retirement, 2050", investor.QuestionHorizon, "2050", investor.QuestionLiquidityNeeds, "none",
		investor.QuestionRiskFall, "wait", investor.QuestionRiskRange, "moderate", investor.QuestionRiskLoss, "quarter", investor.QuestionRiskRegret, "loss", investor.QuestionRiskNews, "fine",
		investor.QuestionLossCapacity, "35 %", investor.QuestionJurisdiction, "us", investor.QuestionShortGains, "30 %", investor.QuestionLongGains, "15 %",
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
		parts := []string{trade["side"].(string), trade["symbol"].(string), trade["account"].(string)}
		if q, ok := trade["quantity"].(string); ok {
			parts = slices.Insert(parts, 1, q)
		}
		out = append(out, strings.Join(parts, " "))
	}
	return out
}
