package performance

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// valueSeries returns a series of values with the portfolio's flows, from which returns are
// measured. The values are the portfolio's or those of a benchmark in its place.
func (h *History) valueSeries(values []decimal.NullDecimal) ValueSeries {
	return ValueSeries{
		First: h.grid.first, Base: h.base, Values: values, Flows: h.flows,
		UnvaluedReason: h.unvaluedReason, UnknownFlowReason: h.unknownFlowReason,
	}
}

// unvaluedReason says why a day has no value.
func (h *History) unvaluedReason(i int) string {
	d := h.grid.date(i)
	for _, g := range h.gaps {
		if !d.Before(g.From) && !d.After(g.To) {
			what := string(g.Symbol)
			if what == "" {
				what = g.Currency
			}
			return fmt.Sprintf("%s has no value on %s: %s", what, formatDate(d), g.Reason)
		}
	}
	return "no value on " + formatDate(d)
}

// unknownFlowReason says why a flow of the window is not known, if one is not.
func (h *History) unknownFlowReason(s Span) string {
	for _, b := range h.unvaluedMoves {
		if b.flow && b.day > s.From && b.day <= s.To {
			return b.reason
		}
	}
	return ""
}
