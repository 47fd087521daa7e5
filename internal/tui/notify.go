package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Notify is how the chat notifies a user whose terminal does not have the focus.
type Notify int

// Notification methods.
const (
	NotifyOff     Notify = iota
	NotifyBell           // the terminal's bell
	NotifyDesktop        // a desktop notification, if the terminal supports OSC 9
)

// notifyAfter is the minimum duration of a turn that notifies.
const notifyAfter = 10 * time.Second

// Notifications contain only fixed texts, because other people may see the desktop.
const (
	answerReadyText     = "nfa: your answer is ready"
	approvalWaitingText = "nfa: a tool needs your approval"
)

// notify notifies the user after a long turn, unless the terminal has the focus.
func (m *Model) notify(message string) tea.Cmd {
	if m.focused || m.chat.Notify == NotifyOff || m.turn == nil || m.chat.Now().Sub(m.turn.begun) < notifyAfter {
		return nil
	}
	if m.chat.Notify == NotifyDesktop {
		return tea.Raw("\x1b]9;" + message + "\x1b\\")
	}
	return tea.Raw("\a")
}

// windowTitle returns the title of the terminal window. It shows the state of the chat but nothing of
// its content.
func (m *Model) windowTitle() string {
	switch {
	case m.chat.NoWindowTitle:
		return ""
	case m.prompt.Open():
		return "! nfa: approval needed"
	case m.turn != nil || m.task != nil:
		return "● nfa"
	default:
		return "nfa"
	}
}
