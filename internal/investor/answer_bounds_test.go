package investor_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

// In each pair the first answer is the last valid one, and the second is invalid.
func TestSet_TheLastAnswerAndTheFirstThatIsNone(t *testing.T) {
	times := strings.Repeat
	for _, tc := range []struct{ id, last, none string }{
		{investor.QuestionBirthYear, "2026", "2027"},
		{investor.QuestionBirthYear, "1906", "1905"},
		{investor.QuestionHorizon, "2026", "2025"},
		{investor.QuestionHorizon, "2200", "2201"},
		{investor.QuestionHorizon, "100 years", "101 years"},
		{investor.QuestionHorizon, "0 years", "-1 years"},
		{investor.QuestionHorizon, "2040", "02040"},
		{investor.QuestionCountry, "uk", "GBR"},
		{investor.QuestionCountry, "CH", "EU"},
		{investor.QuestionCountry, "de", "15"},
		{investor.QuestionJurisdiction, "az-09", "a_z"},
		{investor.QuestionJurisdiction, "a", "a`"},
		{investor.QuestionJurisdiction, "z", "z{"},
		{investor.QuestionJurisdiction, "0", "0/"},
		{investor.QuestionJurisdiction, "9", "9:"},
		{investor.QuestionJurisdiction, times("a", 20), times("a", 21)},
		{investor.QuestionBaseCurrency, "AZZ", "AZ["},
		{investor.QuestionBaseCurrency, "zaa", "EURO"},
		{investor.QuestionIncome, "0 EUR", "-0.01 EUR"},
		{investor.QuestionIncome, "1000000000m EUR", "1000000000000001 EUR"},
		{investor.QuestionIncome, "0.123456789012 EUR", "0.1234567890123 EUR"},
		{investor.QuestionIncome, "80.1250 EUR", "80.125 EUR"},
		{investor.QuestionIncome, "1234.567 EUR", "123,456 EUR"},
		{investor.QuestionIncome, "80.50 EUR", "80. EUR"},
		{investor.QuestionNetWorth, "-1000000000m EUR", "-1000000000000001 EUR"},
		{investor.QuestionLossCapacity, "100%", "100.01%"},
		{investor.QuestionLossCapacity, "1.01", "1.00"},
		{investor.QuestionLossCapacity, "0%", "-0.01%"},
		{investor.QuestionLossCapacity, "0.1234567891%", "0.12345678912%"},
		{investor.QuestionOthers, times("ä", 200), times("ä", 201)},
		{investor.QuestionOthers, "می\u200cخواهم", "می\u200bخواهم"},
		{investor.QuestionLiquidityNeeds, "5 EUR, 2027-02-28", "5 EUR, 2027-02-29"},
		{investor.QuestionLiquidityNeeds, "5 EUR, 1900", "5 EUR, 1899"},
		{investor.QuestionLiquidityNeeds, "5 EUR, 2200", "5 EUR, 2201"},
		{investor.QuestionClassLimits, "bond min 30% max 30%", "bond min 30.01% max 30%"},
		{investor.QuestionClassLimits, "bond min 30%", "bond min x"},
		{investor.QuestionExcludedSymbols, repeated(100), repeated(101)},
		{investor.QuestionExcludedSymbols, "A; ;B", "; ;"},
	} {
		p := profileOf(t, map[string]string{tc.id: tc.last})
		taken := p.Answers()[tc.id]
		if taken == "" {
			t.Errorf("Set(%s, %.40q) keeps nothing", tc.id, tc.last)
		}
		if err := investor.NewInterview(today()).Set(&p, tc.id, tc.none); !errors.Is(err, investor.ErrInvalidAnswer) {
			t.Errorf("Set(%s, %.40q) = %v, taken for %.40q; want ErrAnswer", tc.id, tc.none, err, p.Answers()[tc.id])
		}
		if got := p.Answers()[tc.id]; got != taken {
			t.Errorf("Set(%s, %.40q) was refused and left %.40q", tc.id, tc.none, got)
		}
	}
}

// The levels are thirds of 15 points: 5 and 10 begin the next.
func TestScore_TheLevelsAreThirds(t *testing.T) {
	answers := func(points int) map[string]string {
		out := map[string]string{}
		for _, q := range investor.NewInterview(today()).Questions() {
			if q.Factor != investor.FactorTolerance {
				continue
			}
			here := min(points, len(q.Choices)-1)
			out[q.ID], points = q.Choices[here].Value, points-here
		}
		return out
	}
	for points, want := range map[int]string{
		0: "0 low", 4: "27 low", 5: "33 medium", 9: "60 medium", 10: "67 high", 15: "100 high",
	} {
		score, level, ok := profileOf(t, answers(points)).Score()
		if got := fmt.Sprintf("%s %s", score, level); got != want || !ok {
			t.Errorf("Score of %d points = %s, %v; want %s", points, got, ok, want)
		}
	}
}

// The tolerance for rounded weights is at most one percent, for any number of weights.
func TestCheckSuggestion_TheWholeIsNeverWrongByMoreThanOnePerCent(t *testing.T) {
	for cash, want := range map[string]investor.Outcome{"0.61": investor.Pass, "0.6101": investor.Fail, "0.59": investor.Pass, "0.5899": investor.Fail} {
		s := investor.Suggestion{Weights: map[market.Symbol]decimal.Decimal{}, Cash: fraction(cash)}
		for i := range 40 {
			s.Weights[market.Symbol(fmt.Sprint("S", i))] = dec("0.01")
		}
		if got := resultOf(t, investor.Profile{}.CheckSuggestion(s), investor.RuleTotalWeight); got.Outcome != want || !got.Threshold.Decimal.Equal(dec("1")) {
			t.Errorf("0.4 in forty symbols and %s = %+v; want %s", cash, got, want)
		}
	}
	short := investor.Suggestion{Weights: map[market.Symbol]decimal.Decimal{"A": dec("0.5")}}
	for weight, want := range map[string]investor.Outcome{"0.5": investor.NotJudged, "1.001": investor.NotJudged, "1.0011": investor.Fail} {
		short.Weights["A"] = dec(weight)
		if got := resultOf(t, investor.Profile{}.CheckSuggestion(short), investor.RuleTotalWeight); got.Outcome != want {
			t.Errorf("%s with no cash said = %+v; want %s", weight, got, want)
		}
	}
}

func TestCheckSuggestion_NothingButCashIsASuggestion(t *testing.T) {
	s := investor.Suggestion{Kind: investor.SuggestRebalance, AsOf: today(), Cash: fraction("1"), CashAmount: investor.Money{Amount: dec("0"), Currency: "EUR"}}
	v := profileOf(t, completeAnswers()).CheckSuggestion(s)
	for rule, want := range map[string]string{
		investor.RuleTotalWeight: "pass The weights with cash add up to 100%; they should be 100%.", investor.RuleLargest: "pass The suggestion holds only cash.",
		investor.RuleExcludedSymbols: "pass ", investor.RuleExcludedClasses: "pass ", investor.RuleCashShare: "pass Cash is 100%; your minimum is 5%.",
		// Zero is a known amount.
		investor.RuleCashAmount: "fail The suggestion leaves 0 EUR in cash; your minimum is 10000 EUR.",
	} {
		row := resultOf(t, v, rule)
		if got := string(row.Outcome) + " " + row.Sentence; !strings.HasPrefix(got, want) {
			t.Errorf("%s = %q; want %q", rule, got, want)
		}
	}
	for _, rule := range []string{investor.RuleTotalWeight, investor.RuleLargest, investor.RuleExcludedSymbols, investor.RuleExcludedClasses} {
		row := resultOf(t, profileOf(t, completeAnswers()).CheckSuggestion(investor.Suggestion{}), rule)
		if row.Outcome != investor.NotJudged || row.Sentence != "The suggestion has no weights." {
			t.Errorf("%s of no weights at all = %+v; want it not judged, and why", rule, row)
		}
	}
}

// A limit that was not set has no threshold, not a threshold of zero.
func TestCheckSuggestion_WhatIsNotSetHasNoThreshold(t *testing.T) {
	for _, row := range (investor.Profile{}).CheckSuggestion(allowedSuggestion()).Rows {
		if row.Rule != investor.RuleTotalWeight && (row.Threshold.Valid || row.Outcome != investor.NotJudged) {
			t.Errorf("%s without a profile = %+v; want it not judged, against nothing", row.Rule, row)
		}
	}
	if row := resultOf(t, profileOf(t, completeAnswers()).CheckSuggestion(allowedSuggestion()), investor.RuleCashAmount); !row.Threshold.Valid || row.Unit != "EUR" {
		t.Errorf("cash = %+v; want it held against 10000 EUR", row)
	}
}

func TestMoney_ReadsAsItIsWritten(t *testing.T) {
	for amount, want := range map[string]string{"80.125": "80.1250 EUR", "80.12": "80.12 EUR", "80.1254": "80.1254 EUR", "-0.5": "-0.5 EUR", "80000": "80000 EUR"} {
		text := investor.Money{Amount: dec(amount), Currency: "EUR"}.String()
		if text != want {
			t.Errorf("String of %s = %q; want %q", amount, text, want)
		}
		p := profileOf(t, map[string]string{investor.QuestionNetWorth: text})
		if !p.Finances.NetWorth.Amount.Equal(dec(amount)) {
			t.Errorf("%q is read as %s", text, p.Finances.NetWorth)
		}
	}
}

func TestJSON_IsOneDocumentOfAnOrdinarySize(t *testing.T) {
	whole, err := json.Marshal(profileOf(t, completeAnswers()))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"larger than 1 MB":           string(whole[:len(whole)-1]) + strings.Repeat(" ", 1<<20) + "}",
		"something stands after its": string(whole) + "{}",
	} {
		var p investor.Profile
		// Called directly, because json.Unmarshal rejects the second.
		if err := p.UnmarshalJSON([]byte(data)); err == nil || !errors.Is(err, investor.ErrInvalidDocument) {
			t.Errorf("%s = %v; want ErrDocument", name, err)
		}
		if len(p.Answers()) > 0 {
			t.Errorf("%s left %v", name, p.Answers())
		}
	}
}

// Unknown values affect only the rules that need them.
func TestCheckSuggestion_AnExclusionNeedsNoMoreThanItsOwn(t *testing.T) {
	for _, tc := range []struct {
		excluded, want string
		change         func(*investor.Suggestion)
	}{
		{"commodity", "pass The suggestion contains no excluded class.", func(s *investor.Suggestion) { s.Cash = decimal.NullDecimal{} }},
		{"cash", "not judged You excluded cash, but the cash weight is unknown.", func(s *investor.Suggestion) { s.Cash = decimal.NullDecimal{} }},
		{"none", "pass You did not exclude any asset class.", func(s *investor.Suggestion) { s.Classes = nil }},
		{"commodity", "not judged The class of A, B, C, D and E is unknown.", func(s *investor.Suggestion) {
			for _, symbol := range []market.Symbol{"A", "B", "C", "D", "E"} {
				delete(s.Classes, symbol)
			}
		}},
		{"commodity", "not judged The class of A, B, BTC-USD, C, D and 4 more is unknown.", func(s *investor.Suggestion) { s.Classes = nil }},
		{"crypto; bond", "fail You excluded crypto (5%) and bond (30%).", func(*investor.Suggestion) {}},
	} {
		s := allowedSuggestion()
		tc.change(&s)
		row := resultOf(t, profileOf(t, withAnswers(completeAnswers(), investor.QuestionExcludedClasses, tc.excluded)).CheckSuggestion(s), investor.RuleExcludedClasses)
		if got := string(row.Outcome) + " " + row.Sentence; got != tc.want {
			t.Errorf("%s excluded = %q; want %q", tc.excluded, got, tc.want)
		}
	}
}
