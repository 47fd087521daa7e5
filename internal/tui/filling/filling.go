// Package filling is a form that is open: the fields of package form with composers to
// write in them, and what their values come to. What looks at the values may take its
// time; it runs beside the screen, and the form stands still meanwhile.
//
// It knows Bubble Tea because composers do.
package filling

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// Asked is what a form asks for, whoever wants it. What its values come to is a T.
type Asked[T any] struct {
	Title  string
	Fields []form.Field
	Verb   string // what its last key does: "run"
	// Fill looks at the values, by name and without the blanks around them.
	Fill func(values map[string]string) Answer[T]
	// Leave says what comes in the place of a form that is given up; nil where that is
	// for whoever opened it.
	Leave func() (string, error)
}

// Answer is what values came to: they are asked for again, they will not do, or they
// are Done.
type Answer[T any] struct {
	Again *Asked[T]
	Err   error
	Done  T
}

// Form is a form that is open. It is not safe for concurrent use.
type Form[T any] struct {
	*form.Form[composer.Field]
	asked *Asked[T]
}

// New opens a form whose keys are called so.
func New[T any](st *draw.Styles, keys form.Keys, a *Asked[T]) *Form[T] {
	f := &Form[T]{Form: form.New(st, keys, composer.NewField)}
	f.Ask(a)
	return f
}

// Ask asks for other values from now on, with what was typed in fields of the same name.
func (f *Form[T]) Ask(a *Asked[T]) {
	f.asked = a
	f.SetLeaving(a.Leave != nil)
	f.Form.Ask(a.Title, a.Verb, a.Fields)
}

// Leave is that of what is asked for now.
func (f *Form[T]) Leave() func() (string, error) { return f.asked.Leave }

// Write takes a key or a paste into the value being written.
func (f *Form[T]) Write(msg tea.Msg) (cmd tea.Cmd) {
	if p, ok := msg.(tea.PasteMsg); ok {
		// A line is often copied with its end.
		p.Content = strings.TrimRight(p.Content, "\r\n")
		msg = p
	}
	f.Edit(func(v composer.Field) { cmd = v.Update(msg) })
	return cmd
}

// Press takes a key, which the form knows by name. The key that closes a form is for
// whoever opened it. Once the values are given, the command looks at them, and its
// message is what filled makes of the answer.
func (f *Form[T]) Press(k tea.KeyPressMsg, name string, now time.Time, filled func(Answer[T]) tea.Msg) tea.Cmd {
	switch f.Form.Press(name, now) {
	case form.Typed:
		return f.Write(k)
	case form.Filled:
		fill, values := f.asked.Fill, f.Values()
		return func() tea.Msg { return filled(fill(values)) }
	default:
		return nil
	}
}

// Take goes on with an answer, and reports whether the form has come to its end.
func (f *Form[T]) Take(a Answer[T]) (done bool) {
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
func (f *Form[T]) Cursor() (c *tea.Cursor, lines int) {
	x, y, lines, ok := f.Place()
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
