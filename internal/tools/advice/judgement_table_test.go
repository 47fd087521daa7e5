package advice_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// newLimitedFixture returns newRebalanceFixture with 2,500 USD in cash and both asset classes. Of 12,500
// the plan makes 6,000 AAA (stock, 48%) and 4,000 BBB (crypto, 32%), and leaves 2,500 in cash
// (20%).
func newLimitedFixture(t testing.TB, limits ...string) (suitabilityFixture, args) {
	t.Helper()
	w := newRebalanceFixture()
	w.Transactions = append(w.Transactions, toolstest.Deposit("4", "main", "2500", "2022-01-05"))
	w.Securities = []portfolio.Security{{Symbol: "AAA", Class: portfolio.ClassEquity}, {Symbol: "BBB", Class: portfolio.ClassCrypto}}
	w.profile = newProfile(t, limits...)
	return w, args{"targets": map[string]float64{"AAA": 0.48, "BBB": 0.32}}
}

// findRule returns a rule of an answer, or of a refusal, by its name.
func findRule(t testing.TB, answer map[string]any, name string) map[string]any {
	t.Helper()
	verdict := answer["verdict"].(map[string]any)
	for _, one := range verdict["rules"].([]any) {
		if rule := one.(map[string]any); rule["rule"] == name {
			return rule
		}
	}
	t.Fatalf("no rule %s in %v", name, verdict["rules"])
	return nil
}

// Every limit that a plan can break fails when it is broken, and passes when it is just met. The
// plan, its code and the model's text all report it.
func TestRebalancePlan_EachLimitSaysNo(t *testing.T) {
	for _, tc := range []struct {
		name, rule string
		ask        string
		breaks     string // a limit that the plan breaks
		meets      string // a limit that it just meets
	}{
		{"the largest holding", investor.RuleLargest, investor.QuestionLargestHolding, "47.99 %", "48 %"},
		{"the most of a class", investor.RuleClass + "equity", investor.QuestionClassLimits, "equity max 47.99 %", "equity max 48 %"},
		{"the least of a class", investor.RuleClass + "crypto", investor.QuestionClassLimits, "crypto min 32.01 %", "crypto min 32 %"},
		{"the least of a class that is not held", investor.RuleClass + "bond", investor.QuestionClassLimits, "bond min 1 %", "bond min 0 %"},
		{"the least of cash as a class", investor.RuleClass + "cash", investor.QuestionClassLimits, "cash min 20.01 %", "cash min 20 %"},
		{"the most of cash as a class", investor.RuleClass + "cash", investor.QuestionClassLimits, "cash max 19.99 %", "cash max 20 %"},
		{"the least sum of cash", investor.RuleCashAmount, investor.QuestionCashMinimum, "2500.01 USD", "2500 USD"},
		{"the least part of cash", investor.RuleCashShare, investor.QuestionCashPart, "20.01 %", "20 %"},
		{"an excluded symbol", investor.RuleExcludedSymbols, investor.QuestionExcludedSymbols, "bbb", "CCC"},
		{"an excluded class", investor.RuleExcludedClasses, investor.QuestionExcludedClasses, "crypto", "bond"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, in := newLimitedFixture(t, tc.ask, tc.breaks)
			res := toolstest.Call(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, in)
			toolstest.WantError(t, res, tool.CodeRefused, tc.rule+":")
			model := toolstest.Object(t, res.ForModel)
			if got := findRule(t, model, tc.rule); got["outcome"] != string(investor.Fail) || model["verdict"].(map[string]any)["refused"] != true {
				t.Errorf("%s %q: rule %v, refused %v; want that it fails", tc.ask, tc.breaks, got, model["verdict"])
			}
			for _, one := range model["verdict"].(map[string]any)["rules"].([]any) {
				if rule := one.(map[string]any); rule["rule"] != tc.rule && rule["outcome"] == string(investor.Fail) {
					t.Errorf("%s %q: %v fails, too; want one no alone", tc.ask, tc.breaks, rule)
				}
			}
			for _, part := range []string{"NO", "not a recommendation"} {
				if !strings.Contains(res.UserText(), part) {
					t.Errorf("people are not told %q:\n%s", part, res.UserText())
				}
			}

			w, in = newLimitedFixture(t, tc.ask, tc.meets)
			_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, in)
			if got := findRule(t, value, tc.rule); got["outcome"] != string(investor.Pass) {
				t.Errorf("%s %q: rule %v; want that it passes", tc.ask, tc.meets, got)
			}
		})
	}
}

// The same limits fail for weights and for a purchase that break them.
func TestJudge_EachLimitOfAMixSaysNo(t *testing.T) {
	mix := func(a, b string) map[string]string { return map[string]string{"AAA": a, "BBB": b} }
	for _, tc := range []struct {
		name, ask, answer string
		weights           map[string]string
		refused           bool
	}{
		{"within", investor.QuestionLargestHolding, "60 %", mix("0.6", "0.3"), false},
		{"the largest", investor.QuestionLargestHolding, "60 %", mix("0.61", "0.3"), true},
		{"the least part of cash", investor.QuestionCashPart, "15 %", mix("0.6", "0.3"), true},
		{"cash that is enough", investor.QuestionCashPart, "10 %", mix("0.6", "0.3"), false},
		{"the most of a class", investor.QuestionClassLimits, "crypto max 25 %", mix("0.6", "0.3"), true},
		{"the least of a class", investor.QuestionClassLimits, "equity min 70 %", mix("0.6", "0.3"), true},
		{"an excluded symbol", investor.QuestionExcludedSymbols, "AAA", mix("0.001", "0.9"), true},
		{"an excluded class", investor.QuestionExcludedClasses, "crypto", mix("0.9", "0.001"), true},
		{"one sold short", investor.QuestionLargestHolding, "60 %", mix("1.3", "-0.3"), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w, _ := newLimitedFixture(t, tc.ask, tc.answer)
			lines, refused, err := w.deps(t).JudgeMix(t.Context(), parseWeights(tc.weights))
			if err != nil || refused != tc.refused || strings.HasPrefix(lines[0], "NO") != tc.refused {
				t.Errorf("JudgeMix(%v) with %s %s = refused %v, %v: %q; want %v", tc.weights, tc.ask, tc.answer, refused, err, lines, tc.refused)
			}
		})
	}
}

// Unknown inputs are not judged and do not pass: a drawdown that was not computed, an unknown
// duration or class, and cash that is not in the portfolio.
func TestRebalancePlan_WhatIsNotKnownIsNotJudged(t *testing.T) {
	outcome := func(w suitabilityFixture, in args, rule string) any {
		_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, in)
		return findRule(t, value, rule)["outcome"]
	}
	for name, tc := range map[string]struct {
		rule   string
		limits []string
		change func(*suitabilityFixture)
	}{
		"a fall":      {investor.RuleLossCapacity, []string{investor.QuestionLossCapacity, "1 %"}, func(*suitabilityFixture) {}},
		"a duration":  {investor.RuleHorizon, []string{investor.QuestionHorizon, "2025"}, func(*suitabilityFixture) {}},
		"a class":     {investor.RuleClass + "crypto", []string{investor.QuestionClassLimits, "crypto max 40 %"}, func(w *suitabilityFixture) { w.Securities, w.Series[1].Kind = w.Securities[:1], "fund" }},
		"no limit":    {investor.RuleLargest, nil, func(*suitabilityFixture) {}},
		"other money": {investor.RuleCashAmount, []string{investor.QuestionCashMinimum, "5 CHF"}, func(*suitabilityFixture) {}},
		"cash": {investor.RuleCashShare, []string{investor.QuestionCashPart, "50 %"}, func(w *suitabilityFixture) {
			w.Accounts = append(w.Accounts, portfolio.Account{Name: "other", Method: portfolio.MethodFIFO, Cash: portfolio.CashUntracked})
		}},
	} {
		w, in := newLimitedFixture(t, tc.limits...)
		tc.change(&w)
		if got := outcome(w, in, tc.rule); got != string(investor.NotJudged) {
			t.Errorf("%s: %s = %v; want it not judged", name, tc.rule, got)
		}
	}
}

// The plan leaves 2,500 USD, which are 2,272.73 EUR at 1.10.
func TestRebalancePlan_TheLeastCashIsInItsOwnMoney(t *testing.T) {
	for limit, refused := range map[string]bool{"2272 EUR": false, "2273 EUR": true} {
		w, in := newLimitedFixture(t, investor.QuestionCashMinimum, limit)
		d := w.deps(t)
		d.Rates = inverseRates{d.Rates}
		res := toolstest.Call(t, advice.SuitabilityTools(d), rebalancePlan, in)
		if res.IsError != refused || refused && res.Code != tool.CodeRefused {
			t.Errorf("least cash of %s: error %v, %s; want refused %v", limit, res.IsError, res.ErrorText(), refused)
		}
	}
}

// The plan is judged by the portfolio after it, and reports the portfolio before it: A is 7,500 of
// 12,500, 60%, and 48% after.
func TestRebalancePlan_EachRuleSaysWhatItWasBefore(t *testing.T) {
	w, in := newLimitedFixture(t, investor.QuestionLargestHolding, "50 %")
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, in)
	if got := findRule(t, value, investor.RuleLargest); got["outcome"] != string(investor.Pass) || got["outcome_before"] != string(investor.Fail) {
		t.Errorf("rule = %v; want a pass that was a fail before", got)
	}
}

// New cash counts after the plan and not before it: 2,500 is 20% of 12,500, and the 5,250 left of
// 15,000 by 6,000 A and 3,750 B is 35%.
func TestRebalancePlan_NewCashThatStaysCountsForTheLimits(t *testing.T) {
	w, _ := newLimitedFixture(t, investor.QuestionCashPart, "25 %")
	in := args{"targets": map[string]float64{"AAA": 0.4, "BBB": 0.25}, "new_cash": 2500}
	_, value := toolstest.CallOK(t, advice.SuitabilityTools(w.deps(t)), rebalancePlan, in)
	if got := findRule(t, value, investor.RuleCashShare); got["outcome"] != string(investor.Pass) || got["outcome_before"] != string(investor.Fail) {
		t.Errorf("rule = %v; want too little before and enough after", got)
	}
}

// Facts recorded after the day of the clock do not give a security a class.
func TestJudgeMix_WhatWasSaidLaterIsNotKnown(t *testing.T) {
	w, _ := newLimitedFixture(t, investor.QuestionClassLimits, "crypto max 5 %")
	for said, refused := range map[string]bool{"2024-06-28": true, "2024-06-29": false} {
		for i := range w.Securities {
			w.Securities[i].RecordedOn = portfoliotest.Day(said)
		}
		if _, got, err := w.deps(t).JudgeMix(t.Context(), parseWeights(map[string]string{"AAA": "0.5", "BBB": "0.5"})); err != nil || got != refused {
			t.Errorf("said on %s: refused %v, %v; want %v", said, got, err, refused)
		}
	}
}

// The instrument directory gives the class of a security that the user did not classify.
func TestJudgeSize_TheKindOfAnInstrumentIsItsClass(t *testing.T) {
	for kind, refused := range map[string]bool{"crypto": true, "equity": false, "fund": false} {
		w, _ := newLimitedFixture(t, investor.QuestionExcludedClasses, "crypto")
		w.Series[2].Kind = kind
		if _, got, err := w.deps(t).JudgeSize(t.Context(), "CCC", toolstest.MustDecimal("0.05")); err != nil || got != refused {
			t.Errorf("a purchase of a %s = refused %v, %v; want %v", kind, got, err, refused)
		}
	}
	w, _ := newLimitedFixture(t)
	if _, _, err := w.deps(t).JudgeSize(t.Context(), "not a|symbol", toolstest.MustDecimal("0.05")); err == nil {
		t.Error("a purchase of what is no symbol was judged")
	}
	if _, _, err := w.deps(t).JudgeSize(t.Context(), string(market.Symbol("AAA")), toolstest.MustDecimal("0.05")); err != nil {
		t.Errorf("JudgeSize(AAA) = %v", err)
	}
}
