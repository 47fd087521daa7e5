package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/transcript"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// quitWindow is the maximum time between two presses of Ctrl+C that quit.
const quitWindow = 3 * time.Second

type quitTimeoutMsg struct{ armedAt time.Time }

// pressKey routes a key: first to the actions that always work, then to what is open, then to the
// composer.
func (m *Model) pressKey(k tea.KeyPressMsg) tea.Cmd {
	keys := m.chat.Keys
	anywhere := keys.Action(widget.ScopeAnywhere, k)
	if anywhere == "interrupt" {
		return m.interrupt()
	}
	m.clearQuit()
	switch anywhere {
	case "suspend":
		return tea.Suspend
	case "redraw":
		return tea.ClearScreen
	}
	if m.search != nil && !m.asking() {
		return m.pressSearchScreen(k)
	}
	if m.listScreen != nil && !m.asking() {
		return m.pressListScreen(k)
	}
	if m.viewer != nil && !m.asking() {
		return m.pressViewer(k)
	}
	if m.pressReading(k) {
		return nil
	}
	switch {
	case m.prompt.Open():
		return m.prompt.Press(k)
	case m.question != nil:
		m.pressQuestion(k)
		return nil
	case m.form != nil:
		return m.pressForm(k)
	case m.input.searching():
		return m.input.pressSearch(k)
	case m.transcript.OnStartRow():
		if cmd, handled := m.pressStartRow(k); handled {
			return cmd
		}
	case m.transcript.Focused():
		if cmd, handled := m.pressSelection(k); handled {
			return cmd
		}
	case m.input.pressUnknown(k):
		return nil
	default:
		if run, handled := m.input.pressList(k); run != "" {
			return m.submit(run)
		} else if handled {
			return nil
		}
	}
	if cmd, handled := m.pressWriting(k); handled {
		return cmd
	}
	m.transcript.Blur()
	return m.input.update(k)
}

// interrupt stops the running turn or task and closes a search or form. The second call within
// quitWindow quits.
func (m *Model) interrupt() tea.Cmd {
	if !m.quitArmed.IsZero() {
		return tea.Quit
	}
	m.stop()
	m.input.historySearch = nil
	m.input.queue.Close()
	var closed tea.Cmd
	m.viewer = nil
	if m.listScreen != nil {
		m.listScreen.form, m.listScreen.confirm, m.listScreen.menu = nil, nil, nil
	} else if m.form != nil {
		closed = m.cancelForm()
	}
	now := m.chat.Now()
	m.quitArmed = now
	m.status.Warning = "Press Ctrl+C again to quit."
	return tea.Batch(closed, tea.Tick(quitWindow, func(time.Time) tea.Msg { return quitTimeoutMsg{now} }))
}

// clearQuit resets the first Ctrl+C.
func (m *Model) clearQuit() {
	m.quitArmed = time.Time{}
	m.status.Warning = ""
}

// pressReading handles the keys of the transcript, which also work while a form or a question is open.
func (m *Model) pressReading(k tea.KeyPressMsg) (handled bool) {
	switch m.chat.Keys.Action(widget.ScopeReading, k) {
	case "open-all":
		m.transcript.ToggleAll()
	case "page-up":
		m.transcript.Page(-1)
	case "page-down":
		m.transcript.Page(+1)
	case "line-up":
		m.transcript.Scroll(-1)
	case "line-down":
		m.transcript.Scroll(+1)
	case "top":
		m.transcript.Home()
	case "bottom":
		m.transcript.Follow()
	case "search":
		if !m.asking() && m.form == nil && !m.input.searching() {
			m.transcript.Blur()
			m.input.openFindBar(m.transcript)
		}
	default:
		return false
	}
	return true
}

// pressWriting handles the keys of ScopeWriting that the composer does not handle itself.
func (m *Model) pressWriting(k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	composer := m.input.composer
	empty := composer.Empty()
	switch action := m.chat.Keys.Action(widget.ScopeWriting, k); {
	case action == "send":
		if composer.BreakLine() {
			return nil, true
		}
		return m.submit(composer.Value()), true
	case action == "stop":
		m.stop()
	case action == "leave" && empty:
		return tea.Quit, true
	case action == "pick" && m.chat.Search != nil:
		return m.openSearch(), true
	case action == "help" && empty:
		return m.showHelp(widget.ScopeWriting), true
	case action == "line-begin" && empty:
		m.transcript.Home()
	case action == "line-end" && empty:
		m.transcript.Follow()
	case action == "recall":
		return m.input.openHistorySearch(m.ctx), true
	case action == "editor" && m.chat.Editor != nil:
		return m.openEditor(), true
	case action == "undo":
		m.input.undo(-1)
	case action == "redo":
		m.input.undo(+1)
	case action == "choose" && empty:
		m.transcript.FocusNext(-1)
	case action == "choose":
		if tooLong := composer.ExpandPaste(); tooLong {
			m.transcript.Say(transcript.Info, "The pasted text is too long to show here. It will be sent in full; "+m.chat.Keys.Label("editor")+" opens it in your editor.")
		}
		m.input.textChanged()
	case action == "older" && empty && m.input.queue.Len() > 0:
		m.input.takeBackQueued()
	case action == "older" && m.input.recall(-1), action == "newer" && m.input.recall(+1):
	case action == "newer" && empty && m.transcript.OnStartPage():
		m.transcript.SelectStartRow(0)
	default:
		return nil, false
	}
	return nil, true
}

// paste passes pasted text to the open dialog, or to the composer.
func (m *Model) paste(msg tea.PasteMsg) tea.Cmd {
	switch {
	case m.prompt.Open():
		return m.prompt.Paste(msg)
	case m.question != nil:
		m.question.RestartQuietTime()
		return nil
	case m.viewer != nil:
		return nil
	case m.search != nil:
		return m.search.Write(msg)
	case m.listScreen != nil:
		return m.listScreen.paste(msg)
	case m.form != nil:
		return m.form.Write(msg)
	case !m.input.searching():
		m.transcript.Blur()
		m.input.queue.Close()
	}
	return m.input.update(msg)
}

// wheelLines is the number of lines that a step of the mouse wheel scrolls.
const wheelLines = 3

func (m *Model) scrollWheel(msg tea.MouseWheelMsg) {
	step := map[tea.MouseButton]int{tea.MouseWheelUp: -wheelLines, tea.MouseWheelDown: +wheelLines}[msg.Button]
	if m.listScreen != nil {
		m.listScreen.browser.Wheel(msg.X-widget.ScreenMargin(m.width), step)
		return
	}
	if m.viewer != nil {
		m.viewer.Scroll(step)
		return
	}
	m.transcript.Scroll(step)
}

func (m *Model) click(msg tea.MouseClickMsg) {
	switch y := msg.Y - m.screenLayout().Top; {
	case msg.Button != tea.MouseLeft:
	case m.viewer != nil:
	case m.listScreen == nil:
		if y >= 0 {
			m.transcript.ToggleAt(y)
		}
	case !m.asking() && !m.listScreen.hasDialog():
		m.listScreen.browser.Click(msg.X-widget.ScreenMargin(m.width), msg.Y)
	}
}
