package draw

import (
	"github.com/nfa-cli/nfa/internal/chart/plot"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Styles is a theme made ready for drawing. Whoever keeps drawn lines remembers
// the Styles they were drawn with, so each theme is made once and compared by
// pointer.
type Styles struct {
	Accent, Dim, Strong, Good, Warn, Bad markdown.Style
	// Found marks what was searched for.
	Found markdown.Style

	// Charts are the characters that charts are drawn with. Set it before anything
	// is drawn.
	Charts plot.Charset
	// Names keep their letters in charts of ASCII, because the terminal has them.
	Names bool

	// Still is for readers whom motion disturbs: nothing moves or blinks by itself.
	Still bool

	// Hyperlinks says that the terminal makes links of OSC 8.
	Hyperlinks bool

	prose markdown.Theme
}

// NewStyles takes every style from the theme that prose is drawn with, so that
// the whole screen has one accent.
func NewStyles(prose markdown.Theme) *Styles {
	found := markdown.Style("7")
	if prose == markdown.Plain() {
		found = ""
	}
	return &Styles{
		Found: found, Accent: prose.Accent, Dim: prose.Dim, Strong: prose.Strong,
		Good: prose.Gain, Warn: prose.Warning, Bad: prose.Loss,
		prose: prose,
	}
}

// Markdown says how prose of at most width columns is laid out. Tables and code may
// have all of them.
func (st *Styles) Markdown(width int) markdown.Options {
	return markdown.Options{Width: max(width, 1), Measure: Measure, Theme: st.prose, Hyperlinks: st.Hyperlinks}
}
