package client

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// BarHistory gathers the daily bars of an answer.
type BarHistory struct {
	Bars []market.Bar
	// Inconsistent counts the bars whose prices contradict each other.
	Inconsistent int
}

// Add takes a bar. Where its high and low do not lie around the other prices it is
// not known which of them is wrong: then its close alone is kept, and its volume.
func (h *BarHistory) Add(b market.Bar) {
	if !highLowEnclose(b) {
		b.Open, b.High, b.Low = decimal.NullDecimal{}, decimal.NullDecimal{}, decimal.NullDecimal{}
		h.Inconsistent++
	}
	h.Bars = append(h.Bars, b)
}

// AddDay is Add for what a server tells of a day. A day without a close has no bar, and a volume
// below zero is none.
func (h *BarHistory) AddDay(day market.Date, open, high, low, last, volume decimal.NullDecimal) {
	if !last.Valid {
		return
	}
	if volume.Decimal.IsNegative() {
		volume = decimal.NullDecimal{}
	}
	h.Add(market.Bar{Date: day, Open: open, High: high, Low: low, Close: last.Decimal, Volume: volume})
}

// highLowEnclose reports whether high and low lie around the other prices.
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
	p = p.With(market.FlagSuspect)
	p.Note = strings.TrimSpace(fmt.Sprintf("%s Days whose prices contradict each other, which are given with their close alone: %d.", p.Note, h.Inconsistent))
	return p
}

// SortBars puts bars in order, oldest first. None yields ErrNoData, two of a day
// ErrMalformed: which of them is right is not known.
func SortBars(bars []market.Bar) error {
	if len(bars) == 0 {
		return market.ErrNoData
	}
	slices.SortStableFunc(bars, func(a, b market.Bar) int { return a.Date.Compare(b.Date) })
	for i := 1; i < len(bars); i++ {
		if bars[i].Date.Equal(bars[i-1].Date) {
			return Malformedf("two bars of %s", bars[i].Date.Format(time.DateOnly))
		}
	}
	return nil
}
