package widget

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Styles is a theme made ready for drawing. Whoever keeps drawn lines remembers
// the Styles they were drawn with, so each theme is made once and compared by
// pointer.
type Styles struct {
	Accent, Dim, Strong, Good, Warn, Bad markdown.Style
	// Match marks what was searched for.
	Match markdown.Style

	// Charts are the characters that charts are drawn with. Set it before anything
	// is drawn.
	Charts chart.Charset
	// Names keep their letters in charts of ASCII, because the terminal has them.
	Names bool

	// ReducedMotion is for readers whom motion disturbs: nothing moves or blinks by itself.
	ReducedMotion bool

	// Hyperlinks says that the terminal makes links of OSC 8.
	Hyperlinks bool

	prose markdown.Theme
}

// NewStyles takes every style from the theme that prose is drawn with, so that
// the whole screen has one accent.
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

// Markdown says how prose of at most width columns is laid out. Tables and code may
// have all of them.
func (st *Styles) Markdown(width int) markdown.Options {
	return markdown.Options{Width: max(width, 1), Measure: ProseWidth, Theme: st.prose, Hyperlinks: st.Hyperlinks}
}
