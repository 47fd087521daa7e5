package composer

import "github.com/nfa-cli/nfa/internal/tui/draw"

// Field is a composer that writes the value of a form's field: it has no prompt, and
// shows its text while another has the keyboard.
type Field struct{ *Composer }

// NewField makes an empty one.
func NewField(st *draw.Styles) Field { return Field{New(st, "")} }

// Shown is the text as it stands in the line, with labels in the place of pastes.
func (f Field) Shown() string { return f.area.Value() }

// SetSize gives the field its width and the most rows it may take.
func (f Field) SetSize(width, rows int) {
	f.Composer.SetSize(width, rows)
	f.redraw()
}
