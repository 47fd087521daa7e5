package advice_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestProfileFields_EveryQuestionIsARowWithItsAnswer(t *testing.T) {
	w := newProfileFixture(t)
	answer(t, w, args{"risk_fall": "wait", "income": "60k EUR"})
	p, _, err := w.Profile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fields, questions := advice.ProfileFields(p), investor.NewInterview(w.Now()).Questions()
	if len(fields) != len(questions) {
		t.Fatalf("%d fields of %d questions", len(fields), len(questions))
	}
	for i, f := range fields {
		if f.Name != questions[i].ID || f.About == "" || f.Hint == "" || len(f.Choices) != len(questions[i].Choices) {
			t.Errorf("field %d = %+v, want that of %s", i, f, questions[i].ID)
		}
		want := map[string]string{"risk_fall": "wait", "income": "60000 EUR"}[f.Name]
		if f.Value != want {
			t.Errorf("%s = %q, want %q", f.Name, f.Value, want)
		}
		if f.Name == "risk_fall" {
			toolstest.WantParts(t, "hint", f.Hint, "sell_some: sell some of it")
		}
	}
}

func TestChangedFields_GivesWhatIsNewAndWhatDoesNotFit(t *testing.T) {
	p := investor.Profile{HorizonYear: 2020, BirthYear: 1985, Experience: investor.ExperienceSome}
	answers, problems := advice.ChangedFields(p, map[string]string{
		"horizon":       "2020",    // past, and as it stands there
		"birth_year":    " 1985 ",  // unchanged
		"experience":    "",        // removed
		"income":        "60k EUR", // new
		"loss_capacity": "0.3",     // unclear
		"colour":        "blue",    // not in this form
		"net_worth":     "",        // still unknown
	}, toolstest.MustDay("2024-06-28"))
	if diff := cmp.Diff(map[string]string{"experience": "", "income": "60k EUR"}, answers); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"loss_capacity": "ambiguous: write 0.3% or 30%"}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
