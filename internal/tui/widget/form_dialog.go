package widget

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// FormRequest is a form to show. Its values result in a T.
type FormRequest[T any] struct {
	Title  string
	Fields []FormField
	Verb   string // what its last key does: "run"
	// Fill checks the values, by name and trimmed.
	Fill func(values map[string]string) FormResult[T]
	// OnCancel returns what to show if the form is canceled; nil leaves that to the caller.
	OnCancel func() (string, error)
}

// FormResult is the result of the values: another form, an error, or a Value.
type FormResult[T any] struct {
	Again *FormRequest[T]
	Err   error
	Value T
}

// FormDialog is an open form with its request. It is not safe for concurrent use.
type FormDialog[T any] struct {
	*Form[FieldComposer]
	request *FormRequest[T]
}

// NewFormDialog opens a form with these key labels.
func NewFormDialog[T any](st *Styles, keys FormKeys, a *FormRequest[T]) *FormDialog[T] {
	f := &FormDialog[T]{Form: NewForm(st, keys, NewFieldComposer)}
	f.Ask(a)
	return f
}

// Ask shows another request and keeps what was typed in fields of the same name.
func (f *FormDialog[T]) Ask(a *FormRequest[T]) {
	f.request = a
	f.SetEscDiscards(a.OnCancel != nil)
	f.Form.Ask(a.Title, a.Verb, a.Fields)
}

// OnCancel returns the OnCancel of the current request.
func (f *FormDialog[T]) OnCancel() func() (string, error) { return f.request.OnCancel }

// Write adds a key or a paste to the current value.
func (f *FormDialog[T]) Write(msg tea.Msg) (cmd tea.Cmd) {
	if p, ok := msg.(tea.PasteMsg); ok {
		// A copied line often ends with a line break.
		p.Content = strings.TrimRight(p.Content, "\r\n")
		msg = p
	}
	f.Edit(func(v FieldComposer) { cmd = v.Update(msg) })
	return cmd
}

// Press handles a key by its default name. The caller handles the key that closes the form. When
// the values are complete, the returned command checks them, and filled makes its message of the
// result.
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

// Apply continues with a result, and reports whether the form is done.
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

// Cursor returns the cursor in the current value, for a View of that many lines.
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
