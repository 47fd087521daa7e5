package screens

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
	"github.com/nfa-cli/nfa/internal/usage"
)

// commandRunner runs slash commands of the command table.
type commandRunner struct {
	app *app.App
	env Environment
	// actions are the commands that the chat implements, by their listed names.
	actions map[string]tui.Command
}

// run runs the command of a row, or the subcommand that args name.
func (r commandRunner) run(ctx context.Context, row app.Command, args string) (tui.CommandOutput, error) {
	if row.Name == "" { // only in the chat
		return r.actions[row.Slash].Run(ctx, args)
	}
	words, err := cli.SplitWords(args)
	if err != nil {
		return tui.CommandOutput{}, row.UsageError(err)
	}
	row, words, _ = app.LookupSlash(append(strings.Fields(row.Name), words...))
	if c := r.actions[row.Slash]; c.Run != nil && row.Slash != "" {
		return c.Run(ctx, strings.Join(words, " "))
	}
	switch {
	case row.NeedsTerminal:
		return tui.CommandOutput{}, fmt.Errorf("/%s does not run in the chat; run in a terminal: nfa %s", row.Name, strings.TrimSpace(row.Name+" "+row.Args))
	case row.Tool != "":
		return r.callTool(ctx, row, words)
	}
	return r.runCommandLine(ctx, row, words)
}

// callTool makes the same call as the command line. It uses the tools of the user and not those of
// the active agent.
func (r commandRunner) callTool(ctx context.Context, row app.Command, words []string) (tui.CommandOutput, error) {
	call, err := row.ParseSlash(words)
	if err != nil {
		return tui.CommandOutput{}, err
	}
	approver := &userApprover{row: row, words: words, yes: call.Yes, confirm: r.env.Confirm}
	tools, err := r.app.UserTools(approver)
	if err != nil {
		return tui.CommandOutput{}, err
	}
	o, err := tools.Call(ctx, llm.ToolCall{ID: "command", Name: row.Tool, Arguments: call.Arguments})
	result := o.Result
	// For a user, an empty list is a valid result; a model gets an error so that it does not invent one.
	empty := result.Code == tool.CodeNoData && !row.Writes && r.isPrivate(row.Tool) && r.app.HasNoData(ctx, row.Tool)
	switch {
	case err != nil && !approver.approved:
		return tui.CommandOutput{}, err
	case approver.declined:
		return tui.CommandOutput{Markdown: "Nothing was changed.\n"}, nil
	case call.JSON:
		text, err := app.ResultJSON(cli.NewToolResult(o))
		return tui.CommandOutput{Markdown: text}, err
	case result.IsError && !empty:
		return tui.CommandOutput{}, errors.New(row.WithFlags(cli.FailureText(result)))
	}
	out := tui.CommandOutput{Chart: result.Chart, Markdown: result.UserText()}
	if c := r.app.Conversation(); c != nil {
		out.View = c.View(o)
	}
	return out, nil
}

func (r commandRunner) isPrivate(name string) bool {
	t, ok := r.app.Tools.Lookup(name)
	return ok && t.Private
}

// userApprover asks about the changes of a command that the user sent.
type userApprover struct {
	row     app.Command
	words   []string
	yes     bool
	confirm func(ctx context.Context, question string, detail []string) (bool, error)

	approved, declined bool
}

// Approve implements [tool.Approver].
func (u *userApprover) Approve(ctx context.Context, a tool.Approval) (tool.Answer, error) {
	switch {
	case u.yes || u.row.Unasked:
		u.approved = true
	case u.confirm == nil:
		return tool.Answer{Reason: "confirmation required: pass --yes"}, nil
	default:
		yes, err := u.confirm(ctx, u.question(), a.Plan)
		if err != nil {
			return tool.Answer{}, err
		}
		u.approved, u.declined = yes, !yes
	}
	return tool.Answer{Allowed: u.approved, Person: true}, nil
}

func (u *userApprover) question() string {
	if _, verb := app.SplitCommand(u.row.Name); verb == "remove" && len(u.words) > 0 {
		return "Remove " + u.words[0] + "?"
	}
	return "Save these changes?"
}

// runCommandLine runs a command that is more than a tool call as the command line does.
func (r commandRunner) runCommandLine(ctx context.Context, row app.Command, words []string) (tui.CommandOutput, error) {
	if err := row.MissingArguments(words); err != nil {
		return tui.CommandOutput{}, err
	}
	if r.env.CommandLine == nil {
		return tui.CommandOutput{}, fmt.Errorf("/%s is not available here; run in a terminal: nfa %[1]s", row.Name)
	}
	for i, word := range words {
		words[i] = cli.ExpandHome(word)
	}
	text, err := r.env.CommandLine(ctx, append(strings.Fields(row.Name), words...))
	var mistake *usage.Error
	if errors.As(err, &mistake) {
		reason, _, _ := strings.Cut(err.Error(), "; usage: ")
		return tui.CommandOutput{}, row.UsageError(errors.New(reason))
	}
	if err != nil {
		return tui.CommandOutput{}, err
	}
	// The chat's own state follows what the command saved.
	switch group, _, _ := strings.Cut(row.Name, " "); {
	case row.Name == "models use":
		err = r.app.UseModel(words[0])
	case group == "skills":
		_, err = r.app.Skills.Rescan()
	}
	switch row.Name {
	case "sessions show", "skills show", "agents show", "tools show":
		return tui.CommandOutput{Markdown: text}, err
	}
	return tui.CommandOutput{Markdown: codeBlock(text)}, err
}

// codeBlock returns aligned text as Markdown.
func codeBlock(text string) string {
	text = strings.TrimRight(text, "\n")
	if !strings.Contains(text, "\n") {
		return widget.EscapeMarkdown(text) + "\n"
	}
	return "```text\n" + strings.ReplaceAll(text, "```", "'''") + "\n```\n"
}
