package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/skills"
	"github.com/nfa-cli/nfa/internal/usage"
)

// newPython is what runs the Python steps of skills. Nothing is looked for before
// one is to be run.
func newPython(home string, cfg config.Python) (*python.Runner, error) {
	runner, err := python.New(python.Config{
		Runtime: python.Runtime(cfg.Runtime), Interpreter: cfg.Interpreter,
		Distribution: python.SandboxDistribution{URL: cfg.URL, SHA256: cfg.SHA256},
		Dir:          pythonFolder(home),
		Limits:       python.Limits{Time: cfg.Timeout, Memory: int64(cfg.MemoryMB) << 20},
	})
	if err != nil {
		return nil, usage.Errorf("python: %w", err)
	}
	return runner, nil
}

func pythonFolder(home string) string { return filepath.Join(home, "cache", "python") }

// restrictToAgent limits the tools to those of an agent, without opening its model.
func (p *program) restrictToAgent(name string) error {
	p.profiles = agent.LoadProfiles(p.agentsFolder())
	profile, ok := p.profiles.Lookup(name)
	if !ok {
		return usage.Errorf("%w", p.agentScreen().UnknownAgent(name))
	}
	p.active.Store(&activeAgent{profile: profile, router: p.router.Only(profile.Allows)})
	return nil
}

// runWorkflow runs a skill's steps, without a model.
func (p *program) runWorkflow(ctx context.Context, g *globals, s skill.Skill, call llm.ToolCall, f runFlags) error {
	router := p.skillLibrary.WithWorkflows(p.agentTools())
	if f.dryRun {
		return p.printPlan(ctx, g, router, call, f.output != cli.FormatText)
	}
	if f.timeout != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.cfg.MaxTime)
		defer cancel()
	}
	out, progress := cli.NewStepWriter(f.output, g.out, p.markdownRenderer(g)), g.newStepProgress(len(s.Steps))
	stop := progress.Animate()
	// Why ctx ended, if it did, stands in the outcome.
	outcomes, _ := router.Dispatch(ctx, []llm.ToolCall{call}, tool.Observer{
		Started: func(c llm.ToolCall) {
			if tool.StepName(c.ID) != "" {
				progress.Started(c)
				out.Started(c)
			}
		},
		Finished: func(o tool.Outcome) {
			if tool.StepName(o.Call.ID) != "" {
				progress.Finished()
				out.Finished(o)
			}
		},
	})
	stop()
	o := outcomes[0]
	return workflowExit(o, out.End(o))
}

// printPlan says what a run would do, and does nothing.
func (p *program) printPlan(ctx context.Context, g *globals, router *tool.Router, call llm.ToolCall, asJSON bool) error {
	t, ok := router.Lookup(call.Name)
	if !ok {
		return usage.Errorf("%s cannot be run; nfa skills doctor says why", call.Name)
	}
	if err := t.Check(json.RawMessage(call.Arguments)); err != nil {
		return usage.Errorf("%w", err)
	}
	preview, err := t.Preview(ctx, json.RawMessage(call.Arguments))
	if err != nil {
		return usage.Errorf("%w", err)
	}
	if plan, ok := skills.RunPlanOf(preview, t.Effect); ok && asJSON {
		return cli.WriteJSON(g.out, plan)
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

// newApprover is the approver of a run.
func (g *globals) newApprover(f runFlags) tool.Approver {
	return askingApprover{g, approvalPolicy(f.askFlags)}
}

func (a askingApprover) Approve(ctx context.Context, question tool.Approval) (tool.Answer, error) {
	answer, err := a.policy.Approve(ctx, question)
	if err != nil || answer.Allowed || !cli.IsTerminal(a.g.in) || !cli.IsTerminal(a.g.err) {
		return answer, err
	}
	for _, line := range question.Plan {
		fmt.Fprintln(a.g.err, markdown.SanitizeLine(line))
	}
	yes, err := a.g.confirm(ctx, describeRequest(question)+"; go ahead?")
	return tool.Answer{Allowed: yes, Person: true}, err
}

// describeRequest says what a call asks for.
func describeRequest(question tool.Approval) string {
	switch question.Effect {
	case tool.Executes:
		return question.Call.Name + " wants to run a program"
	case tool.Writes:
		return question.Call.Name + " wants to write a file"
	}
	return question.Call.Name + " wants to run steps that you have not reviewed"
}

// workflowExit is the error that a finished run ends the program with; printed
// is what the writer left to say.
func workflowExit(o tool.Outcome, printed error) error {
	code := exitOfResult(o.Result)
	if code == exitOK {
		return printed
	}
	return &exitError{code, printed}
}

// newStepProgress is for where somebody looks on, else nil.
func (g *globals) newStepProgress(steps int) *cli.Progress {
	if !cli.IsTerminal(g.err) || g.env("TERM") == "dumb" {
		return nil
	}
	return cli.NewProgress(g.err, steps, time.Now)
}

// newSkillLibrary returns the skills, limited to the tools of the active agent.
func (p *program) newSkillLibrary() *library.Library {
	return library.New(library.Options{
		Dir: filepath.Join(p.home, "skills"), Registry: p.skills, State: p.state, Store: p.skillStore,
		Agent: currentAgent{p}, Python: func() *python.Runner { return p.python }, AllTools: func() *tool.Router { return p.router }, Now: clock, Log: p.log,
	})
}

// currentAgent is the active agent as the skill library sees it. Before an agent is chosen, it may use
// everything.
type currentAgent struct{ *program }

func (c currentAgent) Name() string                         { return c.active.Load().profile.Name }
func (c currentAgent) Tools() *tool.Router                  { return c.agentTools() }
func (c currentAgent) RequestProfile() agent.RequestProfile { return c.requestProfile() }

func (c currentAgent) MayUse(name string) bool {
	s := c.active.Load()
	return s == nil || s.profile.Allows(name)
}

// requestProfile is that of the agent that answers; before one does, that of an unknown window.
func (p *program) requestProfile() agent.RequestProfile {
	window := 0
	if s := p.active.Load(); s != nil {
		window = s.endpoint.Window()
	}
	return agent.RequestProfileFor(p.cfg.RequestProfile, window)
}
