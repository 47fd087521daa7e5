package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// runningTask is a command at work that the reader may stop.
type runningTask struct {
	*Task
	name string
}

// taskDoneMsg says that it has ended.
type taskDoneMsg struct{ task *runningTask }

// startTask has a command do what takes long, beside the screen. No turn runs meanwhile:
// one that is sent waits its turn.
func (m *Model) startTask(c Command, args string) tea.Cmd {
	// Not in the command: one that Bubble Tea never comes to run would never end.
	w := &runningTask{StartTask(m.ctx, func(ctx context.Context) (string, error) { return c.RunTask(ctx, args) }), c.Name}
	m.task = w
	m.activity.Begin("/" + c.Name)
	return tea.Batch(m.nextTick(w), func() tea.Msg {
		if at := w.Wait(); at != nil {
			return CrashMsg{Site: at}
		}
		return taskDoneMsg{w}
	})
}

// finishTask says what came of the work and goes on with what is queued. Where the
// reader has stopped it, what was queued goes back, as after a turn that was.
func (m *Model) finishTask(msg taskDoneMsg) tea.Cmd {
	if m.task != msg.task {
		return nil
	}
	w := m.task
	text, stopped, err := w.Result()
	w.Cancel()
	m.task = nil
	m.activity.SetTask("")
	m.refreshStatus()
	switch {
	case stopped:
		m.transcript.Say(transcript.Info, "/"+w.name+" was stopped; the conversation is as it was")
	case err != nil:
		m.transcript.Say(transcript.Error, m.errorText(err))
	default:
		m.transcript.Show(text)
	}
	return m.continueQueue(err == nil)
}
