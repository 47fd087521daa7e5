package performance

import (
	"math"

	"github.com/nfa-cli/nfa/internal/market"
)

// Drawdown returns how far the time-weighted growth at the end of a period is below its peak, as a
// fraction, and the day of the peak; nil if the growth is unknown. An invalid period is ErrInvalidRequest.
func (h *History) Drawdown(from, to market.Date) (fraction *float64, peak market.Date, err error) {
	s, err := h.span(from, to)
	if err != nil {
		return nil, market.Date{}, err
	}
	fraction, peak = h.valueSeries(h.values).Drawdown(s)
	return fraction, peak, nil
}

// Drawdown works like [History.Drawdown] for a span.
func (c ValueSeries) Drawdown(s Span) (fraction *float64, peak market.Date) {
	path, why := c.Path(s)
	if why != "" {
		return nil, market.Date{}
	}
	highest, last := 0.0, 0.0
	for i, growth := range path {
		if math.IsNaN(growth) {
			continue
		}
		if last = growth; growth > highest {
			highest, peak = growth, c.date(s.From+i)
		}
	}
	return new(1 - last/highest), peak
}
