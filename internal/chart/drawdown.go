package chart

// drawdown sets up falls as an area below the zero line.
func (p *plot) drawdown(s Spec) bool {
	if len(s.Series) == 0 {
		return false
	}
	fall := ordered(s.Series[0])
	var values extent
	var when period
	values.add(fall.Values...)
	when.add(fall.Times)
	if !values.any {
		return false
	}
	values.add(0)
	p.y = values.scale(false)
	p.bottom = func(cols int) []place { return dated(when, cols, cols) }
	p.nameSeries([]Series{fall})
	p.draw = func(c *canvas, rows int) {
		zero := c.dotRow(p.y.position(0), rows)
		for x, b := range trace(fall, when, p.y, c.cols*p.g.across) {
			if b.filled {
				c.column(x, zero, c.dotRow(b.low, rows), Down)
				c.column(x, zero, c.dotRow(b.high, rows), Down)
			}
		}
		c.reference(p.y, rows, 0)
	}
	return true
}
