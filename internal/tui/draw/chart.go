package draw

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/plot"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Chart draws a chart in at most height lines of at most width columns each, in the
// colours of the theme. Where there are none, lines are told apart by letters.
func (st *Styles) Chart(spec chart.Spec, width, height int) []string {
	lines := plot.Render(spec, plot.Options{
		Width: max(width, 1), Height: max(height, 1), Charset: st.Charts, Letters: st.prose == markdown.Plain(), Names: st.Names,
	})
	out := make([]string, len(lines))
	for i, line := range lines {
		var b strings.Builder
		for _, span := range line {
			b.WriteString(st.part(span.Style).Apply(span.Text))
		}
		out[i] = b.String()
	}
	return out
}

// ChartHeight is how many lines a chart is given beside text: a line explains itself
// in few, and on a narrow screen even fewer leave room for the words.
func ChartHeight(spec chart.Spec, width int) int {
	height := 14
	switch {
	case width < 40:
		height = 8
	case width < 70:
		height = 11
	}
	if spec.Kind == chart.KindBars {
		return min(height, len(spec.Parts)+1)
	}
	return height
}

// part is the style of a part of a chart.
func (st *Styles) part(s plot.Style) markdown.Style {
	switch s {
	case plot.Label, plot.InnerBand:
		return st.Dim
	case plot.Axis, plot.Band:
		return st.prose.Rule
	case plot.Up:
		return st.Good
	case plot.Down:
		return st.Bad
	case plot.Series1:
		return st.Accent
	case plot.Series2, plot.Series3, plot.Series4, plot.Series5, plot.Series6:
		return st.prose.Series[s-plot.Series2]
	}
	return ""
}
