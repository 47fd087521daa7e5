package widget

import (
	"slices"
	"time"
)

// Form is a form on the screen whose values are written in editors of type E.
// Make it with New and give it fields with Ask; it is for one goroutine.
type Form[E FieldEditor] struct {
	st            *Styles
	newEditor     func(*Styles) E
	keys          FormKeys
	width, height int

	title, verb       string
	entries           []*formEntry[E]
	currentIndex      int       // the entry being edited
	column            int       // where the values begin
	escDiscards       bool      // Esc leaves without the values
	filling           bool      // the values are being looked at and stand still
	enterBlockedUntil time.Time // until when Enter does not count
}

// FormKeys are those that the form names, as people write them; "" where none does it.
type FormKeys struct {
	Enter        string // the next field, and at the end done
	Run          string // done at once
	RunPreferred string // the same where there is room for its name; "" for none
	Cancel       string
}

// NewForm makes a form without fields. Press takes the names of keys, whatever keys
// are called.
func NewForm[E FieldEditor](st *Styles, keys FormKeys, newEditor func(*Styles) E) *Form[E] {
	return &Form[E]{st: st, keys: keys, newEditor: newEditor}
}

// Ask shows fields, of which there is at least one, in the place of those before
// them. What was typed in one of the same name stays. Verb is what the last key
// does: "run".
func (f *Form[E]) Ask(title, verb string, fields []FormField) {
	f.filling, f.title, f.verb = false, title, verb
	entries := make([]*formEntry[E], 0, len(fields))
	for _, field := range fields {
		e := newFormEntry[E](field)
		same := slices.IndexFunc(f.entries, func(old *formEntry[E]) bool { return old.Name == field.Name })
		if same >= 0 {
			e.editor = f.entries[same].editor
		} else {
			e.editor = f.newEditor(f.st)
			e.write(field.Value)
		}
		entries = append(entries, e)
	}
	f.entries = entries
	f.currentIndex = f.first()
}

// first is where there is something to do: a problem, else a value that is
// needed, else the beginning.
func (f *Form[E]) first() int {
	if i := slices.IndexFunc(f.entries, func(e *formEntry[E]) bool { return e.Problem != "" }); i >= 0 {
		return i
	}
	return max(slices.IndexFunc(f.entries, (*formEntry[E]).missing), 0)
}

func (f *Form[E]) current() *formEntry[E] { return f.entries[f.currentIndex] }
func (f *Form[E]) last() bool             { return f.currentIndex == len(f.entries)-1 }

func (f *Form[E]) move(step int) {
	f.currentIndex = (f.currentIndex + step + len(f.entries)) % len(f.entries)
}

// SetEscDiscards says whether Esc leaves without the values, in the place of giving back
// what was asked with.
func (f *Form[E]) SetEscDiscards(discards bool) { f.escDiscards = discards }

// SetStyles changes the theme.
func (f *Form[E]) SetStyles(st *Styles) {
	f.st = st
	for _, e := range f.entries {
		e.editor.SetStyles(st)
	}
}

// BlockEnter has the form take no Enter before until: one that comes sooner was meant
// for something else.
func (f *Form[E]) BlockEnter(until time.Time) { f.enterBlockedUntil = until }

// FormReply says what a key meant to the form.
type FormReply int

// Replies.
const (
	FormReplyHandled FormReply = iota
	FormReplyTyped             // nothing; it is for the editor, see Edit
	FormReplyFilled            // the values are complete: look at them, and then Ask or Resume
)

// Press takes a key by its name, as Bubble Tea gives it.
func (f *Form[E]) Press(name string, now time.Time) FormReply {
	switch name {
	case "tab", "down":
		f.move(+1)
	case "shift+tab", "up":
		f.move(-1)
	case "enter", "ctrl+enter", "ctrl+r":
		if now.Before(f.enterBlockedUntil) {
			return FormReplyHandled
		}
		if name == "enter" && !f.last() {
			f.move(+1)
			return FormReplyHandled
		}
		return f.fill()
	case "left", "right":
		if step := map[string]int{"left": -1, "right": +1}[name]; !f.choose(step) {
			return FormReplyTyped
		}
	default:
		return FormReplyTyped
	}
	return FormReplyHandled
}

// choose goes through the choices of the current entry, and reports whether it
// has any.
func (f *Form[E]) choose(step int) bool {
	e := f.current()
	if len(e.Choices) == 0 {
		return false
	}
	if !f.filling {
		e.choose(step)
	}
	return true
}

// fill has the values stand still, unless one that is needed is missing.
func (f *Form[E]) fill() FormReply {
	if f.filling {
		return FormReplyHandled
	}
	for i, e := range slices.Backward(f.entries) {
		if e.missing() {
			e.Problem = valueMissingText
			f.currentIndex = i
		}
	}
	if f.current().missing() {
		return FormReplyHandled
	}
	f.filling = true
	return FormReplyFilled
}

// Editor is the one of the current entry.
func (f *Form[E]) Editor() E { return f.current().editor }

// Edit changes what is written in the current entry. While the values are being
// looked at it does nothing: the answer has to be about what stands there.
func (f *Form[E]) Edit(change func(E)) {
	if f.filling {
		return
	}
	e := f.current()
	before := e.editor.Value()
	change(e.editor)
	if e.editor.Value() != before {
		e.Problem = ""
	}
}

// Resume lets the values be changed again.
func (f *Form[E]) Resume() { f.filling = false }

// Values are what is written, by the names of the fields and without the blanks
// around it.
func (f *Form[E]) Values() map[string]string {
	values := make(map[string]string, len(f.entries))
	for _, e := range f.entries {
		values[e.Name] = e.text()
	}
	return values
}
