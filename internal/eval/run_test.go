package eval_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// pricer is a skill to test, with a required parameter.
const pricer = "---\nname: pricer\ndescription: Prices\ntools_required: [quote]\nparameters:\n  - name: symbol\n    required: true\n---\nQuote {{symbol}}.\n"

// lookup is a case whose model requests the price of Apple and receives it.
const lookup = `cases:
  - arguments: AAPL
    turns:
      - calls: [{tool: quote, arguments: {symbols: [AAPL]}}]
`

// runnerOf returns a runner for the skill pricer with these tests.
func runnerOf(t *testing.T, evals string) *eval.Runner {
	t.Helper()
	skills, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{
		"pricer/SKILL.md": pricer, "pricer/evals.yaml": evals,
	}.Write(t)))
	return overSample(t, skills)
}

func resultsOf(t *testing.T, results iter.Seq2[eval.Result, error]) []eval.Result {
	t.Helper()
	var out []eval.Result
	for r, err := range results {
		if err != nil {
			t.Fatalf("after %d results: %v", len(out), err)
		}
		out = append(out, r)
	}
	return out
}

// only returns the only result of pricer with these tests.
func only(t *testing.T, evals string) eval.Result {
	t.Helper()
	results := resultsOf(t, runnerOf(t, evals).Test(t.Context(), "pricer"))
	if len(results) != 1 {
		t.Fatalf("results = %+v, want one", results)
	}
	return results[0]
}

func TestRunner_APassingCaseSaysWhere(t *testing.T) {
	got := only(t, lookup+`      - text: Apple stood at 137.44 USD on 2022-06-28.
    calls: [{tool: quote}]
    expect: {contains: ["137.44"]}
`)
	want := eval.Result{Skill: "pricer", Kind: eval.KindCase, Number: 1, Line: 2, Text: "AAPL", Verdict: eval.Pass, Reasons: []string{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
}

func TestRunner_EachKindOfFailureIsNamed(t *testing.T) {
	for _, tc := range []struct{ name, evals, want, calls string }{
		{
			"a call of another tool", lookup + "      - text: Done.\n    calls: [{tool: current_time}]\n",
			"expected call 1 of 1 was not made: current_time {}",
			"- current_time {}\n+ quote {\"symbols\":[\"AAPL\"]}",
		}, {
			"a missing call", lookup + "      - text: Done.\n    calls: [{tool: quote}, {tool: current_time}]\n",
			"expected call 2 of 2 was not made: current_time {}",
			"= quote {\"symbols\":[\"AAPL\"]}\n- current_time {}",
		}, {
			"other arguments", lookup + "      - text: Done.\n    calls: [{tool: quote, arguments: {symbols: [MSFT]}}]\n",
			`expected call 1 of 1 was made with other arguments: quote {"symbols":["MSFT"]}`,
			"- quote {\"symbols\":[\"MSFT\"]}\n+ quote {\"symbols\":[\"AAPL\"]}",
		}, {
			"more of a list", lookup + "      - text: Done.\n    calls: [{tool: quote, arguments: {symbols: [AAPL, MSFT]}}]\n",
			`expected call 1 of 1 was made with other arguments: quote {"symbols":["AAPL","MSFT"]}`,
			"- quote {\"symbols\":[\"AAPL\",\"MSFT\"]}\n+ quote {\"symbols\":[\"AAPL\"]}",
		}, {
			"another order", lookup + "      - calls: [{tool: current_time}]\n      - text: Done.\n    calls: [{tool: current_time}, {tool: quote}]\n",
			`expected call 2 of 2 was not made in this order: quote {}`,
			"+ quote {\"symbols\":[\"AAPL\"]}\n= current_time {}\n- quote {}",
		}, {
			"an error too many", "cases:\n  - arguments: A\n    turns:\n      - calls: [{tool: quote, arguments: {symbols: [NOPE]}}]\n      - text: None.\n",
			"tool errors: 1, expected 0: quote: ", "",
		}, {
			"an error too few", lookup + "      - text: Done.\n    expect: {errors: 1}\n",
			"tool errors: 0, expected 1", "",
		}, {
			"a missing text", lookup + "      - text: It is 137.44 USD.\n    expect: {contains: [index points]}\n",
			`the answer does not contain "index points"`, "",
		}, {
			"part of a number", lookup + "      - text: It is 137.44 USD.\n    expect: {contains: [\"37.44\"]}\n",
			`the answer does not contain "37.44"`, "",
		}, {
			"the start of a number", lookup + "      - text: It is 137.44 USD.\n    expect: {contains: [\"137\"]}\n",
			`the answer does not contain "137"`, "",
		}, {
			"an invented number", lookup + "      - text: It is 184.25 USD.\n    expect: {contains: [\"184.25\"]}\n",
			"untraced numbers and dates in the answer: 1, expected 0: 184.25", "",
		}, {
			"an invented date", lookup + "      - text: It is 137.44 USD; the report came on 2021-03-05.\n",
			"untraced numbers and dates in the answer: 1, expected 0: 2021-03-05", "",
		}, {
			"fewer inventions than said", lookup + "      - text: It is 137.44 USD.\n    expect: {untraced: 1}\n",
			"untraced numbers and dates in the answer: 0, expected 1", "",
		}, {
			"a script too short", lookup,
			"the script is too short: its last turn (1) makes calls, so one more turn is needed", "",
		}, {
			"a script too long", lookup + "      - text: Done.\n      - text: More.\n",
			"the script is too long: turn 2 of 3 has no calls, which ends the conversation", "",
		}, {
			"a script in circles", "cases:\n  - arguments: A\n    turns:\n" + strings.Repeat("      - calls: [{tool: current_time}]\n", 4),
			"stopped: the script repeats the same call", "",
		}, {
			"a tool that is not there", "cases:\n  - arguments: A\n    turns: [{calls: [{tool: qoute}]}, {text: Done.}]\n",
			"turn 1: no tool named qoute", "",
		}, {
			"an expected tool that is not there", "cases:\n  - arguments: A\n    calls: [{tool: qoute}]\n    turns: [{text: Done.}]\n",
			"calls: no tool named qoute", "",
		}, {
			"arguments that do not fit", "cases:\n  - arguments: A\n    turns: [{calls: [{tool: quote, arguments: {symbols: AAPL}}]}, {text: Done.}]\n",
			`turn 1: arguments of quote {"symbols":"AAPL"}: `, "",
		}, {
			"no value for a parameter", "cases:\n  - turns: [{text: Done.}]\n",
			"arguments: missing: symbol", "",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := only(t, tc.evals)
			if got.Verdict != eval.Fail || len(got.Reasons) != 1 || !strings.HasPrefix(got.Reasons[0], tc.want) {
				t.Errorf("%s for %q, want it to fail alone for %q", got.Verdict, got.Reasons, tc.want)
			}
			if calls := strings.Join(got.Calls, "\n"); calls != tc.calls {
				t.Errorf("calls:\n%s\nwant:\n%s", calls, tc.calls)
			}
		})
	}
}

func TestRunner_AllThatIsWrongIsReportedAtOnce(t *testing.T) {
	got := only(t, lookup+"      - text: It is 1.25.\n    calls: [{tool: current_time}]\n    expect: {errors: 2, contains: [USD]}\n")
	if len(got.Reasons) != 4 {
		t.Errorf("reasons = %q, want the call, the errors, the text and the number", got.Reasons)
	}
}

func TestRunner_WhatTheUserSaidNeedsNoTool(t *testing.T) {
	got := only(t, "cases:\n  - arguments: AAPL bought 2021-03-05 at 121.42\n    turns: [{text: Bought at 121.42 on 2021-03-05.}]\n")
	if got.Verdict != eval.Pass {
		t.Errorf("%s for %q, want pass", got.Verdict, got.Reasons)
	}
}

func TestRunner_ExpectedErrorsAndInventionsPass(t *testing.T) {
	got := only(t, `cases:
  - arguments: 5 % of NOPE
    calls: [{tool: quote, arguments: {symbols: [NOPE]}}]
    turns:
      - calls: [{tool: quote, arguments: {symbols: [NOPE]}}]
      - text: No source has NOPE; the 5 % are yours, the 33.5% the law's.
    expect: {errors: 1, untraced: 1}
`)
	if got.Verdict != eval.Pass {
		t.Errorf("%s for %q, want pass", got.Verdict, got.Reasons)
	}
}

func TestRunner_NumbersMatchAsNumbersAndObjectsByTheirMembers(t *testing.T) {
	type input struct {
		Window map[string]float64 `json:"window"`
		Unit   string             `json:"unit,omitempty"`
	}
	window := tool.New("window", "Takes a window.", tool.Reads, func(context.Context, input) (tool.Result, error) {
		return tool.Result{ForModel: "taken"}, nil
	})
	for written, want := range map[string]eval.Verdict{"{days: 5}": eval.Pass, "{days: 6}": eval.Fail, "{years: 5}": eval.Fail, "{}": eval.Pass} {
		r := runnerOf(t, "cases:\n  - arguments: A\n    calls: [{tool: window, arguments: {window: "+written+"}}]\n"+
			"    turns: [{calls: [{tool: window, arguments: {unit: d, window: {days: 5.0, hours: 1}}}]}, {text: Done.}]\n")
		router, err := tool.NewRouter(append(r.Router.Tools(), window), tool.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.Router = router
		if got := resultsOf(t, r.Test(t.Context(), "pricer"))[0]; got.Verdict != want {
			t.Errorf("%s: %s for %q, want %s", written, got.Verdict, got.Reasons, want)
		}
	}
}

func TestRunner_WhatWritesIsRefusedAndCounted(t *testing.T) {
	ran := false
	write := tool.New("write", "Writes.", tool.Writes, func(context.Context, struct{}) (tool.Result, error) {
		ran = true
		return tool.Result{ForModel: "written"}, nil
	})
	r := runnerOf(t, "cases:\n  - arguments: A\n    turns: [{calls: [{tool: write}]}, {text: Not written.}]\n    expect: {errors: 1}\n")
	router, err := tool.NewRouter(append(r.Router.Tools(), write), tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.Router = router
	if got := resultsOf(t, r.Test(t.Context(), "pricer"))[0]; got.Verdict != eval.Pass || ran {
		t.Errorf("%s for %q, written %t; want a refusal that was expected", got.Verdict, got.Reasons, ran)
	}
}

func TestRunner_WhatCannotBeTestedIsNotRun(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files skilltest.Files
		want  string
	}{
		{"a tool that is not there", skilltest.Files{
			"pricer/SKILL.md":   strings.Replace(pricer, "[quote]", "[quote, time_machine, oracle]", 1),
			"pricer/evals.yaml": lookup,
		}, "needs time_machine, oracle"},
		{"no case", skilltest.Files{"pricer/SKILL.md": pricer, "pricer/evals.yaml": "cases: []\n"}, "it has no cases"},
		{"no file", skilltest.Files{"pricer/SKILL.md": pricer}, "skill pricer: no evals.yaml"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			skills, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(tc.files.Write(t)))
			got := resultsOf(t, overSample(t, skills).Test(t.Context(), "pricer"))
			want := []eval.Result{{Skill: "pricer", Kind: eval.KindSkill, Verdict: eval.NotRun, Reasons: []string{tc.want}}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunner_ABrokenFileFailsWithPathAndLine(t *testing.T) {
	dir := skilltest.Files{"pricer/SKILL.md": pricer, "pricer/evals.yaml": "cases:\n  - argument: x\nmore: 1\n"}.Write(t)
	skills, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
	path := filepath.Join(dir, "pricer", "evals.yaml")
	want := []eval.Result{{Skill: "pricer", Kind: eval.KindFile, Verdict: eval.Fail, Reasons: []string{
		path + `:2: unknown key "argument" in a case; known: arguments, book, calls, turns, expect`,
		path + `:2: a case needs turns (the answers of the model)`,
		path + `:3: unknown key "more" in the file; known: prompts, cases`,
	}}}
	got := resultsOf(t, overSample(t, skills).Test(t.Context(), "pricer"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func TestRead_WhatIsNoOrdinaryFileInTheSkillIsRefused(t *testing.T) {
	secret := skilltest.Files{"evals.yaml": lookup}.Write(t)
	for name, put := range map[string]func(t *testing.T, path string){
		"a directory": func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		},
		"a link that leads out": func(t *testing.T, path string) { skilltest.Link(t, filepath.Join(secret, "evals.yaml"), path) },
		"too long a file": func(t *testing.T, path string) {
			skilltest.PutFile(t, filepath.Dir(path), "evals.yaml", "cases: []\n#"+strings.Repeat("x", 2*eval.MaxSize))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := skilltest.Files{"pricer/SKILL.md": pricer}.Write(t)
			put(t, filepath.Join(dir, "pricer", "evals.yaml"))
			skills, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(dir))
			if suite, err := eval.Read(skills, "pricer"); err == nil || errors.Is(err, eval.ErrNoSuite) {
				t.Errorf("Read() = %+v, %v; want it refused for what it is", suite, err)
			}
			if got := resultsOf(t, overSample(t, skills).Test(t.Context(), "pricer")); len(got) != 1 || got[0].Verdict != eval.Fail {
				t.Errorf("results = %+v, want a failure", got)
			}
		})
	}
}

func TestRead_KnowsAMissingFileAndAMissingSkill(t *testing.T) {
	skills, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"pricer/SKILL.md": pricer}.Write(t)))
	if _, err := eval.Read(skills, "pricer"); !errors.Is(err, eval.ErrNoSuite) {
		t.Errorf("Read(pricer) = %v, want ErrNoSuite", err)
	}
	var missing *skill.NotFoundError
	if _, err := eval.Read(skills, "other"); !errors.As(err, &missing) {
		t.Errorf("Read(other) = %v, want a NotFoundError", err)
	}
	for _, err := range overSample(t, skills).Test(t.Context(), "other") {
		if !errors.As(err, &missing) {
			t.Errorf("Test(other) = %v, want a NotFoundError", err)
		}
	}
}

func TestExample_PassesAsItStands(t *testing.T) {
	if got := resultsOf(t, runnerOf(t, eval.Example).Test(t.Context(), "pricer")); got[0].Verdict != eval.Pass || len(got) != 3 {
		t.Errorf("results = %+v, want a passing case and two prompts", got)
	}
}

func TestRunner_CancellingEndsTheTest(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	count := 0
	for r, err := range runnerOf(t, lookup+"      - text: Done.\n"+strings.TrimPrefix(lookup, "cases:\n")).Test(ctx, "pricer") {
		count++
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Test() = %+v, %v; want Canceled", r, err)
		}
	}
	if count != 1 {
		t.Errorf("%d results, want the error alone", count)
	}
}

func TestRunner_StopsWhenNobodyListens(t *testing.T) {
	runner := runnerOf(t, eval.Example)
	for range runner.Test(t.Context(), "pricer") {
		break // iterating on would panic
	}
}
