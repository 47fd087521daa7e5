package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// toolCommand is a tool as a command whose flags are the arguments of the tool. It makes the same
// call as a model and shows the result in the words of the command line.
type toolCommand struct {
	use, short, example string
	tool                string
	fixed               map[string]any // arguments that are the same in each call
	flags               []toolFlag
	required            []string // keys of flags that must be given
	minArgs, maxArgs    int      // number of words; a negative maximum means no limit
	// setArgs puts the words into the tool's arguments; nil takes none.
	setArgs func(args []string, in map[string]any) error
	// wrap makes the tool's arguments of all that was gathered; nil leaves them as
	// they are.
	wrap func(in map[string]any) (map[string]any, error)
	// writes has the verb show what would be written and ask, unless --yes says so.
	writes bool
}

// cobraCommand returns the command for the command line.
func (v toolCommand) cobraCommand(g *globals) *cobra.Command {
	var asJSON, yes bool
	cmd := &cobra.Command{
		Use: v.use, Short: v.short,
		Long:    v.short + ". It is the tool " + v.tool + ", which nfa tools show " + v.tool + " explains.",
		Example: v.example, SuggestionsMinimumDistance: 2,
	}
	values := map[string]func() (any, error){}
	for _, f := range v.flags {
		values[f.key] = f.declare(cmd.Flags(), g)
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	if v.writes {
		cmd.Flags().BoolVarP(&yes, "yes", "y", false, "write without asking")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, err := v.toolArguments(cmd, args, values)
		if err != nil {
			return err
		}
		return v.run(cmd, g, in, yes, asJSON)
	}
	return cmd
}

// toolArguments returns the arguments of the tool for the words and flags of one command line.
func (v toolCommand) toolArguments(cmd *cobra.Command, args []string, values map[string]func() (any, error)) (map[string]any, error) {
	in := maps.Clone(v.fixed)
	if in == nil {
		in = map[string]any{}
	}
	if err := v.checkArgCount(cmd, args); err != nil {
		return nil, err
	}
	for _, f := range v.flags {
		if !cmd.Flags().Changed(f.name()) {
			continue
		}
		value, err := values[f.key]()
		if err != nil {
			return nil, err
		}
		in[f.key] = value
	}
	for _, key := range v.required {
		if _, ok := in[key]; !ok {
			return nil, usage.Errorf("say --%s; usage: %s", toolFlag{key: key}.name(), cmd.UseLine())
		}
	}
	if v.setArgs != nil {
		if err := v.setArgs(args, in); err != nil {
			return nil, err
		}
	}
	if v.wrap == nil {
		return in, nil
	}
	return v.wrap(in)
}

// checkArgCount refuses too few and too many words. For a command with subcommands, an extra word
// is probably a misspelled subcommand.
func (v toolCommand) checkArgCount(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) >= v.minArgs && (v.maxArgs < 0 || len(args) <= v.maxArgs):
		return nil
	case cmd.HasSubCommands():
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return usage.Errorf("no command %q of %s; did you mean `%s %s`?", args[0], cmd.CommandPath(), cmd.CommandPath(), near[0])
		}
		return usage.Errorf("no command %q of %s; see `%s --help`", args[0], cmd.CommandPath(), cmd.CommandPath())
	}
	return usage.Errorf("usage: %s", cmd.UseLine())
}

func (v toolCommand) run(cmd *cobra.Command, g *globals, in map[string]any, yes, asJSON bool) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encoding the arguments of %s: %w", v.tool, err)
	}
	translator := newTextTranslator(v)
	p, err := openProgram(cmd.Context(), g, programOptions{approver: commandApprover{g, yes, translator}, notice: g.notice, userInvoked: true})
	if err != nil {
		return err
	}
	defer p.close()
	if asJSON {
		return p.callTool(cmd.Context(), g, toolCall{v.tool, string(raw), true})
	}
	o, err := p.router.Call(cmd.Context(), llm.ToolCall{ID: "call_1", Name: v.tool, Arguments: string(raw)})
	if err != nil {
		return err
	}
	o.Result = p.clearCodeIfLedgerBroken(o.Result)
	text := translator.terminalText(v.trimToolName(cli.ResultText(o.Result)))
	if !o.Result.IsError {
		_, err = fmt.Fprintln(g.out, strings.TrimRight(p.markdownRenderer(g)(text), "\n"))
		return err
	}
	failed := &exitError{code: exitOfResult(o.Result)}
	if strings.Contains(text, "\n| ") { // a page, such as a plan that the gate refused
		fmt.Fprintln(g.err, strings.TrimRight(p.markdownRenderer(g)(text), "\n"))
		return failed
	}
	failed.err = fmt.Errorf("%s: %s", strings.TrimPrefix(cmd.CommandPath(), "nfa "), text)
	return failed
}

// trimToolName removes the name of the tool from the start of a text, because the command's name is
// shown there.
func (v toolCommand) trimToolName(text string) string {
	if text, refused := strings.CutPrefix(text, v.tool+" was refused"); refused {
		_, reason, _ := strings.Cut(text, ": ")
		return "nothing was written: " + reason
	}
	return text
}

// firstArg puts the first word under a key.
func firstArg(key string) func([]string, map[string]any) error {
	return func(args []string, in map[string]any) error {
		if len(args) > 0 {
			in[key] = args[0]
		}
		return nil
	}
}

// commandApprover shows what the user's own command would write and asks for confirmation.
type commandApprover struct {
	g          *globals
	yes        bool
	translator textTranslator
}

// Approve asks at the terminal; where there is none, --yes decides.
func (a commandApprover) Approve(ctx context.Context, question tool.Approval) (tool.Answer, error) {
	if a.yes {
		return tool.Answer{Allowed: true, Person: true}, nil
	}
	plan := make([]string, len(question.Plan))
	for i, line := range question.Plan {
		plan[i] = markdown.SanitizeLine(a.translator.terminalText(line))
	}
	if !cli.IsTerminal(a.g.in) || !cli.IsTerminal(a.g.err) {
		return tool.Answer{Reason: "there is no terminal to ask on; to go ahead say --yes. It would do this:\n  " + strings.Join(plan, "\n  ")}, nil
	}
	for _, line := range plan {
		fmt.Fprintln(a.g.err, line)
	}
	yes, err := a.g.confirm(ctx, "Write this?")
	return tool.Answer{Allowed: yes, Person: true, Reason: "you said no"}, err
}
