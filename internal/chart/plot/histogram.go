package plot

import (
	"math"
	"slices"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/axis"
)

// columnIn is where v stands among so many columns.
func columnIn(b chart.Counted, v float64, cols int) int {
	wide := cols / len(b.Counts)
	if b.Step == 0 {
		return cols / 2
	}
	return min(max(int(math.Floor(((v-b.Start)/b.Step+1e-9)*float64(wide))), 0), cols-1)
}

// histogram sets up how often values occur.
func (p *plot) histogram(s chart.Spec) bool {
	b, ok := s.Classes(max(p.width-10, 4))
	if !ok {
		return false
	}
	mean, median, most := b.Mean, b.Median, slices.Max(b.Counts)
	p.y = axis.Scale{Low: 0, High: float64(most), Whole: true}
	p.legend = []entry{
		{p.g.mean, "mean", axis.Figure(mean, p.unit), Axis},
		{p.g.median, "median", axis.Figure(median, p.unit), Axis},
		{"n", "", axis.Grouped(b.Total(), 0), Label},
	}
	p.pins = func(cols int) []pin {
		// Where the two are one column, the mean is seen.
		return []pin{{columnIn(b, median, cols), p.g.median}, {columnIn(b, mean, cols), p.g.mean}}
	}
	p.bottom = func(cols int) []place { return placesOf(b, cols, p.unit) }
	p.draw = func(c *canvas, rows int) {
		wide := c.cols / len(b.Counts)
		for i, count := range b.Counts {
			for col := i * wide; count > 0 && col < (i+1)*wide; col++ {
				c.pillar(col, rows-1, rows, float64(count)/float64(most), Series1)
			}
		}
	}
	return true
}

// placesOf label edges of classes at round numbers.
func placesOf(b chart.Counted, cols int, unit string) []place {
	if b.Step == 0 {
		return []place{{col: cols / 2, label: axis.Figure(b.Start, unit)}}
	}
	edges := axis.Scale{Low: b.Start, High: b.Start + b.Step*float64(len(b.Counts))}
	var out []place
	for _, t := range edges.Ticks(max(cols/10, 2), unit) {
		v := edges.Low + t.Position*(edges.High-edges.Low)
		out = append(out, place{col: columnIn(b, v, cols), label: t.Label})
	}
	return out
}
