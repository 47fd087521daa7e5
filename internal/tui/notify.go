package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Notify is how the chat gets the attention of a user who looks elsewhere.
type Notify int

// Notification methods.
const (
	NotifyOff     Notify = iota
	NotifyBell           // the terminal's bell, which it may show as it likes
	NotifyDesktop        // a notification of the desktop, where the terminal makes one (OSC 9)
)

// notifyAfter is how long a turn runs before the user may have turned to something else.
const notifyAfter = 10 * time.Second

// Notifications contain only fixed texts: answers and tool results do not belong on a desktop.
const (
	answerReadyText     = "nfa: the answer is there"
	approvalWaitingText = "nfa: a tool asks for approval"
)

// notify notifies the user that the chat waits for them. It does nothing if the terminal reports
// that it has the focus.
func (m *Model) notify(message string) tea.Cmd {
	if m.focused || m.chat.Notify == NotifyOff || m.turn == nil || m.chat.Now().Sub(m.turn.begun) < notifyAfter {
		return nil
	}
	if m.chat.Notify == NotifyDesktop {
		return tea.Raw("\x1b]9;" + message + "\x1b\\")
	}
	return tea.Raw("\a")
}

// windowTitle returns the title of the terminal's window, which shows the state of the chat. It
// contains nothing of the conversation.
func (m *Model) windowTitle() string {
	switch {
	case m.chat.NoWindowTitle:
		return ""
	case m.prompt.Open():
		return "! nfa asks"
	case m.turn != nil || m.task != nil:
		return "● nfa"
	default:
		return "nfa"
	}
}
