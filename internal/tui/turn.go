package tui

import (
	"context"
	"iter"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// submission is what the user sent, before it becomes a turn.
type submission struct {
	text  string
	skill *Command // returns the input of a skill, if text names one
	task  *Command // the same for a command that can be stopped
	args  string
}

// turn is the running turn.
type turn struct {
	stream   *EventStream
	view     *transcript.Turn
	begun    time.Time
	done     agent.TurnDone
	err      error
	stopping bool // by the user
}

type (
	// turnMsg is what happened in a turn since the last frame.
	turnMsg struct {
		stream *EventStream
		EventBatch
	}
	tickMsg     struct{ running any } // a *turn or a *runningTask
	preparedMsg struct {
		submission submission
		input      agent.Input
		err        error
	}
	resultMsg struct {
		submission submission
		command    string // its name
		markdown   string
		chart      *chart.Spec // above it, or nil
		err        error
		commands   []Command // the new ones, or nil
	}
)

// tickEvery is the interval of the spinner; tickReducedMotion is the interval of the elapsed time
// only.
const (
	tickEvery         = 125 * time.Millisecond
	tickReducedMotion = time.Second
)

// submit handles what the user sent: a command runs at once, anything else is a turn, which starts
// now or after the running one.
func (m *Model) submit(written string) tea.Cmd {
	text := strings.TrimSpace(written)
	if text == "" {
		return nil
	}
	remember := m.rememberInput(written)
	m.composer.Reset()
	m.updateCompletion()
	m.transcript.Follow()
	return tea.Batch(remember, m.send(text))
}

func (m *Model) send(text string) tea.Cmd {
	s := submission{text: text}
	if name, args, ok := widget.ParseCommand(text); ok {
		c, known := m.commands.Lookup(name)
		act := ownCommandAction(c.Name)
		switch {
		case act != nil:
			return act(m, args)
		case known && c.RunTask != nil:
			s.task, s.args = &c, args
		case known && c.Kind == KindCommand:
			return m.runCommand(c, s, args)
		case known:
			s.skill, s.args = &c, args
		}
	}
	if m.busy() {
		m.queue.Add(s)
		return nil
	}
	return m.startTurn(s)
}

// runCommand runs a command. The model never sees its output.
func (m *Model) runCommand(c Command, from submission, args string) tea.Cmd {
	switch {
	case c.RunTask != nil:
		return m.startTask(c, args)
	case c.Open != nil && (args == "" || c.Show == nil):
		return m.openListScreen(c.Open(), args)
	}
	return func() tea.Msg {
		msg := resultMsg{submission: from, command: c.Name}
		if c.Draw != nil {
			msg.chart, msg.markdown, msg.err = c.Draw(args)
		} else {
			msg.markdown, msg.err = c.Show(args)
		}
		if m.cfg.Refresh != nil {
			msg.commands = m.cfg.Refresh()
		}
		return msg
	}
}

func (m *Model) showResult(msg resultMsg) {
	m.setCommands(msg.commands)
	if needs := AsMissingInput(msg.err); needs != nil {
		if m.busy() {
			m.transcript.Say(transcript.Error, "/"+msg.command+" asks for values: once the answer is done, send it again")
			return
		}
		m.openForm(msg.submission, msg.command, needs)
		return
	}
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return
	}
	m.transcript.ShowChart(msg.chart, msg.markdown)
}

// refreshedMsg carries the commands after a list screen was closed.
type refreshedMsg struct{ commands []Command }

// refreshCommands returns the command that refreshes the commands.
func (m *Model) refreshCommands() tea.Cmd {
	if m.cfg.Refresh == nil {
		return func() tea.Msg { return refreshedMsg{} }
	}
	return func() tea.Msg { return refreshedMsg{m.cfg.Refresh()} }
}

// setCommands replaces the commands, unless commands is nil.
func (m *Model) setCommands(commands []Command) {
	m.refreshStatus()
	if commands != nil {
		m.commands = NewCommandSet(OwnCommands(), commands)
		m.commandList.SetIndex(m.commands.CommandIndex)
	}
}

func (m *Model) startTurn(s submission) tea.Cmd {
	if s.task != nil {
		return m.startTask(*s.task, s.args)
	}
	if s.skill != nil || m.acceptsFiles(s.text) {
		m.preparing = true
		return func() tea.Msg {
			input, err := m.attachFiles(s)
			return preparedMsg{s, input, err}
		}
	}
	if name, _, ok := widget.ParseCommand(s.text); ok {
		m.transcript.Say(transcript.Info, "/"+name+" is neither a command nor a skill; sent as text")
	}
	return m.runTurn(s.text, agent.Input{Text: s.text})
}

func (m *Model) handlePrepared(msg preparedMsg) tea.Cmd {
	m.preparing = false
	if needs := AsMissingInput(msg.err); needs != nil && !m.clearing {
		m.openForm(msg.submission, msg.submission.skill.Name, needs)
		return nil
	}
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		m.returnToComposer(msg.submission)
		return m.continueQueue(false)
	}
	if m.clearing {
		return m.clear()
	}
	if msg.input.Text == "" {
		msg.input.Text = msg.submission.text
	}
	return m.runTurn(displayText(msg.submission.text, msg.input), msg.input)
}

// runTurn starts the turn.
func (m *Model) runTurn(text string, input agent.Input) tea.Cmd {
	m.hasMessages = true
	conversation := m.conversation
	m.turn = &turn{begun: m.cfg.Now(), view: m.transcript.Begin(text), stream: StartStream(m.ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return conversation.Run(ctx, input)
	})}
	m.activity.Begin(m.turn.view.Activity())
	return tea.Batch(m.nextBatch(), m.nextTick(m.turn))
}

func (m *Model) nextBatch() tea.Cmd {
	from := m.turn.stream
	return func() tea.Msg { return turnMsg{from, from.Next()} }
}

// nextTick returns the next tick of the spinner of a *turn or a *runningTask, while it runs.
func (m *Model) nextTick(of any) tea.Cmd {
	every := tickEvery
	if m.cfg.ReducedMotion {
		every = tickReducedMotion
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{of} })
}

func (m *Model) tick(msg tickMsg) tea.Cmd {
	if msg.running != any(m.turn) && msg.running != any(m.task) {
		return nil
	}
	m.activity.Tick()
	return m.nextTick(msg.running)
}

// stop cancels the running turn or task, which then ends by itself with what it has.
func (m *Model) stop() {
	if m.task != nil {
		m.task.Cancel()
		m.activity.SetTask("stopping")
	}
	if m.turn != nil {
		m.turn.stopping = true
		m.turn.stream.Cancel()
		m.activity.SetTask("stopping")
	}
}

// handleTurnEvents handles the events of one frame.
func (m *Model) handleTurnEvents(msg turnMsg) tea.Cmd {
	if m.turn == nil || m.turn.stream != msg.stream {
		return nil
	}
	for _, h := range msg.Events {
		if h.Crash != nil {
			return func() tea.Msg { return CrashMsg{Site: h.Crash} }
		}
		if h.Err != nil {
			m.turn.err = h.Err
		}
		if done, ok := h.Event.(agent.TurnDone); ok {
			m.turn.done = done
		}
		if _, ok := h.Event.(agent.StepDone); ok {
			m.refreshStatus()
		}
		m.turn.view.Handle(h.Event)
	}
	// After the user has stopped the turn, the activity line stays at stopping.
	if !m.turn.stopping {
		m.activity.SetTask(m.turn.view.Activity())
	}
	if msg.Ended {
		return m.finishTurn()
	}
	return m.nextBatch()
}

// finishTurn ends the turn and continues with the queue.
func (m *Model) finishTurn() tea.Cmd {
	t := m.turn
	call := m.notify(answerReadyText)
	failure := ""
	if t.err != nil && t.done.Reason != agent.StopCancelled {
		failure = m.errorText(t.err)
	}
	t.view.End(t.done, failure)
	m.turn = nil
	m.activity.SetTask("")
	m.refreshStatus()
	return tea.Batch(call, m.continueQueue(t.err == nil && endedWell(t.done.Reason)))
}

// continueQueue continues with the queued messages. After a turn that failed they return to the
// composer, because they were written for an answer that never came.
func (m *Model) continueQueue(well bool) tea.Cmd {
	if m.clearing {
		return m.clear()
	}
	if m.queue.Len() == 0 {
		return nil
	}
	if !well {
		m.returnToComposer(m.queue.Drain()...)
		return nil
	}
	return m.startTurn(m.queue.Next())
}

// returnToComposer puts messages before the draft.
func (m *Model) returnToComposer(back ...submission) {
	var parts []string
	for _, s := range back {
		parts = append(parts, s.text)
	}
	if draft := m.composer.Value(); draft != "" {
		parts = append(parts, draft)
	}
	m.composer.Set(strings.Join(parts, "\n"))
	m.updateCompletion()
}

// errorText is an error with what the user can do about it.
func (m *Model) errorText(err error) string {
	text := err.Error()
	if m.cfg.ErrorAdvice != nil {
		if advice := m.cfg.ErrorAdvice(err); advice != "" {
			text = strings.TrimSuffix(text, ".") + ". " + advice
		}
	}
	return text
}
