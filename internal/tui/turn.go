package tui

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
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
	submission Submission
	echo       transcript.CommandLine
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
	// formCanceledMsg carries the result of MissingInputError.OnCancel.
	formCanceledMsg struct {
		submission Submission
		text       string
		err        error
	}
	// refreshedMsg carries the commands after a list screen was closed.
	refreshedMsg struct{ commands []Command }
)

// tickEvery is the interval of the spinner. With reduced motion there is no spinner, and the elapsed time
// changes every widget.ReducedMotionStep.
const (
	tickEvery = 125 * time.Millisecond
)

// submit sends a line: a screen opens at once, a command or a turn starts now or after the running one.
func (m *Model) submit(written string) tea.Cmd {
	text := strings.TrimSpace(written)
	if text == "" {
		return nil
	}
	s := m.chat.Parse(written)
	if s.Unknown != nil {
		m.input.refuse(text, *s.Unknown)
		return nil
	}
	s.Pasted = m.input.composer.Pasted()
	remember := m.input.remember(m.ctx, written)
	m.input.composer.Reset()
	m.input.textChanged()
	m.transcript.Follow()
	return tea.Batch(remember, m.send(s))
}

func (m *Model) send(s Submission) tea.Cmd {
	if c := s.Command; c != nil {
		if act := ownCommandAction(c.Name); act != nil {
			return act(m, s.Args)
		}
		if c.OpensScreen(s.Args) {
			return m.openListScreen(c.Open(), s.Args)
		}
	}
	if m.busy() {
		m.input.queue.Add(s)
		return nil
	}
	return m.start(s)
}

// refreshCommands returns the tea.Cmd that refreshes the commands.
func (m *Model) refreshCommands() tea.Cmd {
	if m.chat.Refresh == nil {
		return func() tea.Msg { return refreshedMsg{} }
	}
	return func() tea.Msg { return refreshedMsg{m.chat.Refresh()} }
}

// commandsChanged refreshes the status and the command list after a command or a reload.
func (m *Model) commandsChanged() {
	m.refreshStatus()
	m.input.commandList.SetIndex(m.chat.Commands.CommandIndex)
}

// start starts a command or a turn. Nothing else may be running.
func (m *Model) start(s Submission) tea.Cmd {
	if s.Command != nil && s.Command.Kind == KindCommand {
		return m.startCommand(s)
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
	return m.runTurn(s.Text, agent.Input{Text: s.Text, Pasted: s.Pasted})
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
		every = widget.ReducedMotionStep
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{running} })
}

func (m *Model) tick(msg tickMsg) tea.Cmd {
	if msg.running != any(m.turn) && msg.running != any(m.task) {
		return nil
	}
	m.activity.Tick()
	if m.turn != nil {
		m.turn.view.Tick(m.st.ElapsedStep())
	}
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
		m.startSession()
		well = true // what was sent after /clear is for the new session
	}
	if m.input.queue.Len() == 0 {
		return nil
	}
	if !well {
		m.input.takeBack(m.input.queue.Drain()...)
		return nil
	}
	return m.start(m.input.queue.Next())
}

// startCommand shows the line and starts its command. Messages are queued until it has ended.
func (m *Model) startCommand(s Submission) tea.Cmd {
	echo := m.transcript.AddCommand(s.Text)
	// Start the task here and not in the tea.Cmd, which Bubble Tea may never run.
	w := &runningTask{m.chat.StartCommand(m.ctx, s), s, echo}
	m.task = w
	m.activity.Begin(cmp.Or(s.Command.Activity, "/"+s.Command.Name))
	return tea.Batch(m.nextTick(w), func() tea.Msg {
		if at := w.Wait(); at != nil {
			return CrashMsg{Site: at}
		}
		return taskDoneMsg{w}
	})
}

// dropTask cancels the running command and ignores its result.
func (m *Model) dropTask() {
	if m.task != nil {
		m.task.Cancel()
		m.task = nil
		m.activity.SetTask("")
	}
}

// finishTask shows the result of the command and continues with the queue, as after a turn. It ignores
// a command that was dropped.
func (m *Model) finishTask(msg taskDoneMsg) tea.Cmd {
	if m.task != msg.task {
		return nil
	}
	result, stopped := m.task.Result()
	m.dropTask()
	m.chat.Apply(result)
	m.commandsChanged()
	s := msg.task.submission
	if missing := AsMissingInput(result.Err); missing != nil && !m.clearing {
		m.transcript.RemoveCommand(msg.task.echo) // the form asks for a complete line
		m.openForm(s, s.Command.Name, missing)
		return nil
	}
	switch {
	case stopped:
		m.transcript.Say(transcript.Info, StoppedTaskText(s.Command.Name))
	case result.Err != nil:
		m.transcript.Say(transcript.Error, m.chat.ErrorText(result.Err))
	case result.Screen != nil && !m.clearing:
		m.transcript.RemoveCommand(msg.task.echo)
		return tea.Batch(m.continueQueue(true), m.openListScreen(result.Screen, ""))
	default:
		m.transcript.ShowResult(result.Chart, result.Markdown, result.View)
	}
	return m.continueQueue(result.Err == nil)
}

// StoppedTaskText returns the notice for a task that the user stopped.
func StoppedTaskText(command string) string {
	return "/" + command + " stopped. Nothing was changed."
}
