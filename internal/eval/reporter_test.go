package eval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/llm"
)

func render(t *testing.T, asJSON bool, results ...eval.Result) string {
	t.Helper()
	var out strings.Builder
	card := eval.NewReporter(&out, asJSON)
	for _, r := range results {
		card.Add(r)
	}
	if err := card.Finish(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func notRunResult(skill string, kind eval.Kind, reason string) eval.Result {
	return eval.Result{Skill: skill, Kind: kind, Verdict: eval.NotRun, Reasons: []string{reason}}
}

func TestReporter_ForPeopleEachIsALineAndWhatWaitsIsCounted(t *testing.T) {
	sent := func(verdict eval.Verdict, text string) eval.Result {
		return eval.Result{
			Skill: "price", Kind: eval.KindSelect, Text: text, Verdict: verdict, Reasons: []string{"it loaded it", "first"},
			Model: "m", Usage: &llm.Usage{InputTokens: 100, OutputTokens: 5},
		}
	}
	got := render(t, false,
		eval.Result{Skill: "price", Kind: eval.KindCase, Number: 1, Line: 4, Text: "a", Verdict: eval.Pass},
		eval.Result{Skill: "price", Kind: eval.KindCase, Number: 2, Line: 9, Verdict: eval.Fail, Reasons: []string{"one call is missing"}, Calls: []string{"- quote {}", "+ news {}"}},
		eval.Result{Skill: "price", Kind: eval.KindCase, Number: 3, Line: 12, Verdict: eval.NotRun, Reasons: []string{"no such tool"}},
		notRunResult("price", eval.KindSelect, "not --live"), notRunResult("price", eval.KindAvoid, "not --live"),
		notRunResult("price", eval.KindAvoid, "it is disabled"), notRunResult("other", eval.KindAvoid, "it is disabled"),
		sent(eval.Pass, "How much?"), sent(eval.Fail, "Hello\x1b[2J"),
	)
	want := `pass     price, case 1 (line 4) a
FAIL     price, case 2 (line 9)
           one call is missing
             - quote {}
             + news {}
not run  price, case 3 (line 12): no such tool
not run  price, 2 prompts: not --live
not run  price, 1 prompts: it is disabled
not run  other, 1 prompts: it is disabled
pass     price, select "How much?": it loaded it; first
FAIL     price, select "Hello\x1b[2J": it loaded it; first

m: 2 prompts, 200 tokens in, 10 out
2 passed, 2 failed, 5 not run
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
}

// Finish prints what is still pending. When no model was asked, the report does not mention one.
func TestReporter_FinishTellsWhatStillWaits(t *testing.T) {
	if got, want := render(t, false, notRunResult("price", eval.KindSelect, "not --live")), "not run  price, 1 prompts: not --live\n\n0 passed, 0 failed, 1 not run\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if got, want := render(t, false), "\n0 passed, 0 failed, 0 not run\n"; got != want {
		t.Errorf("without results it prints %q, want %q", got, want)
	}
}

func TestReporter_ForProgramsAllComeTogether(t *testing.T) {
	var out strings.Builder
	card := eval.NewReporter(&out, true)
	card.Add(eval.Result{Skill: "price", Kind: eval.KindCase, Verdict: eval.Pass, Reasons: []string{}})
	if out.Len() > 0 {
		t.Errorf("written is %q before the end", out.String())
	}
	if err := card.Finish(); err != nil || !strings.HasPrefix(out.String(), "[") || !strings.Contains(out.String(), `"skill": "price"`) {
		t.Errorf("written is %q, %v, want an array", out.String(), err)
	}
	if got := strings.TrimSpace(render(t, true)); got != "[]" {
		t.Errorf("without results it prints %s, want an empty array", got)
	}
}

func TestReporter_AWriterThatFailsIsSaidAtTheEnd(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		broken := errors.New("broken pipe")
		card := eval.NewReporter(writerFunc(func([]byte) (int, error) { return 0, broken }), asJSON)
		card.Add(notRunResult("price", eval.KindSelect, "not --live"))
		if err := card.Finish(); !errors.Is(err, broken) {
			t.Errorf("Finish() as JSON %t = %v, want what the writer says", asJSON, err)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
