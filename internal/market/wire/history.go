package wire

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// History gathers the daily bars of an answer.
type History struct {
	Bars []market.Bar
	// Odd counts the bars whose prices contradict each other.
	Odd int
}

// Add takes a bar. Where its high and low do not lie around the other prices it is
// not known which of them is wrong: then its close alone is kept, and its volume.
func (h *History) Add(b market.Bar) {
	if !enclosed(b) {
		b.Open, b.High, b.Low = decimal.NullDecimal{}, decimal.NullDecimal{}, decimal.NullDecimal{}
		h.Odd++
	}
	h.Bars = append(h.Bars, b)
}

// enclosed reports whether high and low lie around the other prices.
func enclosed(b market.Bar) bool {
	for _, p := range []decimal.NullDecimal{b.Open, decimal.NewNullDecimal(b.Close), b.High, b.Low} {
		if p.Valid && (b.High.Valid && p.Decimal.GreaterThan(b.High.Decimal) || b.Low.Valid && p.Decimal.LessThan(b.Low.Decimal)) {
			return false
		}
	}
	return true
}

// Flagged returns p with the odd bars told, if there are any.
func (h History) Flagged(p market.Provenance) market.Provenance {
	if h.Odd == 0 {
		return p
	}
	p = p.With(market.FlagSuspect)
	p.Note = strings.TrimSpace(fmt.Sprintf("%s Days whose prices contradict each other, which are given with their close alone: %d.", p.Note, h.Odd))
	return p
}

// Sort puts bars in order, oldest first. None yields ErrNoData, two of a day
// ErrMalformed: which of them is right is not known.
func Sort(bars []market.Bar) error {
	if len(bars) == 0 {
		return market.ErrNoData
	}
	slices.SortStableFunc(bars, func(a, b market.Bar) int { return a.Date.Compare(b.Date) })
	for i := 1; i < len(bars); i++ {
		if bars[i].Date.Equal(bars[i-1].Date) {
			return Malformed("two bars of %s", bars[i].Date.Format(time.DateOnly))
		}
	}
	return nil
}
