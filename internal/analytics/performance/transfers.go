package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// valueTransfers values transfers that have no price of their own at the day's close. A transfer into or
// out of the portfolio is a flow; in a spin-off or merger it counts as proceeds of the original security.
func (h *History) valueTransfers(all []transfer, series map[market.Symbol]market.Series) {
	lines := map[market.Symbol]int{}
	for i, s := range h.securities {
		lines[s.symbol] = i
	}
	line := func(symbol market.Symbol) int {
		if i, ok := lines[symbol]; ok && !h.scope.excluded[symbol] {
			return i
		}
		return noIndex
	}
	for _, c := range all {
		to, from := line(c.symbol), line(c.source)
		if to == noIndex && from == noIndex {
			continue
		}
		var of *security
		if to == noIndex {
			of = h.excludedSecurity(c, series)
		} else {
			of = h.securities[to]
		}
		worth, why := h.transferValue(of, c)
		h.postTransfer(c, to, from, worth, why)
	}
}

// excludedSecurity returns an excluded security, priced on the day of its distribution.
func (h *History) excludedSecurity(c transfer, series map[market.Symbol]market.Series) *security {
	s := &security{symbol: c.symbol, steps: []quantityStep{{c.day, c.quantity}}}
	prices, ok := series[c.symbol]
	switch {
	case !ok:
		s.noPriceReason = "it is excluded, and no prices are available to value its distribution"
	case unusableReason(prices) != "":
		s.noPriceReason = unusableReason(prices)
	case checkOrder(prices) != nil:
		s.noPriceReason = checkOrder(prices).Error()
	default:
		s.currency, s.prices = prices.Provenance.Currency, newDailyColumn(h.grid.days, unadjustedPoints(prices, h.grid, s))
	}
	return s
}

// transferValue returns the value of a quantity at the close of its day, or the reason why it is
// unknown.
func (h *History) transferValue(s *security, c transfer) (decimal.Decimal, string) {
	if s.prices == nil {
		return decimal.Decimal{}, fmt.Sprintf("%s was transferred on %s: %s", c.symbol, formatDate(h.grid.date(c.day)), s.noPriceReason)
	}
	price, ok := s.prices.valueOn(c.day)
	if !ok {
		return decimal.Decimal{}, fmt.Sprintf("%s was transferred on %s, a day without a price", c.symbol, formatDate(h.grid.date(c.day)))
	}
	worth, ok := h.rates.convert(c.quantity.Mul(price), s.currency, c.day)
	if !ok {
		return decimal.Decimal{}, fmt.Sprintf("%s was transferred on %s, a day without an exchange rate for %s", c.symbol, formatDate(h.grid.date(c.day)), s.currency)
	}
	return worth, ""
}

// postTransfer posts a value to the line that received it, and against the line, or the outside, from which
// it came.
func (h *History) postTransfer(c transfer, to, from int, value decimal.Decimal, reason string) {
	known := reason == ""
	if !known && (to == noIndex || from == noIndex) {
		h.unvaluedMoves = append(h.unvaluedMoves, unvaluedMove{c.day, true, reason})
		return
	}
	if !known {
		// Both lines are part of the portfolio, so only the division between them is unknown.
		h.notes = append(h.notes, fmt.Sprintf("The value of %s when it was distributed by %s is unknown (%s); only their combined gain is correct.", c.symbol, c.source, reason))
		return
	}
	leg := func(line int, part portfolio.PostingCategory, amount decimal.Decimal) {
		h.securityEntries = append(h.securityEntries, entry{day: c.day, line: line, cash: noIndex, category: part, amount: amount, known: true})
	}
	switch {
	case from == noIndex:
		leg(to, portfolio.CategoryExternal, value)
		h.flows[c.day] = h.flows[c.day].Add(value)
	case to == noIndex:
		leg(from, portfolio.CategoryExternal, value.Neg())
		h.flows[c.day] = h.flows[c.day].Sub(value)
	default:
		leg(to, portfolio.CategoryAction, value.Neg())
		leg(from, portfolio.CategoryAction, value)
	}
}
