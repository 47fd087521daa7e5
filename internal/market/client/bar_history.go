package client

import (
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// BarHistory collects the daily bars of a response.
type BarHistory struct {
	Bars []market.Bar
	// Inconsistent counts the bars whose prices contradict each other.
	Inconsistent int
}

// Add adds a bar. If another price is outside its high and low, it is unclear which one is wrong:
// only the close and the volume are kept.
func (h *BarHistory) Add(b market.Bar) {
	if !highLowEnclose(b) {
		b.Open, b.High, b.Low = decimal.NullDecimal{}, decimal.NullDecimal{}, decimal.NullDecimal{}
		h.Inconsistent++
	}
	h.Bars = append(h.Bars, b)
}

// AddDay adds one day as reported by a server. A day without a close has no bar; a negative volume
// is dropped.
func (h *BarHistory) AddDay(day market.Date, open, high, low, last, volume decimal.NullDecimal) {
	if !last.Valid {
		return
	}
	if volume.Decimal.IsNegative() {
		volume = decimal.NullDecimal{}
	}
	h.Add(market.Bar{Date: day, Open: open, High: high, Low: low, Close: last.Decimal, Volume: volume})
}

// highLowEnclose reports whether all prices lie between low and high.
func highLowEnclose(b market.Bar) bool {
	for _, p := range []decimal.NullDecimal{b.Open, decimal.NewNullDecimal(b.Close), b.High, b.Low} {
		if p.Valid && (b.High.Valid && p.Decimal.GreaterThan(b.High.Decimal) || b.Low.Valid && p.Decimal.LessThan(b.Low.Decimal)) {
			return false
		}
	}
	return true
}

// FlagInconsistent returns p with a flag and a note for the inconsistent bars, if there are
// any.
func (h BarHistory) FlagInconsistent(p market.Provenance) market.Provenance {
	if h.Inconsistent == 0 {
		return p
	}
	return p.With(market.FlagSuspect).WithNote(fmt.Sprintf("Days with contradictory prices (only the close is used): %d.", h.Inconsistent))
}

// SortBars sorts bars, oldest first. No bars yield ErrNoData; two bars of one day yield
// ErrMalformed, because it is unknown which one is right.
func SortBars(bars []market.Bar) error {
	if len(bars) == 0 {
		return market.ErrNoData
	}
	slices.SortStableFunc(bars, func(a, b market.Bar) int { return a.Date.Compare(b.Date) })
	for i := 1; i < len(bars); i++ {
		if bars[i].Date.Equal(bars[i-1].Date) {
			return Malformedf("duplicate bars for %s", bars[i].Date.Format(time.DateOnly))
		}
	}
	return nil
}

// SplitFromFactor converts a split factor to a ratio: 1.5 is three for two. roundsTo reports
// whether the server would write a ratio as the factor, with its number of digits.
//
// Companies split by small numbers and into twenty, fifty or a hundred; with other numbers most
// factors would be close to some ratio. Any number of shares can be consolidated into one, if no
// other ratio matches. A factor without a match is the price change of a spin-off, or a mistake;
// the result is then a guess and flagged as one.
func SplitFromFactor(day market.Date, factor decimal.Decimal, roundsTo func(fresh, old decimal.Decimal) bool) market.Action {
	if old, ok := reverseSplitRatio(factor, roundsTo); ok {
		return market.Action{Kind: market.ActionSplit, Date: day, New: decimal.NewFromInt(1), Old: old}
	}
	for _, parts := range []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100} {
		old := decimal.NewFromInt(parts)
		if fresh := factor.Mul(old).Round(0); fresh.IsPositive() && roundsTo(fresh, old) {
			return market.Action{Kind: market.ActionSplit, Date: day, New: fresh, Old: old}
		}
	}
	a := market.Action{Kind: market.ActionSplit, Date: day, New: factor, Old: decimal.NewFromInt(1), Flags: []market.Flag{market.FlagSuspect}}
	if factor.GreaterThan(a.Old) {
		a.Kind = market.ActionSpinOff
	}
	return a
}

// reverseSplitRatio returns how many shares became one, if the factor is unambiguous.
func reverseSplitRatio(factor decimal.Decimal, roundsTo func(fresh, old decimal.Decimal) bool) (decimal.Decimal, bool) {
	const digits = 20
	one := decimal.NewFromInt(1)
	if !factor.IsPositive() || !factor.LessThan(one) {
		return decimal.Decimal{}, false
	}
	old := one.DivRound(factor, digits).Round(0)
	return old, roundsTo(one, old) && !roundsTo(one, old.Add(one)) && !roundsTo(one, decimal.Max(old.Sub(one), one))
}
