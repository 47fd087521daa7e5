package checkup_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/checkup"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func in(h checkup.Holding, change func(*checkup.Holding)) checkup.Holding {
	change(&h)
	return h
}

func of(h checkup.Holding, class portfolio.Class) checkup.Holding {
	return in(h, func(h *checkup.Holding) { h.Class = class })
}

func from(h checkup.Holding, region string) checkup.Holding {
	return in(h, func(h *checkup.Holding) { h.Region = region })
}

func priced(h checkup.Holding, currency string) checkup.Holding {
	return in(h, func(h *checkup.Holding) { h.Currency = currency })
}

func TestCheck_Classes(t *testing.T) {
	limits := func(class portfolio.Class, low, high string) checkup.Limits {
		l := checkup.ClassLimit{Class: class, Reason: "your profile"}
		if low != "" {
			l.Min = known(low)
		}
		if high != "" {
			l.Max = known(high)
		}
		return checkup.Limits{Classes: []checkup.ClassLimit{l}}
	}
	book := bookOf(of(share("A", "0.5"), portfolio.ClassEquity), of(fund("B", "0.2"), portfolio.ClassBond), fund("X", "0.1")) // and 20 % cash
	for rule, examples := range map[checkup.Rule][]worked{
		"class:equity": {
			{"above its most", book, limits(portfolio.ClassEquity, "", "0.4"), "fail 0.5 of 0.4", "equity is 50 % of the book, against a limit of at most 40 %"},
			{"X may be equity", book, limits(portfolio.ClassEquity, "", "0.55"), "not judged 0.5 of 0.55", "the class of X is not known"},
			{"even with X", book, limits(portfolio.ClassEquity, "", "0.6"), "pass 0.5 of 0.6", ""},
			{"below its least even with X", book, limits(portfolio.ClassEquity, "0.61", "0.9"), "fail 0.5 of 0.61", "at least 61 %"},
			{"within both ends", book, limits(portfolio.ClassEquity, "0.4", "0.7"), "pass 0.5 of 0.7", "your profile"},
		},
		"class:cash": {{"cash is a class", book, limits(portfolio.ClassCash, "0.2", ""), "pass 0.2 of 0.2", ""}},
		"class:all": {
			{"no limits are said", book, checkup.Limits{}, "not judged", "class_limits"},
			{"none is limited", book, checkup.Limits{Classes: []checkup.ClassLimit{}}, "pass", ""},
		},
	} {
		t.Run(string(rule), func(t *testing.T) { check(t, rule, examples) })
	}
}

// 44 % in others: were the base to rise by a tenth, 0.44 / 11 = 4 % would be lost.
func TestCheck_ForeignCurrency(t *testing.T) {
	book := bookOf(priced(share("A", "0.34"), "EUR"), share("B", "0.4"))
	book.Cash = []checkup.Cash{{Currency: "USD", Weight: dec("0.16")}, {Currency: "CHF", Weight: dec("0.1")}}
	check(t, checkup.RuleForeign, []worked{
		{"euros and francs", book, checkup.Limits{}, "pass 0.44 of 0.5", "EUR 34 % | CHF 10 %"},
		{"above a threshold", book, checkup.Limits{Foreign: limit("0.4")}, "fail 0.44 of 0.4", "would lose about 4 %"},
		{"a price without a currency", bookOf(priced(share("A", "0.6"), "")), checkup.Limits{}, "not judged 0 of 0.5", "the currency of A is not known"},
	})
}

// 0.6 / 0.8 = 75 % of the securities.
func TestCheck_LargestRegion(t *testing.T) {
	check(t, checkup.RuleRegion, []worked{
		{"of the securities alone", bookOf(from(share("A", "0.4"), "US"), from(share("B", "0.2"), " us "), from(share("C", "0.2"), "Europe")), checkup.Limits{}, "fail 0.75 of 0.7", "75 % of the securities are of one region, us"},
		{"the world is no region", bookOf(from(fund("W", "0.8"), "World"), from(share("B", "0.2"), "Europe")), checkup.Limits{}, "pass 0.2 of 0.7", "europe 20 %"},
		{"what is not known might be there", bookOf(from(share("A", "0.5"), "US"), share("X", "0.3"), from(share("C", "0.2"), "Europe")), checkup.Limits{}, "not judged 0.5 of 0.7", "the region of X is not known"},
		{"nothing is known", bookOf(share("A", "0.6"), share("X", "0.2")), checkup.Limits{}, "not judged of 0.7", "the region of A, X is not known"},
		{"coins have no region", bookOf(of(share("BTC-USD", "0.6"), portfolio.ClassCrypto)), checkup.Limits{}, "not judged of 0.7", "nothing that is held belongs to a region"},
	})
}
