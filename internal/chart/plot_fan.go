package chart

import (
	"math"
)

// fan sets up bands between percentiles, the outermost first, and a line for the one
// in the middle.
func (p *plot) fan(s Spec) bool {
	bands := s.TimeSeries()
	var values ValueRange
	var timeRange Period
	for i := range bands {
		values.Add(bands[i].Values...)
		timeRange.Add(bands[i].Times)
	}
	if !values.NonEmpty {
		return false
	}
	p.setScale(values, s.Log)
	p.columnLabels = func(cols int) []columnLabel { return dateLabels(timeRange, cols, cols) }
	p.labelPercentiles(s.Fan.Percentiles, bands)
	p.draw = func(c *canvas, rows int) {
		c.useLetters = p.g.ascii
		for i := range len(bands) / 2 {
			glyph, style := p.g.outer, StyleBand
			if i > 0 {
				glyph, style = p.g.inner, StyleInnerBand
			}
			c.fillBand(bucketSeries(bands[i], timeRange, p.y, c.cols), bucketSeries(bands[len(bands)-1-i], timeRange, p.y, c.cols), rows, cell{glyph, style})
		}
		c.drawLine(bucketSeries(bands[len(bands)/2], timeRange, p.y, c.cols*p.g.across), rows, StyleSeries1)
	}
	return true
}

// fillBand fills the cells between two percentiles where both are known.
func (c *canvas) fillBand(lower, upper []bucket, rows int, fill cell) {
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

// labelPercentiles marks the last value of each percentile: the middle one first, then the
// outermost, then the inner ones.
func (p *plot) labelPercentiles(bands []Percentile, series []Series) {
	add := func(i int, style Style) {
		if v, _, ok := series[i].Last(); ok && !math.IsNaN(p.y.Position(v)) {
			text := p.g.pointer + bands[i].Name() + " " + FormatFigure(v, p.unit)
			p.marks = append(p.marks, mark{p.y.Position(v), text, style})
		}
	}
	middle := len(series) / 2
	add(middle, StyleSeries1)
	for i := range middle {
		style := StyleBand
		if i > 0 {
			style = StyleInnerBand
		}
		add(len(series)-1-i, style)
		add(i, style)
	}
}
