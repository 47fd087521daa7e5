package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// maxStdin limits piped input, because no model reads more and a file redirected by mistake should not fill
// the memory.
const maxStdin = 1 << 20

type askFlags struct {
	sessionFlags
	output   string
	yes      bool
	allow    []string
	maxSteps string
	maxCost  string
	timeout  string
}

func (f *askFlags) add(cmd *cobra.Command) {
	f.sessionFlags.add(cmd)
	cmd.Flags().StringVar(&f.output, "output", cli.FormatText, "`FORMAT` text or stream-json (default text)")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "approve all tools that write or execute")
	cmd.Flags().StringSliceVar(&f.allow, "allow", nil, "`TOOL` approve this tool; repeatable")
	cmd.Flags().StringVar(&f.maxSteps, "max-steps", "", "at most `N` model responses (default 25)")
	cmd.Flags().StringVar(&f.maxCost, "max-cost", "", "`USD` stop at this cost")
	cmd.Flags().StringVar(&f.timeout, "timeout", "", "`DURATION` stop after this time, such as 2m")
}

// chooseOutput treats --json as --output json, which it replaces.
func (f *askFlags) chooseOutput(cmd *cobra.Command, asJSON bool) error {
	if !asJSON {
		return nil
	}
	if cmd.Flags().Changed("output") && f.output != cli.FormatJSON {
		return usage.Errorf("--json and --output %s cannot be used together; choose one", f.output)
	}
	f.output = cli.FormatJSON
	return nil
}

func newAsk(g *globals) *cobra.Command {
	f := &askFlags{}
	cmd := &cobra.Command{
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.chooseOutput(cmd, g.json); err != nil {
				return err
			}
			return runAsk(cmd.Context(), g, *f, strings.Join(args, " "))
		},
	}
	f.add(cmd)
	return cmd
}

func runAsk(ctx context.Context, g *globals, f askFlags, prompt string) error {
	painter := &cli.Painter{} // needs the settings, which are read later
	out, err := cli.NewTurnWriter(f.output, cli.Streams{Out: g.out, Err: g.err, Painter: painter})
	if err != nil {
		return err
	}
	text, err := withStdin(prompt, g.in)
	if err != nil {
		return err
	}
	a, err := g.open(ctx, app.Options{
		Approver:    &reportingApprover{policy: approvalPolicy(f), onDecision: out.Decision},
		CommandLine: app.CommandLine{Flags: f.settings()}, Agent: true, Notice: out.Warning,
	})
	if err != nil {
		return err
	}
	defer a.Close()
	*painter = g.painter(a.Settings)
	// Meanwhile, generate the tool schemas for a language model from their Go types.
	var warmup crash.WaitGroup
	if !a.Agents.Active().Endpoint.BuiltIn() {
		warmup.Go(func() { a.Tools.Specs() })
	}
	defer warmup.Wait()
	for _, name := range f.allow {
		if _, ok := a.AllTools().Lookup(name); !ok {
			return usage.Errorf("--allow %s: no such tool; nfa tools lists them", name)
		}
	}
	conversation, _, err := f.open(ctx, a)
	if err != nil {
		return err
	}
	if conversation.Withheld() {
		out.Warning(app.AmountsSharedNotice)
	}
	in := agent.Input{Text: text}
	if !strings.HasPrefix(prompt, " ") { // a leading space makes a command plain text
		if in, err = a.Skills.ParseInput(text, out.Warning); err != nil {
			return err
		}
	}
	for _, warning := range a.Agents.Warnings() {
		out.Warning(warning)
	}
	active := a.Agents.Active()
	out.Begin(cli.TurnStart{Session: conversation.ID(), Model: active.Model, BuiltIn: active.Endpoint.BuiltIn(), Cost: active.Endpoint.Cost()})
	var done agent.TurnDone
	for event, eventErr := range conversation.Run(ctx, in) {
		if d, ok := event.(agent.TurnDone); ok {
			done, err = d, eventErr
		}
		out.Event(event)
	}
	return out.Finish(done, err)
}

// settings returns the settings that the flags set.
func (f askFlags) settings() map[string]string {
	return map[string]string{"agent": f.agent, "max_steps": f.maxSteps, "max_time": f.timeout, "max_cost": f.maxCost}
}

func approvalPolicy(f askFlags) tool.Policy {
	p := tool.Policy{All: f.yes, Tools: map[string]bool{}}
	for _, name := range f.allow {
		p.Tools[name] = true
	}
	return p
}

// reportingApprover reports each decision of the policy to the output.
type reportingApprover struct {
	policy     tool.Policy
	onDecision func(tool.Approval, tool.Answer)
}

func (r *reportingApprover) Approve(ctx context.Context, a tool.Approval) (tool.Answer, error) {
	answer, err := r.policy.Approve(ctx, a)
	r.onDecision(a, answer)
	return answer, err
}

// withStdin appends piped input to the prompt.
func withStdin(prompt string, in *os.File) (string, error) {
	piped, err := readPipe(in)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(prompt)
	if piped = strings.TrimSpace(piped); piped != "" {
		text = strings.TrimSpace(text + "\n\n" + piped)
	}
	if text == "" {
		return "", usage.Errorf("no question; usage: nfa ask \"...\", or pipe the question in")
	}
	return text, nil
}

// readPipe reads standard input if something is piped or redirected into it. It does not read a
// terminal or /dev/null, which would block or return nothing.
func readPipe(in *os.File) (string, error) {
	if in == nil {
		return "", nil
	}
	info, err := in.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice != 0 {
		return "", nil
	}
	b, err := io.ReadAll(io.LimitReader(in, maxStdin+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read stdin: %w", err)
	case len(b) > maxStdin:
		return "", usage.Errorf("stdin is larger than %d KB; pipe in only the relevant part", maxStdin>>10)
	case !utf8.Valid(b):
		return "", usage.Errorf("stdin is not UTF-8 text")
	}
	return string(b), nil
}
