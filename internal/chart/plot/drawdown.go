package plot

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/axis"
)

// drawdown sets up falls as an area below the zero line.
func (p *plot) drawdown(s chart.Spec) bool {
	if len(s.Series) == 0 {
		return false
	}
	fall := s.Lines()[0]
	var values axis.Extent
	var when axis.Period
	values.Add(fall.Values...)
	when.Add(fall.Times)
	if !values.Any {
		return false
	}
	values.Add(0)
	p.y = values.Scale(false)
	p.bottom = func(cols int) []place { return dated(when, cols, cols) }
	p.nameSeries([]chart.Series{fall})
	p.draw = func(c *canvas, rows int) {
		zero := c.dotRow(p.y.Position(0), rows)
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
