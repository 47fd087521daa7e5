package widget

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Styles is a theme prepared for drawing. Components cache lines together with the *Styles they
// were drawn with, so each theme is created once and compared by pointer.
type Styles struct {
	Accent, Dim, Strong, Good, Warn, Bad markdown.Style
	// Match marks what was searched for.
	Match markdown.Style

	// Charts are the characters that charts are drawn with. Set it before anything
	// is drawn.
	Charts chart.Charset
	// Names keeps the letters of names in ASCII charts, because the terminal has them.
	Names bool

	// ReducedMotion is for users whom motion disturbs: nothing moves or blinks by itself.
	ReducedMotion bool

	// Hyperlinks says that the terminal supports OSC 8 hyperlinks.
	Hyperlinks bool

	prose markdown.Theme
}

// NewStyles takes every style from the theme of prose, so that the whole screen has one accent
// color.
func NewStyles(prose markdown.Theme) *Styles {
	found := markdown.Style("7")
	if prose == markdown.PlainTheme() {
		found = ""
	}
	return &Styles{
		Match: found, Accent: prose.Accent, Dim: prose.Dim, Strong: prose.Strong,
		Good: prose.Gain, Warn: prose.Warning, Bad: prose.Loss,
		prose: prose,
	}
}

// Markdown returns the options for text of at most width columns. Prose is narrower; tables and
// code may use the whole width.
func (st *Styles) Markdown(width int) markdown.Options {
	return markdown.Options{Width: max(width, 1), Measure: ProseWidth, Theme: st.prose, Hyperlinks: st.Hyperlinks}
}
