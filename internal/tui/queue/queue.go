// Package queue is what waits for an answer to end: messages in their order, each a row
// over the line that is written, and the list in which one of them is taken back or
// dropped. What is done with a message is not its affair, nor what it is beside its
// text.
package queue

import (
	"slices"

	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

// Queue is of messages. While it is listed it draws as the list does, else it has no
// height. Make it with New; it is for one goroutine.
type Queue[T any] struct {
	*slash.Menu // the list; it is open while one of them is being chosen

	text    func(T) string
	waiting []T
}

// New makes an empty one. text is what a message is shown as, and title stands over
// the list.
func New[T any](st *draw.Styles, title string, text func(T) string) *Queue[T] {
	return &Queue[T]{Menu: slash.NewMenu(st, title), text: text}
}

// Len is how many wait.
func (q *Queue[T]) Len() int { return len(q.waiting) }

// Add puts a message behind all others.
func (q *Queue[T]) Add(message T) { q.waiting = append(q.waiting, message) }

// Precede puts a message before all others.
func (q *Queue[T]) Precede(message T) { q.waiting = slices.Insert(q.waiting, 0, message) }

// Next takes the first one out, of at least one; a list that is open stays on its message.
func (q *Queue[T]) Next() T {
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	if q.Open() {
		q.list(q.Chosen() - 1)
	}
	return next
}

// Drain takes all of them out, and closes the list.
func (q *Queue[T]) Drain() []T {
	all := q.waiting
	q.waiting = nil
	q.Close()
	return all
}

// Rows are the last few, a line each, for those who do not choose.
func (q *Queue[T]) Rows(few int) []string {
	var rows []string
	for _, message := range q.waiting[len(q.waiting)-few:] {
		rows = append(rows, q.label(message))
	}
	return rows
}

// label is as much of a message as a row can show. A whole text would be measured at
// every frame.
func (q *Queue[T]) label(message T) string {
	const most = 1 << 10
	text := q.text(message)
	return draw.OneLine(text[:min(len(text), most)])
}

// Close takes the list down.
func (q *Queue[T]) Close() { q.Offer(nil) }

// TakeBack takes the only message out. Of several it lists them, and highlights the
// latest.
func (q *Queue[T]) TakeBack() (message T, ok bool) {
	switch len(q.waiting) {
	case 0:
		return message, false
	case 1:
		return q.remove(0), true
	default:
		q.list(len(q.waiting) - 1)
		return message, false
	}
}

// list lists the queue anew, with the highlight at a place.
func (q *Queue[T]) list(at int) {
	rows := make([]slash.Row, len(q.waiting))
	for i, message := range q.waiting {
		rows[i].Label = q.label(message)
	}
	q.Offer(rows)
	q.Choose(max(min(at, len(rows)-1), 0))
}

func (q *Queue[T]) remove(at int) T {
	message := q.waiting[at]
	q.waiting = slices.Delete(q.waiting, at, at+1)
	return message
}

// Press takes a key, by its name in a list, while the queue is listed, and gives the
// message that it has taken out. Any other key closes the list and is not known.
func (q *Queue[T]) Press(name string) (taken *T, known bool) {
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
		q.list(at)
	case "esc":
		q.Close()
	default:
		q.Close()
		return nil, false
	}
	return nil, true
}
