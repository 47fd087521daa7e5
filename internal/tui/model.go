package tui

import (
	"context"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/ask"
	"github.com/nfa-cli/nfa/internal/tui/bar"
	"github.com/nfa-cli/nfa/internal/tui/browsing"
	"github.com/nfa-cli/nfa/internal/tui/command"
	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/finding"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/offer"
	"github.com/nfa-cli/nfa/internal/tui/queue"
	"github.com/nfa-cli/nfa/internal/tui/recall"
	"github.com/nfa-cli/nfa/internal/tui/slash"
	"github.com/nfa-cli/nfa/internal/tui/stage"
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
	offers     *offer.Offers            // of files, symbols and words
	queue      *queue.Queue[submission] // of what waits for the turn to end
	search     *recall.Search           // nil while no earlier message is looked for
	composer   *composer.Composer
	finding    *finding.Search // nil while nothing is searched for
	prompt     *ask.Prompt
	reason     *composer.Composer // of a refusal, while the prompt has one explained
	form       *asked             // nil while no values are asked for
	shelf      *browsing.Screen   // nil while no shelf is open
	lender     *stage.Lender      // of the terminal, to programs
	status     *bar.Status

	commands     command.Set
	conversation Conversation
	spoken       bool // the conversation holds something to resume
	turn         *turn
	work         *work     // nil while no command is at work that can be stopped
	watched      bool      // the terminal says that it has the focus
	preparing    bool      // a skill's input is being made
	clearing     bool      // begin anew once the turn has ended
	recalled     bool      // the messages of earlier chats are there
	forgetful    bool      // it was said that messages cannot be kept
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
	st := cfg.styles(cfg.Theme)
	m := &Model{
		ctx: ctx, cfg: cfg, st: st, keys: cfg.Keys,
		header:     bar.NewHeader(st, cfg.Banner.title()),
		transcript: transcript.New(st, cfg.Now),
		activity:   bar.NewActivity(st, cfg.Now),
		composer:   composer.New(st, "> "),
		status:     bar.NewStatus(st, cfg.Picker != nil),

		commands:     command.NewSet(OwnCommands(), cfg.Commands),
		conversation: cfg.Conversation,
		lender:       stage.NewLender(cfg.Input),
	}
	m.prompt = ask.NewPrompt(st, cfg.Now, m.newReason)
	m.nameKeys()
	m.completion = slash.NewList(st, m.commands.Set)
	m.offers, m.queue = m.newOffers(), m.newQueue()
	m.composer.SetKeys(m.keys)
	m.showStatus()
	m.open(cfg.History)
	return m
}

// nameKeys has the components show the keys that are in use.
func (m *Model) nameKeys() {
	m.activity.SetStop(m.keys.Label("stop"))
	m.status.SetKeys(m.keys.Label("pick"), m.keys.Label("help"))
	m.prompt.SetKeys(ask.Keys{
		Refuse: m.keys.Label("refuse"), Once: m.keys.Label("allow-once"),
		Session: m.keys.Label("allow-session"), Always: m.keys.Label("allow-always"),
		Up: m.keys.Label("asked-up"), Down: m.keys.Label("asked-down"),
	})
}

func (m *Model) newReason() ask.Editor {
	m.reason = composer.New(m.st, "why? ")
	m.reason.SetKeys(m.keys)
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
		m.composer.History.Remember(draft.Typed(text))
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

// settle cancels a turn or a work that still runs and lets it keep what came of it.
func (m *Model) settle(limit time.Duration) {
	if m.turn != nil {
		m.turn.pump.Settle(limit)
	}
	if m.work != nil {
		m.work.Settle(limit)
	}
}

type openMsg struct{}

// Init starts to listen for questions and sends the first message. Nothing here
// waits for the terminal.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.nextQuestion(), m.readMemory()}
	if m.cfg.Message != "" {
		cmds = append(cmds, func() tea.Msg { return openMsg{} })
	}
	if m.cfg.First != nil {
		cmds = append(cmds, m.perform(*m.cfg.First, submission{}, ""))
	}
	if m.cfg.Theme == ThemeAuto {
		if light, known := terminal.Light(m.cfg.Environ); !known {
			// The answer may never come; until then the dark theme stands.
			cmds = append(cmds, tea.RequestBackgroundColor)
		} else if light {
			m.setStyles(m.cfg.styles(ThemeLight))
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) setStyles(st *draw.Styles) {
	m.st = st
	m.header.SetStyles(st)
	m.activity.SetStyles(st)
	m.completion.SetStyles(st)
	m.offers.SetStyles(st)
	m.queue.SetStyles(st)
	if m.search != nil {
		m.search.SetStyles(st)
	}
	m.prompt.SetStyles(st)
	m.status.SetStyles(st)
	m.transcript.SetStyles(st)
	m.composer.SetStyles(st)
	if m.finding != nil {
		m.finding.Line.SetStyles(st)
	}
	if m.form != nil {
		m.form.SetStyles(st)
	}
	if m.shelf != nil {
		m.shelf.SetStyles(st)
	}
}

// Update decides; whatever takes time is in the command it returns.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.layout()
	return m, tea.Batch(cmd, m.readShelf(), m.lookUp())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case openMsg:
		return m.submit(m.cfg.Message)
	case turnMsg:
		return m.happened(msg)
	case tickMsg:
		return m.tick(msg)
	case preparedMsg:
		return m.prepared(msg)
	case workedMsg:
		return m.worked(msg)
	case filledMsg:
		return m.filled(msg)
	case forkedMsg:
		return m.forked(msg)
	case draftMsg:
		return m.lend(msg)
	case editedMsg:
		return m.takeBack(msg)
	case browsing.Msg:
		return m.browsed(msg)
	case askedMsg:
		return m.put(msg.question)
	}
	m.hear(msg)
	m.note(msg)
	return nil
}

func (m *Model) busy() bool { return m.turn != nil || m.work != nil || m.preparing || m.form != nil }

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
	m.spoken = false
	m.queue.Drain()
	m.conversation = c
	m.transcript.Clear()
	m.open(history)
}

// resume goes on with another conversation, unless one is being answered here:
// what is still to come would be lost from sight.
func (m *Model) resume(r *Resume) tea.Cmd {
	if m.busy() {
		r.Done(false)
		m.shelf.Fail("an answer is still coming; wait for it, or stop it in the chat")
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
