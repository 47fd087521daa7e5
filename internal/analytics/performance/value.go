package performance

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Gap is a period of days, both ends included, on which the portfolio has no value.
type Gap struct {
	Symbol   market.Symbol // symbol without a price; empty for a rate
	Currency string        // currency without a rate
	From, To market.Date
	Reason   string
}

// Valuation is the value of the portfolio at the close of a day, by FormulaValue.
type Valuation struct {
	Value  decimal.NullDecimal
	Reason string // why Value is invalid
}

func (h *History) valuation(i int) Valuation {
	v := Valuation{Value: h.values[i]}
	if !v.Value.Valid {
		v.Reason = h.unvaluedReason(i)
	}
	return v
}

// valueDays sums quantity * price * rate over all positions for each day.
func (h *History) valueDays() {
	h.values = make([]decimal.NullDecimal, h.grid.days)
	for i := range h.values {
		h.values[i].Valid = true
	}
	// Values in one currency are added up before they are converted.
	var currencies []string
	sums := map[string][]decimal.Decimal{}
	sumsOf := func(currency string) []decimal.Decimal {
		if sums[currency] == nil {
			sums[currency], currencies = make([]decimal.Decimal, h.grid.days), append(currencies, currency)
		}
		return sums[currency]
	}
	for _, p := range h.cashBalances {
		sum := sumsOf(p.currency)
		for n, s := range p.steps {
			for i := s.day; i < h.until(p.steps, n); i++ {
				sum[i] = sum[i].Add(s.quantity)
			}
		}
	}
	for _, s := range h.securities {
		if s.prices == nil {
			h.addSecurity(s, nil)
		} else {
			h.addSecurity(s, sumsOf(s.currency))
		}
	}
	for _, currency := range currencies {
		h.addInBase(currency, sums[currency])
	}
}

// until returns the day on which the next step starts.
func (h *History) until(steps []quantityStep, n int) int {
	if n+1 < len(steps) {
		return steps[n+1].day
	}
	return h.grid.days
}

// addSecurity adds the value of a security to the sums of its currency. A day with a position but
// no price has no value.
func (h *History) addSecurity(s *security, sums []decimal.Decimal) {
	gap := Gap{Symbol: s.symbol, Reason: cmp.Or(s.noPriceReason, fmt.Sprintf("no price for %s within %d days", s.symbol, staleness))}
	for n, st := range s.steps {
		if st.quantity.IsZero() {
			h.closeGap(&gap, st.day)
			continue
		}
		var worth decimal.Decimal
		last := int32(noIndex)
		for i := st.day; i < h.until(s.steps, n); i++ {
			if s.prices == nil || s.prices.at[i] < 0 {
				h.values[i].Valid = false
				h.openGap(&gap, i)
				continue
			}
			h.closeGap(&gap, i)
			// Weekends have the price of Friday, so the product is already computed.
			if at := s.prices.at[i]; at != last {
				worth, last = st.quantity.Mul(s.prices.points[at].value), at
			}
			sums[i] = sums[i].Add(worth)
		}
	}
	h.closeGap(&gap, h.grid.days)
}

func (h *History) openGap(g *Gap, i int) {
	if g.From.IsZero() {
		g.From = h.grid.date(i)
	}
}

// closeGap keeps a gap that is open and ends on the day before i.
func (h *History) closeGap(g *Gap, i int) {
	if g.From.IsZero() {
		return
	}
	g.To = h.grid.date(i - 1)
	h.gaps = append(h.gaps, *g)
	g.From = market.Date{}
}

// addInBase adds amounts in a currency to the values, at each day's rate.
func (h *History) addInBase(currency string, sums []decimal.Decimal) {
	gap := Gap{Currency: currency, Reason: fmt.Sprintf("no exchange rate from %s to %s within %d days", currency, h.base, staleness)}
	for i, sum := range sums {
		value, ok := h.rates.convert(sum, currency, i)
		if !ok {
			h.openGap(&gap, i)
			h.values[i] = decimal.NullDecimal{}
			continue
		}
		h.closeGap(&gap, i)
		if h.values[i].Valid {
			h.values[i].Decimal = h.values[i].Decimal.Add(value)
		}
	}
	h.closeGap(&gap, len(sums))
}

func multiplyKnown(a, b decimal.NullDecimal) decimal.NullDecimal {
	if !a.Valid || !b.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(a.Decimal.Mul(b.Decimal))
}

// valueSeries returns a series of values with the portfolio's flows, from which returns are
// measured. The values are the portfolio's or a benchmark's.
func (h *History) valueSeries(values []decimal.NullDecimal) ValueSeries {
	return ValueSeries{
		First: h.grid.first, Base: h.base, Values: values, Flows: h.flows,
		UnvaluedReason: h.unvaluedReason, UnknownFlowReason: h.unknownFlowReason,
	}
}

// unvaluedReason returns why a day has no value.
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

// unknownFlowReason returns why a flow of the window is unknown, or "" if all are known.
func (h *History) unknownFlowReason(s Span) string {
	for _, b := range h.unvaluedMoves {
		if b.flow && b.day > s.From && b.day <= s.To {
			return b.reason
		}
	}
	return ""
}
