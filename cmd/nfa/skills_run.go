package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkillsRun(g *globals) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use: "run NAME [KEY=VALUE...] [-]", Short: "Use a skill once, and print what comes of it",
		Long: `run uses a skill once. A skill with steps is run by the program: each step's result is
printed, no model is asked, and what writes or executes is confirmed once for the whole
(--yes approves it, --allow skill_NAME this one, --dry-run prints the plan and does
nothing). --agent holds the steps to what that agent may use, --timeout to that time.
Any other skill is handed to the model with its parameters, and the answer printed as nfa
ask does, with its exit codes. A required parameter without a value is a usage error.

Standard input is read where the last word is -, or where no values are given, and
appended to the values. Else it is left alone, so that a shell's "while read" loop keeps
its own.`,
		Example: `  nfa skills run compare-assets symbols=AAPL,MSFT
  nfa skills run what-if-monthly-saving monthly=500 years=20 --dry-run
  nfa skills run get-price symbols=AAPL --output json
  echo AAPL | nfa skills run get-price -`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			line, done, err := runSkill(cmd, g, *f, args[0], args[1:])
			if done || err != nil {
				return err
			}
			// Standard input was read where it was meant to be.
			withoutStdin := *g
			withoutStdin.in = nil
			return runAsk(cmd.Context(), &withoutStdin, f.askFlags, line)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.json, "json", false, "the whole result as JSON, like --output json")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what would be done, and do nothing; with --json as JSON")
	return cmd
}

// runFlags are those of ask, and of a run that asks no model.
type runFlags struct {
	askFlags
	json, dryRun bool
}

// check makes --json and --output one.
func (f *runFlags) check(cmd *cobra.Command) error {
	if f.json {
		if cmd.Flags().Changed("output") && f.output != cli.FormatJSON {
			return usage.Errorf("--json and --output %s cannot go together; choose one", f.output)
		}
		f.output = cli.FormatJSON
	}
	_, err := cli.NewTurnWriter(f.output, cli.Streams{})
	return err
}

// rejectChatFlags are the flags of ask that say nothing to a run of steps.
func (f *runFlags) rejectChatFlags(cmd *cobra.Command, name string) error {
	for _, flag := range []struct{ name, about string }{
		{"continue", "no conversation is held"}, {"resume", "no conversation is held"}, {"fork", "no conversation is held"},
		{"max-cost", "no model is paid"}, {"max-steps", "no model answers, and the skill says how many steps there are"},
	} {
		if cmd.Flags().Changed(flag.name) {
			return usage.Errorf("--%s cannot go with %s: its steps are run by the program, so %s", flag.name, name, flag.about)
		}
	}
	return nil
}

// runSkill runs a skill that has steps, or prints what would be done with one.
// For any other it gives the line by which the chat uses it.
func runSkill(cmd *cobra.Command, g *globals, f runFlags, name string, args []string) (line string, done bool, err error) {
	ctx := cmd.Context()
	p, err := openProgram(ctx, g, programOptions{approver: g.newApprover(f), maxTime: f.timeout, agent: f.agent})
	if err != nil {
		return "", false, err
	}
	defer p.close()
	s, ok := p.skills.Lookup(name)
	if !ok {
		return "", false, p.skillLibrary.NotFound(name)
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
	in, err := p.activateSkill(cmd, f, s, arguments)
	switch {
	case err != nil:
		return "", true, err
	case in.Call == nil && f.output != cli.FormatText:
		return "", true, cli.WriteJSON(g.out, map[string]string{"skill": s.Name, "prompt": in.ForModel})
	case in.Call == nil:
		_, err = io.WriteString(g.out, cli.SanitizeFor(g.out, in.ForModel)+"\n")
		return "", true, err
	}
	return "", true, p.runWorkflow(ctx, g, s, *in.Call, f)
}

// activateSkill activates a skill for a run, held to the agent that --agent names.
func (p *program) activateSkill(cmd *cobra.Command, f runFlags, s skill.Skill, arguments string) (agent.Input, error) {
	if len(s.Steps) > 0 {
		if err := f.rejectChatFlags(cmd, s.Name); err != nil {
			return agent.Input{}, err
		}
		if err := p.skillLibrary.CheckAllow(f.allow, s.Name); err != nil {
			return agent.Input{}, err
		}
	}
	if err := p.restrictToAgent(p.cfg.Agent); err != nil {
		return agent.Input{}, err
	}
	return p.skillLibrary.Activate(s.Name, arguments)
}
