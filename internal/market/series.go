package market

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/shopspring/decimal"
)

// Session returns the day of the session that the bar belongs to.
func (b Bar) Session() Date {
	y, m, d := b.Date.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Contains reports whether d lies in the range, both ends included.
func (r Range) Contains(d Date) bool {
	return (r.From.IsZero() || !d.Before(r.From)) && (r.To.IsZero() || !d.After(r.To))
}

// Within returns the part of the series that lies in r, dated as of its last
// bar. The bars are shared with s, not copied; there may be none.
func (s Series) Within(r Range) Series {
	from, to := 0, len(s.Bars)
	if !r.From.IsZero() {
		from = sort.Search(len(s.Bars), func(i int) bool { return !s.Bars[i].Session().Before(r.From) })
	}
	if !r.To.IsZero() {
		to = sort.Search(len(s.Bars), func(i int) bool { return s.Bars[i].Session().After(r.To) })
	}
	s.Bars = slices.Clip(s.Bars[from:max(from, to)])
	if n := len(s.Bars); n > 0 {
		s.Provenance.AsOf = s.Bars[n-1].Date
	}
	return s
}

// Latest returns the last close as a quote, with the close before it as the previous price. For raw prices,
// the previous close is restated if a known split lies between the two. It reports false for a series without
// bars.
func (s Series) Latest() (Quote, bool) {
	n := len(s.Bars)
	if n == 0 {
		return Quote{}, false
	}
	last := s.Bars[n-1]
	quote := Quote{Instrument: s.Instrument, Price: last.Close, Provenance: s.Provenance}
	quote.Provenance.AsOf = last.Date
	if n > 1 {
		before := s
		before.Bars = s.Bars[n-2:]
		if one, err := before.SplitAdjusted(); err == nil {
			before = one
		}
		quote.Previous.Decimal, quote.Previous.Valid = before.Bars[0].Close, true
		quote.PreviousAsOf = s.Bars[n-2].Date
	}
	return quote, true
}

// SplitAdjusted returns the series adjusted for splits, so that bars of different days can be
// compared. If prices are raw, every price and dividend before a split is multiplied by Old / New
// and every volume by New / Old. The newest bar does not change. A series that is already adjusted
// for splits, or whose instrument never splits, is returned unchanged. If the source does not
// report actions, the error is ErrActionsUnknown. Bars and actions are copied.
func (s Series) SplitAdjusted() (Series, error) {
	switch adjustment := s.Provenance.Adjustment; {
	case adjustment == AdjustmentSplit || adjustment == AdjustmentSplitDiv || NeverSplit(s.Kind):
		return s, nil
	case adjustment != AdjustmentRaw || s.Actions == nil:
		return Series{}, fmt.Errorf("adjusting %s for splits: %w to %s", s.Symbol, ErrActionsUnknown, s.Provenance.Source)
	}
	splits := s.splits()
	bars, actions := make([]Bar, len(s.Bars)), slices.Clone(s.Actions)
	one := decimal.NewFromInt(1)
	prices, volumes, next := one, one, len(splits)
	for i := len(bars) - 1; i >= 0; i-- {
		for ; next > 0 && splits[next-1].Date.After(s.Bars[i].Date); next-- {
			a := splits[next-1]
			prices, volumes = prices.Mul(a.Old).DivRound(a.New, factorDigits), volumes.Mul(a.New).DivRound(a.Old, factorDigits)
		}
		if bars[i] = s.Bars[i]; next < len(splits) {
			bars[i] = bars[i].times(prices)
			bars[i].Volume.Decimal = bars[i].Volume.Decimal.Mul(volumes).Round(adjustedDigits)
		}
	}
	for i, a := range actions {
		for _, split := range splits {
			// A dividend on the day of a split is per old share, like the close before it.
			if a.Kind == ActionDividend && !split.Date.Before(a.Date) {
				actions[i].Amount = actions[i].Amount.Mul(split.Old).DivRound(split.New, adjustedDigits)
			}
		}
	}
	s.Bars, s.Actions, s.Provenance.Adjustment = bars, actions, AdjustmentSplit
	return s, nil
}

// OnShareBasis returns the bars and actions up to a day, per share as of that day: it undoes later splits,
// for which sources adjust past prices. NVIDIA traded at 1,200 USD before its ten-for-one split, and sources
// report 120. s must have all bars and actions that its source has after the day. If later events are unknown
// or cannot be undone, the error is ErrActionsUnknown.
func (s Series) OnShareBasis(day Date) (Series, error) {
	last := len(s.Bars) - 1
	later := last >= 0 && s.Bars[last].Date.After(day) || slices.ContainsFunc(s.Actions, func(a Action) bool { return a.Date.After(day) })
	switch adjustment := s.Provenance.Adjustment; {
	case adjustment == AdjustmentRaw || !later || NeverSplit(s.Kind):
	case adjustment != AdjustmentSplit || s.Actions == nil:
		return Series{}, fmt.Errorf("undoing the splits of %s after %s: %w", s.Symbol, day.Format("2006-01-02"), ErrActionsUnknown)
	}
	prices, volumes := decimal.NewFromInt(1), decimal.NewFromInt(1)
	var until []Action
	for _, a := range s.Actions {
		switch {
		case !a.Date.After(day):
			until = append(until, a)
		case a.Kind != ActionDividend && a.New.IsPositive() && a.Old.IsPositive() && s.Provenance.Adjustment == AdjustmentSplit:
			prices, volumes = prices.Mul(a.New).DivRound(a.Old, factorDigits), volumes.Mul(a.Old).DivRound(a.New, factorDigits)
		}
	}
	if until == nil && s.Actions != nil {
		until = []Action{}
	}
	s.Actions = until
	s = s.Within(Range{To: day})
	s.Provenance.ShareBasis = day
	if prices.Equal(decimal.NewFromInt(1)) {
		return s, nil
	}
	bars := make([]Bar, len(s.Bars))
	for i, b := range s.Bars {
		bars[i] = b.times(prices)
		bars[i].Volume.Decimal = b.Volume.Decimal.Mul(volumes).Round(adjustedDigits)
	}
	for i, a := range s.Actions {
		if a.Kind == ActionDividend {
			s.Actions[i].Amount = a.Amount.Mul(prices).Round(adjustedDigits)
		}
	}
	s.Bars = bars
	return s, nil
}

// splits returns the splits during the bars, oldest first.
func (s Series) splits() []Action {
	return slices.DeleteFunc(slices.Clone(s.Actions), func(a Action) bool {
		inBars := len(s.Bars) > 0 && !a.Date.After(s.Bars[len(s.Bars)-1].Date)
		return a.Kind == ActionDividend || !inBars || !a.New.IsPositive() || !a.Old.IsPositive()
	})
}

// NeverSplit reports whether instruments of a kind are never split, so that even raw prices of different days
// can be compared.
func NeverSplit(kind string) bool { return kind == "index" || kind == "crypto" || kind == "currency" }
