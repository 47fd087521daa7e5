package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox"
)

// newPython is what runs the Python steps of skills. Nothing is looked for before
// one is to be run.
func newPython(home string, cfg config.Python) (*python.Runner, error) {
	runner, err := python.New(python.Config{
		Runtime: python.Runtime(cfg.Runtime), Interpreter: cfg.Interpreter,
		Distribution: python.Distribution{URL: cfg.URL, SHA256: cfg.SHA256},
		Dir:          pythonFolder(home),
		Limits:       python.Limits{Time: cfg.Timeout, Memory: int64(cfg.MemoryMB) << 20},
	})
	if err != nil {
		return nil, usagef("python: %w", err)
	}
	return runner, nil
}

func pythonFolder(home string) string { return filepath.Join(home, "cache", "python") }

func (h *house) workflows() toolbox.Workflows {
	return toolbox.Workflows{
		Skills: h.skills, Python: h.python, Disabled: h.state.Disabled,
		Reviewed: h.state.Reviewed, Review: h.state.SetReviewed,
	}
}

// withWorkflows is router with the tools that run skills by its tools. One that
// cannot be made is logged; the others are there.
func (h *house) withWorkflows(router *tool.Router) *tool.Router {
	tools, err := h.workflows().Tools(router)
	if err != nil {
		h.log.Warn().Err(err).Msg("skills with steps")
	}
	more, err := router.With(tools...)
	if err != nil {
		h.log.Error().Err(err).Msg("skills with steps")
		return router
	}
	return more
}

// workflowCall is the call that runs a skill's steps with these arguments, or nil
// for a skill without any.
func workflowCall(s skill.Skill, a parameter.Arguments) (*llm.ToolCall, error) {
	if len(s.Steps) == 0 {
		return nil, nil
	}
	values := map[string]any{}
	for name, value := range a.Values {
		values[name] = value.Typed
	}
	args, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("encoding the arguments of %s: %w", s.Name, err)
	}
	return &llm.ToolCall{ID: "run", Name: toolbox.WorkflowTool(s.Name), Arguments: string(args)}, nil
}

// workflowFlags are those of `skills run` for a skill whose steps the program
// runs itself.
type workflowFlags struct {
	json, dryRun bool
	approver     tool.Approver
}

// runWorkflow runs a skill's steps, without a model.
func (h *house) runWorkflow(ctx context.Context, g *globals, call llm.ToolCall, f workflowFlags) error {
	router := h.withWorkflows(h.router)
	if f.dryRun {
		return h.printPlan(ctx, g, router, call)
	}
	outcomes, err := router.Dispatch(ctx, []llm.ToolCall{call}, tool.Observer{Finished: func(o tool.Outcome) {
		if step := tool.StepOf(o.Call.ID); step != "" && !f.json {
			printStep(g, step, o)
		}
	}})
	if err != nil {
		return err
	}
	o := outcomes[0]
	code := exitOfResult(o.Result)
	switch {
	case f.json:
		if err := printJSON(g.out, outcomeOf(o)); err != nil || code == exitOK {
			return err
		}
		return &exitError{code: code}
	case o.Result.IsError:
		return &exitError{code, fmt.Errorf("%s: %s", call.Name, o.Result.ErrorText())}
	}
	return nil
}

func printStep(g *globals, step string, o tool.Outcome) {
	mark := "+"
	if o.Result.IsError {
		mark = "✗"
	}
	fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf("%s %s  %s  %s  %d ms", mark, step, o.Call.Name, o.Result.Summary, o.Duration.Milliseconds())))
	if !o.Result.IsError {
		fmt.Fprintf(g.out, "\n%s\n\n", strings.TrimSpace(markdown.Sanitize(shown(o.Result))))
	}
}

// printPlan says what a run would do, and does nothing.
func (h *house) printPlan(ctx context.Context, g *globals, router *tool.Router, call llm.ToolCall) error {
	t, ok := router.Lookup(call.Name)
	if !ok {
		return usagef("%s cannot be run; nfa skills doctor says why", call.Name)
	}
	if err := t.Check(json.RawMessage(call.Arguments)); err != nil {
		return usagef("%w", err)
	}
	preview, err := t.Preview(ctx, json.RawMessage(call.Arguments))
	if err != nil {
		return usagef("%w", err)
	}
	for _, line := range preview.Plan {
		fmt.Fprintln(g.out, markdown.SanitizeLine(line))
	}
	asks := "would run without asking: it only reads"
	if preview.Ask || t.Effect != tool.Reads {
		asks = "would ask once for all of this"
	}
	_, err = fmt.Fprintln(g.out, asks)
	return err
}

// askingApprover shows the plan and asks at the terminal; where there is none,
// the policy decides.
type askingApprover struct {
	g      *globals
	policy tool.Policy
}

func (a askingApprover) Approve(ctx context.Context, question tool.Approval) (tool.Answer, error) {
	answer, err := a.policy.Approve(ctx, question)
	if err != nil || answer.Allowed || !isTerminal(a.g.in) || !isTerminal(a.g.err) {
		return answer, err
	}
	for _, line := range question.Plan {
		fmt.Fprintln(a.g.err, markdown.SanitizeLine(line))
	}
	yes, err := a.g.confirm(ctx, fmt.Sprintf("%s %s. Go ahead?", question.Call.Name, question.Effect))
	return tool.Answer{Allowed: yes}, err
}
