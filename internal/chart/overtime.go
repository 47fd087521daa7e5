package chart

import (
	"fmt"
	"math"
)

func ordering(series []Series) []Series {
	out := make([]Series, 0, min(len(series), maxSeries))
	for _, one := range series[:min(len(series), maxSeries)] {
		out = append(out, ordered(one))
	}
	return out
}

// overTime sets up lines over time. It reports whether there is anything to draw.
func (p *plot) overTime(s Spec, series []Series) bool {
	var values extent
	var when period
	for _, one := range series {
		values.add(one.Values...)
		when.add(one.Times)
	}
	if !values.any {
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
func (p *plot) setScale(values extent, log bool) {
	p.y = values.scale(log)
	if p.y.log {
		p.about = joined(p.about, "log scale")
	}
}

// referenceOf is the value that the others are seen against.
func referenceOf(k Kind) float64 {
	if k == KindCompare {
		return 100
	}
	return 0
}

// reference draws a thin line across at v, if it is within the scale.
func (c *canvas) reference(y scale, rows int, v float64) {
	if v < y.low || v > y.high || math.IsNaN(y.position(v)) {
		return
	}
	row := c.dotRow(y.position(v), rows) / c.g.down
	for col := range c.cols {
		c.set(col, row, c.g.reference, Axis)
	}
}

// nameSeries marks where each series ended, and names it in the legend if there are
// several.
func (p *plot) nameSeries(series []Series) {
	for i, one := range series {
		v, _, ok := lastKnown(one)
		if !ok {
			continue
		}
		text := figure(v, p.unit)
		if len(series) == 1 {
			p.marks = append(p.marks, mark{p.y.position(v), p.g.pointer + text, Label})
			continue
		}
		name := p.g.clean(one.Name)
		if name == "" {
			name = fmt.Sprintf("series %d", i+1)
		}
		// Where there is colour the name's is that of the line; where there is none, it
		// stands where the line ends.
		p.marks = append(p.marks, mark{p.y.position(v), p.g.pointer + p.g.cut(name, max(p.width*3/10, 9)-1), seriesStyle(i)})
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

// lastKnown is the newest value that is known, and where it stands.
func lastKnown(s Series) (v float64, at int, ok bool) {
	for i := min(len(s.Values), len(s.Times)) - 1; i >= 0; i-- {
		if known(s.Values[i]) {
			return s.Values[i], i, true
		}
	}
	return 0, 0, false
}

// firstKnown is the oldest value that is known, and where it stands.
func firstKnown(s Series) (v float64, at int, ok bool) {
	for i := range min(len(s.Values), len(s.Times)) {
		if known(s.Values[i]) {
			return s.Values[i], i, true
		}
	}
	return 0, 0, false
}
