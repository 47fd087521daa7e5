package toolkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// ErrUnknownScale means that a close is on the scale of what came later, and that there is no
// way back from it.
var ErrUnknownScale = errors.New("what was paid that day is not known")

// AsTraded is the last close of a series as it was paid that day. With the clock set
// back, what sources give of then is adjusted for what came later: a share of
// NVIDIA cost 1,200 dollars before its split of ten for one, and they say 120.
// Counts of shares filed at the time are not adjusted, so neither may the price be.
// A source that tells them on the scale of later alone is an ErrUnknownScale.
func (p Prices) AsTraded(ctx context.Context, s market.Series, q market.Quote) (market.Quote, error) {
	if !p.Replay || s.Provenance.Adjustment == market.AdjustmentRaw {
		return q, nil
	}
	last := s.Bars[len(s.Bars)-1].Date
	after := market.Range{From: last.AddDate(0, 0, 1)}
	later, err := p.Bars.Bars(ctx, s.Symbol, after)
	later = later.Within(after)
	switch {
	case err != nil && !errors.Is(err, market.ErrNoData):
		return q, fmt.Errorf("whether the close of %s was adjusted for later splits is not known: %w", FormatDate(last), err)
	case len(later.Bars) > 0 && (s.Provenance.Adjustment != market.AdjustmentSplit || later.Actions == nil):
		return q, fmt.Errorf("the close of %s is adjusted for what came later (%s), and %w", FormatDate(last), s.Provenance.Adjustment, ErrUnknownScale)
	case len(later.Bars) > 0:
		q.Price = undoSplits(later.Actions, last, q.Price)
	}
	q.Provenance.Adjustment, q.Provenance.Note = market.AdjustmentRaw, "the close as it was paid that day"
	return q, nil
}

// undoSplits undoes the splits after a day in a price of that day.
func undoSplits(actions []market.Action, day market.Date, price decimal.Decimal) decimal.Decimal {
	for _, a := range actions {
		if a.Kind != market.ActionDividend && a.Date.After(day) && a.New.IsPositive() && a.Old.IsPositive() {
			price = price.Mul(a.New).DivRound(a.Old, 8)
		}
	}
	return price
}
