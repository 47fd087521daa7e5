package agent

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

// CommandRecord is a slash command with its result. It is part of the transcript and of exports, and
// is never sent to the model.
type CommandRecord struct {
	Line   string // as the user sent it: "/checkup"
	Output string // Markdown
	Chart  *chart.Spec
	View   *CommandView // of a tool's result; nil for other output
	Error  string
	// StartsSession saves the session if this command is its first entry. Other commands are not recorded in
	// an empty session, so that looking at a setting leaves no session behind.
	StartsSession bool
}

// RecordCommand saves a command in the session, and reports whether it did. It returns ErrBusy while a
// turn is running.
func (c *Conversation) RecordCommand(ctx context.Context, r CommandRecord) (recorded bool, err error) {
	leave, err := c.gate.enter()
	if err != nil {
		return false, err
	}
	defer leave()
	if !c.stored && !r.StartsSession {
		return false, nil
	}
	d := Display{Command: r.Line, Output: r.Output, Chart: r.Chart, Error: r.Error}
	if v := r.View; v != nil {
		d.Keys, d.About, d.Body, d.SampleNotice, d.Attribution = v.Keys, &v.About, v.Body, v.SampleNotice, &v.Attribution
	}
	e := entry(session.KindNote, llm.Message{}, d)
	e.At = c.agent.cfg.Now()
	if c.stored {
		err = c.agent.cfg.Store.Append(ctx, c.id, e)
	} else {
		err = c.create(ctx, r.Line, e)
	}
	if err != nil {
		return false, fmt.Errorf("save the command: %w", err)
	}
	return true, nil
}

// create saves the session with its first entries.
func (c *Conversation) create(ctx context.Context, firstLine string, entries ...session.Entry) error {
	now := c.agent.cfg.Now()
	s := session.Session{ID: c.id, Title: session.TitleOf(firstLine), CreatedAt: now, UpdatedAt: now}
	if c.agent.cfg.ModelName != nil {
		s.Model = c.agent.cfg.ModelName()
	}
	if err := c.agent.cfg.Store.Create(ctx, s, entries...); err != nil {
		return err
	}
	c.stored = true
	return nil
}
