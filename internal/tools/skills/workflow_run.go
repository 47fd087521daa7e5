package skills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
)

// codeStepFailed marks a workflow that ended at a failed step.
const codeStepFailed = "step_failed"

// workflowRun is a running workflow: it calls the steps through the router and keeps their results.
type workflowRun struct {
	*preparedRun
	outcomes map[string]tool.Outcome
}

// Call runs one step. Later steps receive the result as the JSON that a model would read.
func (r *workflowRun) Call(ctx context.Context, c workflow.Call) (json.RawMessage, error) {
	if c.Items != nil {
		return r.callEach(ctx, c)
	}
	o, err := r.router.Step(ctx, c.Step, c.Tool, r.toolArguments(c, c.Arguments))
	r.outcomes[c.Step] = o
	return stepOutput(o, err)
}

// toolArguments returns the arguments of a step's tool. A script also gets the names of its step and file.
func (r *workflowRun) toolArguments(c workflow.Call, args json.RawMessage) json.RawMessage {
	if c.Tool != workflow.PythonTool {
		return args
	}
	args, _ = json.Marshal(pythonInput{Step: c.Step, Script: r.scripts[c.Step].script.Path(), Input: args}) // valid JSON always encodes
	return args
}

// stepOutput returns what later steps receive of an outcome.
func stepOutput(o tool.Outcome, err error) (json.RawMessage, error) {
	switch {
	case err != nil:
		return nil, err
	case o.Result.IsError && o.Result.Private:
		return nil, errors.New(o.Result.ModelText())
	case o.Result.IsError:
		return nil, errors.New(o.Result.ErrorText())
	case o.Result.Value == nil:
		return json.Marshal(o.Result.ModelText())
	}
	return json.Marshal(o.Result.Value)
}

// itemResult is the result for one item of a step with for_each.
type itemResult struct {
	Item   json.RawMessage `json:"item"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// callEach calls a tool once per item, as one step. Items that fail are reported with the others; if all
// fail, the step fails.
func (r *workflowRun) callEach(ctx context.Context, c workflow.Call) (json.RawMessage, error) {
	results := make([]itemResult, len(c.Items))
	step := tool.Result{Summary: humanize.Count(len(c.Items), "item", "items")}
	failed := 0
	var shown strings.Builder
	o, err := r.router.StepOf(ctx, c.Step, c.Tool, c.Arguments, func(call func(name string, args json.RawMessage) (tool.Outcome, error)) tool.Result {
		for i, item := range c.Items {
			if ctx.Err() != nil {
				break
			}
			one, err := call(strconv.Itoa(i), r.toolArguments(c, item.Arguments))
			output, err := stepOutput(one, err)
			results[i] = itemResult{Item: item.Item, Result: output}
			label := strings.Trim(string(item.Item), `"`)
			step.Private = step.Private || one.Result.Private
			if err != nil {
				failed++
				results[i].Error = err.Error()
				fmt.Fprintf(&shown, "- ✗ %s: %v\n", label, err)
				continue
			}
			fmt.Fprintf(&shown, "- + %s: %s\n", label, one.Result.Summary)
			for _, f := range one.Result.Figures {
				f.ID, f.Label = label+"."+f.ID, label+" "+f.Label
				step.Figures = append(step.Figures, f)
			}
			if step.Data == "" {
				step.Data = one.Result.Data
			}
		}
		if failed > 0 {
			step.Summary += fmt.Sprintf(", %d failed", failed)
		}
		step.Value, step.ForUser = results, shown.String()
		if failed > 0 && failed == len(c.Items) {
			step.IsError, step.Code = true, codeStepFailed
			step.Value = map[string]any{"error": fmt.Sprintf("all %d items failed; the first: %s", failed, results[0].Error), "items": results}
		}
		return step
	})
	r.outcomes[c.Step] = o
	if err == nil {
		err = ctx.Err()
	}
	return stepOutput(o, err)
}

// run runs the prepared workflow.
func (w Workflows) run(ctx context.Context, _ json.RawMessage) (tool.Result, error) {
	p, ok := tool.PreviewState(ctx).(*preparedRun)
	if !ok {
		return tool.Result{}, errors.New("the workflow could not be prepared")
	}
	r := &workflowRun{p, map[string]tool.Outcome{}}
	results, err := workflow.Run(ctx, p.plan, r)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r.result(results, err), nil
}

// stepResult is a step as a model reads it.
type stepResult struct {
	ID     string          `json:"id"`
	Tool   string          `json:"tool"`
	Output json.RawMessage `json:"output,omitempty"`
	Error  string          `json:"error,omitempty"`
	Stderr string          `json:"stderr,omitempty"` // of a failed script
}

type workflowResult struct {
	Skill     string       `json:"skill"`
	Completed bool         `json:"completed"`
	Steps     []stepResult `json:"steps"`
	NotRun    []string     `json:"not_run,omitempty"`
	Shown     string       `json:"shown,omitempty"` // the last step's result for the user, as Markdown
	Error     string       `json:"error,omitempty"`
}

// ErrorText returns why the run did not complete.
func (a workflowResult) ErrorText() string { return a.Error }

// result reports the completed steps even if a later one failed or was stopped.
func (r *workflowRun) result(results []workflow.Result, err error) tool.Result {
	answer := workflowResult{Skill: r.skill.Name, Completed: err == nil, Steps: []stepResult{}}
	out := tool.Result{Title: r.skill.Name, Composed: true}
	var shown strings.Builder
	forModel := answer
	for _, res := range results {
		step := stepResult{ID: res.Step.ID, Tool: res.Step.Call().Tool, Output: res.Output}
		mark, summary := "+", r.outcomes[res.Step.ID].Result.Summary
		if res.Err != nil {
			step.Error, step.Output = res.Err.Error(), nil
			step.Stderr = stderrOf(r.outcomes[res.Step.ID].Result)
			mark, summary = "✗", step.Error
		}
		answer.Steps = append(answer.Steps, step)
		out.Private = out.Private || r.outcomes[res.Step.ID].Result.Private
		if data := r.outcomes[res.Step.ID].Result.Data; data != tool.PublicData && out.Data == "" {
			out.Data = data
		}
		forModel.Steps = append(forModel.Steps, r.redact(step, out.Private))
		fmt.Fprintf(&shown, "- %s **%s** %s: %s\n", mark, step.ID, step.Tool, summary)
		for _, f := range r.outcomes[res.Step.ID].Result.Figures {
			f.ID = step.ID + "." + f.ID
			out.Figures = append(out.Figures, f)
		}
	}
	for _, step := range r.plan.Steps[len(results):] {
		answer.NotRun = append(answer.NotRun, step.ID)
		fmt.Fprintf(&shown, "- ~ **%s** was not run\n", step.ID)
	}
	out.Summary = fmt.Sprintf("%d of %d steps", len(results), len(r.plan.Steps))
	if err == nil {
		answer.Shown = r.outcomes[results[len(results)-1].Step.ID].Result.UserText()
		shown.WriteString("\n" + answer.Shown)
	} else {
		var stoppedAt string
		answer.Error, out.Code, stoppedAt = endReason(err, results)
		out.IsError = true
		out.Summary = fmt.Sprintf("stopped at %s, %d of %d", stoppedAt, len(results), len(r.plan.Steps))
	}
	forModel.NotRun, forModel.Error, forModel.Shown = answer.NotRun, answer.Error, answer.Shown
	if out.Private {
		forModel.Shown = ""
		if n := len(results); err != nil && n > 0 {
			forModel.Error = forModel.Steps[n-1].Error
		}
	}
	out.Value, out.ForModel, out.ForUser = answer, forModel.forModel(), shown.String()
	return out
}

// withheldNote replaces, for a model, every result after a private one, because it may repeat
// private data.
const withheldNote = "withheld: only the user sees this result, because it may contain amounts"

// redact returns a step as a model may read it. From the first private result on, only texts that
// tools mark as public remain.
func (r *workflowRun) redact(step stepResult, private bool) stepResult {
	if !private {
		return step
	}
	result := r.outcomes[step.ID].Result
	step.Stderr = ""
	switch {
	case step.Error != "" && !result.Private:
		step.Error = withheldNote
	case step.Error != "": // an error that the tool already redacted for the model
	case result.Private && json.Valid([]byte(result.ForModel)):
		step.Output = json.RawMessage(result.ForModel)
	case result.Private && result.ForModel != "":
		step.Output, _ = json.Marshal(result.ForModel) // a string always encodes
	default:
		step.Output = json.RawMessage(strconv.Quote(withheldNote))
	}
	return step
}

// endReason returns why a run did not complete, and at which step.
func endReason(err error, results []workflow.Result) (message, code, step string) {
	var failed *workflow.StepError
	if errors.As(err, &failed) {
		return err.Error(), codeStepFailed, failed.Step
	}
	step = "the start"
	if len(results) > 0 {
		step = "step " + results[len(results)-1].Step.ID
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "stopped at the time limit, at " + step, tool.CodeTimeout, step
	}
	return "canceled by the user at " + step, tool.CodeCancelled, step
}

// forModel limits the results of many steps to the size of one result. Each is cut to its share and
// marked.
func (a workflowResult) forModel() string {
	const most, mostShown = 24 << 10, 6 << 10
	share := most / max(len(a.Steps), 1)
	short := a
	short.Steps = nil
	if len(short.Shown) > mostShown {
		short.Shown = "" // the step's own result has it
	}
	for _, s := range a.Steps {
		if len(s.Output) > share {
			cut, err := json.Marshal(string(s.Output[:share]) + fmt.Sprintf(" [clipped: %d of %d bytes]", share, len(s.Output)))
			if err == nil {
				s.Output = cut
			}
		}
		short.Steps = append(short.Steps, s)
	}
	b, err := json.Marshal(short)
	if err != nil {
		return fmt.Sprintf(`{"error":%q}`, "encode result: "+err.Error())
	}
	return string(b)
}

// RunPlan is the plan of a skill's run, for programs.
type RunPlan struct {
	Skill    string     `json:"skill"`
	Source   string     `json:"source"`
	Effect   string     `json:"effect"`   // the strongest effect of the steps
	Asks     bool       `json:"asks"`     // a run would ask the user first
	Reviewed bool       `json:"reviewed"` // built in, or already run here in its current form
	Hash     string     `json:"hash"`     // of the skill's text and everything it would run
	Steps    []StepPlan `json:"steps"`
}

// StepPlan is one step of a RunPlan.
type StepPlan struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"` // templates where values are not known yet
	Needs     []string        `json:"needs,omitempty"`
	Effect    string          `json:"effect"`
	Runtime   string          `json:"runtime,omitempty"` // of a script
	Sandboxed bool            `json:"sandboxed,omitempty"`
	Scripts   []ScriptFile    `json:"scripts,omitempty"`
	Code      string          `json:"code,omitempty"` // if the code is in SKILL.md itself
}

// ScriptFile is a file that a step would run; the script comes before its modules.
type ScriptFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// RunPlanOf returns the plan shown by a preview of a skill's tool, if it is one.
func RunPlanOf(p tool.Preview, effect tool.Effect) (RunPlan, bool) {
	state, ok := p.State.(*preparedRun)
	if !ok {
		return RunPlan{}, false
	}
	plan := RunPlan{
		Skill: state.skill.Name, Source: string(state.skill.Source), Effect: effect.String(),
		Asks: p.Ask || p.Review != nil || effect != tool.Reads, Reviewed: p.Review == nil, Hash: state.hash, Steps: []StepPlan{},
	}
	for _, step := range state.plan.Steps {
		call := step.Call()
		row := StepPlan{ID: step.ID, Tool: call.Tool, Arguments: call.Arguments, Needs: step.Needs, Code: step.Code}
		if t, ok := state.router.Lookup(call.Tool); ok {
			row.Effect = t.Effect.String()
		}
		if s, ok := state.scripts[step.ID]; ok {
			row.Runtime, row.Sandboxed = s.plan.Runtime, s.plan.Sandboxed
			for _, file := range s.plan.Files {
				row.Scripts = append(row.Scripts, ScriptFile{file.Path, file.SHA256})
			}
		}
		plan.Steps = append(plan.Steps, row)
	}
	return plan, true
}
