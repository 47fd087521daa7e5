package chart

import (
	"math"
	"slices"
)

// histogramColumn is the column of v among that many columns.
func histogramColumn(b Distribution, v float64, cols int) int {
	wide := cols / len(b.Counts)
	if b.Step == 0 {
		return cols / 2
	}
	return min(max(int(math.Floor(((v-b.Start)/b.Step+1e-9)*float64(wide))), 0), cols-1)
}

// histogram sets up how often values occur.
func (p *plot) histogram(s Spec) bool {
	b, ok := s.Histogram(max(p.width-10, 4))
	if !ok {
		return false
	}
	mean, median, most := b.Mean, b.Median, slices.Max(b.Counts)
	p.y = Scale{Low: 0, High: float64(most), Whole: true}
	p.legend = []legendEntry{
		{p.g.mean, "mean", FormatFigure(mean, p.unit), StyleAxis},
		{p.g.median, "median", FormatFigure(median, p.unit), StyleAxis},
		{"n", "", FormatGrouped(b.Total(), 0), StyleLabel},
	}
	p.markers = func(cols int) []marker {
		// If both fall into one column, the mean is visible.
		return []marker{{histogramColumn(b, median, cols), p.g.median}, {histogramColumn(b, mean, cols), p.g.mean}}
	}
	p.columnLabels = func(cols int) []columnLabel { return classLabels(b, cols, p.unit) }
	p.draw = func(c *canvas, rows int) {
		wide := c.cols / len(b.Counts)
		for i, count := range b.Counts {
			for col := i * wide; count > 0 && col < (i+1)*wide; col++ {
				c.fillColumn(col, rows-1, rows, float64(count)/float64(most), StyleSeries1)
			}
		}
	}
	return true
}

// classLabels label edges of classes at round numbers.
func classLabels(b Distribution, cols int, unit string) []columnLabel {
	if b.Step == 0 {
		return []columnLabel{{col: cols / 2, label: FormatFigure(b.Start, unit)}}
	}
	edges := Scale{Low: b.Start, High: b.Start + b.Step*float64(len(b.Counts))}
	var out []columnLabel
	for _, t := range edges.Ticks(max(cols/10, 2), unit) {
		v := edges.Low + t.Position*(edges.High-edges.Low)
		out = append(out, columnLabel{col: histogramColumn(b, v, cols), label: t.Label})
	}
	return out
}
