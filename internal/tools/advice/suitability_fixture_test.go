package advice_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func optionalPart(text string) decimal.NullDecimal {
	return decimal.NewNullDecimal(toolstest.MustDecimal(text))
}

// suitabilityFixture is a portfolio and the profile of its owner.
type suitabilityFixture struct {
	toolstest.PortfolioFixture
	profile *investor.Profile
}

// newSuitabilityFixture returns a portfolio without transactions, with the rates of the euro.
func newSuitabilityFixture(accounts ...portfolio.Account) suitabilityFixture {
	pair := market.Pair{Base: "EUR", Quote: "USD"}
	rates := market.RateSeries{Pair: pair, Provenance: market.Provenance{Source: "markettest"}}
	for _, r := range []struct{ day, value string }{{"2022-01-03", "1.25"}, {"2022-01-04", "1.25"}, {"2024-06-27", "1.10"}} {
		rates.Rates = append(rates.Rates, market.Rate{Date: toolstest.MustDay(r.day), Value: toolstest.MustDecimal(r.value)})
	}
	return suitabilityFixture{PortfolioFixture: toolstest.PortfolioFixture{
		Accounts: accounts, Clock: fridayEvening, Base: "USD", Rates: map[market.Pair]market.RateSeries{pair: rates},
	}}
}

// newRebalanceFixture returns the worked example of package rebalance: 75 AAA at 100 and 50 BBB at 50
// are 10,000, and the targets are 60% AAA and 40% BBB. In 2022, a share of AAA cost 80 and one of
// BBB 40.
func newRebalanceFixture() suitabilityFixture {
	w := newSuitabilityFixture(portfolio.NewAccount("main"))
	w.Transactions = []portfolio.Transaction{
		toolstest.Deposit("1", "main", "8000", "2022-01-03"),
		toolstest.Buy("2", "main", "AAA", "75", "6000", "USD", "2022-01-04"), toolstest.Buy("3", "main", "BBB", "50", "2000", "USD", "2022-01-04"),
	}
	w.Targets = []portfolio.Target{{Symbol: "AAA", Weight: toolstest.MustDecimal("0.6")}, {Symbol: "BBB", Weight: toolstest.MustDecimal("0.4")}}
	w.Series = []market.Series{flat("AAA", "100"), flat("BBB", "50"), flat("CCC", "10")}
	return w
}

// flat returns closes at one price in the week up to fridayEvening.
func flat(sym, price string) market.Series {
	return markettest.Daily(market.Symbol(sym), toolstest.MustDay("2024-06-24"), price, price, price, price, price)
}

func (w suitabilityFixture) deps(t testing.TB) advice.SuitabilityDeps {
	t.Helper()
	return advice.SuitabilityDeps{Deps: w.Deps(t), Profiles: toolstest.NewInvestorStore(t, w.profile)}
}

// newProfile returns a profile with the answers that a rebalancing plan needs, and the tax
// rules of the United States.
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

// trades returns the trades of an answer as "sell 10 AAA main".
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
