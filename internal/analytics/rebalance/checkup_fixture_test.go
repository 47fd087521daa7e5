package rebalance_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func checkupDec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func checkupKnown(s string) decimal.NullDecimal { return decimal.NewNullDecimal(checkupDec(s)) }

func limit(s string) rebalance.Limit {
	return rebalance.Limit{Value: checkupKnown(s), Reason: "the test"}
}

func checkupDay() market.Date { return time.Date(2024, 6, 28, 0, 0, 0, 0, time.UTC) }

// stock and fund return holdings in the base currency with a price of the day.
func stock(sym, weight string) rebalance.CheckedPosition {
	return rebalance.CheckedPosition{Symbol: market.Symbol(sym), Weight: checkupDec(weight), Form: rebalance.FormSingle, Class: portfolio.ClassEquity, Currency: "USD", PricedOn: checkupDay()}
}

func fund(sym, weight string) rebalance.CheckedPosition {
	h := stock(sym, weight)
	h.Form, h.Class = rebalance.FormFund, ""
	return h
}

func portfolioOf(holdings ...rebalance.CheckedPosition) rebalance.Portfolio {
	left := decimal.NewFromInt(1)
	for _, h := range holdings {
		left = left.Sub(h.Weight)
	}
	return rebalance.Portfolio{Day: checkupDay(), Base: "USD", Positions: holdings, Cash: []rebalance.CashWeight{{Currency: "USD", Weight: left}}}
}

func resultOf(t testing.TB, b rebalance.Portfolio, l rebalance.Limits, rule rebalance.Rule) rebalance.CheckResult {
	t.Helper()
	for _, r := range b.Check(l) {
		if r.Rule == rule {
			return r
		}
	}
	t.Fatalf("no row for %s", rule)
	return rebalance.CheckResult{}
}

// outcomeText formats a result as "fail 0.3 of 0.25".
func outcomeText(r rebalance.CheckResult) string {
	parts := []string{string(r.Outcome)}
	if r.Number.Valid {
		parts = append(parts, r.Number.Decimal.String())
	}
	if r.Threshold.Valid {
		parts = append(parts, "of", r.Threshold.Decimal.String())
	}
	return strings.Join(parts, " ")
}

// checkExample is one portfolio with the expected result of a rule.
type checkExample struct {
	name      string
	portfolio rebalance.Portfolio
	limits    rebalance.Limits
	want      string // as outcomeText writes it
	text      string // in the meaning, the inputs or what is missing
}

func wantResults(t *testing.T, rule rebalance.Rule, examples []checkExample) {
	t.Helper()
	for _, tt := range examples {
		t.Run(tt.name, func(t *testing.T) {
			r := resultOf(t, tt.portfolio, tt.limits, rule)
			details := strings.Join(append(r.Inputs, r.Meaning, r.Missing, r.Fix, r.Reason), " | ")
			if got := outcomeText(r); got != tt.want || !strings.Contains(details, tt.text) {
				t.Errorf("%s = %q, %q; want %q with %q", rule, got, details, tt.want, tt.text)
			}
			if r.Outcome == rebalance.NotJudged && r.Missing == "" || r.Outcome == rebalance.Fail && r.Meaning == "" || r.Formula == "" || r.Measures == "" {
				t.Errorf("%s does not explain itself: %+v", rule, r)
			}
		})
	}
}
