package checkup_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/checkup"
)

func unsure(sym, weight string) checkup.Holding {
	h := share(sym, weight)
	h.Form = checkup.FormUnknown
	return h
}

// Half of 12 % is 6 %.
func TestCheck_LargestHolding(t *testing.T) {
	check(t, checkup.RuleLargest, []worked{
		{"a company above a tenth", bookOf(fund("F", "0.5"), share("A", "0.12"), share("B", "0.05")), checkup.Limits{}, "fail 0.12 of 0.1", "the book would change by −6 %"},
		{"exactly a tenth", bookOf(fund("F", "0.8"), share("A", "0.1")), checkup.Limits{}, "pass 0.1 of 0.1", "A 10 %"},
		{"a fund counts where somebody set the threshold", bookOf(fund("F", "0.5"), share("A", "0.1")), checkup.Limits{Largest: limit("0.4")}, "fail 0.5 of 0.4", "the test"},
		{"it may be a fund", bookOf(unsure("X", "0.3"), share("A", "0.1")), checkup.Limits{}, "not judged 0.3 of 0.1", "whether X is a fund is not known"},
		{"whatever X is, A is too large", bookOf(unsure("X", "0.3"), share("A", "0.2")), checkup.Limits{}, "fail 0.3 of 0.1", ""},
		{"sold short", bookOf(share("A", "-0.2")), checkup.Limits{}, "fail 0.2 of 0.1", "would change by 10 %"},
		{"funds alone", bookOf(fund("F", "0.9")), checkup.Limits{}, "pass 0 of 0.1", ""},
	})
}

func TestCheck_FiveLargest(t *testing.T) {
	six := bookOf(share("A", "0.1"), share("B", "0.1"), share("C", "0.1"), share("D", "0.06"), share("E", "0.05"), share("F", "0.04"), fund("G", "0.5"))
	check(t, checkup.RuleTopFive, []worked{
		{"10 + 10 + 10 + 6 + 5", six, checkup.Limits{}, "fail 0.41 of 0.4", "41 % of the book follows what happens to 5 holdings"},
		{"with the fund: 50 + 10 + 10 + 10 + 6", six, checkup.Limits{TopFive: limit("0.9")}, "pass 0.86 of 0.9", "G 50 %"},
		{"they may be funds", bookOf(unsure("X", "0.3"), unsure("Y", "0.2")), checkup.Limits{}, "not judged 0.5 of 0.4", "whether X, Y are funds is not known"},
		{"nothing", bookOf(), checkup.Limits{}, "pass 0 of 0.4", ""},
	})
}

// 1 / (0.5^2 + 0.25^2 + 0.25^2) = 1 / 0.375 = 2.6667; cash leaves it as it is.
func TestCheck_EffectiveNumberOfHoldings(t *testing.T) {
	check(t, checkup.RuleEffective, []worked{
		{"a half and two quarters", bookOf(share("A", "0.5"), share("B", "0.25"), share("C", "0.25")), checkup.Limits{}, "fail 2.6667 of 10", "as concentrated as one of 2.7 holdings of equal weight"},
		{"with half in cash", bookOf(share("A", "0.25"), share("B", "0.125"), share("C", "0.125")), checkup.Limits{Effective: limit("2")}, "pass 2.6667 of 2", "3 securities"},
		{"a fund is many", bookOf(fund("F", "0.8"), share("B", "0.2")), checkup.Limits{}, "not judged 1.4706 of 10", "each fund counts as one holding"},
		{"a fund is one where somebody says so", bookOf(fund("F", "0.8"), share("B", "0.2")), checkup.Limits{Effective: limit("2")}, "fail 1.4706 of 2", ""},
		{"nothing", bookOf(), checkup.Limits{}, "not judged of 10", "no securities are held"},
	})
}
