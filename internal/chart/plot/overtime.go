package plot

import (
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/axis"
)

// overTime sets up lines over time. It reports whether there is anything to draw.
func (p *plot) overTime(s chart.Spec, series []chart.Series) bool {
	var values axis.Extent
	var when axis.Period
	for _, one := range series {
		values.Add(one.Values...)
		when.Add(one.Times)
	}
	if !values.Any {
		return false
	}
	p.setScale(values, s.Log)
	p.bottom = func(cols int) []place { return dated(when, cols, cols) }
	p.nameSeries(series)
	p.draw = func(c *canvas, rows int) {
		c.lettered = p.g.letters != "" && len(series) > 1
		c.reference(p.y, rows, referenceOf(s.Kind))
		// The first series is the subject: it is drawn last, above the others.
		for i := len(series) - 1; i >= 0; i-- {
			c.line(trace(series[i], when, p.y, c.cols*p.g.across), rows, seriesStyle(i))
		}
	}
	return true
}

// setScale says in the title which scale it became.
func (p *plot) setScale(values axis.Extent, log bool) {
	p.y = values.Scale(log)
	if p.y.Log {
		p.about = joined(p.about, "log scale")
	}
}

// referenceOf is the value that the others are seen against.
func referenceOf(k chart.Kind) float64 {
	if k == chart.KindCompare {
		return 100
	}
	return 0
}

// reference draws a thin line across at v, if it is within the scale.
func (c *canvas) reference(y axis.Scale, rows int, v float64) {
	if v < y.Low || v > y.High || math.IsNaN(y.Position(v)) {
		return
	}
	row := c.dotRow(y.Position(v), rows) / c.g.down
	for col := range c.cols {
		c.set(col, row, c.g.reference, Axis)
	}
}

// nameSeries marks where each series ended, and names it in the legend if there are
// several.
func (p *plot) nameSeries(series []chart.Series) {
	for i, one := range series {
		v, _, ok := one.Last()
		if !ok {
			continue
		}
		text := axis.Figure(v, p.unit)
		if len(series) == 1 {
			p.marks = append(p.marks, mark{p.y.Position(v), p.g.pointer + text, Label})
			continue
		}
		name := p.g.clean(one.Name)
		if name == "" {
			name = fmt.Sprintf("series %d", i+1)
		}
		// Where there is colour the name's is that of the line; where there is none, it
		// stands where the line ends.
		p.marks = append(p.marks, mark{p.y.Position(v), p.g.pointer + p.g.cut(name, max(p.width*3/10, 9)-1), seriesStyle(i)})
		p.legend = append(p.legend, entry{p.sign(i), name, text, seriesStyle(i)})
	}
}

// sign is how the line of the i-th series looks.
func (p *plot) sign(i int) string {
	if p.g.letters != "" {
		return p.g.letters[i%len(p.g.letters) : i%len(p.g.letters)+1]
	}
	return p.g.stroke
}

// compare sets up series that are rebased to 100 on their first day in common.
func (p *plot) compare(s chart.Spec) bool {
	s.Unit, p.unit = "", ""
	return p.overTime(s, s.Lines())
}
