package widget

import (
	"slices"
)

// MessageQueue is of messages. While it is listed it draws as the list does, else it has no
// height. Make it with New; it is for one goroutine.
type MessageQueue[T any] struct {
	*Menu // the list; it is open while one of them is being chosen

	text    func(T) string
	waiting []T
}

// NewMessageQueue makes an empty one. text is what a message is shown as, and title stands over
// the list.
func NewMessageQueue[T any](st *Styles, title string, text func(T) string) *MessageQueue[T] {
	return &MessageQueue[T]{Menu: NewMenu(st, title), text: text}
}

// Len is how many wait.
func (q *MessageQueue[T]) Len() int { return len(q.waiting) }

// Add puts a message behind all others.
func (q *MessageQueue[T]) Add(message T) { q.waiting = append(q.waiting, message) }

// Prepend puts a message before all others.
func (q *MessageQueue[T]) Prepend(message T) { q.waiting = slices.Insert(q.waiting, 0, message) }

// Next takes the first one out, of at least one; a list that is open stays on its message.
func (q *MessageQueue[T]) Next() T {
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	if q.Open() {
		q.showList(q.Chosen() - 1)
	}
	return next
}

// Drain takes all of them out, and closes the list.
func (q *MessageQueue[T]) Drain() []T {
	all := q.waiting
	q.waiting = nil
	q.Close()
	return all
}

// Rows are the last few, a line each, for those who do not choose.
func (q *MessageQueue[T]) Rows(few int) []string {
	var rows []string
	for _, message := range q.waiting[len(q.waiting)-few:] {
		rows = append(rows, q.label(message))
	}
	return rows
}

// label is as much of a message as a row can show. A whole text would be measured at
// every frame.
func (q *MessageQueue[T]) label(message T) string {
	const most = 1 << 10
	text := q.text(message)
	return OneLine(text[:min(len(text), most)])
}

// Close takes the list down.
func (q *MessageQueue[T]) Close() { q.SetRows(nil) }

// TakeBack takes the only message out. Of several it lists them, and highlights the
// latest.
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

// showList lists the queue anew, with the highlight at a place.
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

// Press takes a key, by its name in a list, while the queue is listed, and gives the
// message that it has taken out. Any other key closes the list and is not known.
func (q *MessageQueue[T]) Press(name string) (taken *T, known bool) {
	at := q.Chosen()
	switch name {
	case "up", "ctrl+p":
		q.Choose(-1)
	case "down", "ctrl+n":
		q.Choose(+1)
	case "enter", "tab":
		q.Close()
		message := q.remove(at)
		return &message, true
	case "delete", "backspace":
		q.remove(at)
		q.showList(at)
	case "esc":
		q.Close()
	default:
		q.Close()
		return nil, false
	}
	return nil, true
}
