package widget

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// FormRequest is what a form asks for, whoever wants it. What its values come to is a T.
type FormRequest[T any] struct {
	Title  string
	Fields []FormField
	Verb   string // what its last key does: "run"
	// Fill looks at the values, by name and without the blanks around them.
	Fill func(values map[string]string) FormResult[T]
	// OnCancel says what comes in the place of a form that is given up; nil where that is
	// for whoever opened it.
	OnCancel func() (string, error)
}

// FormResult is what values came to: they are asked for again, they will not do, or they
// are Done.
type FormResult[T any] struct {
	Again *FormRequest[T]
	Err   error
	Value T
}

// FormDialog is a form that is open. It is not safe for concurrent use.
type FormDialog[T any] struct {
	*Form[FieldComposer]
	request *FormRequest[T]
}

// NewFormDialog opens a form whose keys are called so.
func NewFormDialog[T any](st *Styles, keys FormKeys, a *FormRequest[T]) *FormDialog[T] {
	f := &FormDialog[T]{Form: NewForm(st, keys, NewFieldComposer)}
	f.Ask(a)
	return f
}

// Ask asks for other values from now on, with what was typed in fields of the same name.
func (f *FormDialog[T]) Ask(a *FormRequest[T]) {
	f.request = a
	f.SetEscDiscards(a.OnCancel != nil)
	f.Form.Ask(a.Title, a.Verb, a.Fields)
}

// OnCancel is that of what is asked for now.
func (f *FormDialog[T]) OnCancel() func() (string, error) { return f.request.OnCancel }

// Write takes a key or a paste into the value being written.
func (f *FormDialog[T]) Write(msg tea.Msg) (cmd tea.Cmd) {
	if p, ok := msg.(tea.PasteMsg); ok {
		// A line is often copied with its end.
		p.Content = strings.TrimRight(p.Content, "\r\n")
		msg = p
	}
	f.Edit(func(v FieldComposer) { cmd = v.Update(msg) })
	return cmd
}

// Press takes a key, which the form knows by name. The key that closes a form is for
// whoever opened it. Once the values are given, the command looks at them, and its
// message is what filled makes of the answer.
func (f *FormDialog[T]) Press(k tea.KeyPressMsg, name string, now time.Time, toMsg func(FormResult[T]) tea.Msg) tea.Cmd {
	switch f.Form.Press(name, now) {
	case FormReplyTyped:
		return f.Write(k)
	case FormReplyFilled:
		fill, values := f.request.Fill, f.Values()
		return func() tea.Msg { return toMsg(fill(values)) }
	default:
		return nil
	}
}

// Apply goes on with an answer, and reports whether the form has come to its end.
func (f *FormDialog[T]) Apply(a FormResult[T]) (done bool) {
	switch {
	case a.Again != nil:
		f.Ask(a.Again)
	case a.Err != nil:
		f.Resume()
	default:
		return true
	}
	return false
}

// Cursor stands in the current value, at a line of View that has so many.
func (f *FormDialog[T]) Cursor() (c *tea.Cursor, lines int) {
	x, y, lines, ok := f.EditorPosition()
	if !ok {
		return nil, 0
	}
	if c = f.Editor().Cursor(); c == nil {
		return nil, 0
	}
	if mask, ok := f.Mask(); ok {
		c.X, c.Y = len(mask), 0
	}
	c.X += x
	c.Y += y
	return c, lines
}
