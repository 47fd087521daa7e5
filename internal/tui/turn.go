package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tool"
)

// submission is something the user sent, on its way to a turn.
type submission struct {
	text  string
	skill *Command // with what text says, when it names a skill
	args  string
}

// turn is what the screen knows of the running turn.
type turn struct {
	pump     *pump
	answer   *answer // the text block being written, or nil
	thought  *thought
	thinking time.Time
	cards    map[string]*card // running calls by ID
	skills   map[string]bool  // whose loading was shown
	done     agent.TurnDone
	err      error
	stopping bool // by the user
}

type (
	tickMsg     struct{ from *pump }
	preparedMsg struct {
		from  submission
		input agent.Input
		err   error
	}
	resultMsg struct {
		markdown string
		err      error
	}
)

// tickEvery is the pace of the spinner.
const tickEvery = 125 * time.Millisecond

// submit takes what the user wrote: a command runs at once, anything else is a
// turn now or when the running one has ended.
func (m *Model) submit(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	m.composer.reset()
	m.composer.remember(text)
	m.typed()
	m.transcript.follow()
	s := submission{text: text}
	if name, args, ok := parseSlash(text); ok {
		if c, known := m.commands.byName[name]; known && c.Kind == KindCommand {
			return m.perform(c, args)
		} else if known {
			s.skill, s.args = &c, args
		}
	}
	if m.busy() {
		m.queue = append(m.queue, s)
		return nil
	}
	return m.start(s)
}

// perform runs a command, whose words the model never sees.
func (m *Model) perform(c Command, args string) tea.Cmd {
	if c.act != nil {
		return c.act(m)
	}
	return func() tea.Msg {
		text, err := c.Show(args)
		return resultMsg{text, err}
	}
}

func (m *Model) showResult(msg resultMsg) {
	m.status.status = m.cfg.Status()
	if msg.err != nil {
		m.say(markError, msg.err.Error())
		return
	}
	m.transcript.present(&shown{text: msg.markdown})
}

func (m *Model) start(s submission) tea.Cmd {
	if s.skill != nil {
		m.preparing = true
		return func() tea.Msg {
			input, err := s.skill.Prepare(s.args)
			return preparedMsg{s, input, err}
		}
	}
	if name, _, ok := parseSlash(s.text); ok {
		m.say(markInfo, "/"+name+" is neither a command nor a skill; sent as text")
	}
	return m.run(s.text, agent.Input{Text: s.text})
}

func (m *Model) prepared(msg preparedMsg) tea.Cmd {
	m.preparing = false
	if msg.err != nil {
		m.say(markError, msg.err.Error())
		m.giveBack(msg.from)
		return m.afterwards(false)
	}
	if m.clearing {
		return m.clear()
	}
	if msg.input.Text == "" {
		msg.input.Text = msg.from.text
	}
	return m.run(msg.from.text, msg.input)
}

// run starts the turn.
func (m *Model) run(text string, input agent.Input) tea.Cmd {
	m.spoken = true
	m.transcript.add(&said{text: text})
	m.transcript.follow()
	m.turn = &turn{
		pump:  startPump(m.ctx, m.conversation, input),
		cards: map[string]*card{}, skills: map[string]bool{},
	}
	m.activity.begin("thinking")
	return tea.Batch(m.turn.pump.next, m.nextTick())
}

func (m *Model) nextTick() tea.Cmd {
	from := m.turn.pump
	return tea.Tick(tickEvery, func(time.Time) tea.Msg { return tickMsg{from} })
}

func (m *Model) tick(msg tickMsg) tea.Cmd {
	if m.turn == nil || m.turn.pump != msg.from {
		return nil
	}
	m.activity.spinner++
	return m.nextTick()
}

// stop cancels the running turn. It ends by itself, with what came.
func (m *Model) stop() {
	if m.turn != nil {
		m.turn.stopping = true
		m.turn.pump.cancel()
		m.activity.doing = "stopping"
	}
}

// happened takes one frame's worth of a turn.
func (m *Model) happened(msg turnMsg) tea.Cmd {
	if m.turn == nil || m.turn.pump != msg.from {
		return nil
	}
	for _, h := range msg.batch {
		if h.crash != nil {
			return func() tea.Msg { return crashMsg{h.crash} }
		}
		if h.err != nil {
			m.turn.err = h.err
		}
		m.event(h.event)
	}
	m.transcript.changed()
	if msg.ended {
		return m.ended()
	}
	return m.turn.pump.next
}

func (m *Model) event(e agent.Event) {
	t := m.turn
	switch e := e.(type) {
	case agent.TextDelta:
		m.text(e.Text)
	case agent.ReasoningDelta:
		m.reasoning(e.Text)
	case agent.ToolStarted:
		m.finishText()
		c := &card{name: e.Call.Name, arguments: e.Call.Arguments}
		t.cards[e.Call.ID] = c
		m.transcript.add(c)
		m.doing(e.Call.Name)
	case agent.ToolFinished:
		m.toolFinished(e.Outcome)
	case agent.SkillLoaded:
		if !t.skills[e.Name] {
			t.skills[e.Name] = true
			m.transcript.add(&card{skill: e.Name, state: cardDone})
		}
	case agent.Retrying:
		m.doing("waiting " + took(e.Wait) + " to ask again: " + e.Err.Error())
	case agent.StepDone:
		m.finishText()
		m.doing("thinking")
	case agent.TurnDone:
		t.done = e
	}
}

// doing says what happens, unless the user has already stopped it.
func (m *Model) doing(what string) {
	if !m.turn.stopping {
		m.activity.doing = what
	}
}

func (m *Model) text(text string) {
	t := m.turn
	m.finishThought()
	if t.answer == nil {
		// Servers like to begin with line breaks.
		if text = strings.TrimLeft(text, "\n"); text == "" {
			return
		}
		t.answer = &answer{}
		m.transcript.add(t.answer)
		m.doing("writing")
	}
	t.answer.write(m.st, m.transcript.width, text)
}

func (m *Model) reasoning(text string) {
	t := m.turn
	if t.thought == nil {
		m.finishText()
		t.thought, t.thinking = &thought{}, m.cfg.Now()
		m.transcript.add(t.thought)
		m.doing("thinking")
	}
	t.thought.write(text)
}

func (m *Model) finishThought() {
	if t := m.turn; t.thought != nil {
		t.thought.finish(m.cfg.Now().Sub(t.thinking))
		t.thought = nil
	}
}

func (m *Model) finishText() {
	m.finishThought()
	if t := m.turn; t.answer != nil {
		t.answer.finish()
		t.answer = nil
	}
}

func (m *Model) toolFinished(o tool.Outcome) {
	t := m.turn
	c := t.cards[o.Call.ID]
	if c == nil {
		c = &card{name: o.Call.Name, arguments: o.Call.Arguments}
		m.transcript.add(c)
	}
	delete(t.cards, o.Call.ID)
	c.change(func(c *card) {
		c.state, c.took = cardDone, o.Duration
		c.title, c.summary, c.forUser = o.Result.Title, o.Result.Summary, o.Result.ForUser
		if s := o.Result.Skill; s != "" && !t.skills[s] {
			c.skill, t.skills[s] = s, true
		}
		if o.Result.IsError {
			c.state, c.failure = cardFailed, o.Result.ErrorText()
		}
	})
	if len(t.cards) == 0 {
		m.doing("thinking")
	}
}

// ended closes the turn and goes on with what is queued.
func (m *Model) ended() tea.Cmd {
	t := m.turn
	m.finishText()
	for _, c := range t.cards {
		c.change(func(c *card) { c.state = cardInterrupted })
	}
	if text := stopNotice(t.done.Reason); text != "" {
		m.say(markWarning, text)
	}
	if t.err != nil && t.done.Reason != agent.StopCancelled {
		m.say(markError, m.explain(t.err))
	}
	m.sayFigures(t.done.Figures)
	m.turn, m.activity.doing = nil, ""
	m.status.status = m.cfg.Status()
	return m.afterwards(t.err == nil && endedWell(t.done.Reason))
}

// afterwards goes on with what waited for the turn's end. After a turn that
// went wrong, queued messages go back to the composer: they were written for an
// answer that never came.
func (m *Model) afterwards(well bool) tea.Cmd {
	if m.clearing {
		return m.clear()
	}
	if len(m.queue) == 0 {
		return nil
	}
	if !well {
		m.giveBack(m.queue...)
		m.queue = nil
		return nil
	}
	next := m.queue[0]
	m.queue = m.queue[1:]
	return m.start(next)
}

// giveBack puts messages before what is being written.
func (m *Model) giveBack(back ...submission) {
	var parts []string
	for _, s := range back {
		parts = append(parts, s.text)
	}
	if draft := m.composer.value(); draft != "" {
		parts = append(parts, draft)
	}
	m.composer.set(strings.Join(parts, "\n"))
	m.typed()
}

// unqueue takes the latest queued message back for a change.
func (m *Model) unqueue() {
	last := len(m.queue) - 1
	s := m.queue[last]
	m.queue = m.queue[:last]
	m.giveBack(s)
}

// sayFigures counts the numbers of an answer that go back to a tool's result.
func (m *Model) sayFigures(r agent.FiguresReport) {
	if r.Total == 0 {
		return
	}
	text := fmt.Sprintf("%d of %d figures traced", r.Traced, r.Total)
	if len(r.Untraced) == 0 {
		m.say(markInfo, text)
		return
	}
	m.say(markWarning, text+"; from no tool: "+strings.Join(r.Untraced, ", "))
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
