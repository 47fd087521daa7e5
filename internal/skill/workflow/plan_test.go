package workflow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// newEnvironment has the named tools; quote accepts only {"symbol": text}.
func newEnvironment(tools ...string) workflow.Environment {
	return workflow.Environment{
		CheckTool: func(name string) error {
			if slices.Contains(tools, name) {
				return nil
			}
			return fmt.Errorf("no tool named %s", name)
		},
		CheckArguments: func(tool string, arguments json.RawMessage) error {
			var in map[string]string
			if err := json.Unmarshal(arguments, &in); err != nil || len(in) != 1 || in["symbol"] == "" {
				return fmt.Errorf("%s takes a symbol, not %s", tool, arguments)
			}
			return nil
		},
		CheckScript: func(path string) error {
			if path == "scripts/there.py" {
				return nil
			}
			return fmt.Errorf("there is no file %s", path)
		},
	}
}

func TestK33_APlanShowsWhatIsKnownAndWhatIsNot(t *testing.T) {
	p := newPlan(t, compareSkill, map[string]any{"symbols": "AAPL, MSFT"})
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	type shown struct {
		ID, Tool, Arguments string
		Complete            bool
		Needs               []string
	}
	var got []shown
	for _, s := range p.Steps {
		got = append(got, shown{s.ID, s.Call().Tool, string(s.Arguments), s.Complete, s.Needs})
	}
	want := []shown{
		{"history", "price_history", `{"range":"5y","symbols":"AAPL, MSFT"}`, true, nil},
		{"stats", "returns_stats", `{"since":"{{steps.history.bars[0].date}}","symbols":"AAPL, MSFT"}`, false, []string{"history"}},
		{"table", "python", `{"stats":"{{steps.stats}}","title":"AAPL, MSFT since {{steps.history.bars[0].date}}"}`, false, []string{"history", "stats"}},
		{"total", "python", `{}`, true, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
}

func TestK33_EverythingWrongIsSaidAtOnce(t *testing.T) {
	w := newEnvironment("quote", "python")
	w.AllowedTools = []string{"quote", "calculate"}
	p := newPlanIn(t, w, `
parameters:
  - {name: symbol, required: true}
  - {name: range, required: true}
  - {name: note}
steps:
  - {id: one, tool: qoute, with: {symbol: "{{symbl}}"}}
  - {id: two, tool: quote, with: {symbol: "{{steps.three.x}}", self: "{{steps.two}}"}}
  - {id: three, python: scripts/gone.py, input: {x: "{{steps.two}}", y z: "{{steps.four[x]}}"}}
  - {id: four, tool: quote, if: x}
  - {id: five, tool: quote, with: {symbol: 5}}
  - {id: six, tool: quote, with: {symbol: "{{range}}"}}
`, map[string]any{"symbol": "AAPL"})
	want := []string{
		"missing parameter range",
		"step one: {{symbl}} is neither a parameter nor a step result; did you mean {{symbol}}?",
		"step one: qoute is not among the skill's allowed-tools: quote, calculate",
		"step one: no tool named qoute",
		"step two: {{steps.two}} is cyclic: a step cannot use its own result",
		"step two: {{steps.three.x}} is cyclic: step three depends on this one",
		`step three: {{steps.four[x]}}: invalid path at "[x]"; write a path such as .key[0]["a key"]`,
		"step three: python is not among the skill's allowed-tools: quote, calculate",
		"step three: there is no file scripts/gone.py",
		`step four: unknown key "if"; a step has id, description, optional, for_each and as, and either tool and with, or python or code and input`,
		`step five: quote takes a symbol, not {"symbol":5}`,
	}
	if diff := cmp.Diff(want, problemTexts(p.Problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	var refused *workflow.PlanError
	if err := p.Err(); !errors.As(err, &refused) || err.Error() != strings.Join(want, "; ") {
		t.Errorf("Err = %v, want all of them", err)
	}
	if len(p.Steps) != 6 || string(p.Steps[5].Arguments) != `{"symbol":"{{range}}"}` || p.Steps[5].Complete {
		t.Errorf("steps = %+v, want all shown, the missing parameter as its template", p.Steps)
	}
}

func TestK33_AnEnvironmentThatHasEverythingHasNoObjection(t *testing.T) {
	w := newEnvironment("quote")
	w.AllowedTools = []string{"quote", "python"}
	p := newPlanIn(t, w, `
parameters: [{name: symbol, required: true}]
steps:
  - {id: a, tool: quote, with: {symbol: "{{symbol}}"}}
  - {id: b, python: scripts/there.py, input: {anything: 5}}
  - {code: "print(1)"}
  - {id: c, tool: quote, with: {symbol: "{{steps.a.symbol}}", not: checked yet}}
`, map[string]any{"symbol": "AAPL"})
	if err := p.Err(); err != nil {
		t.Errorf("Err = %v, want none", err)
	}
}

func TestK32_AFenceHoldsInlinePythonToo(t *testing.T) {
	w := workflow.Environment{AllowedTools: []string{"quote"}}
	p := newPlanIn(t, w, "steps: [{tool: quote}, {tool: quote_all}, {code: pass}]", nil)
	want := []string{
		"step step2: quote_all is not among the skill's allowed-tools: quote",
		"step step3: python is not among the skill's allowed-tools: quote",
	}
	if diff := cmp.Diff(want, problemTexts(p.Problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// checkSteps returns the problems of steps in any environment.
func checkSteps(steps []workflow.Step, declared []workflow.Parameter) []workflow.Problem {
	return workflow.Check(steps, declared, workflow.Environment{})
}

func TestCheckSteps_ReferencesToNothingAreProblems(t *testing.T) {
	const head = "parameters: [symbol, file-path, years]\nsteps:\n  - {id: prices, tool: quote}\n  - {id: b, tool: quote, with: {x: '%s'}}\n  - {id: later, tool: quote}\n"
	for template, want := range map[string]string{
		"{{symbl}}":                            "{{symbl}} is neither a parameter nor a step result; did you mean {{symbol}}?",
		"{{sybmol}}":                           "did you mean {{symbol}}?",
		"{{Symbol}}":                           "did you mean {{symbol}}?",
		"{{ symbol }}":                         "did you mean {{symbol}}?",
		"{{file_path}}":                        "did you mean {{file-path}}?",
		"{{step.prices}}":                      "did you mean {{steps.prices}}?",
		"{{}}":                                 "{{}} is neither",
		"{{x y z}}":                            "; use one of: {{symbol}}, {{file-path}}, {{years}}, {{steps.prices}}",
		"{{prices.close}}":                     "is neither a parameter nor a step result",
		"{{symbol.name}}":                      "is neither a parameter nor a step result",
		"{{steps}}":                            "is neither a parameter nor a step result",
		"{{steps.price.close}}":                `{{steps.price.close}}: no step "price"; did you mean prices?`,
		"{{steps.}}":                           `no step ""; use one of: prices`,
		"{{steps.Prices}}":                     `no step "Prices"; did you mean prices?`,
		"{{steps.prices.}}":                    `invalid path at "."`,
		"{{steps.prices..x}}":                  `invalid path at "..x"`,
		"{{steps.prices[-1]}}":                 `invalid path at "[-1]"`,
		"{{steps.prices[1x]}}":                 `invalid path at "[1x]"`,
		"{{steps.prices[99999999999]}}":        `invalid path at "[99999999999]"`,
		`{{steps.prices["x]}}`:                 `invalid path at "[\"x]"`,
		`{{steps.prices["\q"]}}`:               `key "\q" in the path: invalid character`,
		"{{steps.prices[0]x}}":                 `invalid path at "x"`,
		"{{steps.prices.a b}}":                 `invalid path at "b"`,
		"{{steps.later.x}}":                    "{{steps.later.x}} is out of order: step later runs later; move it before this step",
		"{{steps.b.x}}":                        "{{steps.b.x}} is cyclic: a step cannot use its own result",
		"{{a{b}}":                              "{{a{b}} is neither",
		"{{symbl}} and {{symbl}}":              "{{symbl}} is neither",
		"{{" + strings.Repeat("x", 500) + "}}": strings.Repeat("x", 70) + "… is neither",
		"{{steps.prices" + strings.Repeat("[0]", 33) + "}}": "the path has more than 32 levels",
	} {
		steps, declared := parseSkill(t, fmt.Sprintf(head, template))
		got := checkSteps(steps, declared)
		if len(got) != 1 || got[0].Step != "b" || !strings.Contains(got[0].Message, want) {
			t.Errorf("%s: problems = %q, want one of step b with %q", template, problemTexts(got), want)
		}
	}
}

func TestCheckSteps_ManyNamesAreNotAllListed(t *testing.T) {
	var declared []workflow.Parameter
	for i := range 9 {
		declared = append(declared, workflow.Parameter{Name: fmt.Sprintf("parameter%d", i)})
	}
	got := checkSteps([]workflow.Step{{ID: "a", Tool: "t", With: map[string]any{"x": "{{zz}}"}}}, declared)
	if len(got) != 1 || !strings.HasSuffix(got[0].Message, "{{parameter7}} and others") {
		t.Errorf("problems = %q, want eight names", problemTexts(got))
	}
	got = checkSteps([]workflow.Step{{ID: "a", Tool: "t", With: map[string]any{"x": "{{zz}}"}}}, nil)
	if len(got) != 1 || !strings.HasSuffix(got[0].Message, "a step result") {
		t.Errorf("problems = %q, want no list where there is nothing", problemTexts(got))
	}
}

func TestCheckSteps_APageOfTemplatesIsNoPageOfProblems(t *testing.T) {
	var page strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&page, "{{%d}}", i)
	}
	var declared []workflow.Parameter
	for i := range 20_000 {
		declared = append(declared, workflow.Parameter{Name: fmt.Sprintf("p%d", i)})
	}
	got := checkSteps([]workflow.Step{{ID: "a", Tool: "t", With: map[string]any{"x": page.String()}}}, declared)
	if len(got) != 21 || got[20].Message != "there may be more problems" {
		t.Errorf("%d problems, the last %v; want twenty and that there may be more", len(got), got[len(got)-1])
	}
}

func TestCheckSteps_CyclesThroughOthersAreFound(t *testing.T) {
	steps, declared := parseSkill(t, `
steps:
  - {id: a, tool: t, with: {x: "{{steps.c.x}}"}}
  - {id: b, tool: t, with: {x: ["{{steps.a}}"]}}
  - {id: c, tool: t, with: {x: {deep: "so {{steps.b}}"}}}
  - {id: d, tool: t, with: {x: "{{steps.e}}"}}
  - {id: e, tool: t, with: {x: "{{steps.c}}"}}
`)
	want := []string{
		"step a: {{steps.c.x}} is cyclic: step c depends on this one",
		"step d: {{steps.e}} is out of order: step e runs later; move it before this step",
	}
	if diff := cmp.Diff(want, problemTexts(checkSteps(steps, declared))); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestCheckSteps_ValuesThatJSONDoesNotHave(t *testing.T) {
	steps, declared := parseSkill(t, "steps: [{tool: t, with: {x: .nan, y z: .inf}}]")
	got := problemTexts(workflow.NewPlan(steps, declared, workflow.Arguments{}, workflow.Environment{}).Problems)
	if len(got) != 1 || !strings.Contains(got[0], "cannot encode its arguments as JSON") {
		t.Errorf("problems = %q, want one that says so", got)
	}
	if got := checkSteps([]workflow.Step{{ID: "a", Tool: "t", With: map[string]any{"x": math.Inf(1)}}}, nil); len(got) != 1 {
		t.Errorf("problems = %q, want one", problemTexts(got))
	}
}

func TestNewPlan_ValuesTooLargeForAStepAreAProblem(t *testing.T) {
	page := strings.Repeat("x", 1<<20)
	p := newPlan(t, "parameters: [page]\nsteps: [{id: a, tool: t, with: {x: '"+strings.Repeat("{{page}}", 9)+"'}}]", map[string]any{"page": page})
	want := []string{"step a: the step arguments are larger than 256 KB before the first step"}
	if diff := cmp.Diff(want, problemTexts(p.Problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestNewPlan_ATextWithoutATypeIsText(t *testing.T) {
	a := workflow.Arguments{Values: map[string]workflow.ParameterValue{"p": {Text: `as "is"`}}}
	p := workflow.NewPlan([]workflow.Step{{ID: "a", Tool: "t", With: map[string]any{"x": "{{p}}"}}}, []workflow.Parameter{{Name: "p"}}, a, workflow.Environment{})
	if got := string(p.Steps[0].Arguments); got != `{"x":"as \"is\""}` || p.Err() != nil {
		t.Errorf("arguments = %s, %v, want the text", got, p.Err())
	}
}

// Skills are shared: values of one run must not be in the next.
func TestNewPlan_TheStepsOfTheSkillAreLeftAlone(t *testing.T) {
	steps, declared := parseSkill(t, compareSkill)
	fresh, _ := parseSkill(t, compareSkill)
	for _, symbols := range []string{"AAPL", "MSFT"} {
		a, err := workflow.ReadArguments(declared, map[string]any{"symbols": symbols})
		if err != nil {
			t.Fatal(err)
		}
		p := workflow.NewPlan(steps, declared, a, workflow.Environment{})
		if !strings.Contains(string(p.Steps[0].Arguments), symbols) {
			t.Errorf("arguments = %s, want %s", p.Steps[0].Arguments, symbols)
		}
	}
	if diff := cmp.Diff(fresh, steps); diff != "" {
		t.Errorf("the skill's steps changed (-before +after):\n%s", diff)
	}
}

func TestCheck_NamesOfArgumentsAreHeldAgainstTheToolBeforeAnyValueIsKnown(t *testing.T) {
	symbol := []workflow.Parameter{{Name: "symbol", Type: "symbol", Required: true}}
	var named, accepted []string
	w := workflow.Environment{
		CheckTool: func(name string) error {
			if name == "gone" {
				return errors.New("no tool named gone")
			}
			return nil
		},
		CheckArguments: func(tool string, arguments json.RawMessage) error {
			accepted = append(accepted, tool+string(arguments))
			return errors.New("range: want text")
		},
		CheckArgumentNames: func(tool string, names []string) error {
			named = append(named, tool+" "+strings.Join(names, ","))
			return errors.New("there is no argument ticker")
		},
		CheckScript: func(path string) error { return fmt.Errorf("the script %s is not there", path) },
	}
	problems := workflow.Check([]workflow.Step{
		{ID: "a", Tool: "gone"},
		{ID: "b", Tool: "price", With: map[string]any{"ticker": "{{symbol}}", "range": "1y"}},
		{ID: "c", Tool: "price", With: map[string]any{"range": 7}},
		{ID: "d", Python: "scripts/none.py"},
		{ID: "e", Python: "../out.py", Fault: "not below the directory"},
	}, symbol, w)
	want := []workflow.Problem{
		{Step: "a", Message: "no tool named gone"},
		{Step: "b", Message: "there is no argument ticker"},
		{Step: "c", Message: "range: want text"},
		{Step: "d", Message: "the script scripts/none.py is not there"},
		{Step: "e", Message: "not below the directory"},
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("Check (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"price range,ticker"}, named); diff != "" {
		t.Errorf("named (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`price{"range":7}`}, accepted); diff != "" {
		t.Errorf("accepted (-want +got):\n%s", diff)
	}
}
