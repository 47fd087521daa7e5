package advice_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// thresholds returns the rules of a check-up with their thresholds.
func thresholds(t testing.TB, value map[string]any) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, one := range value["rules"].([]any) {
		row := one.(map[string]any)
		out[row["rule"].(string)] = row["threshold"]
	}
	return out
}

// Each threshold of a call applies only to its own rule, and has priority over those of the profile and the
// default.
func TestPortfolioCheckup_EachThresholdOfTheCallIsOfItsRule(t *testing.T) {
	_, standard := toolstest.CallOK(t, advice.SuitabilityTools(newCheckupFixture(t).deps(t)), portfolioCheckup, nil)
	before := thresholds(t, standard)
	for _, tc := range []struct {
		argument, rule string
		given          float64
		want           string
		low, high      float64 // outside of the valid range
	}{
		{"max_holding", "largest_holding", 0.123, "0.123", -0.01, 1.01},
		{"max_five_largest", "five_largest", 0.77, "0.77", -0.01, 1.01},
		{"min_effective", "effective_holdings", 3.5, "3.5", 0.99, 1e7},
		{"max_foreign_currency", "foreign_currency", 0.111, "0.111", -0.01, 1.01},
		{"max_region", "largest_region", 0.222, "0.222", -0.01, 1.01},
		{"max_fee", "fund_fees", 0.001, "0.001", -0.01, 1.01},
		{"max_cash", "idle_cash", 0.333, "0.333", -0.01, 1.01},
		{"max_drift", "drift", 0.044, "0.044", -0.01, 1.01},
		{"max_payer", "largest_payer", 0.99, "0.99", -0.01, 1.01},
		{"min_yield", "income_yield", 0.02, "0.02", -0.01, 1.01},
	} {
		t.Run(tc.argument, func(t *testing.T) {
			tools := advice.SuitabilityTools(newCheckupFixture(t).deps(t))
			_, value := toolstest.CallOK(t, tools, portfolioCheckup, args{tc.argument: tc.given})
			after := thresholds(t, value)
			if after[tc.rule] != tc.want {
				t.Errorf("%s %v: %s is held against %v; want %s", tc.argument, tc.given, tc.rule, after[tc.rule], tc.want)
			}
			for rule, previous := range before {
				if rule != tc.rule && after[rule] != previous {
					t.Errorf("%s %v: %s is held against %v, which was %v", tc.argument, tc.given, rule, after[rule], previous)
				}
			}
			for _, beyond := range []float64{tc.low, tc.high} {
				toolstest.WantError(t, toolstest.Call(t, tools, portfolioCheckup, args{tc.argument: beyond}), tool.CodeValidation, tc.argument+" must be from")
			}
		})
	}
}

// The closes are of Friday, June 28; on Tuesday they are four days old.
func TestPortfolioCheckup_APriceIsOldAfterTheDaysOfTheCall(t *testing.T) {
	w := newCheckupFixture(t)
	w.Clock = "2024-07-02T20:00:00Z"
	for _, tc := range []struct {
		in   args
		want string
	}{{nil, "pass 0"}, {args{"max_price_days": 4}, "pass 0"}, {args{"max_price_days": 3}, "fail 3"}} {
		_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), portfolioCheckup, tc.in)
		if got := outcomes(t, value)["fresh_prices"]; got != tc.want {
			t.Errorf("%v: fresh_prices = %q; want %q", tc.in, got, tc.want)
		}
	}
	for _, beyond := range []float64{-1, 1e5} {
		res := toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), portfolioCheckup, args{"max_price_days": beyond})
		toolstest.WantError(t, res, tool.CodeValidation, "max_price_days must be from 0 to 10000")
		if strings.Contains(res.ErrorText(), "10%") {
			t.Errorf("a number of days is a fraction in %q", res.ErrorText())
		}
	}
}

// Without a threshold in the call, the profile's limit applies, else the default.
func TestPortfolioCheckup_TheProfileComesBeforeConvention(t *testing.T) {
	for _, tc := range []struct {
		name, ask, answer, rule, want string
	}{
		{"of the profile", investor.QuestionLargestHolding, "33 %", "largest_holding", "0.33"},
		{"of convention", investor.QuestionLargestHolding, "", "largest_holding", "0.1"},
		{"the most of a class", investor.QuestionClassLimits, "bond max 22 %", "class:bond", "0.22"},
		{"the least of a class", investor.QuestionClassLimits, "bond min 23 %", "class:bond", "0.23"},
		{"an excluded class", investor.QuestionExcludedClasses, "bond", "class:bond", "0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newCheckupFixture(t)
			w.profile = newProfile(t, tc.ask, tc.answer)
			_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), portfolioCheckup, nil)
			if got := thresholds(t, value)[tc.rule]; got != tc.want {
				t.Errorf("%s is held against %v; want %s", tc.rule, got, tc.want)
			}
		})
	}
}
