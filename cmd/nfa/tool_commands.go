package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// newToolCommand makes the command of a row that calls a tool. It makes the same call as a model
// would and shows the result in command line syntax.
func newToolCommand(g *globals, row app.Command) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := checkWords(cmd, row, words); err != nil {
				return err
			}
			arguments, err := row.Arguments(words, cmd.Flags(), g.in)
			if err != nil {
				return err
			}
			return g.runToolCommand(cmd, row, arguments, yes)
		},
	}
	row.AddFlags(cmd.Flags())
	if row.Writes {
		cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	}
	return cmd
}

// checkWords checks the number of arguments. For a command with subcommands, an extra argument is
// probably a misspelled subcommand.
func checkWords(cmd *cobra.Command, row app.Command, words []string) error {
	switch {
	case len(words) >= row.MinArgs && (row.MaxArgs < 0 || len(words) <= row.MaxArgs):
		return nil
	case cmd.HasSubCommands() && len(words) > 0:
		return unknownCommand(cmd, words[0])
	}
	return usage.Errorf("usage: %s", cmd.UseLine())
}

func (g *globals) runToolCommand(cmd *cobra.Command, row app.Command, arguments string, yes bool) error {
	translator := sync.OnceValue(func() textTranslator { return newTextTranslator(row) })
	var notices []string
	a, err := g.open(cmd.Context(), app.Options{
		Approver: commandApprover{g, yes || row.Unasked, translator}, UserInvoked: true, Notice: func(text string) { notices = append(notices, text) }, Warn: g.notice,
	})
	if err != nil {
		return err
	}
	defer a.Close()
	t, ok := a.Tools.Lookup(row.Tool)
	if !ok {
		return noSource(a, row)
	}
	if t.Private {
		for _, notice := range notices {
			g.notice(notice)
		}
	}
	o, err := toolCall{row.Tool, arguments, g.json}.run(cmd.Context(), a, a.Tools)
	if err != nil {
		return err
	}
	result := o.Result
	// For a user, an empty list is a valid result; a model gets an error so that it does not invent
	// one.
	empty := result.Code == tool.CodeNoData && t.Private && !row.Writes && a.HasNoData(cmd.Context(), row.Tool)
	if g.json {
		if err := cli.WriteJSON(g.out, cli.NewToolResult(o)); err != nil || empty || !result.IsError {
			return err
		}
		return &exitError{code: exitOfResult(result)}
	}
	painter, edit := g.painter(a.Settings), func(text string) string {
		return translator().terminalText(trimToolName(row.Tool, text))
	}
	if !result.IsError || empty {
		_, err = fmt.Fprintln(g.out, painter.Result(result, edit))
		g.printNotes(result, edit)
		return err
	}
	failed := &exitError{code: exitOfResult(result)}
	if strings.Contains(result.ForUser, "\n| ") { // a page, such as a plan that breaks the user's limits
		fmt.Fprintln(g.err, painter.Markdown(edit(result.UserText())))
		return failed
	}
	if a.LogLevel == "debug" {
		g.printNotes(result, edit) // what each source answered
	}
	failed.err = errors.New(edit(cli.FailureText(result)))
	return failed
}

// printNotes prints the notes of a result to stderr.
func (g *globals) printNotes(r tool.Result, edit func(string) string) {
	for _, n := range r.Notes {
		if !n.Warning && n.Code != tool.CodeNotice {
			fmt.Fprintln(g.err, "note: "+markdown.SanitizeLine(edit(n.Text)))
		}
	}
}

// noSource returns the error for a tool that is missing because no source provides its data.
func noSource(a *app.App, row app.Command) error {
	if row.Tool == "portfolio_reconcile" {
		return &exitError{exitNoData, errors.New("no MCP server; add your broker's: nfa mcp add NAME -- COMMAND")}
	}
	return &exitError{exitNoData, fmt.Errorf("no source for %s: only sample data is available (%s)", row.Name, a.SampleReason())}
}

// trimToolName removes the name of a tool from the start of a text, because the user typed the
// command's name.
func trimToolName(name, text string) string {
	if text, refused := strings.CutPrefix(text, name+" was refused"); refused {
		_, reason, _ := strings.Cut(text, ": ")
		return "nothing was changed: " + reason
	}
	return text
}

// commandApprover shows what the user's own command would write and asks for confirmation.
type commandApprover struct {
	g          *globals
	yes        bool
	translator func() textTranslator
}

// Approve asks at the terminal. Without one, only --yes approves.
func (a commandApprover) Approve(ctx context.Context, question tool.Approval) (tool.Answer, error) {
	if a.yes {
		return tool.Answer{Allowed: true, Person: true}, nil
	}
	plan := make([]string, len(question.Plan))
	for i, line := range question.Plan {
		plan[i] = markdown.SanitizeLine(a.translator().terminalText(line))
	}
	if !cli.IsTerminal(a.g.in) || !cli.IsTerminal(a.g.err) {
		return tool.Answer{Reason: "confirmation required: run in a terminal or pass --yes. Planned changes:\n  " + strings.Join(plan, "\n  ")}, nil
	}
	for _, line := range plan {
		fmt.Fprintln(a.g.err, line)
	}
	yes, err := a.g.confirm(ctx, "Save these changes?")
	return tool.Answer{Allowed: yes, Person: true, Reason: "nothing was changed"}, err
}
