package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Notify is how a reader who is elsewhere is told that something waits for them.
type Notify int

// Ways to be told.
const (
	NotifyOff     Notify = iota
	NotifyBell           // the terminal's bell, which it may show as it likes
	NotifyDesktop        // a notification of the desktop, where the terminal makes one (OSC 9)
)

// notifyAfter is how long a turn takes before a reader may have turned to something
// else.
const notifyAfter = 10 * time.Second

// The words are always the program's own: what an answer or a tool says does not
// belong on a desktop.
const (
	answerReadyText     = "nfa: the answer is there"
	approvalWaitingText = "nfa: a tool asks for approval"
)

// notify tells a reader who may be elsewhere that what they waited for is there.
// A terminal that says that it has the focus has its reader.
func (m *Model) notify(words string) tea.Cmd {
	if m.focused || m.cfg.Notify == NotifyOff || m.turn == nil || m.cfg.Now().Sub(m.turn.begun) < notifyAfter {
		return nil
	}
	if m.cfg.Notify == NotifyDesktop {
		return tea.Raw("\x1b]9;" + words + "\x1b\\")
	}
	return tea.Raw("\a")
}

// windowTitle is what the terminal's window is called, so that a glance at a tab tells
// how things are. It holds nothing that was said.
func (m *Model) windowTitle() string {
	switch {
	case m.cfg.NoWindowTitle:
		return ""
	case m.prompt.Open():
		return "! nfa asks"
	case m.turn != nil || m.task != nil:
		return "● nfa"
	default:
		return "nfa"
	}
}
