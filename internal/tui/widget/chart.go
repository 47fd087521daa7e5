package widget

import (
	"cmp"
	"strings"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// RenderChart draws a chart in at most height lines of at most width columns, in the colors of the
// theme. Without colors, letters distinguish the series.
func (st *Styles) RenderChart(spec chart.Spec, width, height int) []string {
	lines := chart.Render(spec, chart.RenderOptions{
		Width: max(width, 1), Height: max(height, 1), Charset: st.Charts, MarkLines: st.Accent == "", UnicodeNames: st.Names,
	})
	out := make([]string, len(lines))
	for i, line := range lines {
		var b strings.Builder
		for _, span := range line {
			b.WriteString(st.chartStyle(span.Style).Apply(span.Text))
		}
		out[i] = b.String()
	}
	return out
}

// The height of a chart in the conversation: maxChartRows, or less on a low screen, where aroundChart rows
// remain for the rest.
const (
	minChartRows, maxChartRows = 5, 16
	aroundChart                = 11
)

// SetScreenHeight sets the height of the screen, which limits the height of charts.
func (st *Styles) SetScreenHeight(rows int) {
	if height := min(maxChartRows, max(rows-aroundChart, minChartRows)); height != st.chartRows {
		st.chartRows = height
		st.version++
	}
}

// ChartHeight returns the height of a chart in the conversation.
func (st *Styles) ChartHeight(spec chart.Spec) int {
	height := cmp.Or(st.chartRows, maxChartRows)
	if spec.Kind == chart.KindBars {
		return min(height, len(spec.Parts)+1)
	}
	return height
}

// chartStyle returns the style of a part of a chart.
func (st *Styles) chartStyle(s chart.Style) markdown.Style {
	switch s {
	case chart.StyleLabel, chart.StyleInnerBand:
		return st.Dim
	case chart.StyleAxis, chart.StyleBand:
		return st.prose.Rule
	case chart.StyleUp:
		return st.Good
	case chart.StyleDown:
		return st.Bad
	case chart.StyleSeries1:
		return st.Accent
	case chart.StyleSeries2, chart.StyleSeries3, chart.StyleSeries4, chart.StyleSeries5, chart.StyleSeries6:
		return st.prose.Series[s-chart.StyleSeries2]
	}
	return ""
}

// DetectCharset returns the finest charset for charts that the terminal probably supports, judged by
// its locale and environment. The font of the Linux console has few characters, and the font of the
// Windows console has no braille.
func DetectCharset(env func(string) string, system string) chart.Charset {
	switch {
	case env("TERM") == "linux", HasNonUTF8Locale(env):
		return chart.CharsetASCII
	case system == "windows" && env("WT_SESSION") == "" && env("TERM_PROGRAM") == "":
		return chart.CharsetBlock
	}
	return chart.CharsetBraille
}

// HasNonUTF8Locale reports whether the locale, in the order of the C library, has an encoding other
// than UTF-8. It is false if no locale is set, because the rest of the screen needs UTF-8 too.
func HasNonUTF8Locale(env func(string) string) bool {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = env(name); locale != "" {
			break
		}
	}
	return locale != "" && !strings.Contains(strings.ReplaceAll(strings.ToLower(locale), "-", ""), "utf8")
}
