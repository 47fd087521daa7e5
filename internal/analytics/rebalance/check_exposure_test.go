package rebalance_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func withChange(h rebalance.CheckedPosition, change func(*rebalance.CheckedPosition)) rebalance.CheckedPosition {
	change(&h)
	return h
}

func withClass(h rebalance.CheckedPosition, class portfolio.Class) rebalance.CheckedPosition {
	return withChange(h, func(h *rebalance.CheckedPosition) { h.Class = class })
}

func withRegion(h rebalance.CheckedPosition, region string) rebalance.CheckedPosition {
	return withChange(h, func(h *rebalance.CheckedPosition) { h.Region = region })
}

func withCurrency(h rebalance.CheckedPosition, currency string) rebalance.CheckedPosition {
	return withChange(h, func(h *rebalance.CheckedPosition) { h.Currency = currency })
}

func TestCheck_Classes(t *testing.T) {
	limits := func(class portfolio.Class, low, high string) rebalance.Limits {
		l := rebalance.ClassLimit{Class: class, Reason: "your profile"}
		if low != "" {
			l.Min = checkupKnown(low)
		}
		if high != "" {
			l.Max = checkupKnown(high)
		}
		return rebalance.Limits{Classes: []rebalance.ClassLimit{l}}
	}
	checkedPortfolio := portfolioOf(withClass(stock("A", "0.5"), portfolio.ClassEquity), withClass(fund("B", "0.2"), portfolio.ClassBond), fund("X", "0.1")) // and 20% cash
	for rule, examples := range map[rebalance.Rule][]checkExample{
		"class:equity": {
			{"above its most", checkedPortfolio, limits(portfolio.ClassEquity, "", "0.4"), "fail 0.5 of 0.4", "equity is 50% of the portfolio; the limit is at most 40%"},
			{"X may be equity", checkedPortfolio, limits(portfolio.ClassEquity, "", "0.55"), "not judged 0.5 of 0.55", "the class of X is unknown"},
			{"even with X", checkedPortfolio, limits(portfolio.ClassEquity, "", "0.6"), "pass 0.5 of 0.6", ""},
			{"below its least even with X", checkedPortfolio, limits(portfolio.ClassEquity, "0.61", "0.9"), "fail 0.5 of 0.61", "at least 61%"},
			{"within both ends", checkedPortfolio, limits(portfolio.ClassEquity, "0.4", "0.7"), "pass 0.5 of 0.7", "your profile"},
		},
		"class:cash": {{"cash is a class", checkedPortfolio, limits(portfolio.ClassCash, "0.2", ""), "pass 0.2 of 0.2", ""}},
		"class:all": {
			{"no limits are said", checkedPortfolio, rebalance.Limits{}, "not judged", "class_limits"},
			{"none is limited", checkedPortfolio, rebalance.Limits{Classes: []rebalance.ClassLimit{}}, "pass", ""},
		},
	} {
		t.Run(string(rule), func(t *testing.T) { wantResults(t, rule, examples) })
	}
}

// 44% in other currencies: if the base rose by a tenth, the loss would be 0.44 / 11 = 4%.
func TestCheck_ForeignCurrency(t *testing.T) {
	checkedPortfolio := portfolioOf(withCurrency(stock("A", "0.34"), "EUR"), stock("B", "0.4"))
	checkedPortfolio.Cash = []rebalance.CashWeight{{Currency: "USD", Weight: checkupDec("0.16")}, {Currency: "CHF", Weight: checkupDec("0.1")}}
	wantResults(t, rebalance.RuleForeign, []checkExample{
		{"euros and francs", checkedPortfolio, rebalance.Limits{}, "pass 0.44 of 0.5", "EUR 34% | CHF 10%"},
		{"above a threshold", checkedPortfolio, rebalance.Limits{Foreign: limit("0.4")}, "fail 0.44 of 0.4", "would lose about 4%"},
		{"a price without a currency", portfolioOf(withCurrency(stock("A", "0.6"), "")), rebalance.Limits{}, "not judged 0 of 0.5", "the currency of A is unknown"},
	})
}

// 0.6 / 0.8 = 75% of the securities.
func TestCheck_LargestRegion(t *testing.T) {
	wantResults(t, rebalance.RuleRegion, []checkExample{
		{"of the securities alone", portfolioOf(withRegion(stock("A", "0.4"), "US"), withRegion(stock("B", "0.2"), " us "), withRegion(stock("C", "0.2"), "Europe")), rebalance.Limits{}, "fail 0.75 of 0.7", "75% of the securities are in one region, us"},
		{"the world is no region", portfolioOf(withRegion(fund("W", "0.8"), "World"), withRegion(stock("B", "0.2"), "Europe")), rebalance.Limits{}, "pass 0.2 of 0.7", "europe 20%"},
		{"what is not known might be there", portfolioOf(withRegion(stock("A", "0.5"), "US"), stock("X", "0.3"), withRegion(stock("C", "0.2"), "Europe")), rebalance.Limits{}, "not judged 0.5 of 0.7", "the region of X is unknown"},
		{"nothing is known", portfolioOf(stock("A", "0.6"), stock("X", "0.2")), rebalance.Limits{}, "not judged of 0.7", "the region of A, X is unknown"},
		{"coins have no region", portfolioOf(withClass(stock("BTC-USD", "0.6"), portfolio.ClassCrypto)), rebalance.Limits{}, "not judged of 0.7", "no position has a region"},
	})
}
