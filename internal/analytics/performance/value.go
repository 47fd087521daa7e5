package performance

import (
	"fmt"
	"math/big"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Gap is a period of days, both ends included, on which the portfolio has no value.
type Gap struct {
	Symbol   market.Symbol // what has no price; empty where it is a rate
	Currency string        // what has no rate
	From, To market.Date
	Reason   string
}

// valueDays gives each day the sum of quantity * price * rate of all that is held.
func (h *History) valueDays() {
	blank := make([]bool, h.grid.days)
	locals := h.currencyTotals(blank)
	h.values = make([]decimal.NullDecimal, h.grid.days)
	for i := range h.values {
		h.values[i].Valid = !blank[i]
	}
	for _, l := range locals {
		h.addInBase(l)
	}
}

// currencyTotal is the worth of all that is priced in one currency, by day, over a power of
// ten.
type currencyTotal struct {
	currency string
	exponent int32
	sums     []big.Int
}

func (h *History) currencyTotals(blank []bool) []*currencyTotal {
	var all []*currencyTotal
	byCurrency := map[string]*currencyTotal{}
	of := func(currency string) *currencyTotal {
		l, ok := byCurrency[currency]
		if !ok {
			l = &currencyTotal{currency: currency, sums: make([]big.Int, h.grid.days)}
			byCurrency[currency] = l
			all = append(all, l)
		}
		return l
	}
	for _, p := range h.cashBalances {
		l := of(p.currency)
		l.exponent = min(l.exponent, minExponentOf(p.steps))
	}
	for _, s := range h.securities {
		if s.prices != nil {
			l := of(s.currency)
			l.exponent = min(l.exponent, minExponentOf(s.steps)+s.prices.exponent)
		}
	}
	for _, p := range h.cashBalances {
		h.addCash(of(p.currency), p)
	}
	for _, s := range h.securities {
		if s.prices == nil {
			h.markUnvalued(s, blank)
		} else {
			h.addSecurity(of(s.currency), s, blank)
		}
	}
	return all
}

func minExponentOf(steps []quantityStep) int32 {
	out := int32(0)
	for _, s := range steps {
		out = min(out, s.quantity.Exponent())
	}
	return out
}

func (h *History) addCash(l *currencyTotal, p *currencyCash) {
	for n, s := range p.steps {
		if s.quantity.IsZero() {
			continue
		}
		amount := mantissa(s.quantity, l.exponent)
		for i := s.day; i < h.until(p.steps, n); i++ {
			l.sums[i].Add(&l.sums[i], amount)
		}
	}
}

// until is the day on which the next step begins.
func (h *History) until(steps []quantityStep, n int) int {
	if n+1 < len(steps) {
		return steps[n+1].day
	}
	return h.grid.days
}

func (h *History) addSecurity(l *currencyTotal, s *security, blank []bool) {
	var product, buffer big.Int
	gap := Gap{Symbol: s.symbol}
	for n, st := range s.steps {
		if st.quantity.IsZero() {
			h.closeGap(&gap, st.day, s)
			continue
		}
		quantity, last := mantissa(st.quantity, l.exponent-s.prices.exponent), int32(noIndex)
		for i := st.day; i < h.until(s.steps, n); i++ {
			at := s.prices.at[i]
			if at < 0 {
				blank[i] = true
				h.openGap(&gap, i)
				continue
			}
			h.closeGap(&gap, i, s)
			// Weekends hold the price of the Friday: the product is known.
			if at != last {
				product.Mul(quantity, s.prices.mantissa(i, &buffer))
				last = at
			}
			l.sums[i].Add(&l.sums[i], &product)
		}
	}
	h.closeGap(&gap, h.grid.days, s)
}

// markUnvalued marks every day on which a security without prices is held.
func (h *History) markUnvalued(s *security, blank []bool) {
	gap := Gap{Symbol: s.symbol}
	for n, st := range s.steps {
		if st.quantity.IsZero() {
			h.closeGap(&gap, st.day, s)
			continue
		}
		for i := st.day; i < h.until(s.steps, n); i++ {
			blank[i] = true
			h.openGap(&gap, i)
		}
	}
	h.closeGap(&gap, h.grid.days, s)
}

func (h *History) openGap(g *Gap, i int) {
	if g.From.IsZero() {
		g.From = h.grid.date(i)
	}
}

func (h *History) closeGap(g *Gap, i int, s *security) {
	if g.From.IsZero() {
		return
	}
	g.To, g.Reason = h.grid.date(i-1), s.noPriceReason
	if g.Reason == "" {
		g.Reason = fmt.Sprintf("no price of %s within %d days", s.symbol, staleness)
	}
	h.gaps = append(h.gaps, *g)
	g.From = market.Date{}
}

// addInBase adds what is priced in a currency to the values, at each day's rate.
func (h *History) addInBase(l *currencyTotal) {
	column, quoted := h.rates.column(l.currency)
	var product, buffer big.Int
	gap := Gap{Currency: l.currency}
	end := func(i int) {
		if gap.From.IsZero() {
			return
		}
		gap.To, gap.Reason = h.grid.date(i-1), fmt.Sprintf("no rate of %s in %s within %d days", l.currency, h.base, staleness)
		h.gaps = append(h.gaps, gap)
		gap.From = market.Date{}
	}
	for i := range l.sums {
		sum, exponent := &l.sums[i], l.exponent
		if sum.Sign() == 0 {
			end(i)
			continue
		}
		if !quoted || column != nil && !column.hasValue(i) {
			h.openGap(&gap, i)
			h.values[i] = decimal.NullDecimal{}
			continue
		}
		end(i)
		if column != nil {
			product.Mul(sum, column.mantissa(i, &buffer))
			sum, exponent = &product, exponent+column.exponent
		}
		if h.values[i].Valid {
			h.values[i].Decimal = h.values[i].Decimal.Add(decimal.NewFromBigInt(sum, exponent))
		}
	}
	end(len(l.sums))
}
