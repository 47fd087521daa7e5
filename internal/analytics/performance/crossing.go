package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// crossings values at the day's close what came or went without a price: a flow
// where it was from outside, and else, in a spin-off or merger, a proceed of the
// security that it came of.
func (h *History) crossings(all []crossing, series map[market.Symbol]market.Series) {
	lines := map[market.Symbol]int{}
	for i, s := range h.securities {
		lines[s.symbol] = i
	}
	line := func(symbol market.Symbol) int {
		if i, ok := lines[symbol]; ok && !h.scope.without[symbol] {
			return i
		}
		return none
	}
	for _, c := range all {
		to, from := line(c.symbol), line(c.giver)
		if to == none && from == none {
			continue
		}
		var of *security
		if to == none {
			of = h.outside(c, series)
		} else {
			of = h.securities[to]
		}
		worth, why := h.worth(of, c)
		h.cross(c, to, from, worth, why)
	}
}

// outside is a security that is left out of the history, priced for the day on which
// it was handed out.
func (h *History) outside(c crossing, series map[market.Symbol]market.Series) *security {
	s := &security{symbol: c.symbol, steps: []step{{c.day, c.quantity}}}
	given, ok := series[c.symbol]
	switch {
	case !ok:
		s.why = "it is left out, and no prices were given to tell what was handed out"
	case unusable(given) != "":
		s.why = unusable(given)
	case ordered(given) != nil:
		s.why = ordered(given).Error()
	default:
		s.currency, s.prices = given.Provenance.Currency, newColumn(h.grid.days, asTraded(given, h.grid, s))
	}
	return s
}

// worth is a quantity at the close of its day, or why nobody knows.
func (h *History) worth(s *security, c crossing) (decimal.Decimal, string) {
	if s.prices == nil {
		return decimal.Decimal{}, fmt.Sprintf("%s came or went on %s: %s", c.symbol, text(h.grid.date(c.day)), s.why)
	}
	price, _, ok := s.prices.on(c.day)
	if !ok {
		return decimal.Decimal{}, fmt.Sprintf("%s came or went on %s, when it has no price", c.symbol, text(h.grid.date(c.day)))
	}
	worth, ok := h.rates.convert(c.quantity.Mul(price), s.currency, c.day)
	if !ok {
		return decimal.Decimal{}, fmt.Sprintf("%s came or went on %s, when there is no rate of %s", c.symbol, text(h.grid.date(c.day)), s.currency)
	}
	return worth, ""
}

// cross books a worth to the line it came to, and from the line or the outside that
// it came of.
func (h *History) cross(c crossing, to, from int, worth decimal.Decimal, why string) {
	known := why == ""
	if !known && (to == none || from == none) {
		h.unpriced = append(h.unpriced, blank{c.day, true, why})
		return
	}
	if !known {
		// Both lines are of the book: only the division between them is not known.
		h.notes = append(h.notes, fmt.Sprintf("What %s was worth when it came of %s is not known (%s): the gains of the two are right together only.", c.symbol, c.giver, why))
		return
	}
	leg := func(line int, part portfolio.Part, amount decimal.Decimal) {
		h.legs = append(h.legs, entry{day: c.day, line: line, purse: none, part: part, amount: amount, known: true})
	}
	switch {
	case from == none:
		leg(to, portfolio.PartExternal, worth)
		h.flows[c.day] = h.flows[c.day].Add(worth)
	case to == none:
		leg(from, portfolio.PartExternal, worth.Neg())
		h.flows[c.day] = h.flows[c.day].Sub(worth)
	default:
		leg(to, portfolio.PartAction, worth.Neg())
		leg(from, portfolio.PartAction, worth)
	}
}
