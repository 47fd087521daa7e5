package tui

import (
	"context"
	"image/color"
	"os"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/bar"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/layout"
	"github.com/nfa-cli/nfa/internal/tui/slash"
	"github.com/nfa-cli/nfa/internal/tui/terminal"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

// Model is the root of the chat: it owns the conversation and routes messages
// to the components. It is a tea.Model; Run drives one.
type Model struct {
	ctx context.Context // of the program: parent of every turn's
	cfg Config
	st  *draw.Styles
	// keys are those in use; what a component is told is the name it knows.
	keys keymap.Map

	width, height int

	header     *bar.Header
	transcript *transcript.Transcript
	activity   *bar.Activity
	completion *slash.List
	composer   *composer
	prompt     *ask.Prompt
	reason     *composer   // of a refusal, while the prompt has one explained
	form       *filling    // nil while no values are asked for
	shelf      *browsing   // nil while no shelf is open
	lent       atomic.Bool // the terminal, to a program
	status     *bar.Status

	commands     commandSet
	conversation Conversation
	spoken       bool // the conversation holds something to resume
	turn         *turn
	preparing    bool // a skill's input is being made
	queue        []submission
	clearing     bool      // begin anew once the turn has ended
	quitArmed    time.Time // when Ctrl+C was pressed once
	// tellsCtrlEnter is whether the terminal tells Ctrl+Enter from Enter.
	tellsCtrlEnter bool
}

// New makes the chat's model. ctx ends the turns it starts.
func New(ctx context.Context, cfg Config) *Model {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Approvals == nil {
		cfg.Approvals = NewApprovals()
	}
	if cfg.Environ == nil {
		cfg.Environ = os.Environ()
	}
	if cfg.Status == nil {
		cfg.Status = func() Status { return Status{} }
	}
	if cfg.Keys.Empty() {
		cfg.Keys = keymap.Default()
	}
	st := cfg.Theme.styles()
	m := &Model{
		ctx: ctx, cfg: cfg, st: st, keys: cfg.Keys,
		header:     bar.NewHeader(st, cfg.Banner.title()),
		transcript: transcript.New(st, cfg.Now),
		activity:   bar.NewActivity(st, cfg.Now),
		composer:   newComposer(st, "> "),
		status:     bar.NewStatus(st, cfg.Picker != nil),

		commands:     newCommandSet(cfg.Commands),
		conversation: cfg.Conversation,
	}
	m.prompt = ask.NewPrompt(st, cfg.Now, m.newReason)
	m.completion = slash.NewList(st, m.commands.Set)
	m.showStatus()
	m.open(cfg.History)
	return m
}

func (m *Model) newReason() ask.Editor {
	m.reason = newComposer(m.st, "why? ")
	return m.reason
}

// open fills the transcript of a chat that begins: the banner, or what was said
// before.
func (m *Model) open(history []session.Entry) {
	typed := m.transcript.Replay(history)
	if m.transcript.Empty() {
		m.welcome()
		return
	}
	m.spoken = true
	for _, text := range typed {
		m.composer.history.Remember(text)
	}
}

func (m *Model) welcome() { m.transcript.Welcome(m.cfg.Banner.Notice, m.cfg.Banner.Try) }

// SessionID names what can be resumed, or is empty when nothing was said.
func (m *Model) SessionID() string {
	if !m.spoken {
		return ""
	}
	return m.conversation.ID()
}

// settle cancels a turn that still runs and lets it keep its transcript.
func (m *Model) settle(limit time.Duration) {
	if m.turn != nil {
		m.turn.pump.Settle(limit)
	}
}

type openMsg struct{}

// Init starts to listen for questions and sends the first message. Nothing here
// waits for the terminal.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.cfg.Approvals.next(m.ctx)}
	if m.cfg.Message != "" {
		cmds = append(cmds, func() tea.Msg { return openMsg{} })
	}
	if m.cfg.Theme == ThemeAuto {
		if light, known := terminal.Light(m.cfg.Environ); !known {
			// The answer may never come; until then the dark theme stands.
			cmds = append(cmds, tea.RequestBackgroundColor)
		} else if light {
			m.setStyles(ThemeLight.styles())
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) setStyles(st *draw.Styles) {
	m.st = st
	m.header.SetStyles(st)
	m.activity.SetStyles(st)
	m.completion.SetStyles(st)
	m.prompt.SetStyles(st)
	m.status.SetStyles(st)
	m.transcript.SetStyles(st)
	m.composer.SetStyles(st)
	if m.form != nil {
		m.form.SetStyles(st)
	}
	if m.shelf != nil {
		m.shelf.setStyles(st)
	}
}

// Update decides; whatever takes time is in the command it returns.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.layout()
	return m, tea.Batch(cmd, m.readShelf())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = max(msg.Width, 0), max(msg.Height, 0)
	case tea.BackgroundColorMsg:
		m.learnBackground(msg.Color)
	case tea.KeyboardEnhancementsMsg:
		m.tellsCtrlEnter = msg.SupportsKeyDisambiguation()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg:
		m.click(msg)
	case openMsg:
		return m.submit(m.cfg.Message)
	case turnMsg:
		return m.happened(msg)
	case tickMsg:
		return m.tick(msg)
	case preparedMsg:
		return m.prepared(msg)
	case filledMsg:
		return m.filled(msg)
	case resultMsg:
		m.showResult(msg)
	case refreshedMsg:
		m.learn(msg.commands)
	case itemsMsg:
		return m.stocked(msg)
	case pageMsg:
		msg.on.browser.Take(msg.draft)
	case outcomeMsg:
		return m.acted(msg)
	case execMsg:
		return m.executed(msg)
	case askedMsg:
		m.prompt.Ask(&msg.question.Question)
		return tea.Batch(m.cfg.Approvals.next(m.ctx), msg.question.dropped)
	case droppedMsg:
		m.prompt.Drop(&msg.question.Question)
	case disarmMsg:
		if m.quitArmed.Equal(msg.armed) {
			m.disarm()
		}
	}
	return nil
}

func (m *Model) learnBackground(c color.Color) {
	if c == nil || m.cfg.Theme != ThemeAuto {
		return
	}
	if !(tea.BackgroundColorMsg{Color: c}).IsDark() {
		m.setStyles(ThemeLight.styles())
	}
}

func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.prompt.Open() {
		m.prompt.Disturb()
		if m.prompt.Explaining() {
			return m.reason.Update(msg)
		}
		return nil
	}
	if m.shelf != nil {
		return m.shelf.paste(msg)
	}
	if m.form != nil {
		return m.form.write(msg)
	}
	m.transcript.Blur()
	cmd := m.composer.Update(msg)
	m.typed()
	return cmd
}

func (m *Model) wheel(msg tea.MouseWheelMsg) {
	step := map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: +3}[msg.Button]
	if m.shelf != nil {
		m.shelf.browser.Wheel(msg.X-layout.Margin(m.width), step)
		return
	}
	m.transcript.Scroll(step)
}

func (m *Model) click(msg tea.MouseClickMsg) {
	if m.shelf != nil {
		if msg.Button == tea.MouseLeft && !m.docked() {
			m.shelf.browser.Click(msg.X-layout.Margin(m.width), msg.Y)
		}
		return
	}
	if y := msg.Y - m.plan().Top; msg.Button == tea.MouseLeft && y >= 0 {
		m.transcript.ToggleAt(y)
	}
}

// typed follows the composer's text with the completion and the hint.
func (m *Model) typed() {
	text := m.composer.Value()
	m.completion.Follow(text)
	m.composer.hint = m.hintFor(text)
}

// hintFor is what may follow the command in text: that of the highlighted item
// while the list is open, or of a command that waits for its arguments.
func (m *Model) hintFor(text string) string {
	if m.completion.Open() {
		chosen, _ := m.completion.Current()
		return chosen.Hint
	}
	name, args, ok := slash.Parse(text)
	if !ok || args != "" {
		return ""
	}
	item, _, _ := m.commands.Find(name)
	return item.Hint
}

func (m *Model) busy() bool { return m.turn != nil || m.preparing || m.form != nil }

// quit leaves the chat; Run lets a running turn settle.
func (m *Model) quit() tea.Cmd { return tea.Quit }

// clear begins a new conversation, after the running turn if there is one.
func (m *Model) clear() tea.Cmd {
	if m.busy() {
		m.clearing = true
		m.stop()
		return nil
	}
	last := m.SessionID()
	m.clearing = false
	m.turnTo(m.cfg.Start(), nil)
	if last != "" {
		m.transcript.Say(transcript.Info, "a new conversation; the last one is kept as "+last)
	}
	m.showStatus()
	return nil
}

// turnTo goes on with a conversation, drawn as it was. No turn may be running.
func (m *Model) turnTo(c Conversation, history []session.Entry) {
	m.spoken, m.queue = false, nil
	m.conversation = c
	m.transcript.Clear()
	m.composer.history = draft.History{}
	m.open(history)
}

// resume goes on with another conversation, unless one is being answered here:
// what is still to come would be lost from sight.
func (m *Model) resume(r *Resume) tea.Cmd {
	if m.busy() {
		r.Done(false)
		m.shelf.browser.Fail("an answer is still coming; wait for it, or stop it with Esc in the chat")
		return nil
	}
	last := m.SessionID()
	m.turnTo(r.Conversation, r.History)
	r.Done(true)
	if last != "" && last != r.Conversation.ID() {
		m.transcript.Say(transcript.Info, "the conversation before is kept as "+last)
	}
	m.showStatus()
	return m.leave()
}

// showStatus asks what is to be said about the conversation.
func (m *Model) showStatus() { m.status.SetState(bar.State(m.cfg.Status())) }

// outcome of a turn as far as the queue is concerned.
func endedWell(reason agent.StopReason) bool {
	return reason == agent.StopAnswered || reason == agent.StopStepLimit || reason == agent.StopRepeatedCall
}
