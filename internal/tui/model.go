package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Model is the root model of the chat: it routes messages to the components. It implements tea.Model.
type Model struct {
	ctx  context.Context // parent of the contexts of turns and tasks
	chat *Chat
	st   *widget.Styles

	width, height int

	transcript *transcript.Transcript
	activity   *widget.ActivityLine
	input      *inputArea
	prompt     *widget.ApprovalDialog
	question   *commandQuestion // nil unless a command asks
	form       *openForm        // nil unless a form is open
	listScreen *listScreenModel // nil unless a list screen is open
	search     *searchScreen    // nil unless the search is open
	viewer     *widget.Viewer   // or nil
	status     *widget.StatusBar
	terminal   *terminalLender // lends the terminal to programs

	turn      *runningTurn
	task      *runningTask // nil unless a command is running
	preparing bool         // the input of a turn is being prepared
	clearing  bool         // start a new session when the turn has ended
	focused   bool         // the terminal reported that it has the focus
	quitArmed time.Time    // when Ctrl+C was pressed once; zero otherwise
}

// New returns the model of a chat. ctx is the parent context of its turns.
func New(ctx context.Context, cfg Config) *Model {
	chat := NewChat(cfg, OwnCommands())
	st := chat.styles()
	m := &Model{
		ctx: ctx, chat: chat, st: st,
		transcript: transcript.New(st, chat.Now),
		activity:   widget.NewActivityLine(st, chat.Keys, chat.Now),
		input:      newInputArea(chat, st),
		prompt:     widget.NewApprovalDialog(st, chat.Keys, chat.Now),
		status:     widget.NewStatusBar(st, chat.Keys, cfg.Search != nil),
		terminal:   newTerminalLender(chat.Input),
	}
	m.refreshStatus()
	m.switchTo(cfg.Conversation, cfg.History)
	return m
}

// switchTo continues with a conversation and fills the transcript with its history, or with the start
// page. No turn may be running. left is the ID of the previous session, or "".
func (m *Model) switchTo(c Conversation, history []session.Entry) (left string) {
	m.transcript.Clear()
	typed := m.transcript.AddHistory(history)
	for _, text := range typed {
		m.input.composer.History.Remember(widget.TrimAttachmentNote(text))
	}
	hasMessages := !m.transcript.Empty()
	if !hasMessages {
		m.showStartPage()
	}
	return m.chat.SwitchTo(c, hasMessages)
}

// SessionID returns the ID of the session to resume, or "" if nothing was sent.
func (m *Model) SessionID() string { return m.chat.SessionID() }

// settleRunning cancels a running turn or task and waits for it to save its results.
func (m *Model) settleRunning(limit time.Duration) {
	if m.turn != nil {
		m.turn.Settle(limit)
	}
	if m.task != nil {
		m.task.Settle(limit)
	}
}

type startMsg struct{}

// Init waits for approvals, loads the history and sends the first message.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.waitForApproval(), m.input.loadHistory(m.ctx)}
	if m.chat.Message != "" {
		cmds = append(cmds, func() tea.Msg { return startMsg{} })
	}
	if m.chat.Watch != nil {
		cmds = append(cmds, m.watch(watchDelay))
	}
	if m.chat.Theme == ThemeAuto {
		if light, known := HasLightBackground(m.chat.Environ); !known {
			// The terminal may never answer, so start with the dark theme.
			cmds = append(cmds, tea.RequestBackgroundColor)
		} else if light {
			m.setTheme(ThemeLight)
		}
	}
	return tea.Batch(cmds...)
}

// Update handles a message and returns slow work as a command.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.layout()
	cmds := []tea.Cmd{cmd, m.input.lookUpCompletions()}
	if m.listScreen != nil {
		cmds = append(cmds, m.listScreen.readPage())
	}
	return m, tea.Batch(cmds...)
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.pressKey(msg)
	case tea.PasteMsg:
		return m.paste(msg)
	case tea.MouseWheelMsg:
		m.scrollWheel(msg)
	case tea.MouseClickMsg:
		m.click(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = max(msg.Width, 0), max(msg.Height, 0)
		m.st.SetScreenHeight(m.height)
	case tea.BackgroundColorMsg:
		if msg.Color != nil && m.chat.Theme == ThemeAuto && !msg.IsDark() {
			m.setTheme(ThemeLight)
		}
	case tea.KeyboardEnhancementsMsg:
		m.st.CtrlEnter = msg.SupportsKeyDisambiguation()
	case tea.FocusMsg:
		m.focused = true
	case tea.BlurMsg:
		m.focused = false
	case quitTimeoutMsg:
		if m.quitArmed.Equal(msg.armedAt) {
			m.clearQuit()
		}

	case startMsg:
		return m.submit(m.chat.Message)
	case watchedMsg:
		return m.showWatched(msg)
	case turnMsg:
		return m.handleTurnEvents(msg)
	case tickMsg:
		return m.tick(msg)
	case preparedMsg:
		return m.handlePrepared(msg)
	case taskDoneMsg:
		return m.finishTask(msg)
	case formCanceledMsg:
		m.showCanceledForm(msg)
	case refreshedMsg:
		if msg.commands != nil {
			m.chat.SetCommands(msg.commands)
		}
		m.commandsChanged()
	case formFilledMsg:
		return m.applyFormResult(msg)
	case listScreenMsg:
		return msg.apply(m, msg.screen == m.listScreen)
	case searchItemsMsg:
		m.applySearchItems(msg)
	case foundSessionMsg:
		m.enterFoundSession(msg)
	case forkedMsg:
		return m.switchToFork(msg)
	case approvalRequestedMsg:
		return m.showApproval(msg.request)
	case approvalDroppedMsg:
		m.dropRequest(msg.request)
	case editorReadyMsg:
		return m.runEditor(msg)
	case editorClosedMsg:
		return m.readEditedDraft(msg)
	case draftEditedMsg:
		m.applyEditedDraft(msg)
	case completionsMsg:
		m.input.completions.Apply(msg.result)
	case historyMsg:
		if err := m.input.applyHistory(msg); err != nil {
			m.transcript.Say(transcript.Info, err.Error())
		}
	}
	return nil
}

func (m *Model) busy() bool { return m.turn != nil || m.task != nil || m.preparing || m.form != nil }

// clear starts a new session, after it stopped a running turn. A running command and what is queued
// belong to the old session and are dropped.
func (m *Model) clear() tea.Cmd {
	m.input.queue.Drain()
	m.dropTask()
	if m.busy() {
		m.clearing = true
		m.stop()
		return nil
	}
	m.startSession()
	return nil
}

func (m *Model) startSession() {
	m.clearing = false
	if left := m.switchTo(m.chat.Start(), nil); left != "" {
		m.transcript.Say(transcript.Info, "New session. The previous one is saved as "+left+".")
	}
	m.refreshStatus()
}

// stillAnsweringText is shown when another session cannot be opened yet.
const stillAnsweringText = "nfa is still answering. Wait, or stop the answer in the chat first."

// resume switches to the session that was chosen on a list screen.
func (m *Model) resume(r *ResumeRequest) tea.Cmd {
	if !m.enterSession(r) {
		m.listScreen.browser.ShowError(stillAnsweringText)
		return nil
	}
	return m.closeListScreen()
}

// enterSession switches to another conversation and drops a running command. It refuses while an
// answer is running, because the user would not see the rest of it.
func (m *Model) enterSession(r *ResumeRequest) (entered bool) {
	if m.task != nil {
		m.dropTask()
		m.input.queue.Drain()
	}
	if m.busy() {
		r.Done(false)
		return false
	}
	left := m.switchTo(r.Conversation, r.History)
	r.Done(true)
	if left != "" {
		m.transcript.Say(transcript.Info, "The previous session is saved as "+left+".")
	}
	m.refreshStatus()
	return true
}

// refreshStatus updates the header, the status line and the start page.
func (m *Model) refreshStatus() {
	m.status.Info = m.chat.Status()
	if m.transcript.OnStartPage() {
		m.showStartPage()
	}
}
