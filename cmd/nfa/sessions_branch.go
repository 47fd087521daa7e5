package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/diskfile"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

// branch gives a copy of the chat's conversation that ends before turn number from,
// whose question is named: the screen counts what it shows, the record what was
// kept, and a copy of another turn would not be what the reader chose. Where no
// question is named the copy holds all that was said.
func (h *house) branch(from int, question string) (*tui.Resume, error) {
	ctx, id := context.Background(), h.talk.Load().ID()
	_, entries, err := h.store.Load(ctx, id)
	switch {
	case errors.Is(err, session.ErrNotFound):
		return nil, errors.New("nothing of this conversation is kept yet, so there is nothing to make a copy of")
	case err != nil:
		return nil, err
	}
	turns, err := turnsBefore(entries, from, question)
	if err != nil {
		return nil, err
	}
	if turns == 0 && question != "" {
		return h.inPlace(h.begin(ctx), nil), nil
	}
	made, err := h.fork(ctx, id, turns)
	if err != nil {
		return nil, err
	}
	c, kept, err := h.resume(ctx, made.ID)
	if err != nil {
		return nil, err
	}
	return h.inPlace(c, kept), nil
}

// inPlace is a conversation for the chat to go on with, answered by who answers now.
func (h *house) inPlace(c *agent.Conversation, entries []session.Entry) *tui.Resume {
	return &tui.Resume{Conversation: c, History: entries, Done: func(entered bool) {
		if entered {
			h.enter(c)
			return
		}
		h.open.letGo(c.ID())
	}}
}

// turnsBefore counts the turns on record before the one with the question: that
// number from, or where a turn was shown and not recorded, the last with its words.
func turnsBefore(entries []session.Entry, from int, question string) (int, error) {
	if question == "" {
		return 0, nil
	}
	at, turn := -1, 0
	for _, e := range entries {
		if e.Kind != session.KindUser {
			continue
		}
		turn++
		asked := agent.DisplayOf(e).Text
		if asked == "" {
			asked = e.Message.Content
		}
		if asked == question && (turn <= from || at < 0) {
			at = turn - 1
		}
	}
	if at < 0 {
		return 0, fmt.Errorf("that question was not kept, so there is nothing to make a copy of; write it again")
	}
	return at, nil
}

// exportHere is /export: the conversation of the chat, into a file.
func (h *house) exportHere(file string) (string, error) {
	id := h.talk.Load().ID()
	if file == "" {
		file = id + ".md"
	}
	file = console.Expand(file)
	form, err := exportForm("", file)
	if err != nil {
		return "", err
	}
	switch err := h.exportTo(context.Background(), id, file, false, form); {
	case errors.Is(err, diskfile.ErrThere):
		return "", fmt.Errorf("%w; name another file: /export FILE", err)
	case errors.Is(err, session.ErrNotFound):
		return "", errors.New("nothing of this conversation is kept yet, so there is nothing to export")
	case err != nil:
		return "", err
	}
	return "The conversation is in " + markdown.Code(console.Path(file)) + ", without keys that were said in it.\n", nil
}
