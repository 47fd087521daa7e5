package widget

// FieldComposer is a composer that writes the value of a form's field: it has no prompt, and
// shows its text while another has the keyboard.
type FieldComposer struct{ *Composer }

// NewFieldComposer makes an empty one.
func NewFieldComposer(st *Styles) FieldComposer { return FieldComposer{NewComposer(st, "")} }

// Preview is the text as it stands in the line, with labels in the place of pastes.
func (f FieldComposer) Preview() string { return f.area.Value() }

// SetSize gives the field its width and the most rows it may take.
func (f FieldComposer) SetSize(width, rows int) {
	f.Composer.SetSize(width, rows)
	f.refreshArea()
}
