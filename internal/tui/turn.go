package tui

import (
	"context"
	"iter"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tui/command"
	"github.com/nfa-cli/nfa/internal/tui/pump"
	"github.com/nfa-cli/nfa/internal/tui/slash"
	"github.com/nfa-cli/nfa/internal/tui/stage"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// submission is something the user sent, on its way to a turn.
type submission struct {
	text  string
	skill *Command // with what text says, when it names a skill
	work  *Command // the same of a command that can be stopped
	args  string
}

// turn is the running turn.
type turn struct {
	pump     *pump.Pump
	shown    *transcript.Turn
	begun    time.Time
	done     agent.TurnDone
	err      error
	stopping bool // by the user
}

type (
	// turnMsg is what happened in a turn since the last frame.
	turnMsg struct {
		from *pump.Pump
		pump.Batch
	}
	tickMsg     struct{ of any } // a *turn or a *work
	preparedMsg struct {
		from  submission
		input agent.Input
		err   error
	}
	resultMsg struct {
		from     submission
		command  string // its name
		markdown string
		chart    *chart.Spec // above it, or nil
		err      error
		commands []Command // the new ones, or nil
	}
)

// tickEvery is the pace of the spinner, and tickStill that of the time alone.
const (
	tickEvery = 125 * time.Millisecond
	tickStill = time.Second
)

// submit takes what the user wrote: a command runs at once, anything else is a
// turn now or when the running one has ended.
func (m *Model) submit(written string) tea.Cmd {
	text := strings.TrimSpace(written)
	if text == "" {
		return nil
	}
	kept := m.keep(written)
	m.composer.Reset()
	m.typed()
	m.transcript.Follow()
	return tea.Batch(kept, m.send(text))
}

func (m *Model) send(text string) tea.Cmd {
	s := submission{text: text}
	if name, args, ok := slash.Parse(text); ok {
		c, known := m.commands.Named(name)
		act := ownAct(c.Name)
		switch {
		case act != nil:
			return act(m, args)
		case known && c.Work != nil:
			s.work, s.args = &c, args
		case known && c.Kind == KindCommand:
			return m.perform(c, s, args)
		case known:
			s.skill, s.args = &c, args
		}
	}
	if m.busy() {
		m.queue.Add(s)
		return nil
	}
	return m.start(s)
}

// perform runs a command, whose words the model never sees.
func (m *Model) perform(c Command, from submission, args string) tea.Cmd {
	switch {
	case c.Work != nil:
		return m.startWork(c, args)
	case c.Open != nil && (args == "" || c.Show == nil):
		return m.browse(c.Open(), args)
	}
	return func() tea.Msg {
		msg := resultMsg{from: from, command: c.Name}
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
	m.learn(msg.commands)
	if needs := command.Needs(msg.err); needs != nil {
		if m.busy() {
			m.transcript.Say(transcript.Error, "/"+msg.command+" asks for values: once the answer is done, send it again")
			return
		}
		m.ask(msg.from, msg.command, needs)
		return
	}
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		return
	}
	m.transcript.ShowChart(msg.chart, msg.markdown)
}

// refreshedMsg brings what there is after a shelf.
type refreshedMsg struct{ commands []Command }

// refresh asks anew what there is.
func (m *Model) refresh() tea.Cmd {
	if m.cfg.Refresh == nil {
		return func() tea.Msg { return refreshedMsg{} }
	}
	return func() tea.Msg { return refreshedMsg{m.cfg.Refresh()} }
}

// learn takes the commands there are now; nil means those there were.
func (m *Model) learn(commands []Command) {
	m.showStatus()
	if commands != nil {
		m.commands = command.NewSet(OwnCommands(), commands)
		m.completion.SetSet(m.commands.Set)
	}
}

func (m *Model) start(s submission) tea.Cmd {
	if s.work != nil {
		return m.startWork(*s.work, s.args)
	}
	if s.skill != nil || m.attaches(s.text) {
		m.preparing = true
		return func() tea.Msg {
			input, err := m.prepare(s)
			return preparedMsg{s, input, err}
		}
	}
	if name, _, ok := slash.Parse(s.text); ok {
		m.transcript.Say(transcript.Info, "/"+name+" is neither a command nor a skill; sent as text")
	}
	return m.run(s.text, agent.Input{Text: s.text})
}

func (m *Model) prepared(msg preparedMsg) tea.Cmd {
	m.preparing = false
	if needs := command.Needs(msg.err); needs != nil && !m.clearing {
		m.ask(msg.from, msg.from.skill.Name, needs)
		return nil
	}
	if msg.err != nil {
		m.transcript.Say(transcript.Error, msg.err.Error())
		m.giveBack(msg.from)
		return m.afterwards(false)
	}
	if m.clearing {
		return m.clear()
	}
	if msg.input.Text == "" {
		msg.input.Text = msg.from.text
	}
	return m.run(shownAs(msg.from.text, msg.input), msg.input)
}

// run starts the turn.
func (m *Model) run(text string, input agent.Input) tea.Cmd {
	m.spoken = true
	conversation := m.conversation
	m.turn = &turn{begun: m.cfg.Now(), shown: m.transcript.Begin(text), pump: pump.Start(m.ctx, func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return conversation.Run(ctx, input)
	})}
	m.activity.Begin(m.turn.shown.Doing())
	return tea.Batch(m.nextBatch(), m.nextTick(m.turn))
}

func (m *Model) nextBatch() tea.Cmd {
	from := m.turn.pump
	return func() tea.Msg { return turnMsg{from, from.Next()} }
}

// nextTick moves the spinner of a *turn or a *work on, for as long as it runs.
func (m *Model) nextTick(of any) tea.Cmd {
	every := tickEvery
	if m.cfg.Still {
		every = tickStill
	}
	return tea.Tick(every, func(time.Time) tea.Msg { return tickMsg{of} })
}

func (m *Model) tick(msg tickMsg) tea.Cmd {
	if msg.of != any(m.turn) && msg.of != any(m.work) {
		return nil
	}
	m.activity.Tick()
	return m.nextTick(msg.of)
}

// stop cancels the running turn, which ends by itself with what came, or the work.
func (m *Model) stop() {
	if m.work != nil {
		m.work.Cancel()
		m.activity.Do("stopping")
	}
	if m.turn != nil {
		m.turn.stopping = true
		m.turn.pump.Cancel()
		m.activity.Do("stopping")
	}
}

// happened takes one frame's worth of a turn.
func (m *Model) happened(msg turnMsg) tea.Cmd {
	if m.turn == nil || m.turn.pump != msg.from {
		return nil
	}
	for _, h := range msg.Happenings {
		if h.Crash != nil {
			return func() tea.Msg { return stage.Crash{At: h.Crash} }
		}
		if h.Err != nil {
			m.turn.err = h.Err
		}
		if done, ok := h.Event.(agent.TurnDone); ok {
			m.turn.done = done
		}
		if _, ok := h.Event.(agent.StepDone); ok {
			m.showStatus()
		}
		m.turn.shown.Take(h.Event)
	}
	// Once the user has stopped the turn, that is what it does.
	if !m.turn.stopping {
		m.activity.Do(m.turn.shown.Doing())
	}
	if msg.Ended {
		return m.ended()
	}
	return m.nextBatch()
}

// ended closes the turn and goes on with what is queued.
func (m *Model) ended() tea.Cmd {
	t := m.turn
	call := m.callBack(answerWaits)
	failure := ""
	if t.err != nil && t.done.Reason != agent.StopCancelled {
		failure = m.explain(t.err)
	}
	t.shown.End(t.done, failure)
	m.turn = nil
	m.activity.Do("")
	m.showStatus()
	return tea.Batch(call, m.afterwards(t.err == nil && endedWell(t.done.Reason)))
}

// afterwards goes on with what waited for the turn's end. After a turn that
// went wrong, queued messages go back to the composer: they were written for an
// answer that never came.
func (m *Model) afterwards(well bool) tea.Cmd {
	if m.clearing {
		return m.clear()
	}
	if m.queue.Len() == 0 {
		return nil
	}
	if !well {
		m.giveBack(m.queue.Drain()...)
		return nil
	}
	return m.start(m.queue.Next())
}

// giveBack puts messages before what is being written.
func (m *Model) giveBack(back ...submission) {
	var parts []string
	for _, s := range back {
		parts = append(parts, s.text)
	}
	if draft := m.composer.Value(); draft != "" {
		parts = append(parts, draft)
	}
	m.composer.Set(strings.Join(parts, "\n"))
	m.typed()
}

// explain is an error with what the user can do about it.
func (m *Model) explain(err error) string {
	text := err.Error()
	if m.cfg.Advise != nil {
		if advice := m.cfg.Advise(err); advice != "" {
			text = strings.TrimSuffix(text, ".") + ". " + advice
		}
	}
	return text
}
