package performance

import (
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Growth is a book beside a benchmark over a window, day by day: what 100 that stayed
// from the beginning would have become by the close of each day, as TimeWeighted counts
// it for both. What is not known on a day is NaN.
type Growth struct {
	Dates           []market.Date
	Book, Benchmark []float64
	// Why is the reason where all is absent.
	Why string
}

// Growth follows the book and the same money in a benchmark through a window, as
// Compare does at its end. A window that is none is ErrQuestion.
func (h *History) Growth(series market.Series, from, to market.Date) (Growth, error) {
	s, err := h.span(from, to)
	if err != nil {
		return Growth{}, err
	}
	closes, why := h.closes(series)
	if why != "" {
		return Growth{Why: why}, nil
	}
	values, why := h.replicate(series.Symbol, closes, s)
	if why != "" {
		return Growth{Why: why}, nil
	}
	g := Growth{}
	for i := s.from; i <= s.to; i++ {
		g.Dates = append(g.Dates, h.grid.date(i))
	}
	if g.Book, g.Why = h.path(h.values, s); g.Why == "" {
		g.Benchmark, g.Why = h.path(values, s)
	}
	if g.Why != "" {
		return Growth{Why: g.Why}, nil
	}
	return g, nil
}

// path is what 100 became by the close of each day.
func (h *History) path(values []decimal.NullDecimal, s span) ([]float64, string) {
	out := make([]float64, s.days()+1)
	for i := range out {
		out[i] = math.NaN()
	}
	out[0] = 100
	c, why := h.linkAlong(values, s, func(i int, product float64) { out[i-s.from] = 100 * product })
	if why == "" && c.days == 0 {
		why = nothingInvested
	}
	return out, why
}
