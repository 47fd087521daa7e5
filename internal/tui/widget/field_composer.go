package widget

// FieldComposer is a composer for the value of a form field: it has no prompt, and shows its text
// when another field has the focus.
type FieldComposer struct{ *Composer }

// NewFieldComposer returns an empty FieldComposer.
func NewFieldComposer(st *Styles) FieldComposer { return FieldComposer{NewComposer(st, "")} }

// Preview returns the text in one line, with labels in the place of pastes.
func (f FieldComposer) Preview() string { return f.area.Value() }

// SetSize sets the width of the field and its maximum height.
func (f FieldComposer) SetSize(width, rows int) {
	f.Composer.SetSize(width, rows)
	f.refreshArea()
}
