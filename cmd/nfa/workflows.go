package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skillset"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/skills"
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
		return nil, misuse.Errorf("python: %w", err)
	}
	return runner, nil
}

func pythonFolder(home string) string { return filepath.Join(home, "cache", "python") }

// holdTo has the tools be those of an agent, without a model to speak for it.
func (h *house) holdTo(name string) error {
	h.roster = roster.Open(h.agentsFolder())
	profile, ok := h.roster.Lookup(name)
	if !ok {
		return misuse.Errorf("%w", h.agents().NoSuch(name))
	}
	h.speaking.Store(&speaker{profile: profile, router: h.router.Only(profile.May)})
	return nil
}

// runWorkflow runs a skill's steps, without a model.
func (h *house) runWorkflow(ctx context.Context, g *globals, s skill.Skill, call llm.ToolCall, f runFlags) error {
	router := h.set.WithWorkflows(h.tools())
	if f.dryRun {
		return h.printPlan(ctx, g, router, call, f.output != answer.Text)
	}
	if f.timeout != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, h.cfg.MaxTime)
		defer cancel()
	}
	out, progress := answer.NewSteps(f.output, g.out, h.painter(g)), g.progressOf(len(s.Steps))
	stop := progress.Keep()
	// Why ctx ended, if it did, stands in the outcome.
	outcomes, _ := router.Dispatch(ctx, []llm.ToolCall{call}, tool.Observer{
		Started: func(c llm.ToolCall) {
			if tool.StepOf(c.ID) != "" {
				progress.Started(c)
				out.Started(c)
			}
		},
		Finished: func(o tool.Outcome) {
			if tool.StepOf(o.Call.ID) != "" {
				progress.Finished()
				out.Finished(o)
			}
		},
	})
	stop()
	o := outcomes[0]
	return exitOfWorkflow(o, out.End(o))
}

// printPlan says what a run would do, and does nothing.
func (h *house) printPlan(ctx context.Context, g *globals, router *tool.Router, call llm.ToolCall, asJSON bool) error {
	t, ok := router.Lookup(call.Name)
	if !ok {
		return misuse.Errorf("%s cannot be run; nfa skills doctor says why", call.Name)
	}
	if err := t.Check(json.RawMessage(call.Arguments)); err != nil {
		return misuse.Errorf("%w", err)
	}
	preview, err := t.Preview(ctx, json.RawMessage(call.Arguments))
	if err != nil {
		return misuse.Errorf("%w", err)
	}
	if plan, ok := skills.PlanOf(preview, t.Effect); ok && asJSON {
		return console.JSON(g.out, plan)
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

// asking is the approver of a run.
func (g *globals) asking(f runFlags) tool.Approver {
	return askingApprover{g, policyOf(f.askFlags)}
}

func (a askingApprover) Approve(ctx context.Context, question tool.Approval) (tool.Answer, error) {
	answer, err := a.policy.Approve(ctx, question)
	if err != nil || answer.Allowed || !console.IsTerminal(a.g.in) || !console.IsTerminal(a.g.err) {
		return answer, err
	}
	for _, line := range question.Plan {
		fmt.Fprintln(a.g.err, markdown.SanitizeLine(line))
	}
	yes, err := a.g.confirm(ctx, wants(question)+"; go ahead?")
	return tool.Answer{Allowed: yes, Person: true}, err
}

// wants says what a call asks for.
func wants(question tool.Approval) string {
	switch question.Effect {
	case tool.Executes:
		return question.Call.Name + " wants to run a program"
	case tool.Writes:
		return question.Call.Name + " wants to write a file"
	}
	return question.Call.Name + " wants to run steps that you have not reviewed"
}

// exitOfWorkflow is the error that a finished run ends the program with; printed
// is what the writer left to say.
func exitOfWorkflow(o tool.Outcome, printed error) error {
	code := exitOfResult(o.Result)
	if code == exitOK {
		return printed
	}
	return &exitError{code, printed}
}

// progressOf is for where somebody looks on, else nil.
func (g *globals) progressOf(steps int) *answer.Progress {
	if !console.IsTerminal(g.err) || g.env("TERM") == "dumb" {
		return nil
	}
	return answer.NewProgress(g.err, steps, time.Now)
}

// skillset are the skills, for whoever answers.
func (h *house) skillset() *skillset.Set {
	return skillset.New(skillset.Options{
		Dir: filepath.Join(h.home, "skills"), Registry: h.skills, State: h.state, Store: h.stored,
		Python: func() *python.Runner { return h.python }, All: func() *tool.Router { return h.router }, Tools: h.tools,
		May: h.may, Answers: func() string { return h.speaking.Load().profile.Name }, Now: clock, Log: h.log,
	})
}

// may tells what the agent that answers may use; nil, everything, before one does.
func (h *house) may() func(name string) bool {
	if s := h.speaking.Load(); s != nil {
		return s.profile.May
	}
	return nil
}
