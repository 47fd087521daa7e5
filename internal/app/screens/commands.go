package screens

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// Commands returns the slash commands of the table, then the skills. It omits commands of tools
// without a source.
func Commands(a *app.App) []tui.Command {
	actions := actions(a)
	var commands []tui.Command
	for _, row := range app.Commands() {
		if row.Slash == "" || tui.IsOwnCommand(row.Slash) {
			continue
		}
		c, handled := actions[row.Slash]
		if !handled {
			if _, ok := a.Tools.Lookup(row.Tool); !ok {
				continue
			}
			c = toolCommand(a, row)
		}
		c.Hint, c.About, c.Kind = row.Hint(), row.About, tui.KindCommand
		if !strings.Contains(row.Slash, " ") { // otherwise the parent command runs it
			c.Name = row.Slash
			commands = append(commands, c)
		}
		c.Hidden = true
		for _, c.Name = range row.OldSlash() {
			commands = append(commands, c)
		}
	}
	return append(commands, Skills{a}.Commands()...)
}

// actions are the slash commands that do not call a tool, by name.
func actions(a *app.App) map[string]tui.Command {
	withoutArgs := func(show func() (string, error)) func(string) (string, error) {
		return func(string) (string, error) { return show() }
	}
	tools := Tools{a}
	return map[string]tui.Command{
		"skills":   {Open: Skills{a}.Screen},
		"sessions": {Open: Sessions{a}.Screen},
		"model":    {Open: Models{a}.Screen, Show: Models{a}.Command, CompleteArgs: itemNames(Models{a}.Screen)},
		"agent":    {Open: Agents{a}.Screen, Show: Agents{a}.Command, CompleteArgs: itemNames(Agents{a}.Screen)},
		"tools":    {Open: tools.Screen, Show: tools.Command, CompleteArgs: tools.Completions},
		"symbols":  {Open: Symbols{a}.Screen},
		"setup":    {Show: withoutArgs(a.StartSetup)},
		"profile":  {Show: withoutArgs(func() (string, error) { return a.ProfileEditor(nil, nil).Form(context.Background()) })},
		"why":      {Show: func(figure string) (string, error) { return why(a.Conversation(), figure) }},
		"export":   {Show: func(file string) (string, error) { return export(a, file) }},
		"cost":     {Show: withoutArgs(func() (string, error) { return cli.UsageReport(a.Usage()), nil })},
		"context": {Show: withoutArgs(func() (string, error) {
			size, err := a.Conversation().RequestSize()
			return RequestSizeText(size), err
		})},
		"compact": {RunTask: func(ctx context.Context, _ string) (string, error) { return compact(ctx, a.Conversation()) }},
		"reload": {Show: withoutArgs(func() (string, error) {
			changes, err := a.Skills.Rescan()
			return "- " + strings.Join(changes, "\n- ") + "\n", err
		})},
	}
}

// subcommand returns the row for the first word, such as "macro yields" for /macro yields, and the
// words after it; otherwise row and all words.
func subcommand(row app.Command, words []string) (app.Command, []string) {
	if len(words) > 0 {
		if sub, ok := app.LookupCommand(row.Name + " " + words[0]); ok && sub.Slash != "" && sub.Tool != "" {
			return sub, words[1:]
		}
	}
	return row, words
}

// subcommands returns the subcommands of a slash command.
func subcommands(row app.Command) []string {
	var words []string
	for _, sub := range app.Commands() {
		if parent, word := app.SplitCommand(sub.Name); parent == row.Name && sub.Name != "" && sub.Slash != "" && sub.Tool != "" {
			words = append(words, word)
		}
	}
	return words
}

// toolCommand runs the tool of a row, even if the active agent lacks it, because the user asked for
// it.
func toolCommand(a *app.App, row app.Command) tui.Command {
	call := func(text string) (tool.Result, error) {
		row, words := subcommand(row, strings.Fields(text))
		arguments, err := row.SlashArguments(words)
		if err != nil {
			return tool.Result{}, err
		}
		o, err := a.Tools.Call(context.Background(), llm.ToolCall{ID: "command", Name: row.Tool, Arguments: arguments})
		if err == nil && o.Result.IsError {
			err = fmt.Errorf("%s: %s", row.Slash, cli.FailureText(o.Result))
		}
		return o.Result, err
	}
	c := tui.Command{
		Show: func(text string) (string, error) {
			result, err := call(text)
			return result.UserText(), err
		},
		Draw: func(text string) (*chart.Spec, string, error) {
			result, err := call(text)
			return result.Chart, result.UserText(), err
		},
	}
	switch subs := subcommands(row); {
	case row.Complete != nil:
		c.CompleteArgs = func(text string) []string { return row.Complete(strings.Fields(text)) }
	case len(subs) > 0:
		c.CompleteArgs = func(text string) []string {
			if text != "" {
				return nil
			}
			return subs
		}
	}
	return c
}

// itemNames returns a completion function with the items of a screen that Enter accepts.
func itemNames(open func() *tui.ListScreen) func(args string) []string {
	return func(args string) []string {
		screen := open()
		if args != "" {
			return nil
		}
		var names []string
		for _, action := range screen.Actions {
			if action.Action != "shelf-enter" {
				continue
			}
			for _, i := range screen.Items() {
				if !i.Problem && (action.AppliesTo == nil || action.AppliesTo(i)) {
					names = append(names, i.Name)
				}
			}
		}
		return names
	}
}

// compact compacts the session to free context.
func compact(ctx context.Context, c *agent.Conversation) (string, error) {
	compacted, err := c.Compact(ctx)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return "", errors.New("wait for the answer to finish, then run /compact")
	case err != nil:
		return "", err
	case !compacted.Summarised && compacted.After >= compacted.Before:
		return "Nothing to compact yet: the last turns are always kept.\n", nil
	}
	note := ""
	if compacted.Outline {
		note = " The model wrote no summary; your messages and the start of each answer are kept instead."
	}
	return fmt.Sprintf("Compacted: %s -> %s tokens. Your transcript and loaded skills are unchanged.%s\n", humanize.Number(compacted.Before), humanize.Number(compacted.After), note), nil
}

// why shows the sources of figures in the last answer.
func why(c *agent.Conversation, figure string) (string, error) {
	report, err := c.Why(figure)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return "", errors.New("wait for the answer to finish, then run /why")
	case errors.Is(err, agent.ErrNoFigures):
		return "Nothing to explain yet: " + err.Error() + ".\n", nil
	case err != nil:
		return "", err
	}
	return cli.Why(report, figure), nil
}

// export writes the session to a file.
func export(a *app.App, file string) (string, error) {
	id := a.Conversation().ID()
	if file == "" {
		file = id + ".md"
	}
	file = cli.ExpandHome(file)
	format, err := app.ParseSessionFormat("", file)
	if err != nil {
		return "", err
	}
	switch err := a.ExportSessionTo(context.Background(), id, file, false, format); {
	case errors.Is(err, atomicfile.ErrExists):
		return "", fmt.Errorf("%w; name another file: /export FILE", err)
	case errors.Is(err, session.ErrNotFound):
		return "", errors.New("nothing to export: this session has no saved messages yet")
	case err != nil:
		return "", err
	}
	return "Saved to " + markdown.QuoteCode(file) + ". API keys were removed.\n", nil
}

// RequestSizeText describes the parts of a request to the model as Markdown.
func RequestSizeText(s agent.RequestSize) string {
	if s.BuiltIn {
		return "No model connected, so nothing is sent. Connect one: /setup or nfa setup.\n"
	}
	var b strings.Builder
	if s.Profile != "" {
		fmt.Fprintf(&b, "Request profile %s, context window %s tokens (from: %s).\n\n", s.Profile, humanize.Number(s.Window), s.Origin)
	}
	b.WriteString("| part | bytes |\n|---|---:|\n")
	for _, part := range s.Parts {
		name := part.Name
		if len(part.Items) > 0 {
			name = fmt.Sprintf("%s (%d)", part.Name, len(part.Items))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", name, humanize.Number(part.Bytes))
	}
	fmt.Fprintf(&b, "| total | %s |\n", humanize.Number(s.Bytes))
	for _, part := range s.Parts {
		if len(part.Items) > 0 {
			fmt.Fprintf(&b, "\nTools: %s\n", strings.Join(part.Items, ", "))
		}
	}
	return b.String()
}
