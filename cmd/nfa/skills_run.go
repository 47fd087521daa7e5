package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/skills"
	"github.com/nfa-cli/nfa/internal/tui/widget"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsRun(g *globals) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(g, cmd); err != nil {
				return err
			}
			line, done, err := runSkill(cmd, g, *f, args[0], args[1:])
			if done || err != nil {
				return err
			}
			// Standard input was already read.
			withoutStdin := *g
			withoutStdin.in = nil
			return runAsk(cmd.Context(), &withoutStdin, f.askFlags, line)
		},
	}
	f.add(cmd)
	cmd.Flag("output").Hidden = true // applies only to ask
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the plan and change nothing")
	return cmd
}

// runFlags are the flags of ask and the flags of a run without a model.
type runFlags struct {
	askFlags
	dryRun bool
}

// check resolves --json and --output.
func (f *runFlags) check(g *globals, cmd *cobra.Command) error {
	if err := f.chooseOutput(cmd, g.json); err != nil {
		return err
	}
	_, err := cli.NewTurnWriter(f.output, cli.Streams{})
	return err
}

// rejectChatFlags rejects flags of ask that do not apply to a workflow.
func (f *runFlags) rejectChatFlags(cmd *cobra.Command, name string) error {
	for _, flag := range []struct{ name, about string }{
		{"continue", "no session exists"}, {"resume", "no session exists"}, {"fork", "no session exists"},
		{"max-cost", "no model is used"}, {"max-steps", "the skill defines its steps"},
	} {
		if cmd.Flags().Changed(flag.name) {
			return usage.Errorf("--%s does not apply to %s: nfa runs the steps without a model, so %s", flag.name, name, flag.about)
		}
	}
	return nil
}

// runSkill runs a workflow, or prints its plan. For any other skill it returns the line that starts
// it in the chat.
func runSkill(cmd *cobra.Command, g *globals, f runFlags, name string, args []string) (line string, done bool, err error) {
	ctx := cmd.Context()
	a, err := g.open(ctx, app.Options{Approver: g.newApprover(f), CommandLine: app.CommandLine{Flags: map[string]string{"max_time": f.timeout, "agent": f.agent}}})
	if err != nil {
		return "", false, err
	}
	defer a.Close()
	s, ok := a.Skills.Registry.Lookup(name)
	if !ok {
		return "", false, a.Skills.NotFound(name)
	}
	args, piped, err := g.readSkillInput(s, args)
	if err != nil {
		return "", true, err
	}
	arguments := appendPiped(library.ArgumentLine(s.Parameters, args), piped)
	if err := checkSkillArguments(s, arguments); err != nil {
		return "", true, err
	}
	if len(s.Steps) == 0 && !f.dryRun {
		return strings.TrimSpace("/skill:" + s.Name + " " + arguments), false, nil
	}
	in, err := activateSkill(cmd, a, f, s, arguments)
	switch {
	case err != nil:
		return "", true, err
	case in.Call == nil && f.output != cli.FormatText:
		return "", true, cli.WriteJSON(g.out, map[string]string{"skill": s.Name, "prompt": in.ForModel})
	case in.Call == nil:
		_, err = io.WriteString(g.out, cli.SanitizeFor(g.out, in.ForModel)+"\n")
		return "", true, err
	}
	// The arguments are what the user typed, unless they were piped in.
	exposure := &tool.Exposure{}
	exposure.AddMessage(in.Call.Arguments, in.Call.Arguments, piped != "", false)
	ctx = tool.WithAskedBy(tool.WithExposure(ctx, exposure), strings.TrimSpace("nfa skills run "+s.Name+" "+arguments))
	return "", true, g.runWorkflow(ctx, a, s, *in.Call, f)
}

// activateSkill activates a skill for a run, limited to the tools of the agent that --agent names.
func activateSkill(cmd *cobra.Command, a *app.App, f runFlags, s skill.Skill, arguments string) (agent.Input, error) {
	if len(s.Steps) > 0 {
		if err := f.rejectChatFlags(cmd, s.Name); err != nil {
			return agent.Input{}, err
		}
		if err := a.Skills.CheckAllow(f.allow, s.Name); err != nil {
			return agent.Input{}, err
		}
	}
	if err := a.Agents.Restrict(a.Config.Agent); err != nil {
		return agent.Input{}, err
	}
	return a.Skills.Activate(s.Name, arguments)
}

// stdinArg is the argument for standard input.
const stdinArg = "-"

// readSkillInput returns the arguments of a skill and its piped input. It reads standard input for
// a trailing "-", or if there are no arguments and the skill accepts some. Otherwise it does not,
// because in a shell's `while read` loop it belongs to the loop.
func (g *globals) readSkillInput(s skill.Skill, args []string) (values []string, piped string, err error) {
	explicit := len(args) > 0 && args[len(args)-1] == stdinArg
	if explicit {
		args = args[:len(args)-1]
	}
	takes := len(s.Parameters) > 0 || len(s.Steps) == 0
	if !explicit && (len(args) > 0 || !takes) {
		return args, "", nil
	}
	piped, err = readPipe(g.in)
	piped = strings.TrimSpace(piped)
	if err == nil && explicit && piped == "" {
		err = usage.Errorf("- means stdin, but nothing is piped in")
	}
	return args, piped, err
}

// appendPiped appends piped input to a line of the chat.
func appendPiped(line, piped string) string {
	if piped == "" {
		return line
	}
	return strings.TrimSpace(line + "\n\n" + piped)
}

// runWorkflow runs the steps of a skill without a model.
func (g *globals) runWorkflow(ctx context.Context, a *app.App, s skill.Skill, call llm.ToolCall, f runFlags) error {
	router := a.Skills.WithWorkflows(a.Agents.ActiveTools())
	if f.dryRun {
		return g.printPlan(ctx, router, call, f.output != cli.FormatText)
	}
	if f.timeout != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, a.Config.MaxTime)
		defer cancel()
	}
	out, progress := cli.NewStepWriter(f.output, g.out, g.painter(a.Settings)), g.newStepProgress(len(s.Steps))
	stop := progress.Animate()
	// The outcome already has the error of ctx.
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

// printPlan prints what a run would do.
func (g *globals) printPlan(ctx context.Context, router *tool.Router, call llm.ToolCall, asJSON bool) error {
	t, ok := router.Lookup(call.Name)
	if !ok {
		return usage.Errorf("cannot run %s; nfa skills doctor shows why", call.Name)
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
	for _, line := range approvalLines(tool.Approval{Call: call, Effect: t.Effect, Question: preview.Question, Touch: preview.Touch, Plan: preview.Plan}) {
		fmt.Fprintln(g.out, line)
	}
	asks := "Would run without asking: it only reads."
	switch {
	case preview.Review != nil:
		asks = "Would ask whether you have read this skill."
		if t.Effect != tool.Reads {
			asks = "Would ask whether you have read this skill, then once for all of these steps."
		}
	case preview.Ask || t.Effect != tool.Reads:
		asks = "Would ask once for all of these steps."
	}
	_, err = fmt.Fprintln(g.out, asks)
	return err
}

// approvalLines returns the complete text of an approval, for a terminal or a pipe.
func approvalLines(a tool.Approval) []string {
	lines := []string{widget.ApprovalQuestion(a)}
	for _, row := range widget.ApprovalTouches(a, "") {
		lines = append(lines, fmt.Sprintf("  %-11s %s", row[0], row[1]))
	}
	lines = append(lines, a.Details()...)
	lines = append(lines, a.Changes...)
	for i := range lines {
		lines[i] = markdown.SanitizeLine(markdown.EscapeInvisible(lines[i]))
	}
	return lines
}

// askingApprover shows the plan and asks at the terminal. Without one the policy decides.
type askingApprover struct {
	g      *globals
	policy tool.Policy
}

// newApprover returns the approver of a run.
func (g *globals) newApprover(f runFlags) tool.Approver {
	return askingApprover{g, approvalPolicy(f.askFlags)}
}

func (a askingApprover) Approve(ctx context.Context, question tool.Approval) (tool.Answer, error) {
	answer, err := a.policy.Approve(ctx, question)
	if err != nil || answer.Allowed || !cli.IsTerminal(a.g.in) || !cli.IsTerminal(a.g.err) {
		return answer, err
	}
	for _, line := range approvalLines(question) {
		fmt.Fprintln(a.g.err, line)
	}
	yes, err := a.g.confirm(ctx, "Continue?")
	return tool.Answer{Allowed: yes, Person: true}, err
}

// workflowExit returns the exit error of a finished run. printed is the error of the writer.
func workflowExit(o tool.Outcome, printed error) error {
	code := exitOfResult(o.Result)
	if code == exitOK {
		return printed
	}
	return &exitError{code, printed}
}

// newStepProgress returns the progress display if stderr is a terminal, else nil.
func (g *globals) newStepProgress(steps int) *cli.Progress {
	if !cli.IsTerminal(g.err) || g.env("TERM") == "dumb" {
		return nil
	}
	return cli.NewProgress(g.err, steps, time.Now)
}
