package rebalance_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
)

func withUnknownForm(sym, weight string) rebalance.CheckedPosition {
	h := stock(sym, weight)
	h.Form = rebalance.FormUnknown
	return h
}

// Half of 12% is 6%.
func TestCheck_LargestHolding(t *testing.T) {
	wantResults(t, rebalance.RuleLargest, []checkExample{
		{"a company above a tenth", portfolioOf(fund("F", "0.5"), stock("A", "0.12"), stock("B", "0.05")), rebalance.Limits{}, "fail 0.12 of 0.1", "the portfolio would lose 6%"},
		{"exactly a tenth", portfolioOf(fund("F", "0.8"), stock("A", "0.1")), rebalance.Limits{}, "pass 0.1 of 0.1", "A 10%"},
		{"a fund counts where somebody set the threshold", portfolioOf(fund("F", "0.5"), stock("A", "0.1")), rebalance.Limits{Largest: limit("0.4")}, "fail 0.5 of 0.4", "the test"},
		{"it may be a fund", portfolioOf(withUnknownForm("X", "0.3"), stock("A", "0.1")), rebalance.Limits{}, "not judged 0.3 of 0.1", "whether X is a fund"},
		{"whatever X is, A is too large", portfolioOf(withUnknownForm("X", "0.3"), stock("A", "0.2")), rebalance.Limits{}, "fail 0.3 of 0.1", ""},
		{"sold short", portfolioOf(stock("A", "-0.2")), rebalance.Limits{}, "fail 0.2 of 0.1", "would gain 10%"},
		{"funds alone", portfolioOf(fund("F", "0.9")), rebalance.Limits{}, "pass 0 of 0.1", ""},
	})
}

func TestCheck_FiveLargest(t *testing.T) {
	six := portfolioOf(stock("A", "0.1"), stock("B", "0.1"), stock("C", "0.1"), stock("D", "0.06"), stock("E", "0.05"), stock("F", "0.04"), fund("G", "0.5"))
	wantResults(t, rebalance.RuleTopFive, []checkExample{
		{"10 + 10 + 10 + 6 + 5", six, rebalance.Limits{}, "fail 0.41 of 0.4", "41% of the portfolio depends on 5 positions"},
		{"with the fund: 50 + 10 + 10 + 10 + 6", six, rebalance.Limits{TopFive: limit("0.9")}, "pass 0.86 of 0.9", "G 50%"},
		{"they may be funds", portfolioOf(withUnknownForm("X", "0.3"), withUnknownForm("Y", "0.2")), rebalance.Limits{}, "not judged 0.5 of 0.4", "whether X, Y are funds"},
		{"nothing", portfolioOf(), rebalance.Limits{}, "pass 0 of 0.4", ""},
	})
}

// 1 / (0.5^2 + 0.25^2 + 0.25^2) = 1 / 0.375 = 2.6667; cash does not change it.
func TestCheck_EffectiveNumberOfHoldings(t *testing.T) {
	wantResults(t, rebalance.RuleEffective, []checkExample{
		{"a half and two quarters", portfolioOf(stock("A", "0.5"), stock("B", "0.25"), stock("C", "0.25")), rebalance.Limits{}, "fail 2.6666666666666667 of 10", "as concentrated as 2.7 positions of equal weight"},
		{"with half in cash", portfolioOf(stock("A", "0.25"), stock("B", "0.125"), stock("C", "0.125")), rebalance.Limits{Effective: limit("2")}, "pass 2.6666666666666667 of 2", "3 securities"},
		{"a fund is many", portfolioOf(fund("F", "0.8"), stock("B", "0.2")), rebalance.Limits{}, "not judged 1.4705882352941176 of 10", "each fund counts as one position but may hold many securities: F"},
		{"a fund is one where somebody says so", portfolioOf(fund("F", "0.8"), stock("B", "0.2")), rebalance.Limits{Effective: limit("2")}, "fail 1.4705882352941176 of 2", ""},
		{"nothing", portfolioOf(), rebalance.Limits{}, "not judged of 10", "there are no securities"},
	})
}
