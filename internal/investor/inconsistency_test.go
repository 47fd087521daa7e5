package investor_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
)

func TestInconsistencies_AnswersThatGoTogetherAreLeftAlone(t *testing.T) {
	for name, p := range map[string]investor.Profile{"complete": profileOf(t, complete()), "empty": {}, "bold": profileOf(t, bold())} {
		if got := p.Inconsistencies(today()); got != nil {
			t.Errorf("Inconsistencies of the %s profile = %+v, want none", name, got)
		}
	}
}

func TestInconsistencies_AreFoundWithTheirAnswers(t *testing.T) {
	allClasses := "equity max 10 %; bond max 10 %; cash max 10 %; real estate max 10 %; commodity max 10 %; crypto max 10 %; mixed max 10 %; other max 10 %"
	for _, row := range []struct {
		name    string
		answers map[string]string
		field   string
		says    string
	}{
		{"invested beyond any life", map[string]string{investor.AskBirthYear: "1950", investor.AskHorizon: "2060"}, investor.AskBirthYear, "you would then be 110"},
		{"retired as a child", map[string]string{investor.AskBirthYear: "2000", investor.AskObjectives: "retirement, 2030"}, investor.AskObjectives, "you would then be 30"},
		{"retired too late", map[string]string{investor.AskBirthYear: "1980", investor.AskObjectives: "retirement, 2070"}, investor.AskObjectives, "you would then be 90"},
		{"an aim that is past", map[string]string{investor.AskObjectives: "home, 2020"}, investor.AskObjectives, "2020, which is past"},
		{"needs more than there is", map[string]string{investor.AskLiquidAssets: "10000 EUR", investor.AskLiquidityNeeds: "6000 EUR, 2027; 5000 EUR"},
			investor.AskLiquidityNeeds, "You need 11000 EUR and have 10000 EUR"},
		{"a need that is past", map[string]string{investor.AskLiquidityNeeds: "6000 EUR, 2026-03-09"}, investor.AskLiquidityNeeds, "by 2026-03-09, which is past"},
		{"dares more than can be lost", with(bold(), investor.AskLossCapacity, "10 %"), investor.AskLossCapacity, "no more than 10 %"},
		{"dares without experience", with(bold(), investor.AskExperience, "none"), investor.AskExperience, "have not invested yet"},
		{"dares for a short time", with(bold(), investor.AskHorizon, "2 years"), investor.AskHorizon, "until 2028 only"},
		{"shares for a short time", map[string]string{investor.AskHorizon: "2028", investor.AskClassLimits: "equity min 60 %"}, investor.AskHorizon, "At least 60 % in shares"},
		{"may hold more shares than can be lost", map[string]string{investor.AskLossCapacity: "10 %", investor.AskClassLimits: "equity max 90 %"},
			investor.AskClassLimits, "a fall of 45 % is possible; you can bear 10 %"},
		{"must hold more shares than can be lost", map[string]string{investor.AskLossCapacity: "10 %", investor.AskClassLimits: "equity min 30 %"},
			investor.AskLossCapacity, "at least 30 %"},
		{"least parts above the whole", map[string]string{investor.AskClassLimits: "equity min 60 %; bond min 40 %", investor.AskCashPart: "5 %"}, investor.AskCashPart, "add up to 105 %"},
		{"most parts below the whole", map[string]string{investor.AskClassLimits: allClasses}, investor.AskClassLimits, "add up to 80 % only"},
		{"cash below its least", map[string]string{investor.AskClassLimits: "cash max 5 %", investor.AskCashPart: "10 %"}, investor.AskCashPart, "at most 5 % and at least 10 %"},
		{"excluded and wanted", map[string]string{investor.AskClassLimits: "crypto min 5 %", investor.AskExcludedClasses: "crypto"}, investor.AskExcludedClasses, "crypto"},
		{"cash excluded and kept", map[string]string{investor.AskCashPart: "10 %", investor.AskExcludedClasses: "cash"}, investor.AskExcludedClasses, "cash in reserve"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := profileOf(t, row.answers).Inconsistencies(today())
			if len(got) != 1 || !strings.Contains(got[0].Says, row.says) || got[0].Suggests == "" || !strings.Contains(strings.Join(got[0].Fields, " "), row.field) {
				t.Errorf("Inconsistencies = %+v, want one of %s that says %q", got, row.field, row.says)
			}
		})
	}
}

func TestInconsistencies_AtTheEdgeThereIsNone(t *testing.T) {
	for name, answers := range map[string]map[string]string{
		"a hundred years old":     {investor.AskBirthYear: "1950", investor.AskHorizon: "2050"},
		"needs all that there is": {investor.AskLiquidAssets: "11000 EUR", investor.AskLiquidityNeeds: "6000 EUR; 5000 EUR"},
		"needs in other money":    {investor.AskLiquidAssets: "1 EUR", investor.AskLiquidityNeeds: "6000 CHF"},
		"needed today":            {investor.AskLiquidityNeeds: "6000 EUR, 2026-03-10"},
		"half of the shares":      {investor.AskLossCapacity: "35 %", investor.AskClassLimits: "equity max 70 %"},
		"least parts of all":      {investor.AskClassLimits: "equity min 60 %; cash min 40 %", investor.AskCashPart: "40 %"},
		"four years":              with(bold(), investor.AskHorizon, "4 years"),
	} {
		if got := profileOf(t, answers).Inconsistencies(today()); got != nil {
			t.Errorf("Inconsistencies of %s = %+v, want none", name, got)
		}
	}
}

func TestInconsistencies_AHorizonPassesWithTime(t *testing.T) {
	p := profileOf(t, map[string]string{investor.AskHorizon: "2028"})
	if got := p.Inconsistencies(today().AddDate(3, 0, 0)); len(got) != 1 || !strings.Contains(got[0].Says, "2028, which is past") {
		t.Errorf("Inconsistencies in 2029 = %+v, want the horizon", got)
	}
}

func TestBasis_AdviceIsPersonalOnlyWhereAllItNeedsIsSaid(t *testing.T) {
	full := profileOf(t, complete())
	if !full.Specific(today()) || len(full.Unknown()) > 0 {
		t.Errorf("complete profile: Specific = %v, Unknown = %v", full.Specific(today()), full.Unknown())
	}
	for _, kind := range investor.SuggestionKinds() {
		if b := full.Basis(kind, today()); !b.Personal || b.Missing != nil {
			t.Errorf("Basis(%s) of a complete profile = %+v", kind, b)
		}
		for _, id := range investor.Needed(kind) {
			p := profileOf(t, with(complete(), id, ""))
			b := p.Basis(kind, today())
			if b.Personal || len(b.Missing) != 1 || b.Missing[0] != id || !strings.Contains(b.Sentence, "general information and not advice for you") {
				t.Errorf("Basis(%s) without %s = %+v, want general for it", kind, id, b)
			}
			if p.Specific(today()) {
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
	want := "This is general information and not advice for you: your profile does not say financial situation, liquidity needs, loss capacity and largest holding."
	if got != want {
		t.Errorf("sentence = %q, want %q", got, want)
	}
	if got := (investor.Profile{}).Unknown(); len(got) != 10 {
		t.Errorf("Unknown of the empty profile = %v, want nine factors and the limits", got)
	}
}

func TestBasis_ContradictionsMakeAdviceGeneral(t *testing.T) {
	p := profileOf(t, with(complete(), investor.AskLossCapacity, "20 %"))
	b := p.Basis(investor.SuggestRebalance, today())
	if b.Personal || b.Missing != nil || !strings.Contains(b.Sentence, "contradict each other") {
		t.Errorf("Basis = %+v, want general for the contradiction", b)
	}
}

// Whoever is not told sums reads all other contradictions whole.
func TestWithoutSums_OnlyWhatHasSumsIsCutShort(t *testing.T) {
	answers := with(complete(), investor.AskLiquidAssets, "77777 EUR")
	p := profileOf(t, with(answers, investor.AskLiquidityNeeds, "77778 EUR; 77779 EUR, 2025-01-02"))
	p.HorizonYear = 2020
	found := p.Inconsistencies(today())
	if len(found) != 3 {
		t.Fatalf("Inconsistencies = %+v, want three", found)
	}
	for _, c := range found {
		told := c.WithoutSums()
		switch sums := strings.Contains(c.Says, "7777"); {
		case sums != c.Sums:
			t.Errorf("%q has sums: %v, want %v", c.Says, c.Sums, sums)
		case !sums && told.Says != c.Says:
			t.Errorf("WithoutSums of %q = %q, want it whole", c.Says, told.Says)
		case strings.Contains(told.Says+told.Suggests, "7777") || !strings.Contains(told.Says, c.Fields[0]):
			t.Errorf("WithoutSums of %q = %q, %q", c.Says, told.Says, told.Suggests)
		}
	}
	if b := p.Basis(investor.SuggestSize, today()); !b.Sums || strings.Contains(b.WithoutSums().Sentence, "7777") || !strings.Contains(b.WithoutSums().Sentence, "contradict each other.") {
		t.Errorf("Basis = %+v, without sums %q", b, b.WithoutSums().Sentence)
	}
	p = profileOf(t, with(complete(), investor.AskLossCapacity, "20 %"))
	if b := p.Basis(investor.SuggestRebalance, today()); b.Sums || b.WithoutSums().Sentence != b.Sentence || !strings.Contains(b.Sentence, "20 %") {
		t.Errorf("Basis = %+v, without sums %q, want it whole", b, b.WithoutSums().Sentence)
	}
}
