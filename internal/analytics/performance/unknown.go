package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance/returns"
)

// course is the book, or what stands in its place with the same flows, as returns are
// measured of it.
func (h *History) course(values []decimal.NullDecimal) returns.Course {
	return returns.Course{
		First: h.grid.first, Base: h.base, Values: values, Flows: h.flows,
		Unvalued: h.unvaluedOn, UnknownFlow: h.unknownFlow,
	}
}

// unvaluedOn says why a day has no value.
func (h *History) unvaluedOn(i int) string {
	d := h.grid.date(i)
	for _, g := range h.gaps {
		if !d.Before(g.From) && !d.After(g.To) {
			what := string(g.Symbol)
			if what == "" {
				what = g.Currency
			}
			return fmt.Sprintf("%s has no value on %s: %s", what, text(d), g.Why)
		}
	}
	return "no value on " + text(d)
}

// unknownFlow says why a flow of the window is not known, if one is not.
func (h *History) unknownFlow(s returns.Span) string {
	for _, b := range h.unpriced {
		if b.flow && b.day > s.From && b.day <= s.To {
			return b.why
		}
	}
	return ""
}
