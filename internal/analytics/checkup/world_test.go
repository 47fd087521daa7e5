package checkup_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/checkup"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func known(s string) decimal.NullDecimal { return decimal.NewNullDecimal(dec(s)) }

func limit(s string) checkup.Limit { return checkup.Limit{Value: known(s), Reason: "the test"} }

func day() market.Date { return time.Date(2024, 6, 28, 0, 0, 0, 0, time.UTC) }

// share and fund are holdings in the base currency with a price of the day.
func share(sym, weight string) checkup.Holding {
	return checkup.Holding{Symbol: market.Symbol(sym), Weight: dec(weight), Form: checkup.FormSingle, Class: portfolio.ClassEquity, Currency: "USD", PricedOn: day()}
}

func fund(sym, weight string) checkup.Holding {
	h := share(sym, weight)
	h.Form, h.Class = checkup.FormFund, ""
	return h
}

func bookOf(holdings ...checkup.Holding) checkup.Book {
	left := decimal.NewFromInt(1)
	for _, h := range holdings {
		left = left.Sub(h.Weight)
	}
	return checkup.Book{Day: day(), Base: "USD", Holdings: holdings, Cash: []checkup.Cash{{Currency: "USD", Weight: left}}}
}

func row(t testing.TB, b checkup.Book, l checkup.Limits, rule checkup.Rule) checkup.Row {
	t.Helper()
	for _, r := range b.Check(l) {
		if r.Rule == rule {
			return r
		}
	}
	t.Fatalf("no row for %s", rule)
	return checkup.Row{}
}

// told is "fail 0.3 of 0.25".
func told(r checkup.Row) string {
	words := []string{string(r.Outcome)}
	if r.Number.Valid {
		words = append(words, r.Number.Decimal.String())
	}
	if r.Threshold.Valid {
		words = append(words, "of", r.Threshold.Decimal.String())
	}
	return strings.Join(words, " ")
}

// worked is one book with what a rule says of it.
type worked struct {
	name   string
	book   checkup.Book
	limits checkup.Limits
	want   string // as told
	says   string // in the meaning, the inputs or what is missing
}

func check(t *testing.T, rule checkup.Rule, examples []worked) {
	t.Helper()
	for _, tt := range examples {
		t.Run(tt.name, func(t *testing.T) {
			r := row(t, tt.book, tt.limits, rule)
			said := strings.Join(append(r.Inputs, r.Meaning, r.Missing, r.Mend, r.Reason), " | ")
			if got := told(r); got != tt.want || !strings.Contains(said, tt.says) {
				t.Errorf("%s = %q, %q; want %q with %q", rule, got, said, tt.want, tt.says)
			}
			if r.Outcome == checkup.NotJudged && r.Missing == "" || r.Outcome == checkup.Fail && r.Meaning == "" || r.Formula == "" || r.Measures == "" {
				t.Errorf("%s does not explain itself: %+v", rule, r)
			}
		})
	}
}
