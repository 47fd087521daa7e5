package tui

import "github.com/nfa-cli/nfa/internal/tui/widget"

// newQueue returns the queue, whose list shows its keys.
func (m *Model) newQueue() *widget.MessageQueue[submission] {
	title := "messages that wait"
	for _, k := range [][2]string{{m.keys.Label("list-run"), "takes back"}, {m.keys.Label("list-remove"), "drops"}} {
		if k[0] != "" {
			title += " · " + k[0] + " " + k[1]
		}
	}
	return widget.NewMessageQueue(m.st, title, func(s submission) string { return s.text })
}

// editQueued returns the queued message to the composer, or lets the user choose among several.
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
