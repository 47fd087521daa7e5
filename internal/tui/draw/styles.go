package draw

import "github.com/nfa-cli/nfa/internal/markdown"

// Styles is a theme made ready for drawing. Whoever keeps drawn lines remembers
// the Styles they were drawn with, so each theme is made once and compared by
// pointer.
type Styles struct {
	Accent, Dim, Strong, Good, Warn, Bad markdown.Style

	prose markdown.Theme
}

// NewStyles takes every style from the theme that prose is drawn with, so that
// the whole screen has one accent.
func NewStyles(prose markdown.Theme) *Styles {
	return &Styles{
		Accent: prose.Accent, Dim: prose.Dim, Strong: prose.Strong,
		Good: prose.Gain, Warn: prose.Warning, Bad: prose.Loss,
		prose: prose,
	}
}

// Markdown says how prose of at most width columns is laid out.
func (st *Styles) Markdown(width int) markdown.Options {
	return markdown.Options{Width: max(width, 1), Theme: st.prose}
}
