package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/tui"
)

// commands returns the slash commands that the program adds to those of the chat, then the skills.
func (p *program) commands(g *globals) []tui.Command {
	return slices.Concat(p.builtinCommands(g), p.toolSlashCommands(), p.skillScreen(g).Commands())
}

func (p *program) builtinCommands(g *globals) []tui.Command {
	models := func() *tui.ListScreen { return p.modelScreen(g).Screen() }
	agents := func() *tui.ListScreen { return p.agentScreen().Screen() }
	tools := p.toolScreen()
	return []tui.Command{
		{Name: "skills", About: "browse, read and manage the skills", Kind: tui.KindCommand, Open: func() *tui.ListScreen { return p.skillScreen(g).Screen() }},
		{Name: "sessions", About: "browse, read, resume, fork, export and delete conversations", Kind: tui.KindCommand, Open: func() *tui.ListScreen { return p.sessionScreen().Screen() }},
		{Name: "model", Hint: "[provider/model]", About: "which model answers, and the others to choose from", Kind: tui.KindCommand, Open: models, Show: p.switchModel, CompleteArgs: screens.ItemNames(models)},
		{Name: "agent", Hint: "[name]", About: "who answers, and who else could", Kind: tui.KindCommand, Open: agents, Show: func(name string) (string, error) { return p.agentScreen().Command(name) }, CompleteArgs: screens.ItemNames(agents)},
		{Name: "setup", About: "connect a model, and say what your book needs; Esc leaves it", Kind: tui.KindCommand, Show: func(string) (string, error) { return p.runSetup(g) }},
		{Name: "profile", About: "who you are as an investor, in a form; every answer may stay open", Kind: tui.KindCommand, Show: p.profileForm(g)},
		{Name: "symbols", Hint: "[words]", About: "the symbols that are known here: your own, and all others", Kind: tui.KindCommand, Open: func() *tui.ListScreen { return p.symbolScreen().Screen() }},
		{Name: "tools", Hint: "[name]", About: "what the assistant can call, and what each takes", Kind: tui.KindCommand, Open: tools.Screen, Show: tools.Command, CompleteArgs: tools.Completions},
		{Name: "why", Hint: "[3 | 23.4%]", About: "where a figure of the last answer comes from: its footnote or the number itself", Kind: tui.KindCommand, Show: p.why},
		{Name: "export", Hint: "[file]", About: "write this conversation to a file, .md to read or .json", Kind: tui.KindCommand, Show: p.exportChat},
		{Name: "cost", About: "what the last turn and the conversation used, in tokens and money", Kind: tui.KindCommand, Show: func(string) (string, error) { return cli.UsageReport(p.usage()), nil }},
		{Name: "context", About: "show what the next request to the model holds, with sizes", Kind: tui.KindCommand, Show: p.showContext},
		{Name: "compact", About: "summarise what was said, to make room; the transcript stays", Kind: tui.KindCommand, RunTask: p.compact},
		{Name: "reload", About: "scan the skills again", Kind: tui.KindCommand, Show: p.reload},
	}
}

// reload scans the skills again and reports what changed.
func (p *program) reload(string) (string, error) {
	changes, err := p.skillLibrary.Rescan()
	if err != nil {
		return "", err
	}
	return "- " + strings.Join(changes, "\n- ") + "\n", nil
}

// compact summarizes the conversation of the chat so that it uses less of the context window.
func (p *program) compact(ctx context.Context, _ string) (string, error) {
	compacted, err := p.conversation.Load().Compact(ctx)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return "", errors.New("an answer is still coming; /compact once it is done")
	case err != nil:
		return "", err
	case !compacted.Summarised && compacted.After >= compacted.Before:
		return "There is nothing to leave out yet: the last turns always stay as they are.\n", nil
	}
	note := ""
	if compacted.Outline {
		note = " The model wrote no summary: what you said and how each answer began stand for it."
	}
	return fmt.Sprintf("The next question is sent with about %d tokens, instead of %d. The transcript and the skills that were loaded stay whole.%s\n", compacted.After, compacted.Before, note), nil
}

// usage is what the conversation of the chat has used so far.
func (p *program) usage() agent.UsageSummary {
	if talk := p.conversation.Load(); talk != nil {
		return talk.UsageSummary()
	}
	return agent.UsageSummary{}
}

// why shows how figures of the last answer trace back to tool results.
func (p *program) why(figure string) (string, error) {
	report, err := p.conversation.Load().Why(figure)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return "", errors.New("an answer is still coming; /why once it is done")
	case errors.Is(err, agent.ErrNoFigures):
		return "There is nothing to explain yet: " + err.Error() + ".\n", nil
	case err != nil:
		return "", err
	}
	return cli.Why(report, figure), nil
}
