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

// Model is the root model of the chat: it owns the conversation and routes messages to the
// components. It implements tea.Model.
type Model struct {
	ctx context.Context // of the program: parent of every turn's
	cfg Config
	st  *widget.Styles
	// keys translates the keys that the user chose into the names that components know.
	keys widget.KeyMap

	width, height int

	header        *widget.Header
	transcript    *transcript.Transcript
	activity      *widget.ActivityLine
	commandList   *widget.CommandList
	completions   *widget.Completions              // of files, symbols and words
	queue         *widget.MessageQueue[submission] // of messages that wait for the turn to end
	historySearch *widget.HistorySearch            // nil unless the history search is open
	composer      *widget.Composer
	findBar       *widget.FindBar // nil unless the find bar is open
	prompt        *widget.ApprovalDialog
	reason        *widget.Composer // of a refusal, while the user writes one
	form          *openForm        // nil unless a form is open
	listScreen    *ListScreenModel // nil unless a list screen is open
	terminal      *TerminalLender  // lends the terminal to programs
	status        *widget.StatusBar

	commands      CommandSet
	conversation  Conversation
	hasMessages   bool // the conversation holds something to resume
	turn          *turn
	task          *runningTask // nil unless a command runs that can be stopped
	focused       bool         // the terminal reports that it has the focus
	preparing     bool         // the input of a skill is being prepared
	clearing      bool         // start a new session when the turn has ended
	historyLoaded bool         // the messages of earlier chats are there
	historyWarned bool         // the user was told that messages cannot be stored
	quitArmed     time.Time    // when Ctrl+C was pressed once
	// hasCtrlEnter is whether the terminal tells Ctrl+Enter from Enter.
	hasCtrlEnter bool
}

// New returns the chat's model. ctx is the parent of the turns it starts.
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

// setKeyLabels makes the components show the keys in use.
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

// showHistory fills the transcript of a new chat with the banner, or with the recorded
// conversation.
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

// SessionID returns the ID of the session to resume, or "" if nothing was sent.
func (m *Model) SessionID() string {
	if !m.hasMessages {
		return ""
	}
	return m.conversation.ID()
}

// settleRunning cancels a running turn or task and waits for it to save its results.
func (m *Model) settleRunning(limit time.Duration) {
	if m.turn != nil {
		m.turn.stream.Settle(limit)
	}
	if m.task != nil {
		m.task.Settle(limit)
	}
}

type startMsg struct{}

// Init starts to wait for approvals and sends the first message. It does not wait for the
// terminal.
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
			// The terminal may never answer; until then the dark theme is used.
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

// Update handles a message; slow work is in the command it returns.
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

// quit ends the chat; Run lets a running turn settle.
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

// switchConversation replaces the conversation and draws its history. No turn may be running.
func (m *Model) switchConversation(c Conversation, history []session.Entry) {
	m.hasMessages = false
	m.queue.Drain()
	m.conversation = c
	m.transcript.Clear()
	m.showHistory(history)
}

// resume switches to another conversation, unless an answer is running, because the rest of that
// answer would not be seen.
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

// refreshStatus updates the status line.
func (m *Model) refreshStatus() { m.status.SetState(widget.StatusInfo(m.cfg.Status())) }

// endedWell reports whether queued messages may follow a turn that ended for this reason.
func endedWell(reason agent.StopReason) bool {
	return reason == agent.StopAnswered || reason == agent.StopStepLimit || reason == agent.StopRepeatedCall
}
