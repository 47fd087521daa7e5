package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/shelves"
	"github.com/nfa-cli/nfa/internal/tui"
)

// commands is what "/" offers in the chat beside the view's own: one line each,
// then the skills.
func (h *house) commands(g *globals) []tui.Command {
	return slices.Concat(h.plainCommands(g), h.doorCommands(), h.skillList(g).Commands())
}

func (h *house) plainCommands(g *globals) []tui.Command {
	models := func() *tui.Shelf { return h.modelList(g).Shelf() }
	agents := func() *tui.Shelf { return h.agents().Shelf() }
	tools := h.toolList()
	return []tui.Command{
		{Name: "skills", About: "browse, read and manage the skills", Kind: tui.KindCommand, Open: func() *tui.Shelf { return h.skillList(g).Shelf() }},
		{Name: "sessions", About: "browse, read, resume, fork, export and delete conversations", Kind: tui.KindCommand, Open: func() *tui.Shelf { return h.sessionList().Shelf() }},
		{Name: "model", Hint: "[provider/model]", About: "which model answers, and the others to choose from", Kind: tui.KindCommand, Open: models, Show: h.switchModel, Words: shelves.Choices(models)},
		{Name: "agent", Hint: "[name]", About: "who answers, and who else could", Kind: tui.KindCommand, Open: agents, Show: func(words string) (string, error) { return h.agents().Show(words) }, Words: shelves.Choices(agents)},
		{Name: "setup", About: "connect a model, and say what your book needs; Esc leaves it", Kind: tui.KindCommand, Show: func(string) (string, error) { return h.onboard(g) }},
		{Name: "profile", About: "who you are as an investor, in a form; every answer may stay open", Kind: tui.KindCommand, Show: h.profileForm(g)},
		{Name: "symbols", Hint: "[words]", About: "the symbols that are known here: your own, and all others", Kind: tui.KindCommand, Open: func() *tui.Shelf { return h.symbols().Shelf() }},
		{Name: "tools", Hint: "[name]", About: "what the assistant can call, and what each takes", Kind: tui.KindCommand, Open: tools.Shelf, Show: tools.Show, Words: tools.Words},
		{Name: "why", Hint: "[3 | 23.4%]", About: "where a figure of the last answer comes from: its footnote or the number itself", Kind: tui.KindCommand, Show: h.why},
		{Name: "export", Hint: "[file]", About: "write this conversation to a file, .md to read or .json", Kind: tui.KindCommand, Show: h.exportHere},
		{Name: "cost", About: "what the last turn and the conversation used, in tokens and money", Kind: tui.KindCommand, Show: func(string) (string, error) { return answer.Costs(h.account()), nil }},
		{Name: "compact", About: "summarise what was said, to make room; the transcript stays", Kind: tui.KindCommand, Work: h.compact},
		{Name: "reload", About: "scan the skills again", Kind: tui.KindCommand, Show: h.reload},
	}
}

// reload scans the skills again and says what it found different.
func (h *house) reload(string) (string, error) {
	found, err := h.set.Rescan()
	if err != nil {
		return "", err
	}
	return "- " + strings.Join(found, "\n- ") + "\n", nil
}

// compact makes room in the conversation of the chat.
func (h *house) compact(ctx context.Context, _ string) (string, error) {
	done, err := h.talk.Load().Compact(ctx)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return "", errors.New("an answer is still coming; /compact once it is done")
	case err != nil:
		return "", err
	case !done.Summarised && done.After >= done.Before:
		return "There is nothing to leave out yet: the last turns always stay as they are.\n", nil
	}
	how := ""
	if done.Outline {
		how = " The model wrote no summary: what you said and how each answer began stand for it."
	}
	return fmt.Sprintf("The next question is sent with about %d tokens, instead of %d. The transcript and the skills that were loaded stay whole.%s\n", done.After, done.Before, how), nil
}

// account is what the conversation of the chat has used so far.
func (h *house) account() agent.Account {
	if talk := h.talk.Load(); talk != nil {
		return talk.Account()
	}
	return agent.Account{}
}

// why shows the chain behind figures of the last answer.
func (h *house) why(asked string) (string, error) {
	report, err := h.talk.Load().Why(asked)
	switch {
	case errors.Is(err, agent.ErrBusy):
		return "", errors.New("an answer is still coming; /why once it is done")
	case errors.Is(err, agent.ErrNoFigures):
		return "There is nothing to explain yet: " + err.Error() + ".\n", nil
	case err != nil:
		return "", err
	}
	return answer.Why(report, asked), nil
}
