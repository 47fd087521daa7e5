package tui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// runningTurn is the running turn with its part of the transcript.
type runningTurn struct {
	*Turn
	view     *transcript.Turn
	begun    time.Time
	stopping bool // the user stopped it
}

// runningTask is the running task of a command.
type runningTask struct {
	*Task
	name string
}

type (
	// turnMsg carries the events of a turn since the last batch.
	turnMsg struct {
		turn *runningTurn
		EventBatch
	}
	tickMsg     struct{ running any } // a *runningTurn or a *runningTask
	taskDoneMsg struct{ task *runningTask }
	preparedMsg struct {
		submission Submission
		input      agent.Input
		err        error
	}
	resultMsg struct {
		submission Submission
		command    string // name of the command
		CommandResult
	}
	// refreshedMsg carries the commands after a list screen was closed.
	refreshedMsg struct{ commands []Command }
)

// tickEvery is the interval of the spinner. tickReducedMotion is the interval without a spinner, for the
// elapsed time.
const (
	tickEvery         = 125 * time.Millisecond
	tickReducedMotion = time.Second
)

// submit sends a line: a command runs at once, a turn starts now or after the running one.
func (m *Model) submit(written string) tea.Cmd {
	text := strings.TrimSpace(written)
	if text == "" {
		return nil
	}
	remember := m.input.remember(m.ctx, written)
	m.input.composer.Reset()
	m.input.textChanged()
	m.transcript.Follow()
	return tea.Batch(remember, m.send(m.chat.Parse(text)))
}

func (m *Model) send(s Submission) tea.Cmd {
	if c := s.Command; c != nil {
		if act := ownCommandAction(c.Name); act != nil {
			return act(m, s.Args)
		}
		if c.RunTask == nil && c.Kind == KindCommand {
			return m.runCommand(*c, s)
		}
	}
	if m.busy() {
		m.input.queue.Add(s)
		return nil
	}
	return m.startTurn(s)
}

// runCommand runs a command. The model never sees its output.
func (m *Model) runCommand(c Command, from Submission) tea.Cmd {
	switch {
	case c.RunTask != nil:
		return m.startTask(c, from.Args)
	case c.OpensScreen(from.Args):
		return m.openListScreen(c.Open(), from.Args)
	}
	return func() tea.Msg {
		return resultMsg{submission: from, command: c.Name, CommandResult: m.chat.RunCommand(c, from.Args)}
	}
}

func (m *Model) showResult(msg resultMsg) {
	m.setCommands(msg.Commands)
	if missing := AsMissingInput(msg.Err); missing != nil {
		if m.busy() {
			m.transcript.Say(transcript.Error, "/"+msg.command+" needs more values. Send it again after this answer.")
			return
		}
		m.openForm(msg.submission, msg.command, missing)
		return
	}
	if msg.Err != nil {
		m.transcript.Say(transcript.Error, msg.Err.Error())
		return
	}
	m.transcript.ShowChart(msg.Chart, msg.Markdown)
}

// refreshCommands returns the tea.Cmd that refreshes the commands.
func (m *Model) refreshCommands() tea.Cmd {
	if m.chat.Refresh == nil {
		return func() tea.Msg { return refreshedMsg{} }
	}
	return func() tea.Msg { return refreshedMsg{m.chat.Refresh()} }
}

// setCommands replaces the commands, unless commands is nil.
func (m *Model) setCommands(commands []Command) {
	m.refreshStatus()
	if commands != nil {
		m.chat.SetCommands(commands)
		m.input.commandList.SetIndex(m.chat.Commands.CommandIndex)
	}
}

func (m *Model) startTurn(s Submission) tea.Cmd {
	if s.Command != nil && s.Command.RunTask != nil {
		return m.startTask(*s.Command, s.Args)
	}
	if s.IsSkill() || m.chat.NamesFiles(s.Text) {
		m.preparing = true
		return func() tea.Msg {
			input, err := s.Input()
			if err == nil && m.chat.NamesFiles(s.Text) {
				input, err = m.chat.Attach(input)
			}
			return preparedMsg{s, input, err}
		}
	}
	if text := s.UnknownCommand(); text != "" {
		m.transcript.Say(transcript.Info, text)
	}
	return m.runTurn(s.Text, agent.Input{Text: s.Text})
}

func (m *Model) handlePrepared(msg preparedMsg) tea.Cmd {
	m.preparing = false
	s := msg.submission
	if missing := AsMissingInput(msg.err); missing != nil && !m.clearing {
		m.openForm(s, s.Command.Name, missing)
		return nil
	}
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		m.input.takeBack(s)
		return m.continueQueue(false)
	}
	if m.clearing {
		return m.clear()
	}
	shown := s.Text
	if strings.HasPrefix(msg.input.Text, s.Text) {
		shown = msg.input.Text // names the attachments
	}
	return m.runTurn(shown, msg.input)
}

// runTurn starts a turn. text is the question as the transcript shows it.
func (m *Model) runTurn(text string, input agent.Input) tea.Cmd {
	m.turn = &runningTurn{begun: m.chat.Now(), view: m.transcript.Begin(text), Turn: m.chat.StartTurn(m.ctx, input)}
	m.activity.Begin(m.turn.view.Activity())
	return tea.Batch(m.nextBatch(), m.nextTick(m.turn))
}

func (m *Model) nextBatch() tea.Cmd {
	t := m.turn
	return func() tea.Msg { return turnMsg{t, t.Next()} }
}

// nextTick returns the next tick of the spinner of a *runningTurn or a *runningTask, while it runs.
func (m *Model) nextTick(running any) tea.Cmd {
	every := tickEvery
	if m.chat.ReducedMotion {
		every = tickReducedMotion
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{running} })
}

func (m *Model) tick(msg tickMsg) tea.Cmd {
	if msg.running != any(m.turn) && msg.running != any(m.task) {
		return nil
	}
	m.activity.Tick()
	return m.nextTick(msg.running)
}

// stop cancels the running turn or task. Its end arrives as a message.
func (m *Model) stop() {
	if m.task != nil {
		m.task.Cancel()
		m.activity.SetTask("stopping")
	}
	if m.turn != nil {
		m.turn.stopping = true
		m.turn.Cancel()
		m.activity.SetTask("stopping")
	}
}

// handleTurnEvents handles the events of one frame.
func (m *Model) handleTurnEvents(msg turnMsg) tea.Cmd {
	t := m.turn
	if t == nil || t != msg.turn {
		return nil
	}
	crashed := t.Handle(msg.EventBatch, func(e agent.Event) {
		if _, ok := e.(agent.StepDone); ok {
			m.refreshStatus()
		}
		t.view.Handle(e)
	})
	if crashed != nil {
		return func() tea.Msg { return CrashMsg{Site: crashed} }
	}
	if !t.stopping {
		m.activity.SetTask(t.view.Activity())
	}
	if msg.Ended {
		return m.finishTurn()
	}
	return m.nextBatch()
}

// finishTurn ends the turn and continues with the queue.
func (m *Model) finishTurn() tea.Cmd {
	t := m.turn
	notify := m.notify(answerReadyText)
	t.view.End(t.Done, m.chat.Failure(t.Turn))
	m.turn = nil
	m.activity.SetTask("")
	m.refreshStatus()
	return tea.Batch(notify, m.continueQueue(t.EndedWell()))
}

// continueQueue sends the next queued message. After a turn that failed (well is false), queued messages
// return to the composer, because they were written for its answer.
func (m *Model) continueQueue(well bool) tea.Cmd {
	if m.clearing {
		return m.clear()
	}
	if m.input.queue.Len() == 0 {
		return nil
	}
	if !well {
		m.input.takeBack(m.input.queue.Drain()...)
		return nil
	}
	return m.startTurn(m.input.queue.Next())
}

// startTask starts the task of a command. Messages are queued until it has ended.
func (m *Model) startTask(c Command, args string) tea.Cmd {
	// Start the task here and not in the tea.Cmd, which Bubble Tea may never run.
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

// finishTask shows the result of the task and continues with the queue, as after a turn.
func (m *Model) finishTask(msg taskDoneMsg) tea.Cmd {
	if m.task != msg.task {
		return nil
	}
	text, stopped, err := m.task.Result()
	m.task.Cancel()
	m.task = nil
	m.activity.SetTask("")
	m.refreshStatus()
	switch {
	case stopped:
		m.transcript.Say(transcript.Info, StoppedTaskText(msg.task.name))
	case err != nil:
		m.transcript.Say(transcript.Error, m.chat.ErrorText(err))
	default:
		m.transcript.Show(text)
	}
	return m.continueQueue(err == nil)
}

// StoppedTaskText returns the notice for a task that the user stopped.
func StoppedTaskText(command string) string {
	return "/" + command + " stopped. Nothing was changed."
}
