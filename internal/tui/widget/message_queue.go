package widget

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// MessageQueue holds the messages that wait for the end of a turn. Its list is a Menu, which has no
// height while it is closed. Create it with NewMessageQueue; it is not safe for
// concurrent use.
type MessageQueue[T any] struct {
	*Menu // the list; it is open while the user chooses a message

	keys    KeyMap
	text    func(T) string
	waiting []T // oldest first
}

// NewMessageQueue returns an empty queue. text returns how a message is shown.
func NewMessageQueue[T any](st *Styles, keys KeyMap, text func(T) string) *MessageQueue[T] {
	title := "Queued messages"
	if hints := keys.Hints("", " · ", ActionHint{"list-run", "edit"}, ActionHint{"list-remove", "remove"}); hints != "" {
		title += " · " + hints
	}
	return &MessageQueue[T]{Menu: NewMenu(st, title), keys: keys, text: text}
}

// Len returns the number of messages.
func (q *MessageQueue[T]) Len() int { return len(q.waiting) }

// Add adds a message at the end.
func (q *MessageQueue[T]) Add(message T) { q.waiting = append(q.waiting, message) }

// Prepend adds a message at the start.
func (q *MessageQueue[T]) Prepend(message T) { q.waiting = slices.Insert(q.waiting, 0, message) }

// Next removes and returns the first message; there must be one. An open list stays on its
// message.
func (q *MessageQueue[T]) Next() T {
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	if q.Open() {
		q.showList(q.Chosen() - 1)
	}
	return next
}

// Drain removes and returns all messages, and closes the list.
func (q *MessageQueue[T]) Drain() []T {
	all := q.waiting
	q.waiting = nil
	q.Close()
	return all
}

// Rows returns the last n messages, one per line, for a closed list.
func (q *MessageQueue[T]) Rows(n int) []string {
	var rows []string
	for _, message := range q.waiting[len(q.waiting)-n:] {
		rows = append(rows, q.label(message))
	}
	return rows
}

// label returns the start of a message, because measuring all of it for every frame is slow.
func (q *MessageQueue[T]) label(message T) string {
	const most = 1 << 10
	text := q.text(message)
	return OneLine(text[:min(len(text), most)])
}

// Close closes the list.
func (q *MessageQueue[T]) Close() { q.SetRows(nil) }

// TakeBack removes and returns the message if there is only one. If there are several, it lists
// them and highlights the latest.
func (q *MessageQueue[T]) TakeBack() (message T, ok bool) {
	switch len(q.waiting) {
	case 0:
		return message, false
	case 1:
		return q.remove(0), true
	default:
		q.showList(len(q.waiting) - 1)
		return message, false
	}
}

// showList lists the queue, with the highlight at an index.
func (q *MessageQueue[T]) showList(at int) {
	rows := make([]MenuRow, len(q.waiting))
	for i, message := range q.waiting {
		rows[i].Label = q.label(message)
	}
	q.SetRows(rows)
	q.Choose(max(min(at, len(rows)-1), 0))
}

func (q *MessageQueue[T]) remove(at int) T {
	message := q.waiting[at]
	q.waiting = slices.Delete(q.waiting, at, at+1)
	return message
}

// Press handles a key while the list is open. taken is the message to edit, or nil. A key that is not
// one of the list closes it; handled is then false.
func (q *MessageQueue[T]) Press(k tea.KeyPressMsg) (taken *T, handled bool) {
	at := q.Chosen()
	switch action := q.keys.Action(ScopeCompletion, k); action {
	case "list-up", "list-down":
		q.step(action)
	case "list-run", "list-take":
		q.Close()
		message := q.remove(at)
		return &message, true
	case "list-remove":
		q.remove(at)
		q.showList(at)
	case "list-close":
		q.Close()
	default:
		q.Close()
		return nil, false
	}
	return nil, true
}
