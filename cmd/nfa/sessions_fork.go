package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui"
)

// forkChat gives a copy of the chat's conversation that ends before turn number from,
// whose question is named: the screen counts what it shows, the record what was
// kept, and a copy of another turn would not be what the reader chose. Where no
// question is named the copy holds all that was said.
func (p *program) forkChat(from int, question string) (*tui.ResumeRequest, error) {
	ctx, id := context.Background(), p.conversation.Load().ID()
	_, entries, err := p.sessions.Load(ctx, id)
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
		return p.newResume(p.startConversation(ctx), nil), nil
	}
	forked, err := p.forkSession(ctx, id, turns)
	if err != nil {
		return nil, err
	}
	c, entriesSoFar, err := p.resumeSession(ctx, forked.ID)
	if err != nil {
		return nil, err
	}
	return p.newResume(c, entriesSoFar), nil
}

// newResume is a conversation for the chat to go on with, answered by who answers now.
func (p *program) newResume(c *agent.Conversation, entries []session.Entry) *tui.ResumeRequest {
	return &tui.ResumeRequest{Conversation: c, History: entries, Done: func(entered bool) {
		if entered {
			p.setConversation(c)
			return
		}
		p.openSessions.releaseOne(c.ID())
	}}
}

// turnsBefore counts the turns on record before the one with the question: that
// number from, or where a turn was shown and not recorded, the last with its words.
func turnsBefore(entries []session.Entry, from int, question string) (int, error) {
	if question == "" {
		return 0, nil
	}
	position, turn := -1, 0
	for _, e := range entries {
		if e.Kind != session.KindUser {
			continue
		}
		turn++
		text := agent.DisplayOf(e).Text
		if text == "" {
			text = e.Message.Content
		}
		if text == question && (turn <= from || position < 0) {
			position = turn - 1
		}
	}
	if position < 0 {
		return 0, fmt.Errorf("that question was not kept, so there is nothing to make a copy of; write it again")
	}
	return position, nil
}

// exportChat is /export: the conversation of the chat, into a file.
func (p *program) exportChat(file string) (string, error) {
	id := p.conversation.Load().ID()
	if file == "" {
		file = id + ".md"
	}
	file = cli.ExpandHome(file)
	format, err := exportFormat("", file)
	if err != nil {
		return "", err
	}
	switch err := p.exportTo(context.Background(), id, file, false, format); {
	case errors.Is(err, atomicfile.ErrExists):
		return "", fmt.Errorf("%w; name another file: /export FILE", err)
	case errors.Is(err, session.ErrNotFound):
		return "", errors.New("nothing of this conversation is kept yet, so there is nothing to export")
	case err != nil:
		return "", err
	}
	return "The conversation is in " + markdown.QuoteCode(cli.ShortPath(file)) + ", without keys that were said in it.\n", nil
}
