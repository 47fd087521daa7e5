package screens

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Environment is what slash commands need besides the services. Its zero value confirms nothing and
// runs only commands of tools and of the chat.
type Environment struct {
	// Confirm asks the user about a change, with a line for each part of it.
	Confirm func(ctx context.Context, question string, detail []string) (bool, error)
	// CommandLine runs a command of nfa that is more than a tool call, and returns what it prints.
	CommandLine func(ctx context.Context, words []string) (string, error)
}

// Commands returns the slash commands of the table, then the skills. It omits commands of tools
// without a source.
func Commands(a *app.App, env Environment) []tui.Command {
	r := commandRunner{a, env, actions(a)}
	var commands []tui.Command
	for _, row := range app.Commands() {
		listed, names := row.SlashNames()
		if len(names) == 0 || row.NeedsTerminal || row.Hidden && row.Slash == "" || tui.IsOwnCommand(listed) {
			continue
		}
		c, handled := r.actions[listed]
		if _, ok := a.Tools.Lookup(row.Tool); !handled && row.Tool != "" && !ok {
			continue
		}
		c.Hint, c.About, c.Kind, c.Activity = row.Hint(), row.About, tui.KindCommand, row.Activity
		c.StartsSession = row.Tool != ""
		subcommands := app.Subcommands(row.Name)
		if c.Open != nil && c.Run == nil && row.Tool == "" {
			c.Filters = func(args string) bool {
				word, _, _ := strings.Cut(args, " ")
				return !slices.Contains(subcommands, word)
			}
		}
		c.CompleteArgs = argumentCompleter(row, c.CompleteArgs, subcommands)
		c.Run = func(ctx context.Context, args string) (tui.CommandOutput, error) {
			out, err := r.run(ctx, row, args)
			if err != nil {
				err = chatError{err}
			}
			return out, err
		}
		for _, c.Name = range names {
			c.Hidden = row.Hidden || c.Name != listed
			commands = append(commands, c)
		}
	}
	return append(commands, Skills{a}.Commands()...)
}

// chatError is an error that names commands as they are typed in the chat.
type chatError struct{ error }

func (e chatError) Error() string { return app.InChat(e.error.Error()) }
func (e chatError) Unwrap() error { return e.error }

// argumentCompleter returns the completions after the name of a command: those of the row, else own,
// else its subcommands.
func argumentCompleter(row app.Command, own func(string) []string, subcommands []string) func(string) []string {
	switch {
	case row.Complete != nil:
		return func(text string) []string { return row.Complete(strings.Fields(text)) }
	case own != nil || len(subcommands) == 0:
		return own
	}
	return func(text string) []string {
		if text != "" {
			return nil
		}
		return subcommands
	}
}

// actions returns the slash commands that the chat implements, by name.
func actions(a *app.App) map[string]tui.Command {
	withoutArgs := func(show func() (string, error)) func(context.Context, string) (tui.CommandOutput, error) {
		return tui.TextCommand(func(string) (string, error) { return show() })
	}
	tools := Tools{a}
	return map[string]tui.Command{
		"skills":    {Open: Skills{a}.Screen},
		"sessions":  {Open: Sessions{a}.Screen},
		"model":     {Open: Models{a}.Screen, Run: tui.TextCommand(Models{a}.Command), CompleteArgs: itemNames(Models{a}.Screen)},
		"agent":     {Open: Agents{a}.Screen, Run: tui.TextCommand(Agents{a}.Command), CompleteArgs: itemNames(Agents{a}.Screen)},
		"tools":     {Open: tools.Screen, Run: tui.TextCommand(tools.Command), CompleteArgs: tools.Completions},
		"symbols":   {Open: Symbols{a}.Screen},
		"watchlist": {Open: Watchlist{a}.Screen},
		"portfolio": {Open: Portfolio{a}.Screen, PlainText: true},
		"setup":     {Open: Setup{a}.Screen},
		"profile":   {Run: withoutArgs(func() (string, error) { return a.ProfileEditor(nil, nil).Form(context.Background()) })},
		"why":       {Run: func(ctx context.Context, figure string) (tui.CommandOutput, error) { return whyCommand(ctx, a, figure) }},
		"export":    {Run: tui.TextCommand(func(file string) (string, error) { return export(a, file) })},
		"cost":      {Run: withoutArgs(func() (string, error) { return cli.UsageReport(a.Usage()), nil })},
		"context": {Run: withoutArgs(func() (string, error) {
			size, err := a.Conversation().RequestSize()
			return RequestSizeText(size), err
		})},
		"compact": {Run: func(ctx context.Context, _ string) (tui.CommandOutput, error) {
			text, err := compact(ctx, a.Conversation())
			return tui.CommandOutput{Markdown: text}, err
		}},
		"reload": {Run: withoutArgs(func() (string, error) {
			changes, err := a.Skills.Rescan()
			return "- " + strings.Join(changes, "\n- ") + "\n", err
		})},
	}
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
			if action.Action != "screen-enter" {
				continue
			}
			for _, i := range screen.Items() {
				if !i.Problem && !i.Folded && (action.AppliesTo == nil || action.AppliesTo(i)) {
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
		note = " The model wrote no summary, so your messages and the beginning of each answer are kept."
	}
	return fmt.Sprintf("Compacted: %s -> %s tokens. Your transcript and loaded skills are unchanged.%s\n", humanize.Number(compacted.Before), humanize.Number(compacted.After), note), nil
}

// export writes the session to a file. Without a name it asks for one.
func export(a *app.App, name string) (string, error) {
	id := a.Conversation().ID()
	if _, _, err := a.LoadSession(context.Background(), id); errors.Is(err, session.ErrNotFound) {
		return "", errors.New("nothing to export: this session has no saved messages yet")
	}
	file, err := filepath.Abs(cli.ExpandHome(cmp.Or(name, "session-"+a.Now().Format(time.DateOnly)+".md")))
	if err != nil {
		return "", err
	}
	if name == "" {
		return "", &tui.MissingInputError{
			Title:  "export",
			Fields: []widget.FormField{{Name: "file", Value: file, Required: true, About: "path of the new file; .md or .json"}},
			Line:   func(values map[string]string) (string, error) { return "/export " + values["file"], nil },
		}
	}
	format, err := app.ParseSessionFormat("", file)
	if err != nil {
		return "", err
	}
	switch err := a.ExportSessionTo(context.Background(), id, file, false, format); {
	case errors.Is(err, atomicfile.ErrExists):
		return "", fmt.Errorf("%w; name another file: /export FILE", err)
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

// whyCommand explains a figure of the conversation, or an alert by its ID.
func whyCommand(ctx context.Context, a *app.App, text string) (tui.CommandOutput, error) {
	if app.IsAlertID(text) {
		one, err := a.FindAlert(ctx, text)
		return tui.CommandOutput{Markdown: app.ExplainAlert(one)}, err
	}
	return Figures{a}.Command(text)
}
