package widget

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Styles is how everything on the screen is drawn. All components share one *Styles, so SetTheme
// changes the whole screen. Only the update loop may change it.
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
	// CtrlEnter says that the terminal tells Ctrl+Enter from Enter.
	CtrlEnter bool

	prose   markdown.Theme
	version int // counts the themes: lines that were drawn with another one are out of date
}

// NewStyles returns the styles of a theme.
func NewStyles(theme markdown.Theme) *Styles {
	st := &Styles{}
	st.SetTheme(theme)
	return st
}

// SetTheme takes every style from the theme of prose, so that the whole screen has one accent
// color.
func (st *Styles) SetTheme(prose markdown.Theme) {
	st.Match = "7"
	if prose == markdown.PlainTheme() {
		st.Match = ""
	}
	st.Accent, st.Dim, st.Strong = prose.Accent, prose.Dim, prose.Strong
	st.Good, st.Warn, st.Bad = prose.Gain, prose.Warning, prose.Loss
	st.prose = prose
	st.version++
}

// Version changes with the theme. Lines that are kept are valid for one version.
func (st *Styles) Version() int { return st.version }

// Markdown returns the options for text of at most width columns. Prose is narrower; tables and
// code may use the whole width.
func (st *Styles) Markdown(width int) markdown.Options {
	return markdown.Options{Width: max(width, 1), Measure: ProseWidth, Theme: st.prose, Hyperlinks: st.Hyperlinks}
}
