package draw

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// Chart draws a chart in at most height lines of at most width columns each, in the
// colours of the theme. Where there are none, lines are told apart by letters.
func (st *Styles) Chart(spec chart.Spec, width, height int) []string {
	lines := chart.Render(spec, chart.Options{
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
func (st *Styles) part(s chart.Style) markdown.Style {
	switch s {
	case chart.Label, chart.InnerBand:
		return st.Dim
	case chart.Axis, chart.Band:
		return st.prose.Rule
	case chart.Up:
		return st.Good
	case chart.Down:
		return st.Bad
	case chart.Series1:
		return st.Accent
	case chart.Series2, chart.Series3, chart.Series4, chart.Series5, chart.Series6:
		return st.prose.Series[s-chart.Series2]
	}
	return ""
}
