package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/pump"
	"github.com/nfa-cli/nfa/internal/tui/stage"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// work is a command at work that the reader may stop.
type work struct {
	*pump.Work
	name string
}

// workedMsg says that it has ended.
type workedMsg struct{ of *work }

// startWork has a command do what takes long, beside the screen. No turn runs meanwhile:
// one that is sent waits its turn.
func (m *Model) startWork(c Command, args string) tea.Cmd {
	// Not in the command: one that Bubble Tea never comes to run would never end.
	w := &work{pump.Begin(m.ctx, func(ctx context.Context) (string, error) { return c.Work(ctx, args) }), c.Name}
	m.work = w
	m.activity.Begin("/" + c.Name)
	return tea.Batch(m.nextTick(w), func() tea.Msg {
		if at := w.Wait(); at != nil {
			return stage.Crash{At: at}
		}
		return workedMsg{w}
	})
}

// worked says what came of the work and goes on with what is queued. Where the
// reader has stopped it, what was queued goes back, as after a turn that was.
func (m *Model) worked(msg workedMsg) tea.Cmd {
	if m.work != msg.of {
		return nil
	}
	w := m.work
	text, stopped, err := w.Result()
	w.Cancel()
	m.work = nil
	m.activity.Do("")
	m.showStatus()
	switch {
	case stopped:
		m.transcript.Say(transcript.Info, "/"+w.name+" was stopped; the conversation is as it was")
	case err != nil:
		m.transcript.Say(transcript.Error, m.explain(err))
	default:
		m.transcript.Show(text)
	}
	return m.afterwards(err == nil)
}
