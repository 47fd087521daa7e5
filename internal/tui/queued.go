package tui

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// chooseQueued takes the queued message back, or lets the user choose where there
// are several: the latest stands below, highlighted.
func (m *Model) chooseQueued() {
	if len(m.queue) == 1 {
		m.unqueue(0)
		return
	}
	m.closeLists()
	m.queued.Offer(m.queueRows())
	m.queued.Choose(-1)
}

// queueTitle says what the keys do in the list.
func (m *Model) queueTitle() string {
	title := "messages that wait"
	for _, k := range [][2]string{{m.keys.Label("list-run"), "takes back"}, {m.keys.Label("list-remove"), "drops"}} {
		if k[0] != "" {
			title += " · " + k[0] + " " + k[1]
		}
	}
	return title
}

func (m *Model) queueRows() []slash.Row {
	rows := make([]slash.Row, len(m.queue))
	for i, s := range m.queue {
		rows[i].Label = draw.OneLine(s.text[:min(len(s.text), 1<<10)])
	}
	return rows
}

// followQueue keeps the list with the queue, which turns take from at its
// beginning, and the highlight on its message.
func (m *Model) followQueue() {
	if gone := m.queued.Len() - len(m.queue); m.queued.Open() && gone != 0 {
		m.offerQueue(m.queued.Chosen() - gone)
	}
}

// offerQueue lists the queue anew, with the highlight at a place.
func (m *Model) offerQueue(at int) {
	m.queued.Offer(m.queueRows())
	m.queued.Choose(max(min(at, len(m.queue)-1), 0))
}

// queueKey handles a key, by its name in a list, while the queue is listed. Any
// other key closes the list and is typed.
func (m *Model) queueKey(name string) bool {
	at := m.queued.Chosen()
	switch name {
	case "up", "ctrl+p":
		m.queued.Choose(-1)
	case "down", "ctrl+n":
		m.queued.Choose(+1)
	case "enter", "tab":
		m.queued.Offer(nil)
		m.unqueue(at)
	case "delete", "backspace":
		m.queue = slices.Delete(m.queue, at, at+1)
		m.offerQueue(at)
	case "esc":
		m.queued.Offer(nil)
	default:
		m.queued.Offer(nil)
		return false
	}
	return true
}

// unqueue takes a queued message back for a change.
func (m *Model) unqueue(at int) {
	s := m.queue[at]
	m.queue = slices.Delete(m.queue, at, at+1)
	m.giveBack(s)
}
