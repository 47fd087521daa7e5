package widget

import (
	"slices"
	"time"
)

// Form is a form on the screen whose values are written in editors of type E. Create it with
// NewForm and set its fields with Ask; it is not safe for concurrent use.
type Form[E FieldEditor] struct {
	st            *Styles
	newEditor     func(*Styles) E
	keys          FormKeys
	width, height int

	title, verb       string
	entries           []*formEntry[E]
	currentIndex      int       // the entry being edited
	column            int       // where the values start
	escDiscards       bool      // Esc closes the form and discards the values
	filling           bool      // the values are being checked and cannot be changed
	enterBlockedUntil time.Time // Enter is ignored until then
}

// FormKeys are the labels of the keys that the form shows; "" if there is none.
type FormKeys struct {
	Enter        string // the next field, and at the end done
	Run          string // done at once
	RunPreferred string // the same, shown instead if it fits; "" for none
	Cancel       string
}

// NewForm returns a form without fields. Press takes default key names, whatever the labels in
// keys.
func NewForm[E FieldEditor](st *Styles, keys FormKeys, newEditor func(*Styles) E) *Form[E] {
	return &Form[E]{st: st, keys: keys, newEditor: newEditor}
}

// Ask shows fields, at least one, instead of the previous ones. What was typed in a field of the
// same name is kept. verb is what the last key does: "run".
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

// first returns the entry to start at: one with a problem, else one that is required and empty,
// else the first.
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

// SetEscDiscards says whether Esc closes the form and discards the values, instead of returning
// the line that opened it.
func (f *Form[E]) SetEscDiscards(discards bool) { f.escDiscards = discards }

// SetStyles changes the theme.
func (f *Form[E]) SetStyles(st *Styles) {
	f.st = st
	for _, e := range f.entries {
		e.editor.SetStyles(st)
	}
}

// BlockEnter makes the form ignore Enter until that time, because an earlier Enter was meant for
// something else.
func (f *Form[E]) BlockEnter(until time.Time) { f.enterBlockedUntil = until }

// FormReply is the effect of a key on the form.
type FormReply int

// Replies.
const (
	FormReplyHandled FormReply = iota
	FormReplyTyped             // none; the key is for the editor, see Edit
	FormReplyFilled            // the values are complete: check them, and then call Ask or Resume
)

// Press handles a key by its name, as Bubble Tea gives it.
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

// choose steps through the choices of the current entry, and reports whether it has any.
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

// fill freezes the values, unless a required one is missing.
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

// Editor returns the editor of the current entry.
func (f *Form[E]) Editor() E { return f.current().editor }

// Edit changes the value of the current entry. It does nothing while the values are being checked,
// because the result must be about the values shown.
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

// Resume makes the values editable again.
func (f *Form[E]) Resume() { f.filling = false }

// Values returns the values by field name, trimmed.
func (f *Form[E]) Values() map[string]string {
	values := make(map[string]string, len(f.entries))
	for _, e := range f.entries {
		values[e.Name] = e.text()
	}
	return values
}
