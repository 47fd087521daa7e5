package investor_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
)

func TestInterview_EveryQuestionIsAnsweredAndWrittenInOneWay(t *testing.T) {
	p := profileOf(t, completeAnswers())
	want := map[string]string{
		investor.QuestionBirthYear: "1985", investor.QuestionBaseCurrency: "EUR", investor.QuestionIncome: "60000 EUR", investor.QuestionNetWorth: "250000 EUR",
		investor.QuestionLiquidAssets: "40000.5 EUR", investor.QuestionCountry: "DE", investor.QuestionJurisdiction: "us", investor.QuestionShortGains: "26.375%",
		investor.QuestionLongGains: "0%", investor.QuestionIncomeRate: "26.4%", investor.QuestionObjectives: "retirement, 2050, 600000 EUR; home, 80000 EUR; growth, , , slowly, but surely",
		investor.QuestionExperience: "some", investor.QuestionHorizon: "2050", investor.QuestionLiquidityNeeds: "30000 EUR, 2027-06-01, new roof; 5000 CHF",
		investor.QuestionRiskFall: "wait", investor.QuestionRiskRange: "moderate", investor.QuestionRiskLoss: "quarter", investor.QuestionRiskRegret: "loss", investor.QuestionRiskNews: "fine",
		investor.QuestionOthers: "apartment, 300000 EUR; state pension", investor.QuestionLossCapacity: "35%", investor.QuestionLargestHolding: "10%",
		investor.QuestionClassLimits: "equity min 40% max 70%; crypto max 5%", investor.QuestionCashMinimum: "10000 EUR", investor.QuestionCashPart: "5%",
		investor.QuestionExcludedSymbols: "MO; PM", investor.QuestionExcludedClasses: "none",
	}
	if diff := cmp.Diff(want, p.Answers()); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	interview := investor.NewInterview(today())
	if missing := interview.Missing(p); missing != nil {
		t.Errorf("Missing of a complete profile = %v", missing)
	}
	if len(interview.Questions()) != len(want) {
		t.Errorf("%d questions and %d answers: the test does not ask them all", len(interview.Questions()), len(want))
	}
	if err := p.Validate(); err != nil {
		t.Errorf("Validate = %v", err)
	}
}

func TestInterview_QuestionsHaveAllThatAFormNeeds(t *testing.T) {
	seen := map[string]bool{}
	for _, q := range investor.NewInterview(today()).Questions() {
		if q.ID == "" || q.Text == "" || q.Why == "" || q.Kind == "" || q.Factor == "" || seen[q.ID] {
			t.Errorf("question %+v lacks something or stands there twice", q)
		}
		if (q.Kind == investor.KindChoice) != (len(q.Choices) > 1) || q.Kind != investor.KindChoice && q.Example == "" {
			t.Errorf("question %s is a %s with %d choices and the example %q", q.ID, q.Kind, len(q.Choices), q.Example)
		}
		seen[q.ID] = true
		if q.Example == "" {
			continue
		}
		var p investor.Profile
		if err := investor.NewInterview(today()).Set(&p, q.ID, q.Example); err != nil {
			t.Errorf("the example of %s is refused: %v", q.ID, err)
		}
	}
}

func TestInterview_AnEmptyAnswerIsUnknownAgain(t *testing.T) {
	p, interview := profileOf(t, completeAnswers()), investor.NewInterview(today())
	for _, q := range interview.Questions() {
		if err := interview.Set(&p, q.ID, "  "); err != nil {
			t.Errorf("Set(%s, nothing) = %v", q.ID, err)
		}
	}
	if diff := cmp.Diff(investor.Profile{}, p); diff != "" {
		t.Errorf("profile with all answers taken back (-want +got):\n%s", diff)
	}
	if got := len(interview.Missing(p)); got != len(interview.Questions()) {
		t.Errorf("%d questions missing, want all %d", got, len(interview.Questions()))
	}
}

func TestInterview_NoneDiffersFromNotSaid(t *testing.T) {
	p := profileOf(t, map[string]string{investor.QuestionLiquidityNeeds: "none"})
	if p.Needs == nil || len(p.Needs) != 0 || p.OtherInvestments != nil {
		t.Errorf("needs = %#v, others = %#v, want an empty and a nil list", p.Needs, p.OtherInvestments)
	}
}

func TestInterview_ACopyIsNotChanged(t *testing.T) {
	p, interview := profileOf(t, completeAnswers()), investor.NewInterview(today())
	kept := p
	if err := interview.Set(&p, investor.QuestionRiskFall, "buy"); err != nil {
		t.Fatal(err)
	}
	if kept.Tolerance[investor.QuestionRiskFall] != "wait" {
		t.Errorf("the copy answers %q", kept.Tolerance[investor.QuestionRiskFall])
	}
}

func TestSet_WhatIsNoAnswerIsRefusedInClearWords(t *testing.T) {
	for _, row := range []struct{ name, id, answer, want string }{
		{"unborn", investor.QuestionBirthYear, "2030", "in the future"},
		{"too old", investor.QuestionBirthYear, "1901", "an age of 125 years is not possible"},
		{"age in place of year", investor.QuestionBirthYear, "41", "not a year"},
		{"span where none is", investor.QuestionBirthYear, "40 years", "not a year"},
		{"past horizon", investor.QuestionHorizon, "2020", "is in the past"},
		{"endless horizon", investor.QuestionHorizon, "900 years", "is too long"},
		{"no currency", investor.QuestionIncome, "60000", "enter an amount and a currency"},
		{"sign of a currency", investor.QuestionIncome, "60000 $", "not a currency"},
		{"point or thousands", investor.QuestionIncome, "60.000 EUR", "thousands or decimals"},
		{"comma or thousands", investor.QuestionIncome, "60,000 EUR", "thousands or decimals"},
		{"several commas", investor.QuestionIncome, "1,000,000 EUR", "not a number"},
		{"negative", investor.QuestionIncome, "-5 EUR", "negative"},
		{"endless", investor.QuestionIncome, "1e999999999 EUR", "not a number"},
		{"too much", investor.QuestionIncome, "9999999999999999999 EUR", "is too large"},
		{"too fine", investor.QuestionIncome, "1.0000000000001 EUR", "too many digits"},
		{"words", investor.QuestionIncome, "a lot of EUR", "not a number"},
		{"fraction or per cent", investor.QuestionLossCapacity, "0.35", "write 0.35% or 35%"},
		{"one", investor.QuestionLossCapacity, "1", "write 1% or 100%"},
		{"above the whole", investor.QuestionLossCapacity, "120%", "between 0% and 100%"},
		{"below nothing", investor.QuestionLossCapacity, "-10%", "between 0% and 100%"},
		{"no country", investor.QuestionCountry, "Germany", "two-letter code"},
		{"no country", investor.QuestionCountry, "QQ", "two-letter code"},
		{"rules with spaces", investor.QuestionJurisdiction, "the usual", "not a rule name"},
		{"no choice", investor.QuestionExperience, "expert", "none, some, much, professional"},
		{"fifth of four", investor.QuestionRiskFall, "5", "sell_all, sell_some, wait, buy"},
		{"no aim", investor.QuestionObjectives, "yacht, 2030", "start with one of growth"},
		{"none where some must be", investor.QuestionObjectives, "none", "enter at least one"},
		{"sum that is unclear", investor.QuestionObjectives, "home, 2030, 80.000 EUR", "thousands or decimals"},
		{"neither year nor sum", investor.QuestionObjectives, "home, 20300", "not a year from 1900 to 2200; or: enter an amount"},
		{"need without sum", investor.QuestionLiquidityNeeds, "soon", "enter an amount"},
		{"need on no day", investor.QuestionLiquidityNeeds, "10 EUR, 2027-13", "not a date"},
		{"asset without name", investor.QuestionOthers, ", 10 EUR", "enter a description"},
		{"asset at no price", investor.QuestionOthers, "flat, dear", "enter an amount"},
		{"no class", investor.QuestionClassLimits, "stocks max 10%", "the classes are equity"},
		{"no limit", investor.QuestionClassLimits, "equity", "write equity min 20% max 60%"},
		{"neither end", investor.QuestionClassLimits, "equity about 10%", "neither min nor max"},
		{"one end twice", investor.QuestionClassLimits, "equity min 10% min 20%", "twice"},
		{"ends crossed", investor.QuestionClassLimits, "equity min 70% max 60%", "exceeds its maximum"},
		{"class twice", investor.QuestionClassLimits, "equity max 70%; equity min 10%", "appears twice"},
		{"missing symbol", investor.QuestionExcludedSymbols, "Philip Morris", "not a symbol"},
		{"nothing", investor.QuestionExcludedSymbols, ";;", "no item was entered"},
		{"control characters", investor.QuestionOthers, "flat\x1b[31m", "control characters"},
		{"turned writing", investor.QuestionOthers, "flat\u202e", "control characters"},
		{"not text", investor.QuestionOthers, "\xff", "not UTF-8"},
		{"a long text", investor.QuestionOthers, strings.Repeat("a", 9000), "longer than 8000"},
		{"a long name", investor.QuestionOthers, strings.Repeat("a", 201), "longer than 200"},
		{"very many", investor.QuestionExcludedSymbols, strings.Repeat("A;", 1) + repeated(101), "more than 100"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := profileOf(t, completeAnswers())
			before := p.Answers()
			err := investor.NewInterview(today()).Set(&p, row.id, row.answer)
			if !errors.Is(err, investor.ErrInvalidAnswer) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Set(%s, %q) = %v, want ErrAnswer with %q", row.id, row.answer, err, row.want)
			}
			if diff := cmp.Diff(before, p.Answers()); diff != "" {
				t.Errorf("answers after the error (-before +after):\n%s", diff)
			}
		})
	}
}

func repeated(n int) string {
	var out strings.Builder
	for i := range n {
		out.WriteString("S" + strings.Repeat("X", i/10) + string(rune('A'+i%10)) + ";")
	}
	return out.String()
}

func TestSet_AnUnknownQuestionNamesTheNearest(t *testing.T) {
	var p investor.Profile
	interview := investor.NewInterview(today())
	if err := interview.Set(&p, "hoirzon", "2040"); !errors.Is(err, investor.ErrUnknownQuestion) || !strings.Contains(err.Error(), "did you mean horizon?") {
		t.Errorf("Set(hoirzon) = %v, want ErrUnknownQuestion with horizon", err)
	}
	if err := interview.Set(&p, strings.Repeat("z", 100), "2040"); !strings.Contains(err.Error(), "known: birth_year") {
		t.Errorf("Set(zzz) = %v, want all IDs", err)
	}
	if q, ok := interview.Question(investor.QuestionHorizon); !ok || !q.AllowsSpans {
		t.Errorf("Question(horizon) = %+v, %v", q, ok)
	}
}

func TestSet_WithoutADaySpansAreRefused(t *testing.T) {
	var p investor.Profile
	interview := investor.NewInterview(time.Time{})
	if err := interview.Set(&p, investor.QuestionHorizon, "10 years"); !errors.Is(err, investor.ErrInvalidAnswer) {
		t.Errorf("Set(horizon, 10 years) without a day = %v, want ErrAnswer", err)
	}
}

func TestScore_IsTheShareOfAllPoints(t *testing.T) {
	// wait 2, moderate 1, quarter 2, loss 1, fine 2: 8 of 15 are 53 of 100.
	score, level, ok := profileOf(t, completeAnswers()).Score()
	if !ok || !score.Equal(dec("53")) || level != investor.ToleranceMedium {
		t.Errorf("Score = %s, %s, %v, want 53, medium", score, level, ok)
	}
	if score, level, ok = profileOf(t, riskTakingAnswers()).Score(); !ok || !score.Equal(dec("100")) || level != investor.ToleranceHigh {
		t.Errorf("Score of the bold = %s, %s, %v, want 100, high", score, level, ok)
	}
	// sell_all 0, tight 0, any 0, loss_much 0, right 3: 3 of 15.
	careful := map[string]string{investor.QuestionRiskFall: "1", investor.QuestionRiskRange: "1", investor.QuestionRiskLoss: "1", investor.QuestionRiskRegret: "1", investor.QuestionRiskNews: "4"}
	if score, level, ok = profileOf(t, careful).Score(); !ok || !score.Equal(dec("20")) || level != investor.ToleranceLow {
		t.Errorf("Score of the careful = %s, %s, %v, want 20, low", score, level, ok)
	}
	delete(careful, investor.QuestionRiskNews)
	if score, _, ok = profileOf(t, careful).Score(); ok {
		t.Errorf("Score with a question open = %s, want none", score)
	}
}

// FuzzSet looks for answers that are accepted but cannot be formatted again.
func FuzzSet(f *testing.F) {
	for id, answer := range completeAnswers() {
		f.Add(id, answer)
	}
	f.Add(investor.QuestionObjectives, "home, , 1 EUR, 2; growth, 2030, a,b , c")
	f.Add(investor.QuestionClassLimits, "real estate min 1%")
	f.Fuzz(func(t *testing.T, id, answer string) {
		var p, again investor.Profile
		interview := investor.NewInterview(today())
		if interview.Set(&p, id, answer) != nil {
			return
		}
		if err := p.Validate(); err != nil {
			t.Fatalf("Set(%s, %q) made a profile that is refused: %v", id, answer, err)
		}
		for id, answer := range p.Answers() {
			if err := interview.Set(&again, id, answer); err != nil {
				t.Fatalf("Set(%s, %q), which Answers gave: %v", id, answer, err)
			}
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Fatalf("profile made of its answers (-want +got):\n%s", diff)
		}
	})
}
