package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/tui/stage"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// work is a command at work that the reader may stop.
type work struct {
	name string
	ctx  context.Context // its own: what stops it stops nothing else
	stop context.CancelFunc

	done     chan struct{} // closed when it has ended; what follows is set before
	markdown string
	err      error
	crashed  error // a *crash.Site where it panicked
}

// workedMsg says that it has ended.
type workedMsg struct{ of *work }

// startWork has a command do what takes long, beside the screen. No turn runs meanwhile:
// one that is sent waits its turn.
func (m *Model) startWork(c Command, args string) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	w := &work{name: c.Name, ctx: ctx, stop: cancel, done: make(chan struct{})}
	m.work = w
	m.activity.Begin("/" + c.Name)
	// Not in the command: one that Bubble Tea never comes to run would never end.
	go w.run(c, args)
	return tea.Batch(m.nextTick(w), w.ended)
}

func (w *work) run(c Command, args string) {
	defer close(w.done)
	defer crash.Catch(&w.crashed)
	w.markdown, w.err = c.Work(w.ctx, args)
}

// ended waits for the end.
func (w *work) ended() tea.Msg {
	<-w.done
	if at, ok := errors.AsType[*crash.Site](w.crashed); ok {
		return stage.Crash{At: at}
	}
	return workedMsg{w}
}

// settle stops the work and waits until it has kept what came of it, but not for ever.
func (w *work) settle(limit time.Duration) {
	w.stop()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-w.done:
	case <-timer.C:
	}
}

// worked says what came of the work and goes on with what is queued. Where the
// reader has stopped it, what was queued goes back, as after a turn that was.
func (m *Model) worked(msg workedMsg) tea.Cmd {
	if m.work != msg.of {
		return nil
	}
	w := m.work
	stopped := w.ctx.Err() != nil && w.err != nil
	w.stop()
	m.work = nil
	m.activity.Do("")
	m.showStatus()
	switch {
	case stopped:
		m.transcript.Say(transcript.Info, "/"+w.name+" was stopped; the conversation is as it was")
	case w.err != nil:
		m.transcript.Say(transcript.Error, m.explain(w.err))
	default:
		m.transcript.Show(w.markdown)
	}
	return m.afterwards(w.err == nil)
}
