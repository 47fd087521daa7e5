package investor_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
)

func TestInconsistencies_AnswersThatGoTogetherAreLeftAlone(t *testing.T) {
	for name, p := range map[string]investor.Profile{"complete": profileOf(t, completeAnswers()), "empty": {}, "bold": profileOf(t, riskTakingAnswers())} {
		if got := p.Inconsistencies(today()); got != nil {
			t.Errorf("Inconsistencies of the %s profile = %+v, want none", name, got)
		}
	}
}

func TestInconsistencies_AreFoundWithTheirAnswers(t *testing.T) {
	allClasses := "equity max 10%; bond max 10%; cash max 10%; real estate max 10%; commodity max 10%; crypto max 10%; mixed max 10%; other max 10%"
	for _, row := range []struct {
		name    string
		answers map[string]string
		field   string
		says    string
	}{
		{"invested beyond any life", map[string]string{investor.QuestionBirthYear: "1950", investor.QuestionHorizon: "2060"}, investor.QuestionBirthYear, "you would then be 110"},
		{"retired as a child", map[string]string{investor.QuestionBirthYear: "2000", investor.QuestionObjectives: "retirement, 2030"}, investor.QuestionObjectives, "you would then be 30"},
		{"retired too late", map[string]string{investor.QuestionBirthYear: "1980", investor.QuestionObjectives: "retirement, 2070"}, investor.QuestionObjectives, "you would then be 90"},
		{"an aim that is past", map[string]string{investor.QuestionObjectives: "home, 2020"}, investor.QuestionObjectives, "2020, which is in the past"},
		{"needs more than there is", map[string]string{investor.QuestionLiquidAssets: "10000 EUR", investor.QuestionLiquidityNeeds: "6000 EUR, 2027; 5000 EUR"},
			investor.QuestionLiquidityNeeds, "You need 11000 EUR but have 10000 EUR"},
		{"a need that is past", map[string]string{investor.QuestionLiquidityNeeds: "6000 EUR, 2026-03-09"}, investor.QuestionLiquidityNeeds, "by 2026-03-09, which is in the past"},
		{"dares more than can be lost", withAnswers(riskTakingAnswers(), investor.QuestionLossCapacity, "10%"), investor.QuestionLossCapacity, "at most 10%"},
		{"dares without experience", withAnswers(riskTakingAnswers(), investor.QuestionExperience, "none"), investor.QuestionExperience, "have not invested yet"},
		{"dares for a short time", withAnswers(riskTakingAnswers(), investor.QuestionHorizon, "2 years"), investor.QuestionHorizon, "only until 2028"},
		{"shares for a short time", map[string]string{investor.QuestionHorizon: "2028", investor.QuestionClassLimits: "equity min 60%"}, investor.QuestionHorizon, "At least 60% in stocks"},
		{"may hold more shares than can be lost", map[string]string{investor.QuestionLossCapacity: "10%", investor.QuestionClassLimits: "equity max 90%"},
			investor.QuestionClassLimits, "a loss of 45% is possible; you can afford 10%"},
		{"must hold more shares than can be lost", map[string]string{investor.QuestionLossCapacity: "10%", investor.QuestionClassLimits: "equity min 30%"},
			investor.QuestionLossCapacity, "at least 30%"},
		{"least parts above the whole", map[string]string{investor.QuestionClassLimits: "equity min 60%; bond min 40%", investor.QuestionCashPart: "5%"}, investor.QuestionCashPart, "add up to 105%"},
		{"most parts below the whole", map[string]string{investor.QuestionClassLimits: allClasses}, investor.QuestionClassLimits, "add up to only 80%"},
		{"cash below its least", map[string]string{investor.QuestionClassLimits: "cash max 5%", investor.QuestionCashPart: "10%"}, investor.QuestionCashPart, "at most 5%, but the cash reserve is at least 10%"},
		{"excluded and wanted", map[string]string{investor.QuestionClassLimits: "crypto min 5%", investor.QuestionExcludedClasses: "crypto"}, investor.QuestionExcludedClasses, "crypto"},
		{"cash excluded and kept", map[string]string{investor.QuestionCashPart: "10%", investor.QuestionExcludedClasses: "cash"}, investor.QuestionExcludedClasses, "cash reserve"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := profileOf(t, row.answers).Inconsistencies(today())
			if len(got) != 1 || !strings.Contains(got[0].Message, row.says) || got[0].Advice == "" || !strings.Contains(strings.Join(got[0].Fields, " "), row.field) {
				t.Errorf("Inconsistencies = %+v, want one of %s that says %q", got, row.field, row.says)
			}
		})
	}
}

func TestInconsistencies_AtTheEdgeThereIsNone(t *testing.T) {
	for name, answers := range map[string]map[string]string{
		"a hundred years old":     {investor.QuestionBirthYear: "1950", investor.QuestionHorizon: "2050"},
		"needs all that there is": {investor.QuestionLiquidAssets: "11000 EUR", investor.QuestionLiquidityNeeds: "6000 EUR; 5000 EUR"},
		"needs in other money":    {investor.QuestionLiquidAssets: "1 EUR", investor.QuestionLiquidityNeeds: "6000 CHF"},
		"needed today":            {investor.QuestionLiquidityNeeds: "6000 EUR, 2026-03-10"},
		"half of the shares":      {investor.QuestionLossCapacity: "35%", investor.QuestionClassLimits: "equity max 70%"},
		"least parts of all":      {investor.QuestionClassLimits: "equity min 60%; cash min 40%", investor.QuestionCashPart: "40%"},
		"four years":              withAnswers(riskTakingAnswers(), investor.QuestionHorizon, "4 years"),
	} {
		if got := profileOf(t, answers).Inconsistencies(today()); got != nil {
			t.Errorf("Inconsistencies of %s = %+v, want none", name, got)
		}
	}
}

func TestInconsistencies_AHorizonPassesWithTime(t *testing.T) {
	p := profileOf(t, map[string]string{investor.QuestionHorizon: "2028"})
	if got := p.Inconsistencies(today().AddDate(3, 0, 0)); len(got) != 1 || !strings.Contains(got[0].Message, "2028, which is in the past") {
		t.Errorf("Inconsistencies in 2029 = %+v, want the horizon", got)
	}
}

func TestBasis_AdviceIsPersonalOnlyWhereAllItNeedsIsSaid(t *testing.T) {
	full := profileOf(t, completeAnswers())
	if !full.AllowsPersonalAdvice(today()) || len(full.UnansweredFactors()) > 0 {
		t.Errorf("complete profile: Specific = %v, Unknown = %v", full.AllowsPersonalAdvice(today()), full.UnansweredFactors())
	}
	for _, kind := range investor.SuggestionKinds() {
		if b := full.Basis(kind, today()); !b.Personal || b.Missing != nil {
			t.Errorf("Basis(%s) of a complete profile = %+v", kind, b)
		}
		for _, id := range investor.RequiredQuestions(kind) {
			p := profileOf(t, withAnswers(completeAnswers(), id, ""))
			b := p.Basis(kind, today())
			if b.Personal || len(b.Missing) != 1 || b.Missing[0] != id || !strings.Contains(b.Sentence, "general information, not personal advice") {
				t.Errorf("Basis(%s) without %s = %+v, want general for it", kind, id, b)
			}
			if p.AllowsPersonalAdvice(today()) {
				t.Errorf("Specific without %s = true", id)
			}
		}
	}
	if b := full.Basis("whatever", today()); !b.Personal {
		t.Errorf("Basis of an unknown kind = %+v", b)
	}
}

func TestBasis_TheSentenceNamesWhatIsMissing(t *testing.T) {
	got := investor.Profile{}.Basis(investor.SuggestSize, today()).Sentence
	want := "This is general information, not personal advice: your profile is missing financial situation, liquidity needs, loss capacity and largest holding."
	if got != want {
		t.Errorf("sentence = %q, want %q", got, want)
	}
	if got := (investor.Profile{}).UnansweredFactors(); len(got) != 10 {
		t.Errorf("Unknown of the empty profile = %v, want nine factors and the limits", got)
	}
}

func TestBasis_ContradictionsMakeAdviceGeneral(t *testing.T) {
	p := profileOf(t, withAnswers(completeAnswers(), investor.QuestionLossCapacity, "20%"))
	b := p.Basis(investor.SuggestRebalance, today())
	if b.Personal || b.Missing != nil || !strings.Contains(b.Sentence, "contradict each other") {
		t.Errorf("Basis = %+v, want general for the contradiction", b)
	}
}

// If amounts are hidden, only the messages with amounts are shortened.
func TestPublic_OnlyWhatHasSumsIsCutShort(t *testing.T) {
	answers := withAnswers(completeAnswers(), investor.QuestionLiquidAssets, "77777 EUR")
	p := profileOf(t, withAnswers(answers, investor.QuestionLiquidityNeeds, "77778 EUR; 77779 EUR, 2025-01-02"))
	p.HorizonYear = 2020
	found := p.Inconsistencies(today())
	if len(found) != 3 {
		t.Fatalf("Inconsistencies = %+v, want three", found)
	}
	for _, c := range found {
		switch sums := strings.Contains(c.Message, "7777"); {
		case !sums && c.Public != c.Message:
			t.Errorf("%q without sums = %q, want it whole", c.Message, c.Public)
		case strings.Contains(c.Public+c.Advice, "7777") || sums && !strings.Contains(c.Public, c.Fields[0]):
			t.Errorf("%q without sums = %q, %q", c.Message, c.Public, c.Advice)
		}
	}
	if b := p.Basis(investor.SuggestSize, today()); b.Public == b.Sentence || strings.Contains(b.Public, "7777") || !strings.Contains(b.Public, "contradict each other.") {
		t.Errorf("Basis = %+v, want one without sums", b)
	}
	p = profileOf(t, withAnswers(completeAnswers(), investor.QuestionLossCapacity, "20%"))
	if b := p.Basis(investor.SuggestRebalance, today()); b.Public != b.Sentence || !strings.Contains(b.Sentence, "20%") {
		t.Errorf("Basis = %+v, want it whole", b)
	}
}
