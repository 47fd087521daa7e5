package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// degiroExchangePair is an exchange of currency: the line that paid and the one that received.
type degiroExchangePair struct{ paid, received int }

// findExchanges finds the two lines of each: of one moment and order, beside each other,
// in two currencies, one out and one in, with a rate that makes the one the other.
func (r *degiroReader) findExchanges() {
	for i := 0; i+1 < len(r.lines); i++ {
		a, b := r.lines[i], r.lines[i+1]
		if r.used[i] || r.used[i+1] || !isDEGIROExchange(a, b) {
			continue
		}
		p := degiroExchangePair{paid: i, received: i + 1}
		if b.change.Decimal.IsNegative() {
			p = degiroExchangePair{paid: i + 1, received: i}
		}
		r.exchanges = append(r.exchanges, p)
		i++
	}
}

func isDEGIROExchange(a, b degiroRow) bool {
	return a.class == degiroExchange && b.class == degiroExchange && a.moment.Equal(b.moment) && a.order == b.order && a.isin == b.isin &&
		a.currency != b.currency && a.change.Decimal.Sign()*b.change.Decimal.Sign() == -1 && degiroRateExplains(a, b)
}

// degiroRateExplains reports whether the rate that one of the lines has explains their sums, to
// the cent and as far as a rate of four places is exact. Which of the currencies it
// is for one of has changed over the years.
func degiroRateExplains(a, b degiroRow) bool {
	rate := a.rate
	if !rate.Valid {
		rate = b.rate
	}
	if !rate.Decimal.IsPositive() || a.rate.Valid && b.rate.Valid {
		return false
	}
	near := func(from, to decimal.Decimal) bool {
		converted := from.Mul(rate.Decimal)
		slack := from.Mul(decimal.New(1, -4)).Add(rate.Decimal.Add(decimal.NewFromInt(1)).Mul(decimal.New(1, -2)))
		return converted.Sub(to).Abs().LessThanOrEqual(slack)
	}
	x, y := a.change.Decimal.Abs(), b.change.Decimal.Abs()
	return near(x, y) || near(y, x)
}

// recordExchange records a pair that no trade is paid with.
func (r *degiroReader) recordExchange(p degiroExchangePair) {
	paid, received := r.lines[p.paid], r.lines[p.received]
	t := paid.newTransaction(portfolio.KindExchange)
	t.ToCurrency, t.ToAmount = received.currency, received.change.Decimal
	r.add(t, p.paid, p.received)
}

// rate is the one that the broker names.
func (r *degiroReader) rate(p degiroExchangePair) decimal.Decimal {
	if rate := r.lines[p.paid].rate; rate.Valid {
		return rate.Decimal
	}
	return r.lines[p.received].rate.Decimal
}

// priceNote is the note of a price in another currency than the one it was paid in.
func (r *degiroReader) priceNote(price decimal.Decimal, l degiroRow, p degiroExchangePair) string {
	return fmt.Sprintf("%s %s a share, exchanged at %s", price, l.currency, r.rate(p))
}

// orderKey is equal for all lines of one order on one day, and empty where a line is of
// no order.
func (l degiroRow) orderKey() string {
	if l.order == "" {
		return ""
	}
	return strings.Join([]string{l.order, l.dayKey(), l.isin}, " ")
}
