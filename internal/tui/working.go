package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// work is a command at work that the reader may stop.
type work struct {
	name string
	ctx  context.Context // its own: what stops it stops nothing else
	stop context.CancelFunc
}

// workedMsg is what came of it.
type workedMsg struct {
	of       *work
	markdown string
	err      error
}

// startWork has a command do what takes long, beside the screen. No turn runs meanwhile:
// one that is sent waits its turn.
func (m *Model) startWork(c Command, args string) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	w := &work{name: c.Name, ctx: ctx, stop: cancel}
	m.work = w
	m.activity.Begin("/" + c.Name)
	return tea.Batch(m.nextTick(w), func() tea.Msg {
		text, err := c.Work(ctx, args)
		return workedMsg{of: w, markdown: text, err: err}
	})
}

// worked says what came of the work and goes on with what is queued. Where the
// reader has stopped it, what was queued goes back, as after a turn that was.
func (m *Model) worked(msg workedMsg) tea.Cmd {
	if m.work != msg.of {
		return nil
	}
	stopped := msg.of.ctx.Err() != nil && msg.err != nil
	msg.of.stop()
	m.work = nil
	m.activity.Do("")
	m.showStatus()
	switch {
	case stopped:
		m.transcript.Say(transcript.Info, "/"+msg.of.name+" was stopped; the conversation is as it was")
	case msg.err != nil:
		m.transcript.Say(transcript.Error, m.explain(msg.err))
	default:
		m.transcript.Show(msg.markdown)
	}
	return m.afterwards(msg.err == nil)
}
