package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// runningTask is a running command that the user can stop.
type runningTask struct {
	*Task
	name string
}

// taskDoneMsg says that a task has ended.
type taskDoneMsg struct{ task *runningTask }

// startTask starts the task of a command. No turn starts before it has ended; what is sent waits
// in the queue.
func (m *Model) startTask(c Command, args string) tea.Cmd {
	// Started here and not in the command: a task whose command Bubble Tea never runs would never
	// end.
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

// finishTask shows the result of the task and continues with the queue. If the user stopped the
// task, queued messages return to the composer, as after a stopped turn.
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
