package chart

// drawdown sets up drawdowns as an area below the zero line.
func (p *plot) drawdown(s Spec) bool {
	if len(s.Series) == 0 {
		return false
	}
	fall := s.TimeSeries()[0]
	var values ValueRange
	var timeRange Period
	values.Add(fall.Values...)
	timeRange.Add(fall.Times)
	if !values.NonEmpty {
		return false
	}
	values.Add(0)
	p.y = values.Scale(false)
	p.columnLabels = func(cols int) []columnLabel { return dateLabels(timeRange, cols, cols) }
	p.labelSeries([]Series{fall})
	p.draw = func(c *canvas, rows int) {
		zero := c.dotRow(p.y.Position(0), rows)
		for x, b := range bucketSeries(fall, timeRange, p.y, c.cols*p.g.across) {
			if b.filled {
				c.column(x, zero, c.dotRow(b.low, rows), StyleDown)
				c.column(x, zero, c.dotRow(b.high, rows), StyleDown)
			}
		}
		c.drawReference(p.y, rows, 0)
	}
	return true
}
