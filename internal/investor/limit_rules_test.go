package investor_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// allowedSuggestion returns a suggestion within every limit of complete.
func allowedSuggestion() investor.Suggestion {
	return investor.Suggestion{
		Kind: investor.SuggestRebalance, AsOf: today(),
		Weights: map[market.Symbol]decimal.Decimal{
			"A": dec("0.1"), "B": dec("0.1"), "C": dec("0.1"), "D": dec("0.1"), "E": dec("0.1"), "F": dec("0.1"),
			"G": dec("0.1"), "H": dec("0.1"), "BTC-USD": dec("0.05"),
		},
		Classes: map[market.Symbol]portfolio.Class{
			"A": portfolio.ClassEquity, "B": portfolio.ClassEquity, "C": portfolio.ClassEquity, "D": portfolio.ClassEquity, "E": portfolio.ClassEquity,
			"F": portfolio.ClassBond, "G": portfolio.ClassBond, "H": portfolio.ClassBond, "BTC-USD": portfolio.ClassCrypto,
		},
		Cash: fraction("0.15"), CashAmount: investor.Money{Amount: dec("15000"), Currency: "EUR"},
	}
}

func resultOf(t *testing.T, v investor.Verdict, rule string) investor.RuleResult {
	t.Helper()
	for _, row := range v.Rows {
		if row.Rule == rule {
			return row
		}
	}
	t.Fatalf("no rule %s in %+v", rule, v.Rows)
	return investor.RuleResult{}
}

func TestCheckSuggestion_WhatKeepsEveryLimitPassesEveryRule(t *testing.T) {
	v := profileOf(t, completeAnswers()).CheckSuggestion(allowedSuggestion())
	for _, row := range v.Rows {
		// The possible loss and the holding period of a suggestion are not computed.
		unjudged := row.Rule == investor.RuleLossCapacity || row.Rule == investor.RuleHorizon
		if want := map[bool]investor.Outcome{false: investor.Pass, true: investor.NotJudged}[unjudged]; row.Outcome != want {
			t.Errorf("%s = %s: %s; want %s", row.Rule, row.Outcome, row.Sentence, want)
		}
	}
	want := []string{"weights", "largest_holding", "class:equity", "class:crypto", "cash_minimum", "cash_minimum_part", "loss_capacity",
		"excluded_symbols", "excluded_classes", "horizon"}
	var got []string
	for _, row := range v.Rows {
		got = append(got, row.Rule)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if !v.Allowed() || !v.Basis.Personal || v.Count(investor.Pass) != len(want)-2 {
		t.Errorf("Allowed = %v, basis = %+v", v.Allowed(), v.Basis)
	}
}

func TestCheckSuggestion_EachLimitCanSayNo(t *testing.T) {
	for _, row := range []struct {
		name, rule, number, threshold, sentence string
		change                                  func(*investor.Suggestion)
	}{
		{"more than the whole", "weights", "1.2", "1", "120%", func(s *investor.Suggestion) { s.Cash = fraction("0.35") }},
		{"one too large", "largest_holding", "0.1001", "0.1", "The largest position, B, is", func(s *investor.Suggestion) { s.Weights["B"], s.Weights["C"] = dec("0.1001"), dec("0.0999") }},
		{"one too large sold short", "largest_holding", "0.2", "0.1", "Z", func(s *investor.Suggestion) { s.Weights["Z"], s.Classes["Z"] = dec("-0.2"), portfolio.ClassBond }},
		{"class too large", "class:crypto", "0.051", "0.05", "your maximum is 5%", func(s *investor.Suggestion) { s.Weights["BTC-USD"] = dec("0.051") }},
		{"class too large by both sides", "class:crypto", "0.07", "0.05", "crypto is 7%", func(s *investor.Suggestion) { s.Weights["S"], s.Classes["S"] = dec("-0.02"), portfolio.ClassCrypto }},
		{"class too small", "class:equity", "0.3", "0.4", "your minimum is 40%", func(s *investor.Suggestion) {
			s.Classes["A"], s.Classes["B"] = portfolio.ClassBond, portfolio.ClassBond
		}},
		{"cash sum too small", "cash_minimum", "9999.99", "10000", "your minimum is 10000 EUR", func(s *investor.Suggestion) { s.CashAmount.Amount = dec("9999.99") }},
		{"cash part too small", "cash_minimum_part", "0.04", "0.05", "Cash is 4%", func(s *investor.Suggestion) { s.Cash = fraction("0.04") }},
		{"excluded symbol", "excluded_symbols", "", "", "You excluded MO and PM", func(s *investor.Suggestion) { s.Weights["PM"], s.Weights["MO"] = dec("0.01"), dec("0.01") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := allowedSuggestion()
			row.change(&s)
			v := profileOf(t, completeAnswers()).CheckSuggestion(s)
			got := resultOf(t, v, row.rule)
			if got.Outcome != investor.Fail || v.Allowed() || !strings.Contains(got.Sentence, row.sentence) {
				t.Errorf("%s = %+v, allowed %v, want it to fail with %q", row.rule, got, v.Allowed(), row.sentence)
			}
			if row.number != "" && (!got.Number.Decimal.Equal(dec(row.number)) || !got.Threshold.Decimal.Equal(dec(row.threshold))) {
				t.Errorf("%s: %s against %s, want %s against %s", row.rule, got.Number.Decimal, got.Threshold.Decimal, row.number, row.threshold)
			}
		})
	}
}

func TestCheckSuggestion_WhatIsNotKnownIsNotJudged(t *testing.T) {
	for _, row := range []struct {
		name, rule, sentence string
		change               func(*investor.Suggestion)
	}{
		{"no cash said", "weights", "the cash weight is unknown", func(s *investor.Suggestion) { s.Cash = decimal.NullDecimal{} }},
		{"no cash part", "cash_minimum_part", "is unknown", func(s *investor.Suggestion) { s.Cash = decimal.NullDecimal{} }},
		{"no cash sum", "cash_minimum", "is unknown", func(s *investor.Suggestion) { s.CashAmount = investor.Money{} }},
		{"other currency", "cash_minimum", "needs an exchange rate", func(s *investor.Suggestion) { s.CashAmount.Currency = "USD" }},
		{"class not known", "class:crypto", "without A", func(s *investor.Suggestion) { delete(s.Classes, "A") }},
		{"mixed fund", "class:equity", "without A", func(s *investor.Suggestion) { s.Classes["A"] = portfolio.ClassMixed }},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := allowedSuggestion()
			row.change(&s)
			v := profileOf(t, completeAnswers()).CheckSuggestion(s)
			if got := resultOf(t, v, row.rule); got.Outcome != investor.NotJudged || !strings.Contains(got.Sentence, row.sentence) || !v.Allowed() {
				t.Errorf("%s = %+v, allowed %v, want it not judged with %q", row.rule, got, v.Allowed(), row.sentence)
			}
		})
	}
}

func TestCheckSuggestion_AnUnknownClassNeverPassesAndFailsWhereItIsSure(t *testing.T) {
	for _, row := range []struct {
		name, limit string
		change      func(*investor.Suggestion)
		want        investor.Outcome
	}{
		{"small enough in any case", "crypto max 50%", func(s *investor.Suggestion) { delete(s.Classes, "A") }, investor.NotJudged},
		{"too large in any case", "equity max 30%", func(s *investor.Suggestion) { delete(s.Classes, "A") }, investor.Fail},
		{"too small in any case", "equity min 60%", func(s *investor.Suggestion) { delete(s.Classes, "A") }, investor.Fail},
		{"perhaps enough", "equity min 50%", func(s *investor.Suggestion) { delete(s.Classes, "A") }, investor.NotJudged},
		{"cash perhaps enough", "cash min 10%", func(s *investor.Suggestion) { s.Cash = decimal.NullDecimal{} }, investor.NotJudged},
		{"cash is a class", "cash min 16%", func(*investor.Suggestion) {}, investor.Fail},
		{"funds of the money market are cash", "cash min 25%", func(s *investor.Suggestion) { s.Classes["H"] = portfolio.ClassCash }, investor.Pass},
		{"at both ends", "bond min 30% max 30%", func(*investor.Suggestion) {}, investor.Pass},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := allowedSuggestion()
			row.change(&s)
			v := profileOf(t, withAnswers(completeAnswers(), investor.QuestionClassLimits, row.limit)).CheckSuggestion(s)
			class, _, _ := strings.Cut(row.limit, " ")
			if got := resultOf(t, v, investor.RuleClass+class); got.Outcome != row.want {
				t.Errorf("%s = %+v, want %s", row.limit, got, row.want)
			}
		})
	}
}

func TestCheckSuggestion_ExcludedClasses(t *testing.T) {
	for _, row := range []struct {
		name, excluded string
		change         func(*investor.Suggestion)
		want           investor.Outcome
	}{
		{"held", "crypto", func(*investor.Suggestion) {}, investor.Fail},
		{"sold short", "commodity", func(s *investor.Suggestion) { s.Weights["G"], s.Classes["G"] = dec("-0.1"), portfolio.ClassCommodity }, investor.Fail},
		{"not held", "commodity", func(*investor.Suggestion) {}, investor.Pass},
		{"perhaps held", "commodity", func(s *investor.Suggestion) { delete(s.Classes, "A") }, investor.NotJudged},
		{"cash", "cash", func(*investor.Suggestion) {}, investor.Fail},
		{"perhaps cash", "cash", func(s *investor.Suggestion) { s.Cash = decimal.NullDecimal{} }, investor.NotJudged},
		{"not said", "", func(*investor.Suggestion) {}, investor.NotJudged},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := allowedSuggestion()
			row.change(&s)
			v := profileOf(t, withAnswers(completeAnswers(), investor.QuestionExcludedClasses, row.excluded)).CheckSuggestion(s)
			if got := resultOf(t, v, investor.RuleExcludedClasses); got.Outcome != row.want {
				t.Errorf("%s excluded = %+v, want %s", row.excluded, got, row.want)
			}
		})
	}
}

func TestCheckSuggestion_WithoutAProfileOrWeightsNothingPasses(t *testing.T) {
	for name, v := range map[string]investor.Verdict{
		"no profile": investor.Profile{}.CheckSuggestion(allowedSuggestion()), "no suggestion": profileOf(t, completeAnswers()).CheckSuggestion(investor.Suggestion{}),
	} {
		for _, row := range v.Rows {
			if row.Outcome != investor.NotJudged && row.Rule != investor.RuleTotalWeight {
				t.Errorf("%s: %s = %s, want it not judged", name, row.Rule, row.Outcome)
			}
			if row.Sentence == "" {
				t.Errorf("%s: %s says nothing", name, row.Rule)
			}
		}
	}
}

func TestCheckSuggestion_AnswersOfNoneAreLimitsThatPass(t *testing.T) {
	p := profileOf(t, withAnswers(completeAnswers(), investor.QuestionClassLimits, "none", investor.QuestionExcludedSymbols, "none"))
	v := p.CheckSuggestion(allowedSuggestion())
	for _, rule := range []string{investor.RuleClass + "all", investor.RuleExcludedSymbols} {
		if got := resultOf(t, v, rule); got.Outcome != investor.Pass {
			t.Errorf("%s = %+v, want pass", rule, got)
		}
	}
}

func TestCheckSuggestion_RoundedWeightsAreStillAWhole(t *testing.T) {
	third := investor.Suggestion{Weights: map[market.Symbol]decimal.Decimal{"A": dec("0.333"), "B": dec("0.333"), "C": dec("0.333")}, Cash: fraction("0")}
	if got := resultOf(t, investor.Profile{}.CheckSuggestion(third), investor.RuleTotalWeight); got.Outcome != investor.Pass {
		t.Errorf("three thirds = %+v, want pass", got)
	}
	third.Weights["C"] = dec("0.33")
	if got := resultOf(t, investor.Profile{}.CheckSuggestion(third), investor.RuleTotalWeight); got.Outcome != investor.Fail {
		t.Errorf("99.6%% = %+v, want fail", got)
	}
}

func TestCheckSuggestion_IsTheSameEachTime(t *testing.T) {
	p, s := profileOf(t, completeAnswers()), allowedSuggestion()
	for symbol := range s.Weights {
		delete(s.Classes, symbol)
	}
	first := p.CheckSuggestion(s)
	for range 20 {
		if diff := cmp.Diff(first, p.CheckSuggestion(s)); diff != "" {
			t.Fatalf("another verdict of the same (-first +now):\n%s", diff)
		}
	}
}
