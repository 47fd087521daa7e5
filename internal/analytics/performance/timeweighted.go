package performance

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// chain links the returns of days.
type chain struct {
	product  float64
	days     int // that were linked
	idle     int // with nothing invested
	stray    decimal.Decimal
	strayOn  int // the first day on which something came of nothing
	unvalued int // days that were stepped over
}

// timeWeighted is the true daily return by time: what one unit that stayed from the
// first to the last day became, whatever came and went. Days with nothing invested
// are left out. Days without a value are stepped over where nothing came or went.
//
// Source: GIPS 2020, time-weighted return with valuation at every large cash flow.
func (h *History) timeWeighted(values []decimal.NullDecimal, s span) Measure {
	c, why := h.link(values, s)
	if why == "" && c.days == 0 {
		why = nothingInvested
	}
	if why != "" {
		return absent(FormulaTimeWeighted, why)
	}
	m := h.measured(FormulaTimeWeighted, c.product-1, s)
	m.Inputs = append(m.Inputs,
		h.input("start", values[s.from].Decimal, s.from), h.input("end", values[s.to].Decimal, s.to), h.input("net flow", h.netFlow(s), none),
		Input{Name: "days linked", Value: decimal.NewFromInt(int64(c.days)), Unit: "days"})
	if c.idle > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("On %d of %d days nothing was invested: they are left out.", c.idle, s.days()))
	}
	if !c.stray.IsZero() {
		m.Notes = append(m.Notes, fmt.Sprintf("%s %s came of days on which nothing was invested, the first of them %s: a return cannot count them.", c.stray, h.base, text(h.grid.date(c.strayOn))))
	}
	if c.unvalued > 0 {
		m.Notes = append(m.Notes, fmt.Sprintf("%d days have no value and were stepped over; nothing came or went on them.", c.unvalued))
	}
	return m
}

const nothingInvested = "nothing was invested"

func (h *History) link(values []decimal.NullDecimal, s span) (chain, string) {
	return h.linkAlong(values, s, func(int, float64) {})
}

// linkAlong is link, which tells of what one unit became by the close of each day that
// has a value.
func (h *History) linkAlong(values []decimal.NullDecimal, s span, tell func(i int, product float64)) (chain, string) {
	c := chain{product: 1}
	for _, i := range []int{s.from, s.to} {
		if !values[i].Valid {
			return c, h.unvaluedOn(i)
		}
	}
	if why := h.unknownFlow(s); why != "" {
		return c, why
	}
	before, worth := values[s.from].Decimal, values[s.from].Decimal.InexactFloat64()
	for i := s.from + 1; i <= s.to; i++ {
		flow := h.flows[i]
		if !values[i].Valid {
			if !flow.IsZero() {
				return c, fmt.Sprintf("%s %s came or went on %s, and %s", flow, h.base, text(h.grid.date(i)), h.unvaluedOn(i))
			}
			c.unvalued++
			continue
		}
		after := values[i].Decimal
		now := after.InexactFloat64()
		if why := c.add(h, i, before, after, flow, worth, now); why != "" {
			return c, why
		}
		tell(i, c.product)
		before, worth = after, now
	}
	return c, ""
}

// add links a day. Sums are looked at as decimals only where something came or went.
func (c *chain) add(h *History, i int, before, after, flow decimal.Decimal, start, end float64) string {
	switch flow.Sign() {
	case 1:
		before = before.Add(flow)
		start = before.InexactFloat64()
	case -1:
		after = after.Sub(flow)
		end = after.InexactFloat64()
	}
	switch {
	case before.IsZero() && after.IsZero():
		c.idle++
		return ""
	case before.IsZero():
		if c.stray.IsZero() {
			c.strayOn = i
		}
		c.idle++
		c.stray = c.stray.Add(after)
		return ""
	case before.IsNegative():
		return fmt.Sprintf("the book owed more than it had at the start of %s", text(h.grid.date(i)))
	case after.IsNegative():
		return fmt.Sprintf("the book owed more than it had at the end of %s", text(h.grid.date(i)))
	}
	c.days++
	c.product *= end / start
	return ""
}
