package market

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

const (
	// unitTolerance is how far a step may be from a factor of 100 if the unit changed, because the market
	// moves on that day too. This and splitTolerance are differences of natural logarithms.
	unitTolerance = 0.25
	// splitTolerance is how far a step may be from the ratio of the split that explains it.
	splitTolerance = 0.1
	// splitWindow is the longest time between a split and the step it explains.
	splitWindow = 30 * 24 * time.Hour
)

// DoubtfulStep is a jump between neighboring closes that is not a market move: by a factor of 100, if the
// unit changed within the series, or by the ratio of a nearby split, if only part of the series was adjusted
// for it.
type DoubtfulStep struct {
	Date   Date // of the close after the jump
	Reason string
	// Factor is what prices before the jump must be multiplied by; zero if it is not known which side
	// of the jump is right.
	Factor decimal.Decimal
}

// DoubtfulSteps returns the doubtful steps of split-adjusted prices, oldest first. Raw prices are first
// adjusted for their known splits.
func (s Series) DoubtfulSteps() []DoubtfulStep {
	if s.Provenance.Adjustment == AdjustmentRaw {
		adjusted, err := s.SplitAdjusted()
		if err != nil {
			return nil
		}
		s = adjusted
	}
	var out []DoubtfulStep
	for i := 1; i < len(s.Bars); i++ {
		step := math.Log(s.Bars[i].Close.InexactFloat64() / s.Bars[i-1].Close.InexactFloat64())
		switch split, up, ok := s.splitExplaining(step, s.Bars[i].Date); {
		case math.IsNaN(step):
		case ok:
			d := DoubtfulStep{Date: s.Bars[i].Date, Reason: fmt.Sprintf("the source adjusted only some prices for the split of %s for %s on %s", split.New, split.Old, split.Date.Format("2006-01-02"))}
			d.Factor = split.New.DivRound(split.Old, factorDigits)
			if up != split.New.GreaterThan(split.Old) {
				d.Factor = split.Old.DivRound(split.New, factorDigits)
			}
			out = append(out, d)
		case math.Abs(math.Abs(step)-math.Log(100)) < unitTolerance:
			d := DoubtfulStep{Date: s.Bars[i].Date, Reason: "the source reports some prices in another unit, off by a factor of 100", Factor: decimal.New(1, -2)}
			if step > 0 {
				d.Factor = decimal.NewFromInt(100)
			}
			out = append(out, d)
		}
	}
	// A loss of 99% may be real. It is a change of unit if the exchange quotes in cents or pence, or if the
	// price jumps back.
	for i := range out {
		one, hundred := out[i].Factor, decimal.NewFromInt(100)
		if !one.Equal(hundred) && !one.Equal(decimal.New(1, -2)) || s.Provenance.QuotedCurrency != "" {
			continue
		}
		back := slices.ContainsFunc(out, func(o DoubtfulStep) bool { return o.Factor.Mul(one).Equal(decimal.NewFromInt(1)) })
		if !back {
			out[i].Factor = decimal.Decimal{}
		}
	}
	return out
}

// splitExplaining returns the split whose ratio a step has, and whether prices went up.
func (s Series) splitExplaining(step float64, on Date) (split Action, up, ok bool) {
	if math.Abs(step) <= 2*splitTolerance {
		return Action{}, false, false
	}
	for _, a := range s.Actions {
		if a.Kind == ActionDividend || on.Sub(a.Date).Abs() > splitWindow || !a.New.IsPositive() || !a.Old.IsPositive() {
			continue
		}
		ratio := math.Abs(math.Log(a.New.InexactFloat64() / a.Old.InexactFloat64()))
		if ratio > 2*splitTolerance && math.Abs(math.Abs(step)-ratio) < splitTolerance {
			return a, step > 0, true
		}
	}
	return Action{}, false, false
}

// Repair removes the doubtful steps whose factor is known and returns a sentence for each range of prices
// that it multiplied. The newest prices do not change. Bars are copied.
func (s Series) Repair() (Series, []string) {
	steps := slices.DeleteFunc(s.DoubtfulSteps(), func(d DoubtfulStep) bool { return d.Factor.IsZero() })
	if len(steps) == 0 || s.Provenance.Adjustment == AdjustmentRaw {
		return s, nil
	}
	bars, factor := slices.Clone(s.Bars), decimal.NewFromInt(1)
	var changes []string
	for i := range slices.Backward(steps) {
		factor = factor.Mul(steps[i].Factor).Round(factorDigits)
		from, end := 0, s.indexOf(steps[i].Date)
		if i > 0 {
			from = s.indexOf(steps[i-1].Date)
		}
		if factor.Round(adjustedDigits).Equal(decimal.NewFromInt(1)) {
			continue
		}
		for at := from; at < end; at++ {
			bars[at] = bars[at].times(factor)
		}
		changes = append(changes, fmt.Sprintf("Prices from %s to %s are multiplied by %s, because %s.",
			bars[from].Date.Format("2006-01-02"), bars[end-1].Date.Format("2006-01-02"), factor.Round(6), steps[i].Reason))
	}
	slices.Reverse(changes)
	s.Bars = bars
	return s, changes
}

func (s Series) indexOf(day Date) int {
	return slices.IndexFunc(s.Bars, func(b Bar) bool { return b.Date.Equal(day) })
}
