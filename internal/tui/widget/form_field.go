package widget

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// FormField is a value that a form asks for.
type FormField struct {
	Name     string   // the key of the value
	About    string   // what it is for, one line
	Hint     string   // what else helps to fill it: a default, a type, symbols of the portfolio
	Value    string   // the initial value
	Required bool     // the form refuses to run while it is empty
	Choices  []string // what Left and Right go through; other values may be typed
	Secret   bool     // a key: what is typed is never shown
	Problem  string   // why Value is rejected, shown until it is changed
}

const valueMissingText = "a value is needed"

// FormProblems lists in one line the fields with a problem or without a required value; "" if
// there are none.
func FormProblems(fields []FormField) string {
	var words []string
	for _, f := range fields {
		switch {
		case f.Problem != "":
			words = append(words, f.Name+": "+f.Problem)
		case f.Required && f.Value == "":
			words = append(words, f.Name+": "+valueMissingText)
		}
	}
	return strings.Join(words, "; ")
}

// FieldEditor is the editor of one value. The caller passes it its keys.
type FieldEditor interface {
	Value() string
	Set(text string)
	Preview() string         // the value in short, for a field without the focus
	SetSize(width, rows int) // rows at most
	SetStyles(*Styles)
	View() []string
}

// formEntry is a field with its editor.
type formEntry[E FieldEditor] struct {
	FormField
	editor E

	name, star, hint, about string // as drawn
	width, rows             int    // of the editor
}

func newFormEntry[E FieldEditor](field FormField) *formEntry[E] {
	e := &formEntry[E]{FormField: field, name: OneLine(field.Name), hint: OneLine(field.Hint), about: OneLine(field.About)}
	if field.Required {
		e.star = " *"
	}
	if len(field.Choices) > 0 {
		e.hint = strings.TrimSpace("(" + OneLine(strings.Join(field.Choices, " ")) + ") " + e.hint)
	}
	return e
}

func (e *formEntry[E]) text() string      { return strings.TrimSpace(e.editor.Value()) }
func (e *formEntry[E]) write(text string) { e.editor.Set(markdown.Sanitize(text)) }
func (e *formEntry[E]) missing() bool     { return e.Required && e.text() == "" }

// preview is the value in short.
func (e *formEntry[E]) preview() string {
	if e.Secret {
		return e.masked()
	}
	return OneLine(e.editor.Preview())
}

// view is the value as it is being written.
func (e *formEntry[E]) view() []string {
	if e.Secret {
		return []string{e.masked()}
	}
	return e.editor.View()
}

// masked returns stars for a value. Their number shows that something was typed, but not how long
// a long value is.
func (e *formEntry[E]) masked() string {
	const most = 12
	return strings.Repeat("*", min(len(e.editor.Value()), most))
}

// Mask returns the text to show instead of the value that is being written; ok is false if the
// value itself is shown.
func (f *Form[E]) Mask() (mask string, ok bool) {
	e := f.current()
	return e.masked(), e.Secret
}

// choose sets the next choice, or the previous one with -1. An optional field can be emptied
// again.
func (e *formEntry[E]) choose(step int) {
	options := e.Choices
	if !e.Required {
		options = slices.Concat([]string{""}, e.Choices)
	}
	at := slices.Index(options, e.text())
	if at < 0 && step < 0 {
		at = 0
	}
	e.write(options[(at+step+len(options))%len(options)])
	e.Problem = ""
}

// setSize tells the editor its size where that has changed.
func (e *formEntry[E]) setSize(width, rows int) {
	if width != e.width || rows != e.rows {
		e.width, e.rows = width, rows
		e.editor.SetSize(width, rows)
	}
}
