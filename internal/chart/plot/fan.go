package plot

import (
	"math"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/axis"
)

// fan sets up bands between percentiles, the outermost first, and a line for the one
// in the middle.
func (p *plot) fan(s chart.Spec) bool {
	bands := s.Lines()
	var values axis.Extent
	var when axis.Period
	for i := range bands {
		values.Add(bands[i].Values...)
		when.Add(bands[i].Times)
	}
	if !values.Any {
		return false
	}
	p.setScale(values, s.Log)
	p.bottom = func(cols int) []place { return dated(when, cols, cols) }
	p.namePercentiles(s.Fan.Percentiles, bands)
	p.draw = func(c *canvas, rows int) {
		c.lettered = p.g.ascii
		for i := range len(bands) / 2 {
			glyph, style := p.g.outer, Band
			if i > 0 {
				glyph, style = p.g.inner, InnerBand
			}
			c.band(trace(bands[i], when, p.y, c.cols), trace(bands[len(bands)-1-i], when, p.y, c.cols), rows, cell{glyph, style})
		}
		c.line(trace(bands[len(bands)/2], when, p.y, c.cols*p.g.across), rows, Series1)
	}
	return true
}

// band fills the cells between two percentiles where both are known.
func (c *canvas) band(lower, upper []bucket, rows int, fill cell) {
	for col := range c.cols {
		if !lower[col].filled || !upper[col].filled {
			continue
		}
		from, to := c.dotRow(upper[col].high, rows)/c.g.down, c.dotRow(lower[col].low, rows)/c.g.down
		for row := min(from, to); row <= max(from, to); row++ {
			c.set(col, row, fill.glyph, fill.style)
		}
	}
}

// namePercentiles marks where each ended: the one in the middle before the others,
// the outermost before those within.
func (p *plot) namePercentiles(bands []chart.Percentile, series []chart.Series) {
	add := func(i int, style Style) {
		if v, _, ok := series[i].Last(); ok && !math.IsNaN(p.y.Position(v)) {
			text := p.g.pointer + bands[i].Name() + " " + axis.Figure(v, p.unit)
			p.marks = append(p.marks, mark{p.y.Position(v), text, style})
		}
	}
	middle := len(series) / 2
	add(middle, Series1)
	for i := range middle {
		style := Band
		if i > 0 {
			style = InnerBand
		}
		add(len(series)-1-i, style)
		add(i, style)
	}
}
