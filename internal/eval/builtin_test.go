package eval_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox"
)

// overSample is a runner over the program's own tools and the sample data.
func overSample(t testing.TB, skills *skill.Registry) *eval.Runner {
	t.Helper()
	source := sample.New()
	now := func() time.Time { return time.Date(2022, 6, 30, 12, 0, 0, 0, time.UTC) }
	router, err := tool.NewRouter(toolbox.All(toolbox.Deps{
		Quotes: source, Bars: source, Directory: source, Skills: skills, Now: now,
	}), tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &eval.Runner{Skills: skills, Router: router, Now: now}
}

func TestK29_EveryBuiltInPassesItsEvals(t *testing.T) {
	skills := skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	runner := overSample(t, skills)
	// Whoever builds one of these tools takes its skill off this list, and sees
	// the skill's cases run for the first time.
	want := map[string]string{
		"check-api":       "needs check_api",
		"fetch-webpage":   "needs web_fetch",
		"filing-summary":  "needs filings, filing_section",
		"macro-dashboard": "needs macro_series",
		"send-report":     "needs write_report",
		"storage-check":   "needs storage_usage",
		"system-info":     "needs system_info",
		"translate-file":  "needs read_file",
	}
	waiting := map[string]string{}
	passed := 0
	for _, s := range skills.List() {
		for r, err := range runner.Test(t.Context(), s.Name) {
			switch {
			case err != nil:
				t.Fatalf("%s: %v", s.Name, err)
			case r.Verdict == eval.Fail:
				t.Errorf("%s line %d %q:\n%s\n%s", s.Name, r.Line, r.Text, strings.Join(r.Reasons, "\n"), strings.Join(r.Calls, "\n"))
			case r.Kind == eval.KindSkill:
				waiting[s.Name] = strings.Join(r.Reasons, "; ")
			case r.Kind == eval.KindCase:
				passed++
			}
		}
		suite, err := eval.Read(skills, s.Name)
		if err != nil || len(suite.Select) < 3 || len(suite.Avoid) < 3 {
			t.Errorf("%s: %d prompts to select it, %d to avoid it, %v; want three of each", s.Name, len(suite.Select), len(suite.Avoid), err)
		}
	}
	if diff := cmp.Diff(want, waiting); diff != "" {
		t.Errorf("skills whose evals cannot be run (-want +got):\n%s", diff)
	}
	if passed < 20 {
		t.Errorf("%d cases passed, want the 20 that there were when this was written", passed)
	}
}
