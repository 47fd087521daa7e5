package yahoo

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// actions are the dividends and splits of the chart, oldest first, and what is odd
// about them. The result is never nil: Yahoo tells them all, though some dividends
// in a currency that the prices are not in. Those are not among them.
func (c Chart) actions(days []sessionBar, sc priceScale) ([]market.Action, []string) {
	out := make([]market.Action, 0, len(c.dividends)+len(c.splits))
	var odd []string
	for _, d := range c.dividends {
		amount, ok := d.amountIn(sc)
		if !ok || !isPlausibleTime(d.Date) {
			continue
		}
		a, doubt := checkDividend(market.Action{Kind: market.ActionDividend, Date: c.day(d.Date), Amount: amount}, days, sc)
		if doubt != "" {
			odd = append(odd, doubt)
		}
		out = append(out, a)
	}
	for _, s := range c.splits {
		if s.Numerator.Positive() && s.Denominator.Positive() && isPlausibleTime(s.Date) {
			out = append(out, splitAction(market.Action{Date: c.day(s.Date), New: s.Numerator.Decimal, Old: s.Denominator.Decimal}))
		}
	}
	slices.SortFunc(out, func(a, b market.Action) int {
		if !a.Date.Equal(b.Date) {
			return a.Date.Compare(b.Date)
		}
		return cmp.Compare(a.Kind, b.Kind)
	})
	sort.Strings(odd)
	return out, odd
}

// splitsOnly leaves the dividends out.
func splitsOnly(actions []market.Action) []market.Action {
	return slices.DeleteFunc(actions, func(a market.Action) bool { return a.Kind == market.ActionDividend })
}

// amountIn is the dividend in the currency of the prices; false where it was paid in
// another, or is none.
func (d chartDividend) amountIn(sc priceScale) (decimal.Decimal, bool) {
	major, parts := MajorUnit(d.Currency)
	switch {
	case !d.Amount.Positive():
		return decimal.Decimal{}, false
	case d.Currency == "" || d.Currency == sc.quoted:
		return d.Amount.Decimal.Mul(sc.bars), true
	case major == sc.currency:
		// Pounds beside prices in pence, or the reverse.
		return d.Amount.Decimal.DivRound(decimal.NewFromInt(parts), 12), true
	}
	return decimal.Decimal{}, false
}

// foreignDividendCurrency is a currency that dividends were paid in and the prices are not in, and
// false where there is none. What such a dividend was worth on its day Yahoo does not
// tell.
func (c Chart) foreignDividendCurrency(sc priceScale) (currency string, ok bool) {
	for _, d := range c.dividends {
		if _, convertible := d.amountIn(sc); !convertible && d.Amount.Positive() && isPlausibleTime(d.Date) && (!ok || d.Currency < currency) {
			currency, ok = d.Currency, true
		}
	}
	return client.SingleLine(currency, 10), ok
}

// maxSplitTerm is the largest term of a ratio that companies split by: a stock
// dividend of one per cent is 101 for 100.
const maxSplitTerm = 110

// splitAction tells splits from spin-offs, which Yahoo writes as splits by the
// change of price (1046 for 1000). A guess, and flagged as one.
func splitAction(a market.Action) market.Action {
	a.Kind = market.ActionSplit
	if n, o, ok := lowestTerms(a.New, a.Old); ok && (n == 1 || o == 1 || n <= maxSplitTerm && o <= maxSplitTerm) {
		return a
	}
	a.Flags = []market.Flag{market.FlagSuspect}
	if a.New.GreaterThan(a.Old) {
		a.Kind = market.ActionSpinOff
	}
	return a
}

// lowestTerms reduces a ratio of figures with up to six digits after the point.
func lowestTerms(a, b decimal.Decimal) (int64, int64, bool) {
	x, y := a.Shift(6), b.Shift(6)
	limit := decimal.New(1, 15)
	if !x.IsInteger() || !y.IsInteger() || x.GreaterThan(limit) || y.GreaterThan(limit) {
		return 0, 0, false
	}
	m, n := x.IntPart(), y.IntPart()
	g, rest := m, n
	for rest != 0 {
		g, rest = rest, g%rest
	}
	if g == 0 {
		return 0, 0, false
	}
	return m / g, n / g, true
}

// checkDividend compares a dividend with the close before it, and with what
// Yahoo's own adjusted close says it was.
func checkDividend(a market.Action, days []sessionBar, sc priceScale) (market.Action, string) {
	i := sort.Search(len(days), func(i int) bool { return !days[i].Date.Before(a.Date) })
	if i == 0 || i == len(days) {
		return a, ""
	}
	before, on, when := days[i-1], days[i], a.Date.Format("2006-01-02")
	if sc.converted() && !a.Amount.LessThan(before.Close) {
		_, parts := MajorUnit(sc.quoted)
		a.Amount = a.Amount.DivRound(decimal.NewFromInt(parts), 12)
		a.Flags = append(a.Flags, market.FlagSuspect, market.FlagConverted)
		return a, fmt.Sprintf("The dividend of %s was as large as the price and is taken to be in %s.", when, sc.quoted)
	}
	if !before.adjusted.Valid || !on.adjusted.Valid {
		return a, ""
	}
	previous := before.Close.InexactFloat64()
	adjustment := before.adjusted.Decimal.InexactFloat64() / previous * on.Close.InexactFloat64() / on.adjusted.Decimal.InexactFloat64()
	implied, amount := previous*(1-adjustment), a.Amount.InexactFloat64()
	// Single precision leaves this much of a price undecided.
	if math.Abs(implied-amount) <= max(0.05*amount, 1e-6*previous) {
		return a, ""
	}
	a.Flags = append(a.Flags, market.FlagSuspect)
	return a, fmt.Sprintf("Yahoo's adjusted close does not bear out the dividend of %s.", when)
}
