package widget

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Styles holds the styles of the screen. All components share one *Styles, so SetTheme changes the
// whole screen. Only the update loop may change it.
type Styles struct {
	Accent, Dim, Strong, Good, Warn, Bad markdown.Style
	// Match highlights matches of a search.
	Match markdown.Style

	// Charts is the character set of charts. Set it before the first View.
	Charts chart.Charset
	// Names allows non-ASCII letters in the names of ASCII charts.
	Names bool

	// ReducedMotion stops all animation and blinking.
	ReducedMotion bool

	// Hyperlinks is true if the terminal supports OSC 8 hyperlinks.
	Hyperlinks bool
	// CtrlEnter is true if the terminal distinguishes Ctrl+Enter from Enter.
	CtrlEnter bool

	prose     markdown.Theme
	chartRows int // height of a chart in the conversation
	version   int // cached lines of another version are outdated
}

// NewStyles returns the styles of a theme.
func NewStyles(theme markdown.Theme) *Styles {
	st := &Styles{}
	st.SetTheme(theme)
	return st
}

// SetTheme derives all styles from the theme for Markdown, so that the screen has one accent color.
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

// Version changes with the theme. Cached lines are valid for one version.
func (st *Styles) Version() int { return st.version }

// Tables of more than maxNarrowColumns columns need wideTableWidth: the inside of a card on 80 columns.
const (
	maxNarrowColumns = 4
	wideTableWidth   = 72
)

// Markdown returns the options for text of at most width columns. Prose is limited to ProseWidth;
// tables and code may use the whole width.
func (st *Styles) Markdown(width int) markdown.Options {
	columns := 0
	if width < wideTableWidth {
		columns = maxNarrowColumns
	}
	return markdown.Options{MaxColumns: columns, Width: max(width, 1), Measure: ProseWidth, Theme: st.prose, Hyperlinks: st.Hyperlinks}
}
