package market

import (
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

// ActionKind is the kind of an event such as a split or dividend.
type ActionKind string

// Kinds of corporate action.
const (
	ActionDividend ActionKind = "dividend"
	ActionSplit    ActionKind = "split"
	// ActionSpinOff is a spin-off, which sources report as a split with a ratio that no split has (1.0460).
	// The value of the distributed shares is not in the prices.
	ActionSpinOff ActionKind = "spin_off"
)

// Action is a dividend, split or spin-off. Date is the ex-date: the first session that trades without it.
type Action struct {
	Kind ActionKind `json:"kind"`
	Date Date       `json:"date"`
	// Amount is the dividend per share, in the currency of the series and adjusted for splits like its
	// prices.
	Amount decimal.Decimal `json:"amount,omitzero"`
	// Paid is the payment date of a dividend; zero if the source does not report it.
	Paid Date `json:"paid,omitzero"`
	// A split turns Old shares into New ones: 4 for 1.
	New   decimal.Decimal `json:"new,omitzero"`
	Old   decimal.Decimal `json:"old,omitzero"`
	Flags []Flag          `json:"flags,omitempty"`
}

// ErrActionsUnknown means that a series cannot be adjusted because its source does not report all
// dividends or splits.
var ErrActionsUnknown = errors.New("dividends or splits are unknown")

// TotalReturn returns the series adjusted for dividends too, as if each were reinvested at the
// previous close: every earlier price is multiplied by 1 - dividend / previous close and, if the
// prices are raw, by Old / New for a split. The newest price does not change. A series with this
// adjustment is returned unchanged. If the source reports no actions, or only splits, the error is
// ErrActionsUnknown. Bars are copied.
func (s Series) TotalReturn() (Series, error) {
	switch s.Provenance.Adjustment {
	case AdjustmentSplitDiv:
		return s, nil
	case AdjustmentUnknown:
		return Series{}, fmt.Errorf("adjusting %s: %w: the adjustment of its prices is unknown", s.Symbol, ErrActionsUnknown)
	}
	switch {
	case s.Actions == nil:
		return Series{}, fmt.Errorf("adjusting %s: %w to %s", s.Symbol, ErrActionsUnknown, s.Provenance.Source)
	case s.DividendsUnknown:
		return Series{}, fmt.Errorf("adjusting %s: %w: %s reports only splits", s.Symbol, ErrActionsUnknown, s.Provenance.Source)
	}
	raw, bars := s.Provenance.Adjustment == AdjustmentRaw, slices.Clone(s.Bars)
	factor, next := decimal.NewFromInt(1), len(s.Actions)-1
	for i := len(bars) - 1; i >= 0; i-- {
		// Apply the newest action first. Actions after the last bar have no effect yet.
		for ; next >= 0 && s.Actions[next].Date.After(bars[i].Date); next-- {
			if i == len(bars)-1 {
				continue
			}
			one, err := s.Actions[next].factor(s.Bars[i].Close, raw)
			if err != nil {
				return Series{}, fmt.Errorf("adjusting %s: %w", s.Symbol, err)
			}
			factor = factor.Mul(one).Round(factorDigits)
		}
		bars[i] = bars[i].times(factor)
	}
	s.Bars = bars
	s.Provenance.Adjustment = AdjustmentSplitDiv
	return s, nil
}

// Number of decimals to keep, more than any source has. Without a limit, each dividend would add decimals to
// all earlier prices.
const (
	adjustedDigits = 12
	factorDigits   = 20
)

func (a Action) factor(previous decimal.Decimal, raw bool) (decimal.Decimal, error) {
	one := decimal.NewFromInt(1)
	switch {
	case a.Kind == ActionDividend && !previous.IsPositive():
		return one, fmt.Errorf("%w: the close before the dividend of %s is %s", ErrMalformed, a.Date.Format("2006-01-02"), previous)
	case a.Kind == ActionDividend:
		if !a.Amount.LessThan(previous) {
			return one, fmt.Errorf("%w: the dividend of %s on %s is as large as the price", ErrMalformed, a.Amount, a.Date.Format("2006-01-02"))
		}
		return one.Sub(a.Amount.DivRound(previous, factorDigits)), nil
	case !raw || !a.New.IsPositive() || !a.Old.IsPositive():
		return one, nil
	}
	return a.Old.DivRound(a.New, factorDigits), nil
}

func (b Bar) times(factor decimal.Decimal) Bar {
	scale := func(d decimal.Decimal) decimal.Decimal { return d.Mul(factor).Round(adjustedDigits) }
	b.Close = scale(b.Close)
	for _, p := range []*decimal.NullDecimal{&b.Open, &b.High, &b.Low} {
		if p.Valid {
			p.Decimal = scale(p.Decimal)
		}
	}
	return b
}
