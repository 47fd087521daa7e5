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
	p := profileOf(t, complete())
	want := map[string]string{
		investor.AskBirthYear: "1985", investor.AskBaseCurrency: "EUR", investor.AskIncome: "60000 EUR", investor.AskNetWorth: "250000 EUR",
		investor.AskLiquidAssets: "40000.5 EUR", investor.AskCountry: "DE", investor.AskJurisdiction: "us", investor.AskShortGains: "26.375 %",
		investor.AskLongGains: "0 %", investor.AskIncomeRate: "26.4 %", investor.AskObjectives: "retirement, 2050, 600000 EUR; home, 80000 EUR; growth, , , slowly, but surely",
		investor.AskExperience: "some", investor.AskHorizon: "2050", investor.AskLiquidityNeeds: "30000 EUR, 2027-06-01, new roof; 5000 CHF",
		investor.AskRiskFall: "wait", investor.AskRiskRange: "moderate", investor.AskRiskLoss: "quarter", investor.AskRiskRegret: "loss", investor.AskRiskNews: "fine",
		investor.AskOthers: "flat, 300000 EUR; pension of the state", investor.AskLossCapacity: "35 %", investor.AskLargestHolding: "10 %",
		investor.AskClassLimits: "equity min 40 % max 70 %; crypto max 5 %", investor.AskCashMinimum: "10000 EUR", investor.AskCashPart: "5 %",
		investor.AskExcludedSymbols: "MO; PM", investor.AskExcludedClasses: "none",
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
	p, interview := profileOf(t, complete()), investor.NewInterview(today())
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
	p := profileOf(t, map[string]string{investor.AskLiquidityNeeds: "none"})
	if p.Needs == nil || len(p.Needs) != 0 || p.Others != nil {
		t.Errorf("needs = %#v, others = %#v, want an empty and a nil list", p.Needs, p.Others)
	}
}

func TestInterview_ACopyIsNotChanged(t *testing.T) {
	p, interview := profileOf(t, complete()), investor.NewInterview(today())
	kept := p
	if err := interview.Set(&p, investor.AskRiskFall, "buy"); err != nil {
		t.Fatal(err)
	}
	if kept.Tolerance[investor.AskRiskFall] != "wait" {
		t.Errorf("the copy answers %q", kept.Tolerance[investor.AskRiskFall])
	}
}

func TestSet_WhatIsNoAnswerIsRefusedInClearWords(t *testing.T) {
	for _, row := range []struct{ name, id, answer, want string }{
		{"unborn", investor.AskBirthYear, "2030", "still to come"},
		{"too old", investor.AskBirthYear, "1901", "nobody lives 125 years"},
		{"age in place of year", investor.AskBirthYear, "41", "not a year"},
		{"span where none is", investor.AskBirthYear, "40 years", "not a year"},
		{"past horizon", investor.AskHorizon, "2020", "is past"},
		{"endless horizon", investor.AskHorizon, "900 years", "more than anybody plans"},
		{"no currency", investor.AskIncome, "60000", "name the sum and its currency"},
		{"sign of a currency", investor.AskIncome, "60000 $", "not a currency"},
		{"point or thousands", investor.AskIncome, "60.000 EUR", "thousands or a fraction"},
		{"comma or thousands", investor.AskIncome, "60,000 EUR", "thousands or a fraction"},
		{"several commas", investor.AskIncome, "1,000,000 EUR", "not a number"},
		{"below zero", investor.AskIncome, "-5 EUR", "below zero"},
		{"endless", investor.AskIncome, "1e999999999 EUR", "not a number"},
		{"too much", investor.AskIncome, "9999999999999999999 EUR", "more than all the money"},
		{"too fine", investor.AskIncome, "1.0000000000001 EUR", "too many digits"},
		{"words", investor.AskIncome, "a lot of EUR", "not a number"},
		{"fraction or per cent", investor.AskLossCapacity, "0.35", "write 0.35 % or 35 %"},
		{"one", investor.AskLossCapacity, "1", "write 1 % or 100 %"},
		{"above the whole", investor.AskLossCapacity, "120 %", "between 0 % and 100 %"},
		{"below nothing", investor.AskLossCapacity, "-10 %", "between 0 % and 100 %"},
		{"no country", investor.AskCountry, "Germany", "two letters"},
		{"no country of the world", investor.AskCountry, "QQ", "two letters"},
		{"rules with spaces", investor.AskJurisdiction, "the usual", "not a name of rules"},
		{"no choice", investor.AskExperience, "expert", "none, some, much, professional"},
		{"fifth of four", investor.AskRiskFall, "5", "sell_all, sell_some, wait, buy"},
		{"no aim", investor.AskObjectives, "yacht, 2030", "begin with one of growth"},
		{"none where some must be", investor.AskObjectives, "none", "name at least one"},
		{"sum that is unclear", investor.AskObjectives, "home, 2030, 80.000 EUR", "thousands or a fraction"},
		{"neither year nor sum", investor.AskObjectives, "home, 20300", "not a year between 1900 and 2200; or: name the sum"},
		{"need without sum", investor.AskLiquidityNeeds, "soon", "name the sum"},
		{"need on no day", investor.AskLiquidityNeeds, "10 EUR, 2027-13", "not a date"},
		{"asset without name", investor.AskOthers, ", 10 EUR", "name what it is"},
		{"asset at no price", investor.AskOthers, "flat, dear", "name the sum"},
		{"no class", investor.AskClassLimits, "stocks max 10 %", "the classes are equity"},
		{"no limit", investor.AskClassLimits, "equity", "write equity min 20 % max 60 %"},
		{"neither end", investor.AskClassLimits, "equity about 10 %", "neither min nor max"},
		{"one end twice", investor.AskClassLimits, "equity min 10 % min 20 %", "twice"},
		{"ends crossed", investor.AskClassLimits, "equity min 70 % max 60 %", "more than the most"},
		{"class twice", investor.AskClassLimits, "equity max 70 %; equity min 10 %", "stands there twice"},
		{"no symbol", investor.AskExcludedSymbols, "Philip Morris", "not a symbol"},
		{"nothing", investor.AskExcludedSymbols, ";;", "nothing is named"},
		{"control characters", investor.AskOthers, "flat\x1b[31m", "control characters"},
		{"turned writing", investor.AskOthers, "flat\u202e", "control characters"},
		{"not text", investor.AskOthers, "\xff", "not UTF-8"},
		{"a book", investor.AskOthers, strings.Repeat("a", 9000), "longer than 8000"},
		{"a long name", investor.AskOthers, strings.Repeat("a", 201), "longer than 200"},
		{"very many", investor.AskExcludedSymbols, strings.Repeat("A;", 1) + many(101), "more than 100"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := profileOf(t, complete())
			before := p.Answers()
			err := investor.NewInterview(today()).Set(&p, row.id, row.answer)
			if !errors.Is(err, investor.ErrAnswer) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("Set(%s, %q) = %v, want ErrAnswer with %q", row.id, row.answer, err, row.want)
			}
			if diff := cmp.Diff(before, p.Answers()); diff != "" {
				t.Errorf("answers after the error (-before +after):\n%s", diff)
			}
		})
	}
}

func many(n int) string {
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
	if q, ok := interview.Question(investor.AskHorizon); !ok || !q.Spans {
		t.Errorf("Question(horizon) = %+v, %v", q, ok)
	}
}

func TestSet_WithoutADaySpansAreRefused(t *testing.T) {
	var p investor.Profile
	interview := investor.NewInterview(time.Time{})
	if err := interview.Set(&p, investor.AskHorizon, "10 years"); !errors.Is(err, investor.ErrAnswer) {
		t.Errorf("Set(horizon, 10 years) without a day = %v, want ErrAnswer", err)
	}
}

func TestScore_IsTheShareOfAllPoints(t *testing.T) {
	// wait 2, moderate 1, quarter 2, loss 1, fine 2: 8 of 15 are 53 of 100.
	score, level, ok := profileOf(t, complete()).Score()
	if !ok || !score.Equal(dec("53")) || level != investor.ToleranceMedium {
		t.Errorf("Score = %s, %s, %v, want 53, medium", score, level, ok)
	}
	if score, level, ok = profileOf(t, bold()).Score(); !ok || !score.Equal(dec("100")) || level != investor.ToleranceHigh {
		t.Errorf("Score of the bold = %s, %s, %v, want 100, high", score, level, ok)
	}
	// sell_all 0, tight 0, any 0, loss_much 0, right 3: 3 of 15.
	careful := map[string]string{investor.AskRiskFall: "1", investor.AskRiskRange: "1", investor.AskRiskLoss: "1", investor.AskRiskRegret: "1", investor.AskRiskNews: "4"}
	if score, level, ok = profileOf(t, careful).Score(); !ok || !score.Equal(dec("20")) || level != investor.ToleranceLow {
		t.Errorf("Score of the careful = %s, %s, %v, want 20, low", score, level, ok)
	}
	delete(careful, investor.AskRiskNews)
	if score, _, ok = profileOf(t, careful).Score(); ok {
		t.Errorf("Score with a question open = %s, want none", score)
	}
}

// FuzzSet looks for answers that are taken and then cannot be given again.
func FuzzSet(f *testing.F) {
	for id, answer := range complete() {
		f.Add(id, answer)
	}
	f.Add(investor.AskObjectives, "home, , 1 EUR, 2; growth, 2030, a,b , c")
	f.Add(investor.AskClassLimits, "real estate min 1 %")
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
