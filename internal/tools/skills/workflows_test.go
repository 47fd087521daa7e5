package skills

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// fixture runs workflows: it has skills of a user, tools, and records what was asked and reviewed.
type fixture struct {
	dir       string
	skills    *skill.Registry
	router    *tool.Router // of the plain tools
	approvals []tool.Approval
	reviewed  map[string]string
	called    []string // "tool arguments"
	refuse    bool
	script    bool // no terminal: a policy answers
	scope     tool.Scope
}

func (b *fixture) tool(name string, effect tool.Effect, answer func(args json.RawMessage) (tool.Result, error)) tool.Tool {
	type input struct {
		Symbol string `json:"symbol,omitempty"`
		Text   string `json:"text,omitempty"`
	}
	return tool.New(name, name, effect, func(_ context.Context, in input) (tool.Result, error) {
		args, err := json.Marshal(in)
		if err != nil {
			return tool.Result{}, err
		}
		b.called = append(b.called, name+" "+string(args))
		return answer(args)
	})
}

func newFixture(t *testing.T, files skilltest.Files) *fixture {
	t.Helper()
	b := &fixture{reviewed: map[string]string{}, dir: files.Write(t)}
	b.skills, _ = skilltest.OpenRegistry(t, skilltest.UserRoot(b.dir))
	tools := []tool.Tool{
		b.tool("price", tool.Reads, func(json.RawMessage) (tool.Result, error) {
			return tool.Result{
				Value: map[string]any{"close": json.Number("101.2500"), "currency": "USD"}, ForUser: "**101.25 USD**", Summary: "101.25",
				Figures: []tool.Figure{{ID: "close", Label: "close", Value: decimal.RequireFromString("101.25"), Unit: "USD"}},
			}, nil
		}),
		b.tool("broken", tool.Reads, func(json.RawMessage) (tool.Result, error) { return tool.Errorf("the source is down") }),
		b.tool("save", tool.Writes, func(json.RawMessage) (tool.Result, error) { return tool.Result{Value: "saved", Summary: "saved"}, nil }),
	}
	var err error
	b.router, err = tool.NewRouter(tools, tool.Options{HideAmounts: func(string) bool { return true }, Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		b.approvals = append(b.approvals, a)
		return tool.Answer{Allowed: !b.refuse, Scope: b.scope, Reason: "no", Person: !b.script}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *fixture) workflows() Workflows {
	return Workflows{
		Skills:   b.skills,
		Reviewed: func(name, hash string) bool { return b.reviewed[name] == hash },
		Review: func(_ context.Context, name, hash string) error {
			b.reviewed[name] = hash
			return nil
		},
	}
}

// run calls the tool of a workflow as a model does.
func (b *fixture) run(t *testing.T, w Workflows, name, args string) (tool.Result, []tool.Outcome) {
	t.Helper()
	tools, err := w.Tools(b.router)
	if err != nil {
		t.Fatal(err)
	}
	router, err := b.router.With(tools...)
	if err != nil {
		t.Fatal(err)
	}
	var steps []tool.Outcome
	outcomes, err := router.Dispatch(t.Context(), []llm.ToolCall{{ID: "c1", Name: WorkflowTool(name), Arguments: args}}, tool.Observer{
		Finished: func(o tool.Outcome) {
			if tool.StepName(o.Call.ID) != "" {
				steps = append(steps, o)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return outcomes[0].Result, steps
}

const twoSteps = `---
name: two-steps
description: Reads a price and keeps it
parameters:
  - {name: symbol, type: symbol, required: true}
steps:
  - {id: price, tool: price, with: {symbol: "{{symbol}}"}}
  - {id: keep, tool: save, with: {text: "{{symbol}} at {{steps.price.close}} {{steps.price.currency}}, not $1,000"}}
---
Do it.
`

func TestK31_ASkillWithStepsIsAToolWithASchemaOfItsParameters(t *testing.T) {
	b := newFixture(t, skilltest.Files{"two-steps/SKILL.md": twoSteps, "plain/SKILL.md": skilltest.SkillFile("plain")})
	tools, err := b.workflows().Tools(b.router)
	if err != nil || len(tools) != 1 {
		t.Fatalf("Tools = %v, %v; want one", tools, err)
	}
	spec := tools[0].Spec()
	if spec.Name != "skill_two_steps" || tools[0].Effect != tool.Writes || !strings.Contains(spec.Description, "1. price; 2. save;") {
		t.Errorf("spec = %+v, effect %s", spec, tools[0].Effect)
	}
	if got := string(spec.Parameters); !strings.Contains(got, `"symbol"`) || !strings.Contains(got, `"required":["symbol"]`) {
		t.Errorf("parameters = %s", got)
	}
	w := b.workflows()
	w.Disabled = func(name string) bool { return name == "two-steps" }
	if tools, _ := w.Tools(b.router); len(tools) != 0 {
		t.Errorf("a disabled skill is offered: %v", tools)
	}
}

func TestWorkflowTool_NamesAreThoseServersAccept(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{"get-price", "get_price", "中文", "a", strings.Repeat("x", 64), strings.Repeat("x", 63) + "y", "Ünder"} {
		got := WorkflowTool(name)
		if len(got) > 64 || strings.ContainsFunc(got, func(r rune) bool { return r > 'z' || r < '0' }) {
			t.Errorf("WorkflowTool(%q) = %q", name, got)
		}
		if other, taken := seen[got]; taken {
			t.Errorf("%q and %q are both %q", name, other, got)
		}
		seen[got] = name
	}
}

func TestK32_OneConfirmationShowsEveryStepAndStandsForTheirs(t *testing.T) {
	b := newFixture(t, skilltest.Files{"two-steps/SKILL.md": twoSteps})
	res, steps := b.run(t, b.workflows(), "two-steps", `{"symbol":"aapl"}`)
	if res.IsError || len(b.approvals) != 2 {
		t.Fatalf("result = %+v, asked %d times; want once whether it was read, and once for all steps", res, len(b.approvals))
	}
	if q := b.approvals[0]; !strings.HasPrefix(q.Question, "Have you read the skill two-steps?") || !strings.Contains(strings.Join(q.Plan, "\n"), "name: two-steps") {
		t.Errorf("the first question is %+v, want whether the skill was read, with its text", q)
	}
	if got := b.approvals[1].Question; got != "Run two-steps on aapl? It reads price; writes save." {
		t.Errorf("the question is %q", got)
	}
	plan := strings.Join(b.approvals[1].Plan, "\n")
	for _, want := range []string{"1 read   price  symbol AAPL", "2 write  save  text AAPL at (from step 1)"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan lacks %q:\n%s", want, plan)
		}
	}
	want := []string{`price {"symbol":"AAPL"}`, `save {"text":"AAPL at 101.2500 USD, not $1,000"}`}
	if diff := cmp.Diff(want, b.called); diff != "" {
		t.Errorf("called (-want +got):\n%s", diff)
	}
	if len(steps) != 2 || steps[0].Result.UserText() != "**101.25 USD**" {
		t.Errorf("steps = %+v, want a card each with the tool's own formatting", steps)
	}
	if len(res.Figures) != 1 || res.Figures[0].ID != "price.close" {
		t.Errorf("figures = %+v, want that of the first step", res.Figures)
	}
	if got := b.router.PreApproved(); got == b.router {
		t.Error("the steps' router is the agent's own")
	}
}

func TestK32_ARefusedRunRunsNothing(t *testing.T) {
	b := newFixture(t, skilltest.Files{"two-steps/SKILL.md": twoSteps})
	b.refuse = true
	if res, _ := b.run(t, b.workflows(), "two-steps", `{"symbol":"AAPL"}`); res.Code != tool.CodeRefused || len(b.called) != 0 || len(b.reviewed) != 0 {
		t.Errorf("result = %+v, called %v, reviewed %v; want nothing done", res, b.called, b.reviewed)
	}
}

const readingSkill = `---
name: reading
description: Only reads
steps:
  - {id: price, tool: price, with: {symbol: AAPL}}
---
`

func TestK32_WhatOnlyReadsAsksUntilItWasReviewedAndAgainWhenItChanged(t *testing.T) {
	b := newFixture(t, skilltest.Files{"reading/SKILL.md": readingSkill})
	b.scope = tool.Always
	ask := func(want int, when string) {
		t.Helper()
		if res, _ := b.run(t, b.workflows(), "reading", `{}`); res.IsError || len(b.approvals) != want {
			t.Errorf("%s: %+v, asked %d times, want %d", when, res, len(b.approvals), want)
		}
	}
	ask(1, "the first run")
	ask(1, "the second run")
	skilltest.PutFile(t, b.dir, "reading/SKILL.md", strings.Replace(readingSkill, "AAPL", "MSFT", 1))
	b.skills.Rescan()
	ask(2, "after a change")
	ask(2, "and then")
}

func TestK34_WhatWasNotReviewedIsMarked(t *testing.T) {
	b := newFixture(t, skilltest.Files{"reading/SKILL.md": readingSkill, "plain/SKILL.md": skilltest.SkillFile("plain")})
	marked := func(name string) bool {
		s, ok := b.skills.Lookup(name)
		if !ok {
			t.Fatalf("no skill %s", name)
		}
		return b.workflows().NeedsReview(s)
	}
	if !marked("reading") || marked("plain") {
		t.Errorf("unreviewed: reading %v, plain %v; want the one with steps alone", marked("reading"), marked("plain"))
	}
	// "Once" is stored nowhere.
	if b.run(t, b.workflows(), "reading", `{}`); !marked("reading") {
		t.Error("a yes for one run counts as read")
	}
	b.scope = tool.Always
	if b.run(t, b.workflows(), "reading", `{}`); marked("reading") {
		t.Error("it is still marked after the user said that they read it")
	}
}

func TestK31_TheSkillToolPointsToTheToolThatRunsTheSteps(t *testing.T) {
	b := newFixture(t, skilltest.Files{"reading/SKILL.md": readingSkill, "plain/SKILL.md": skilltest.SkillFile("plain")})
	for name, want := range map[string]any{"reading": "skill_reading", "plain": nil} {
		_, answer := callSkill(t, b.skills, "Skill", `{"name":"`+name+`"}`)
		if answer["run_with"] != want {
			t.Errorf("Skill(%s) points to %v, want %v", name, answer["run_with"], want)
		}
	}
}

func TestK32_AYesForTheSessionIsForTheseArguments(t *testing.T) {
	b := newFixture(t, skilltest.Files{"two-steps/SKILL.md": twoSteps})
	w := b.workflows()
	tools, err := w.Tools(b.router)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	router, err := tool.NewRouter(append(b.router.Tools(), tools...), tool.Options{Approver: tool.ApproverFunc(func(context.Context, tool.Approval) (tool.Answer, error) {
		asked++
		return tool.Answer{Allowed: true, Scope: tool.Session, Person: true}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	for i, args := range []string{`{"symbol":"AAPL"}`, `{"symbol":"AAPL"}`, `{"symbol":"MSFT"}`} {
		if _, err := router.Call(t.Context(), llm.ToolCall{ID: "c", Name: "skill_two_steps", Arguments: args}); err != nil {
			t.Fatal(err)
		}
		if want := []int{2, 2, 3}[i]; asked != want {
			t.Errorf("after call %d asked %d times, want %d", i+1, asked, want)
		}
	}
}

func TestK34_APolicyDoesNotReviewASkill(t *testing.T) {
	b := newFixture(t, skilltest.Files{"reading/SKILL.md": readingSkill})
	b.script = true
	for want := 1; want <= 2; want++ {
		if b.run(t, b.workflows(), "reading", `{}`); len(b.approvals) != want || len(b.reviewed) != 0 {
			t.Errorf("asked %d times, reviewed %v; want it asked for each time", len(b.approvals), b.reviewed)
		}
	}
}

func TestK19_AUserOnlyWorkflowIsNotTheModels(t *testing.T) {
	b := newFixture(t, skilltest.Files{"mine/SKILL.md": strings.Replace(strings.Replace(readingSkill, "name: reading", "name: mine", 1), "steps:", "disable-model-invocation: true\nsteps:", 1)})
	tools, err := b.workflows().Tools(b.router)
	if err != nil || len(tools) != 1 {
		t.Fatalf("Tools = %v, %v", tools, err)
	}
	router, err := b.router.With(tools...)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := router.ForModel().Lookup("skill_mine"); ok {
		t.Error("the model may call it")
	}
	if _, ok := router.Lookup("skill_mine"); !ok {
		t.Error("the user may not")
	}
}

func TestK33_ASkillThatDoesSomethingElseNowIsNotRun(t *testing.T) {
	b := newFixture(t, skilltest.Files{"reading/SKILL.md": readingSkill})
	tools, err := b.workflows().Tools(b.router)
	if err != nil {
		t.Fatal(err)
	}
	router, err := b.router.With(tools...)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"writes now":     strings.Replace(readingSkill, "tool: price, with: {symbol: AAPL}", "tool: save", 1),
		"lost its steps": "---\nname: reading\ndescription: d\n---\n",
	} {
		skilltest.PutFile(t, b.dir, "reading/SKILL.md", text)
		o, err := router.Call(t.Context(), llm.ToolCall{ID: "c", Name: "skill_reading", Arguments: `{}`})
		if err != nil || o.Result.Code != tool.CodeValidation || !strings.Contains(o.Result.ErrorText(), "/reload") || len(b.called) != 0 {
			t.Errorf("%s: %+v, %v, called %v", name, o.Result, err, b.called)
		}
	}
}

func TestK34_InlineCodeIsShownBeforeItRuns(t *testing.T) {
	needPython(t)
	b := newFixture(t, skilltest.Files{"inline/SKILL.md": "---\nname: inline\ndescription: d\nsteps:\n  - {id: a, code: \"import json\\nprint(json.dumps(1))\"}\n---\n"})
	w := b.workflows()
	w.Python = newPythonRunner(t)
	b.run(t, w, "inline", `{}`)
	if plan := strings.Join(b.approvals[0].Plan, "\n"); !strings.Contains(plan, "     1 import json\n") || !strings.Contains(plan, "     2 print(json.dumps(1))") {
		t.Errorf("the plan does not show the code:\n%s", plan)
	}
}

func TestK34_AnyChangedFileBesideAScriptAsksAgain(t *testing.T) {
	needPython(t)
	b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": doublingScript, "doubles/payload.txt": "one"})
	w := b.workflows()
	w.Python = newPythonRunner(t)
	s, _ := b.skills.Lookup("doubles")
	b.scope = tool.Always
	b.run(t, w, "doubles", `{"value":1}`)
	if w.NeedsReview(s) {
		t.Fatal("not reviewed after its run")
	}
	skilltest.PutFile(t, b.dir, "doubles/payload.txt", "two")
	if !w.NeedsReview(s) {
		t.Error("a file that the script may run was changed unnoticed")
	}
}

func TestK32_AllowedToolsIsAFence(t *testing.T) {
	fenced := strings.Replace(twoSteps, "steps:", "allowed-tools: [price]\nsteps:", 1)
	b := newFixture(t, skilltest.Files{"two-steps/SKILL.md": fenced})
	tools, err := b.workflows().Tools(b.router)
	if err == nil || len(tools) != 0 || !strings.Contains(err.Error(), "keep") || !strings.Contains(err.Error(), "allowed-tools") {
		t.Errorf("Tools = %v, %v; want it not offered, and the fence named", tools, err)
	}
}

func TestK33_WhatCannotBeRunIsNotOfferedAndEverythingWrongIsTold(t *testing.T) {
	b := newFixture(t, skilltest.Files{"reading/SKILL.md": readingSkill, "wrong/SKILL.md": `---
name: wrong
description: Has faults
parameters:
  - {name: symbol, type: symbol, required: true}
steps:
  - {id: a, tool: crystal_ball}
  - {id: b, tool: price, with: {symbol: "{{smybol}}"}}
  - {id: c, tool: price, with: {symbol: "{{steps.d.close}}"}}
  - {id: d, tool: price, with: {symbol: 7}}
  - {id: e, python: scripts/none.py}
  - {id: f, tool: price, with: {ticker: "{{symbol}}"}}
---
`})
	tools, err := b.workflows().Tools(b.router)
	if len(tools) != 1 || tools[0].Name != "skill_reading" {
		t.Fatalf("Tools = %v; want the skill that can be run, and it alone", tools)
	}
	for _, want := range []string{"crystal_ball", "smybol", "step c", "step d", "scripts/none.py", "step f: unknown argument ticker"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not speak of %s: %v", want, err)
		}
	}
}

func TestK33_AFailingStepStopsTheRunNamesItselfAndKeepsWhatWasDone(t *testing.T) {
	b := newFixture(t, skilltest.Files{"fails/SKILL.md": `---
name: fails
description: Fails in the middle
steps:
  - {id: first, tool: price, with: {symbol: AAPL}}
  - {id: second, tool: broken}
  - {id: third, tool: price, with: {symbol: MSFT}}
---
`})
	res, _ := b.run(t, b.workflows(), "fails", `{}`)
	if !res.IsError || res.Code != codeStepFailed || len(b.called) != 2 {
		t.Fatalf("result = %+v, called %v", res, b.called)
	}
	var said workflowResult
	if err := json.Unmarshal([]byte(res.ModelText()), &said); err != nil {
		t.Fatal(err)
	}
	if said.Completed || len(said.Steps) != 2 || string(said.Steps[0].Output) == "" || said.Steps[1].Error != "the source is down" || !strings.Contains(said.Error, "step second") {
		t.Errorf("the model is told %+v", said)
	}
	if diff := cmp.Diff([]string{"third"}, said.NotRun); diff != "" {
		t.Errorf("not run (-want +got):\n%s", diff)
	}
	if !strings.Contains(res.UserText(), "third") || !strings.Contains(res.ErrorText(), "source is down") {
		t.Errorf("for the user: %q, error %q", res.UserText(), res.ErrorText())
	}
}

// systemPython is shared, so that the interpreter is asked for its version once.
var systemPython = sync.OnceValues(func() (*python.Runner, error) {
	return python.New(python.Config{Runtime: python.System})
})

func newPythonRunner(t *testing.T) *python.Runner {
	t.Helper()
	r, err := systemPython()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func needPython(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
}

const scriptSkill = `---
name: doubles
description: Doubles a number
parameters:
  - {name: value, type: number, required: true}
steps:
  - {id: double, python: scripts/double.py, input: {value: "{{value}}"}}
---
`

const doublingScript = `import json, sys
n = json.load(sys.stdin)["value"]
print("a remark", file=sys.stderr)
json.dump({"twice": n * 2, "markdown": "twice is **%s**" % (n * 2)}, sys.stdout)
`

func TestK34_APythonStepTakesJSONAndGivesJSON(t *testing.T) {
	needPython(t)
	b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": doublingScript})
	w := b.workflows()
	w.Python = newPythonRunner(t)
	res, steps := b.run(t, w, "doubles", `{"value":21}`)
	if res.IsError || len(steps) != 1 || steps[0].Call.Name != "python" {
		t.Fatalf("result = %+v, steps %+v", res, steps)
	}
	if got := steps[0].Result.UserText(); !strings.Contains(got, "twice is **42**") || !strings.Contains(got, "a remark") {
		t.Errorf("for the user: %q", got)
	}
	if len(res.Figures) != 1 || res.Figures[0].Value.String() != "42" || !strings.Contains(res.Figures[0].Source, "doubles") {
		t.Errorf("figures = %+v, want 42 with its source", res.Figures)
	}
	// The question shows the script and what it can reach.
	q := b.approvals[1]
	plan := strings.Join(q.Plan, "\n")
	for _, want := range []string{"scripts/double.py · 4 lines · sha256 ", `2 n = json.load(sys.stdin)["value"]`, "with system ", "not sandboxed: runs with your rights, can read your files and use the network"} {
		if !strings.Contains(plan, want) {
			t.Errorf("the plan lacks %q:\n%s", want, plan)
		}
	}
	if q.Touch.Files != "everything that your account can read or write" || q.Touch.Network != "yes" || !strings.Contains(q.Question, "double.py (not sandboxed)") {
		t.Errorf("the question is %q, touches %+v", q.Question, q.Touch)
	}
}

func TestK34_WhatWasShownIsWhatRuns(t *testing.T) {
	needPython(t)
	b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": doublingScript})
	w := b.workflows()
	w.Python = newPythonRunner(t)
	b.scope = tool.Always
	was := w.Review
	w.Review = func(ctx context.Context, name, hash string) error {
		// The script changes after the approval and before the run.
		skilltest.PutFile(t, b.dir, "doubles/scripts/double.py", `print('{"twice": "stolen"}')`)
		return was(ctx, name, hash)
	}
	if res, _ := b.run(t, w, "doubles", `{"value":21}`); res.IsError || !strings.Contains(res.ModelText(), "42") {
		t.Errorf("result = %+v, want that of the script that was shown", res)
	}
	w.Review = was
	if b.run(t, w, "doubles", `{"value":21}`); len(b.approvals) != 4 {
		t.Errorf("asked %d times, want twice again for the script as it is now", len(b.approvals))
	}
}

func TestK34_AScriptsFailuresAreClearStepErrors(t *testing.T) {
	needPython(t)
	for name, row := range map[string]struct{ script, want string }{
		"no JSON": {`print("hello")`, "JSON"},
		"exit":    {`raise SystemExit("years must be from 1 to 80")`, "years must be from 1 to 80"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": row.script})
			w := b.workflows()
			w.Python = newPythonRunner(t)
			res, _ := b.run(t, w, "doubles", `{"value":1}`)
			if res.Code != codeStepFailed || !strings.Contains(res.ErrorText(), row.want) || !strings.Contains(res.ErrorText(), "scripts/double.py") {
				t.Errorf("result = %s, want a step's error about %q", res.ErrorText(), row.want)
			}
		})
	}
}

func TestK34_WithoutPythonTheStepSaysHowToGetIt(t *testing.T) {
	b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": doublingScript})
	w := b.workflows()
	var err error
	if w.Python, err = python.New(python.Config{Runtime: python.WASM, Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	if res, _ := b.run(t, w, "doubles", `{"value":1}`); !strings.Contains(res.ErrorText(), "nfa skills python install") || len(b.approvals) != 0 {
		t.Errorf("result = %s, want how to mend it, and no question before", res.ErrorText())
	}
	w.Python = nil
	if res, _ := b.run(t, w, "doubles", `{"value":1}`); !res.IsError {
		t.Errorf("without a runner = %+v", res)
	}
}

func TestFiguresIn_NumbersByTheirPlace(t *testing.T) {
	got := outputFigures(json.RawMessage(`{"a":{"b":[1,2.50]},"text":"7","huge":1e400,"n":-0.1}`), "here")
	var ids []string
	for _, f := range got {
		ids = append(ids, f.ID+"="+f.Value.String())
	}
	if diff := cmp.Diff([]string{"a.b[0]=1", "a.b[1]=2.5", "n=-0.1"}, ids); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

func TestWorkflow_StoppedInAStepItKeepsWhatWasDone(t *testing.T) {
	for _, tc := range []struct {
		name string
		stop error
		code string
	}{
		{"by the user", context.Canceled, tool.CodeCancelled},
		{"by the clock", context.DeadlineExceeded, tool.CodeTimeout},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			b := newFixture(t, skilltest.Files{"stopped/SKILL.md": `---
name: stopped
description: Is stopped in the middle
steps:
  - {id: first, tool: price, with: {symbol: AAPL}}
  - {id: second, tool: stop}
  - {id: third, tool: price, with: {symbol: MSFT}}
---
`})
			var err error
			b.router, err = b.router.With(b.tool("stop", tool.Reads, func(json.RawMessage) (tool.Result, error) {
				cancel(tc.stop)
				return tool.Result{}, ctx.Err()
			}))
			if err != nil {
				t.Fatal(err)
			}
			tools, err := b.workflows().Tools(b.router)
			if err != nil {
				t.Fatal(err)
			}
			router, err := b.router.With(tools...)
			if err != nil {
				t.Fatal(err)
			}
			o, _ := router.Call(ctx, llm.ToolCall{ID: "c1", Name: "skill_stopped", Arguments: "{}"})
			said, ok := o.Result.Value.(workflowResult)
			if !ok || o.Result.Code != tc.code || !strings.Contains(said.Error, "step second") {
				t.Fatalf("result = %+v, want one of code %s that names the step", o.Result, tc.code)
			}
			if len(said.Steps) != 2 || !strings.Contains(string(said.Steps[0].Output), "101.2500") {
				t.Errorf("steps = %+v, want the output of the first", said.Steps)
			}
			if diff := cmp.Diff([]string{"third"}, said.NotRun); diff != "" {
				t.Errorf("not run (-want +got):\n%s", diff)
			}
		})
	}
}

// Scripts of other authors run in the sandbox, or after the user chose the system's interpreter.
func TestWorkflow_AScriptOfOthersDoesNotRunWithYourRights(t *testing.T) {
	needPython(t)
	b := newFixture(t, skilltest.Files{"doubles/SKILL.md": scriptSkill, "doubles/scripts/double.py": doublingScript})
	for _, row := range []struct {
		name     string
		runtime  python.Runtime
		imported bool
		runs     bool
	}{
		{"your own", python.Auto, false, true},
		{"imported", python.Auto, true, false},
		{"imported, after choosing", python.System, true, true},
	} {
		w := b.workflows()
		w.Imported = func(string) bool { return row.imported }
		var err error
		if w.Python, err = python.New(python.Config{Runtime: row.runtime, Dir: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		res, _ := b.run(t, w, "doubles", `{"value":1}`)
		if res.IsError == row.runs || !row.runs && !strings.Contains(res.ErrorText(), "python.runtime") {
			t.Errorf("%s: %s; want it to run: %v", row.name, res.ErrorText(), row.runs)
		}
	}
}
