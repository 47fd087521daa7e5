package widget_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func queueOf(messages ...string) *widget.MessageQueue[string] {
	q := widget.NewMessageQueue(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap(), func(s string) string { return s })
	q.SetSize(40, 10)
	for _, m := range messages {
		q.Add(m)
	}
	return q
}

// listedQueue returns a queue whose list is open, with the last message highlighted.
func listedQueue(t *testing.T, messages ...string) *widget.MessageQueue[string] {
	t.Helper()
	q := queueOf(messages...)
	if m, ok := q.TakeBack(); ok || !q.Open() {
		t.Fatalf("of %d messages %q returns at once, want a list", len(messages), m)
	}
	return q
}

// highlightedMessage returns the highlighted row.
func highlightedMessage(q *widget.MessageQueue[string]) string {
	for _, line := range q.View() {
		if line = ansi.Strip(line); strings.Contains(line, "›") {
			return strings.Trim(line, "│› ")
		}
	}
	return ""
}

func TestQueue_TheFirstThatCameIsNext(t *testing.T) {
	q := queueOf("one", "two")
	q.Prepend("before")
	var got []string
	for q.Len() > 0 {
		got = append(got, q.Next())
	}
	if want := []string{"before", "one", "two"}; !slices.Equal(got, want) {
		t.Errorf("came as %q, want %q", got, want)
	}
}

func TestQueue_TheOnlyMessageIsTakenBackAtOnce(t *testing.T) {
	q := queueOf("one")
	if m, ok := q.TakeBack(); m != "one" || !ok || q.Len() != 0 || q.Open() {
		t.Errorf("TakeBack = %q, %t, and %d are left; listed %t", m, ok, q.Len(), q.Open())
	}
	if m, ok := q.TakeBack(); ok || q.Open() {
		t.Errorf("an empty queue returns %q; listed %t", m, q.Open())
	}
}

func TestQueue_OneOfSeveralCanBeEdited(t *testing.T) {
	q := listedQueue(t, "one", "two", "three")
	if got := highlightedMessage(q); got != "three" {
		t.Errorf("%q is highlighted, want the latest", got)
	}
	q.Press(keyOf("up"))
	taken, known := q.Press(keyOf("enter"))
	if taken == nil || *taken != "two" || !known || q.Open() {
		t.Fatalf("Enter gives %v, known %t; listed %t", taken, known, q.Open())
	}
	if got, want := q.Drain(), []string{"one", "three"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
}

func TestQueue_RemovingAMessageKeepsTheList(t *testing.T) {
	q := listedQueue(t, "one", "two", "three")
	if taken, known := q.Press(keyOf("delete")); taken != nil || !known {
		t.Errorf("Delete gives %v, known %t", taken, known)
	}
	if got := highlightedMessage(q); got != "two" || q.Len() != 2 {
		t.Errorf("%q is highlighted of %d, want the one above", got, q.Len())
	}
	q.Press(keyOf("backspace"))
	q.Press(keyOf("backspace"))
	if q.Len() != 0 || q.Open() {
		t.Errorf("%d are left, listed %t", q.Len(), q.Open())
	}
}

// A turn that ends takes the first message while the reader looks at another.
func TestQueue_TheHighlightStaysOnItsMessage(t *testing.T) {
	q := listedQueue(t, "one", "two", "three")
	q.Press(keyOf("up"))
	q.Next()
	if got := highlightedMessage(q); got != "two" {
		t.Errorf("%q is highlighted, want two as before", got)
	}
	q.Next()
	if got := highlightedMessage(q); got != "three" {
		t.Errorf("with its message gone %q is highlighted, want what is left", got)
	}
	q.Next()
	if q.Open() {
		t.Error("a list of nothing is open")
	}
}

func TestQueue_AnyOtherKeyClosesTheListAndIsTyped(t *testing.T) {
	q := listedQueue(t, "one", "two")
	if taken, known := q.Press(keyOf("x")); taken != nil || known || q.Open() {
		t.Errorf("x gives %v, known %t; listed %t", taken, known, q.Open())
	}
	q = listedQueue(t, "one", "two")
	if taken, known := q.Press(keyOf("esc")); taken != nil || !known || q.Open() || q.Len() != 2 {
		t.Errorf("Esc gives %v, known %t; listed %t, %d wait", taken, known, q.Open(), q.Len())
	}
}

func TestQueue_RemovingAllMessagesClosesTheList(t *testing.T) {
	q := listedQueue(t, "one", "two")
	if got, want := q.Drain(), []string{"one", "two"}; !slices.Equal(got, want) || q.Open() || q.Len() != 0 {
		t.Errorf("Drain = %q, want %q; listed %t, %d wait", got, want, q.Open(), q.Len())
	}
}

func TestQueue_ARowIsOneLineHoweverLongItsMessage(t *testing.T) {
	q := queueOf("one", "two\nlines", "x"+strings.Repeat("é", 1<<20))
	rows := q.Rows(2)
	if len(rows) != 2 || rows[0] != "two lines" {
		t.Fatalf("the last two are %.40q, want them a line each", rows)
	}
	if n := len(rows[1]); n > 2<<10 || !utf8.ValidString(rows[1]) {
		t.Errorf("a row has %d bytes, valid %t: it is measured at every frame", n, utf8.ValidString(rows[1]))
	}
}
