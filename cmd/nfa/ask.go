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
	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/tool"
)

// maxStdin bounds what is piped in: no model reads more, and a wrong redirection
// should not fill the memory.
const maxStdin = 1 << 20

type askFlags struct {
	conversationFlags
	output   string
	yes      bool
	allow    []string
	maxSteps string
	maxCost  string
	timeout  string
}

func (f *askFlags) add(cmd *cobra.Command) {
	f.conversationFlags.add(cmd)
	cmd.Flags().StringVar(&f.output, "output", answer.Text, "text, json or stream-json")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "approve every tool that writes or executes")
	cmd.Flags().StringSliceVar(&f.allow, "allow", nil, "approve this `TOOL`; may be repeated")
	cmd.Flags().StringVar(&f.maxSteps, "max-steps", "", "most answers of the model in one turn, a `NUMBER` (default 25)")
	cmd.Flags().StringVar(&f.maxCost, "max-cost", "", "end the turn once it has cost this many `USD`")
	cmd.Flags().StringVar(&f.timeout, "timeout", "", "end the turn after this `DURATION`, such as 2m")
}

func newAsk(g *globals) *cobra.Command {
	f := &askFlags{}
	cmd := &cobra.Command{
		Use:   "ask PROMPT",
		Short: "Answer one question on stdout and exit",
		Long: `ask answers one question and exits. What is piped in is appended to the question.

Exit codes: 0 answered, 1 error or a limit reached, 2 usage, 3 a call was refused,
4 the model's server, 130 interrupted.`,
		Example: `  nfa ask "How has the S&P 500 done since 2008, and how bad did it get?"
  nfa ask --output json "price of AAPL"
  cat notes.txt | nfa ask "Summarize this"`,
		RunE: func(cmd *cobra.Command, words []string) error {
			return runAsk(cmd.Context(), g, *f, strings.Join(words, " "))
		},
	}
	f.add(cmd)
	return cmd
}

func runAsk(ctx context.Context, g *globals, f askFlags, prompt string) error {
	out, err := answer.New(f.output, answer.Streams{Out: g.out, Err: g.err, Live: console.IsTerminal(g.out)})
	if err != nil {
		return err
	}
	text, err := withStdin(prompt, g.in)
	if err != nil {
		return err
	}
	h, err := wire(ctx, g, wiring{
		approver: &reportingApprover{policy: policyOf(f), decided: out.Decided},
		maxSteps: f.maxSteps, maxTime: f.timeout, maxCost: f.maxCost, agent: f.agent, sessions: true, notice: out.Warning,
	})
	if err != nil {
		return err
	}
	defer h.close()
	// What the model is told of a hundred tools is worked out of their Go types while
	// the session is opened.
	var ahead crash.WaitGroup
	ahead.Go(func() { h.router.Specs() })
	defer ahead.Wait()
	for _, name := range f.allow {
		if _, ok := h.set.WithWorkflows(h.router).Lookup(name); !ok {
			return misuse.Errorf("--allow %s: there is no such tool; nfa tools list shows them", name)
		}
	}
	conversation, _, err := f.open(ctx, h)
	if err != nil {
		return err
	}
	if conversation.Withheld() {
		out.Warning(saidBefore)
	}
	in := agent.Input{Text: text}
	if !strings.HasPrefix(prompt, " ") { // a space before it makes a command text
		if in, err = h.set.Input(text, out.Warning); err != nil {
			return err
		}
	}
	for _, warning := range h.speakerWarnings() {
		out.Warning(warning)
	}
	now := h.speaking.Load()
	out.Begin(answer.Beginning{Session: conversation.ID(), Model: now.modelName, Cost: now.endpoint.Cost()})
	var done agent.TurnDone
	for event, eventErr := range conversation.Run(ctx, in) {
		if d, ok := event.(agent.TurnDone); ok {
			done, err = d, eventErr
		}
		out.Event(event)
	}
	return out.Finish(done, err)
}

func policyOf(f askFlags) tool.Policy {
	p := tool.Policy{All: f.yes, Tools: map[string]bool{}}
	for _, name := range f.allow {
		p.Tools[name] = true
	}
	return p
}

// reportingApprover tells the output of what the policy decided.
type reportingApprover struct {
	policy  tool.Policy
	decided func(tool.Approval, tool.Answer)
}

func (r *reportingApprover) Approve(ctx context.Context, a tool.Approval) (tool.Answer, error) {
	answer, err := r.policy.Approve(ctx, a)
	r.decided(a, answer)
	return answer, err
}

// withStdin appends what is piped in to the prompt.
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
		return "", misuse.Errorf("nothing was asked; usage: nfa ask \"...\", or pipe the question in")
	}
	return text, nil
}

// readPipe reads standard input when something is piped or redirected into it.
// A terminal or /dev/null is left alone: nobody would come to type an end.
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
		return "", fmt.Errorf("reading standard input: %w", err)
	case len(b) > maxStdin:
		return "", misuse.Errorf("standard input is over %d KB; pipe in the part that matters", maxStdin>>10)
	case !utf8.Valid(b):
		return "", misuse.Errorf("standard input is not text in UTF-8")
	}
	return string(b), nil
}
