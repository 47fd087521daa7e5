package tui

import "github.com/nfa-cli/nfa/internal/tui/widget"

// newQueue makes the queue, whose list says what the keys do in it.
func (m *Model) newQueue() *widget.MessageQueue[submission] {
	title := "messages that wait"
	for _, k := range [][2]string{{m.keys.Label("list-run"), "takes back"}, {m.keys.Label("list-remove"), "drops"}} {
		if k[0] != "" {
			title += " · " + k[0] + " " + k[1]
		}
	}
	return widget.NewMessageQueue(m.st, title, func(s submission) string { return s.text })
}

// editQueued takes the queued message back, or lets the user choose where there
// are several.
func (m *Model) editQueued() {
	m.closeLists()
	if s, ok := m.queue.TakeBack(); ok {
		m.returnToComposer(s)
	}
}

// queueKey handles a key, by its name in a list, while the queue is listed. Any
// other key closes the list and is typed.
func (m *Model) queueKey(name string) bool {
	taken, known := m.queue.Press(name)
	if taken != nil {
		m.returnToComposer(*taken)
	}
	return known
}
