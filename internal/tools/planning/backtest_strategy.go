package planning

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const (
	strategyBuyAndHold   = "buy_and_hold"
	strategyFixedWeights = "fixed_weights"
	strategyAverageCross = "moving_average_cross"
	strategyMomentum     = "momentum"
	strategyVolTarget    = "volatility_target"
)

// checkUnusedArguments refuses arguments that the strategy would pass over: who gives them
// means another one.
func (in backtestInput) checkUnusedArguments() error {
	known := []string{strategyBuyAndHold, strategyFixedWeights, strategyAverageCross, strategyMomentum, strategyVolTarget}
	if !slices.Contains(known, in.Strategy) {
		return fmt.Errorf("%w: strategy %.30q; there are %s", errInvalidBacktest, in.Strategy, strings.Join(known, ", "))
	}
	for _, a := range []struct {
		name  string
		given bool
		of    []string
	}{
		{"weights", len(in.Weights) > 0, []string{strategyBuyAndHold, strategyFixedWeights, strategyVolTarget}},
		{"rebalance", in.Rebalance != "", []string{strategyFixedWeights, strategyMomentum, strategyVolTarget}},
		{"band", in.Band != 0, []string{strategyFixedWeights}},
		{"fast", in.Fast != 0, []string{strategyAverageCross}},
		{"slow", in.Slow != 0, []string{strategyAverageCross}},
		{"lookback", in.Lookback != 0, []string{strategyMomentum}},
		{"skip", in.Skip != 0, []string{strategyMomentum}},
		{"top", in.Top != 0, []string{strategyMomentum}},
		{"only_rising", in.Rising, []string{strategyMomentum}},
		{"target_volatility", in.Target != 0, []string{strategyVolTarget}},
		{"window", in.Window != 0, []string{strategyVolTarget}},
	} {
		if a.given && !slices.Contains(a.of, in.Strategy) {
			return fmt.Errorf("%w: %s has no meaning in %s, but in %s", errInvalidBacktest, a.name, in.Strategy, strings.Join(a.of, ", "))
		}
	}
	return nil
}

// strategy is a strategy, with what it does in words. What is out of bounds is left to
// its own check.
func (s backtestPrices) strategy(in backtestInput) (simulate.Strategy, string, error) {
	n := len(s.prices.Names)
	weights := in.Weights
	if len(weights) == 0 {
		for range n {
			weights = append(weights, 1/float64(n))
		}
	}
	frequency := simulate.Frequency(cmp.Or(in.Rebalance, string(simulate.Monthly)))
	switch in.Strategy {
	case strategyBuyAndHold:
		return simulate.FixedWeights{Weights: weights, Rebalance: simulate.Never}, "bought once and held: " + s.describeWeights(weights), nil
	case strategyFixedWeights:
		text := fmt.Sprintf("fixed weights, brought back %s", frequencyText(frequency))
		if in.Band > 0 {
			text += fmt.Sprintf(" and when one is off by more than %s points", toolkit.RoundPercent(in.Band, 4))
		}
		return simulate.FixedWeights{Weights: weights, Rebalance: frequency, Band: in.Band}, text + ": " + s.describeWeights(weights), nil
	case strategyAverageCross:
		c := simulate.MovingAverageCross{Fast: s.orUsual(in.Fast, 50, 3), Slow: s.orUsual(in.Slow, 200, 10)}
		if c.Fast == 0 || c.Slow == 0 {
			return nil, "", fmt.Errorf("%w: give fast and slow; only daily and monthly prices have usual ones", errInvalidBacktest)
		}
		return c, fmt.Sprintf("an equal part each, held while the average of %d closes is above that of %d, else cash", c.Fast, c.Slow), nil
	case strategyMomentum:
		m := simulate.Momentum{Lookback: cmp.Or(in.Lookback, int(math.Round(s.periods))), Skip: in.Skip, Top: cmp.Or(in.Top, 1), OnlyRising: in.Rising, Rebalance: frequency}
		text := fmt.Sprintf("the best %d of %d in equal parts, by the return over %d bars that ends %d bars before, chosen %s", m.Top, n, m.Lookback, m.Skip, frequencyText(frequency))
		if m.OnlyRising {
			text += ", cash in place of what has fallen"
		}
		return m, text, nil
	}
	v := simulate.VolTarget{Weights: weights, Target: cmp.Or(in.Target, 0.1), Window: s.orUsual(in.Window, 60, 12), PeriodsPerYear: s.periods, Rebalance: frequency}
	if v.Window == 0 {
		return nil, "", fmt.Errorf("%w: give window; only daily and monthly prices have a usual one", errInvalidBacktest)
	}
	return v, fmt.Sprintf("scaled down to a volatility of %s a year by the last %d returns, %s, never borrowed: at most %s", formatPercent(v.Target), v.Window, frequencyText(frequency), s.describeWeights(weights)), nil
}

// orUsual is what is given, or else what is usual for bars of such a length; 0 where
// nothing is.
func (s backtestPrices) orUsual(value, daily, monthly int) int {
	switch s.interval {
	case market.Daily:
		return cmp.Or(value, daily)
	case market.Monthly:
		return cmp.Or(value, monthly)
	}
	return value
}

// describeWeights lists weights with the cash that they leave.
func (s backtestPrices) describeWeights(weights []float64) string {
	out, cash := make([]string, 0, len(weights)+1), 1.0
	for i, w := range weights {
		if i < len(s.prices.Names) {
			out = append(out, s.prices.Names[i]+" "+formatPercent(w))
		}
		cash -= w
	}
	return strings.Join(append(out, "cash "+formatPercent(max(toolkit.RoundFraction(cash), 0))), ", ")
}

func frequencyText(f simulate.Frequency) string {
	switch f {
	case simulate.EachBar:
		return "at each bar"
	case simulate.Never:
		return "never again"
	}
	return string(f)
}
