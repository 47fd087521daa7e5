package tui

import (
	"context"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Model is the root of the chat: it owns the conversation and routes messages
// to the components. It is a tea.Model; Run drives one.
type Model struct {
	ctx context.Context // of the program: parent of every turn's
	cfg Config
	st  *widget.Styles
	// keys are those in use; what a component is told is the name it knows.
	keys widget.KeyMap

	width, height int

	header        *widget.Header
	transcript    *transcript.Transcript
	activity      *widget.ActivityLine
	commandList   *widget.CommandList
	completions   *widget.Completions              // of files, symbols and words
	queue         *widget.MessageQueue[submission] // of what waits for the turn to end
	historySearch *widget.HistorySearch            // nil while no earlier message is looked for
	composer      *widget.Composer
	findBar       *widget.FindBar // nil while nothing is searched for
	prompt        *widget.ApprovalDialog
	reason        *widget.Composer // of a refusal, while the prompt has one explained
	form          *openForm        // nil while no values are asked for
	listScreen    *ListScreenModel // nil while no shelf is open
	terminal      *TerminalLender  // of the terminal, to programs
	status        *widget.StatusBar

	commands      CommandSet
	conversation  Conversation
	hasMessages   bool // the conversation holds something to resume
	turn          *turn
	task          *runningTask // nil while no command is at work that can be stopped
	focused       bool         // the terminal says that it has the focus
	preparing     bool         // a skill's input is being made
	clearing      bool         // begin anew once the turn has ended
	historyLoaded bool         // the messages of earlier chats are there
	historyWarned bool         // it was said that messages cannot be kept
	quitArmed     time.Time    // when Ctrl+C was pressed once
	// hasCtrlEnter is whether the terminal tells Ctrl+Enter from Enter.
	hasCtrlEnter bool
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
	if cfg.Keys.IsZero() {
		cfg.Keys = widget.DefaultKeyMap()
	}
	st := cfg.styles(cfg.Theme)
	m := &Model{
		ctx: ctx, cfg: cfg, st: st, keys: cfg.Keys,
		header:     widget.NewHeader(st, cfg.Banner.headerTitle()),
		transcript: transcript.New(st, cfg.Now),
		activity:   widget.NewActivityLine(st, cfg.Now),
		composer:   widget.NewComposer(st, "> "),
		status:     widget.NewStatusBar(st, cfg.Picker != nil),

		commands:     NewCommandSet(OwnCommands(), cfg.Commands),
		conversation: cfg.Conversation,
		terminal:     NewTerminalLender(cfg.Input),
	}
	m.prompt = widget.NewApprovalDialog(st, cfg.Now, m.newReason)
	m.setKeyLabels()
	m.commandList = widget.NewCommandList(st, m.commands.CommandIndex)
	m.completions, m.queue = m.newCompletions(), m.newQueue()
	m.composer.SetKeys(m.keys)
	m.refreshStatus()
	m.showHistory(cfg.History)
	return m
}

// setKeyLabels has the components show the keys that are in use.
func (m *Model) setKeyLabels() {
	m.activity.SetStop(m.keys.Label("stop"))
	m.status.SetKeys(m.keys.Label("pick"), m.keys.Label("help"))
	m.prompt.SetKeys(widget.ApprovalKeys{
		Refuse: m.keys.Label("refuse"), Once: m.keys.Label("allow-once"),
		Session: m.keys.Label("allow-session"), Always: m.keys.Label("allow-always"),
		Up: m.keys.Label("asked-up"), Down: m.keys.Label("asked-down"),
	})
}

func (m *Model) newReason() widget.ReasonEditor {
	m.reason = widget.NewComposer(m.st, "why? ")
	m.reason.SetKeys(m.keys)
	return m.reason
}

// showHistory fills the transcript of a chat that begins: the banner, or what was said
// before.
func (m *Model) showHistory(history []session.Entry) {
	typed := m.transcript.AddHistory(history)
	if m.transcript.Empty() {
		m.showWelcome()
		return
	}
	m.hasMessages = true
	for _, text := range typed {
		m.composer.History.Remember(widget.TrimAttachmentNote(text))
	}
}

func (m *Model) showWelcome() { m.transcript.Welcome(m.cfg.Banner.Notice, m.cfg.Banner.Suggestions) }

// SessionID names what can be resumed, or is empty when nothing was said.
func (m *Model) SessionID() string {
	if !m.hasMessages {
		return ""
	}
	return m.conversation.ID()
}

// settleRunning cancels a turn or a work that still runs and lets it keep what came of it.
func (m *Model) settleRunning(limit time.Duration) {
	if m.turn != nil {
		m.turn.stream.Settle(limit)
	}
	if m.task != nil {
		m.task.Settle(limit)
	}
}

type startMsg struct{}

// Init starts to listen for questions and sends the first message. Nothing here
// waits for the terminal.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.waitForApproval(), m.loadHistory()}
	if m.cfg.Message != "" {
		cmds = append(cmds, func() tea.Msg { return startMsg{} })
	}
	if m.cfg.FirstCommand != nil {
		cmds = append(cmds, m.runCommand(*m.cfg.FirstCommand, submission{}, ""))
	}
	if m.cfg.Theme == ThemeAuto {
		if light, known := HasLightBackground(m.cfg.Environ); !known {
			// The answer may never come; until then the dark theme stands.
			cmds = append(cmds, tea.RequestBackgroundColor)
		} else if light {
			m.setStyles(m.cfg.styles(ThemeLight))
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) setStyles(st *widget.Styles) {
	m.st = st
	m.header.SetStyles(st)
	m.activity.SetStyles(st)
	m.commandList.SetStyles(st)
	m.completions.SetStyles(st)
	m.queue.SetStyles(st)
	if m.historySearch != nil {
		m.historySearch.SetStyles(st)
	}
	m.prompt.SetStyles(st)
	m.status.SetStyles(st)
	m.transcript.SetStyles(st)
	m.composer.SetStyles(st)
	if m.findBar != nil {
		m.findBar.Line.SetStyles(st)
	}
	if m.form != nil {
		m.form.SetStyles(st)
	}
	if m.listScreen != nil {
		m.listScreen.SetStyles(st)
	}
}

// Update decides; whatever takes time is in the command it returns.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.layout()
	return m, tea.Batch(cmd, m.readListPage(), m.lookUpCompletions())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.handleKey(msg)
	case tea.PasteMsg:
		return m.handlePaste(msg)
	case startMsg:
		return m.submit(m.cfg.Message)
	case turnMsg:
		return m.handleTurnEvents(msg)
	case tickMsg:
		return m.tick(msg)
	case preparedMsg:
		return m.handlePrepared(msg)
	case taskDoneMsg:
		return m.finishTask(msg)
	case formFilledMsg:
		return m.applyFormResult(msg)
	case forkedMsg:
		return m.switchToFork(msg)
	case editorReadyMsg:
		return m.runEditor(msg)
	case editorClosedMsg:
		return m.readEditedDraft(msg)
	case ListScreenMsg:
		return m.handleListScreen(msg)
	case approvalRequestedMsg:
		return m.showApproval(msg.request)
	}
	m.handleTerminalEvent(msg)
	m.handleResult(msg)
	return nil
}

func (m *Model) busy() bool { return m.turn != nil || m.task != nil || m.preparing || m.form != nil }

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
	m.switchConversation(m.cfg.Start(), nil)
	if last != "" {
		m.transcript.Say(transcript.Info, "a new conversation; the last one is kept as "+last)
	}
	m.refreshStatus()
	return nil
}

// switchConversation goes on with a conversation, drawn as it was. No turn may be running.
func (m *Model) switchConversation(c Conversation, history []session.Entry) {
	m.hasMessages = false
	m.queue.Drain()
	m.conversation = c
	m.transcript.Clear()
	m.showHistory(history)
}

// resume goes on with another conversation, unless one is being answered here:
// what is still to come would be lost from sight.
func (m *Model) resume(r *ResumeRequest) tea.Cmd {
	if m.busy() {
		r.Done(false)
		m.listScreen.ShowError("an answer is still coming; wait for it, or stop it in the chat")
		return nil
	}
	last := m.SessionID()
	m.switchConversation(r.Conversation, r.History)
	r.Done(true)
	if last != "" && last != r.Conversation.ID() {
		m.transcript.Say(transcript.Info, "the conversation before is kept as "+last)
	}
	m.refreshStatus()
	return m.closeListScreen()
}

// refreshStatus asks what is to be said about the conversation.
func (m *Model) refreshStatus() { m.status.SetState(widget.StatusInfo(m.cfg.Status())) }

// outcome of a turn as far as the queue is concerned.
func endedWell(reason agent.StopReason) bool {
	return reason == agent.StopAnswered || reason == agent.StopStepLimit || reason == agent.StopRepeatedCall
}
