package investor_test

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

// complete allows: a position of 10%, stocks of 40 to 70%, coins of 5%, cash of 10,000 EUR and 5%.
// A value at the limit passes, a slightly worse one fails.
func TestCheckSuggestion_TheLimitItselfIsStillWithin(t *testing.T) {
	hair := dec("0.000001")
	weight := func(symbol market.Symbol, w string) func(*investor.Suggestion, decimal.Decimal) {
		return func(s *investor.Suggestion, beyond decimal.Decimal) { s.Weights[symbol] = dec(w).Add(beyond) }
	}
	for _, tc := range []struct {
		name, rule string
		beyond     decimal.Decimal // toward breaking the limit
		set        func(*investor.Suggestion, decimal.Decimal)
	}{
		{"the largest", investor.RuleLargest, hair, weight("A", "0.1")},
		{"the largest, sold short", investor.RuleLargest, hair.Neg(), weight("G", "-0.1")},
		{"the most of a class", investor.RuleClass + "crypto", hair, weight("BTC-USD", "0.05")},
		{"the least of a class", investor.RuleClass + "equity", hair.Neg(), weight("A", "0")},
		{"the least sum of cash", investor.RuleCashAmount, dec("-0.01"), func(s *investor.Suggestion, b decimal.Decimal) { s.CashAmount.Amount = dec("10000").Add(b) }},
		{"the least part of cash", investor.RuleCashShare, hair.Neg(), func(s *investor.Suggestion, b decimal.Decimal) {
			s.Cash = decimal.NewNullDecimal(dec("0.05").Add(b))
		}},
		// Nine symbols and cash may each be rounded by half a tenth of a percent.
		{"the whole from above", investor.RuleTotalWeight, hair, func(s *investor.Suggestion, b decimal.Decimal) { s.Cash = decimal.NewNullDecimal(dec("0.155").Add(b)) }},
		{"the whole from below", investor.RuleTotalWeight, hair.Neg(), func(s *investor.Suggestion, b decimal.Decimal) { s.Cash = decimal.NewNullDecimal(dec("0.145").Add(b)) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for beyond, want := range map[string]investor.Outcome{"0": investor.Pass, tc.beyond.String(): investor.Fail} {
				s := allowedSuggestion()
				tc.set(&s, dec(beyond))
				if got := resultOf(t, profileOf(t, completeAnswers()).CheckSuggestion(s), tc.rule); got.Outcome != want {
					t.Errorf("%s by %s beyond the limit = %+v; want %s", tc.rule, beyond, got, want)
				}
			}
		})
	}
}

// Each limit is the only reason for its failure: without it, the same suggestion passes.
func TestCheckSuggestion_WithoutItsLimitTheSameIsNotRefused(t *testing.T) {
	for _, tc := range []struct {
		ask, answer string
		change      func(*investor.Suggestion)
	}{
		{investor.QuestionLargestHolding, "9%", func(*investor.Suggestion) {}},
		{investor.QuestionClassLimits, "equity max 40%", func(*investor.Suggestion) {}},
		{investor.QuestionClassLimits, "commodity min 1%", func(*investor.Suggestion) {}},
		{investor.QuestionCashMinimum, "15001 EUR", func(*investor.Suggestion) {}},
		{investor.QuestionCashPart, "16%", func(*investor.Suggestion) {}},
		{investor.QuestionExcludedSymbols, "h", func(*investor.Suggestion) {}},
		{investor.QuestionExcludedClasses, "bond", func(*investor.Suggestion) {}},
	} {
		t.Run(tc.ask+" "+tc.answer, func(t *testing.T) {
			s := allowedSuggestion()
			tc.change(&s)
			if v := profileOf(t, withAnswers(completeAnswers(), tc.ask, tc.answer)).CheckSuggestion(s); v.Count(investor.Fail) != 1 || v.Allowed() {
				t.Errorf("with %s %s %+v fail; want one rule", tc.ask, tc.answer, v.Rows)
			}
			if v := profileOf(t, withAnswers(completeAnswers(), tc.ask, "")).CheckSuggestion(s); !v.Allowed() {
				t.Errorf("without %s %+v fail; want none", tc.ask, v.Rows)
			}
		})
	}
}

// Each contradiction has a threshold: on one side there is none, one step beyond there is one.
func TestInconsistencies_EachBeginsAtItsEdge(t *testing.T) {
	type answers = map[string]string
	for _, tc := range []struct {
		name            string
		within, without answers
		fields          string
	}{
		{"a lifetime", answers{investor.QuestionBirthYear: "1950", investor.QuestionHorizon: "2050"}, answers{investor.QuestionBirthYear: "1950", investor.QuestionHorizon: "2051"}, "birth_year horizon"},
		{"an aim of this year", answers{investor.QuestionObjectives: "home, 2026"}, answers{investor.QuestionObjectives: "home, 2025"}, "objectives"},
		{"retired at 35", answers{investor.QuestionBirthYear: "2000", investor.QuestionObjectives: "retirement, 2035"}, answers{investor.QuestionBirthYear: "2000", investor.QuestionObjectives: "retirement, 2034"}, "birth_year objectives"},
		{"retired at 85", answers{investor.QuestionBirthYear: "1980", investor.QuestionObjectives: "retirement, 2065"}, answers{investor.QuestionBirthYear: "1980", investor.QuestionObjectives: "retirement, 2066"}, "birth_year objectives"},
		{"another aim at 20", answers{investor.QuestionBirthYear: "2010", investor.QuestionObjectives: "home, 2030"}, answers{investor.QuestionBirthYear: "2010", investor.QuestionObjectives: "retirement, 2030"}, "birth_year objectives"},
		{"a need of today", answers{investor.QuestionLiquidityNeeds: "1 EUR, 2026-03-10"}, answers{investor.QuestionLiquidityNeeds: "1 EUR, 2026-03-09"}, "liquidity_needs"},
		{
			"needs of all there is", answers{investor.QuestionLiquidAssets: "10 EUR", investor.QuestionLiquidityNeeds: "4 EUR; 6 EUR"},
			answers{investor.QuestionLiquidAssets: "10 EUR", investor.QuestionLiquidityNeeds: "4 EUR; 6.01 EUR"}, "liquid_assets liquidity_needs",
		},
		{"a small capacity", withAnswers(riskTakingAnswers(), investor.QuestionLossCapacity, "15.01%"), withAnswers(riskTakingAnswers(), investor.QuestionLossCapacity, "15%"), "loss_capacity"},
		{"no experience", withAnswers(riskTakingAnswers(), investor.QuestionExperience, "some"), withAnswers(riskTakingAnswers(), investor.QuestionExperience, "none"), "experience"},
		{"a short time", withAnswers(riskTakingAnswers(), investor.QuestionHorizon, "2030"), withAnswers(riskTakingAnswers(), investor.QuestionHorizon, "2029"), "horizon"},
		{
			"half in shares for a short time", answers{investor.QuestionHorizon: "2029", investor.QuestionClassLimits: "equity min 49.99%"},
			answers{investor.QuestionHorizon: "2029", investor.QuestionClassLimits: "equity min 50%"}, "horizon class_limits",
		},
		{"a horizon of this year", answers{investor.QuestionHorizon: "2026"}, nil, ""},
		{
			"twice the fall in shares", answers{investor.QuestionLossCapacity: "35%", investor.QuestionClassLimits: "equity min 10% max 70%"},
			answers{investor.QuestionLossCapacity: "35%", investor.QuestionClassLimits: "equity min 10% max 70.01%"}, "loss_capacity class_limits",
		},
		{
			"least parts of all", answers{investor.QuestionClassLimits: "equity min 60%; bond min 35%", investor.QuestionCashPart: "5%"},
			answers{investor.QuestionClassLimits: "equity min 60%; bond min 35%", investor.QuestionCashPart: "5.01%"}, "class_limits cash_minimum_part",
		},
		{
			"cash counts once", answers{investor.QuestionClassLimits: "equity min 60%; cash min 30%", investor.QuestionCashPart: "40%"},
			answers{investor.QuestionClassLimits: "equity min 60%; cash min 30%", investor.QuestionCashPart: "40.01%"}, "class_limits cash_minimum_part",
		},
		{
			"most of cash", answers{investor.QuestionClassLimits: "cash max 10%", investor.QuestionCashPart: "10%"},
			answers{investor.QuestionClassLimits: "cash max 9.99%", investor.QuestionCashPart: "10%"}, "class_limits cash_minimum_part",
		},
		{
			"excluded and not wanted", answers{investor.QuestionClassLimits: "crypto min 0% max 5%", investor.QuestionExcludedClasses: "crypto"},
			answers{investor.QuestionClassLimits: "crypto min 0.01% max 5%", investor.QuestionExcludedClasses: "crypto"}, "class_limits excluded_classes",
		},
		{
			"no cash at all", answers{investor.QuestionCashPart: "0%", investor.QuestionExcludedClasses: "cash"},
			answers{investor.QuestionCashPart: "0.01%", investor.QuestionExcludedClasses: "cash"}, "excluded_classes",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := profileOf(t, tc.within).Inconsistencies(today()); got != nil {
				t.Errorf("within: %+v; want none", got)
			}
			if tc.without == nil {
				return
			}
			got := profileOf(t, tc.without).Inconsistencies(today())
			if len(got) != 1 || got[0].Advice == "" {
				t.Fatalf("without: %+v; want one, with what to look at", got)
			}
			details := " " + strings.Join(got[0].Fields, " ") + " "
			for field := range strings.FieldsSeq(tc.fields) {
				if !strings.Contains(details, " "+field+" ") {
					t.Errorf("fields = %s; want %s among them", details, field)
				}
			}
		})
	}
}

// Numbers of years count from the day of the interview, and every answer is stored in one spelling.
func TestSet_EachKindOfAnswerHasOneSpelling(t *testing.T) {
	for _, tc := range []struct{ id, answer, want string }{
		{investor.QuestionHorizon, "10 years", "2036"}, {investor.QuestionHorizon, "1 Year", "2027"}, {investor.QuestionHorizon, "2040", "2040"},
		{investor.QuestionIncome, "80k eur", "80000 EUR"}, {investor.QuestionIncome, "1.5m USD", "1500000 USD"}, {investor.QuestionIncome, "80 000,50 EUR", "80000.5 EUR"}, {investor.QuestionIncome, "80'000 chf", "80000 CHF"},
		{investor.QuestionNetWorth, "-5k EUR", "-5000 EUR"}, {investor.QuestionCashMinimum, "0 EUR", "0 EUR"},
		{investor.QuestionLossCapacity, "35", "35%"}, {investor.QuestionLossCapacity, "0,5 %", "0.5%"}, {investor.QuestionLossCapacity, "100 %", "100%"}, {investor.QuestionLossCapacity, "0", "0%"},
		{investor.QuestionClassLimits, "Real Estate MAX 10%", "real_estate max 10%"}, {investor.QuestionClassLimits, "equity max 70% min 40%", "equity min 40% max 70%"}, {investor.QuestionClassLimits, "None", "none"},
		{investor.QuestionExcludedSymbols, "mo\npm;", "MO; PM"}, {investor.QuestionExcludedClasses, "Crypto ; commodity", "crypto; commodity"},
		{investor.QuestionObjectives, "Retirement, 20 years, 600k EUR", "retirement, 2046, 600000 EUR"}, {investor.QuestionObjectives, "home, 80000 EUR", "home, 80000 EUR"},
		{investor.QuestionLiquidityNeeds, "30k EUR, by 2027", "30000 EUR, 2027-01-01"}, {investor.QuestionLiquidityNeeds, "5k CHF, 2027-06", "5000 CHF, 2027-06-01"},
		{investor.QuestionRiskFall, "3", "wait"}, {investor.QuestionExperience, "SOME", "some"}, {investor.QuestionBaseCurrency, "chf", "CHF"},
	} {
		p := profileOf(t, map[string]string{tc.id: tc.answer})
		if got := p.Answers()[tc.id]; got != tc.want {
			t.Errorf("Set(%s, %q) is given again as %q; want %q", tc.id, tc.answer, got, tc.want)
		}
		if again := profileOf(t, map[string]string{tc.id: tc.want}); again.Answers()[tc.id] != tc.want {
			t.Errorf("Set(%s, %q) is given again as %q; want it unchanged", tc.id, tc.want, again.Answers()[tc.id])
		}
	}
}

// Unanswered questions are returned in the order of the interview.
func TestMissing_IsWhatIsOpenInItsOrder(t *testing.T) {
	interview := investor.NewInterview(today())
	var all []string
	for _, q := range interview.Questions() {
		all = append(all, q.ID)
	}
	var open []string
	for _, q := range interview.Missing(investor.Profile{}) {
		open = append(open, q.ID)
	}
	if strings.Join(open, " ") != strings.Join(all, " ") {
		t.Errorf("Missing of nothing = %v; want all of %v", open, all)
	}
	if got := interview.Missing(profileOf(t, completeAnswers())); got != nil {
		t.Errorf("Missing of a complete profile = %+v; want none", got)
	}
	for _, id := range all {
		got := interview.Missing(profileOf(t, withAnswers(completeAnswers(), id, "")))
		if len(got) != 1 || got[0].ID != id {
			t.Errorf("Missing without %s = %+v; want it alone", id, got)
		}
	}
}
