package performance

import "github.com/nfa-cli/nfa/internal/market"

// Growth compares the portfolio with a benchmark over a window, day by day: what 100 that
// stayed from the beginning would have become by the close of each day, as TimeWeighted counts
// it for both. A value that is not known is NaN.
type Growth struct {
	Dates                []market.Date
	Portfolio, Benchmark []float64
	// Reason is the reason where all is absent.
	Reason string
}

// Growth follows the portfolio and the same money in a benchmark through a window, as Compare
// does at its end. An invalid window is ErrInvalidRequest.
func (h *History) Growth(series market.Series, from, to market.Date) (Growth, error) {
	s, err := h.span(from, to)
	if err != nil {
		return Growth{}, err
	}
	closes, why := h.closes(series)
	if why != "" {
		return Growth{Reason: why}, nil
	}
	values, why := h.replicate(series.Symbol, closes, s)
	if why != "" {
		return Growth{Reason: why}, nil
	}
	g := Growth{}
	for i := s.From; i <= s.To; i++ {
		g.Dates = append(g.Dates, h.grid.date(i))
	}
	if g.Portfolio, g.Reason = h.valueSeries(h.values).Path(s); g.Reason == "" {
		g.Benchmark, g.Reason = h.valueSeries(values).Path(s)
	}
	if g.Reason != "" {
		return Growth{Reason: g.Reason}, nil
	}
	return g, nil
}
