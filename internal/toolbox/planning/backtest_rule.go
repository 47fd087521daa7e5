package planning

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/backtest"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

const (
	buyAndHold   = "buy_and_hold"
	fixedWeights = "fixed_weights"
	averageCross = "moving_average_cross"
	momentum     = "momentum"
	volTarget    = "volatility_target"
)

// strangers refuses arguments that the strategy would pass over: who gives them
// means another one.
func (in backtestInput) strangers() error {
	known := []string{buyAndHold, fixedWeights, averageCross, momentum, volTarget}
	if !slices.Contains(known, in.Strategy) {
		return fmt.Errorf("%w: strategy %.30q; there are %s", errStage, in.Strategy, strings.Join(known, ", "))
	}
	for _, a := range []struct {
		name  string
		given bool
		of    []string
	}{
		{"weights", len(in.Weights) > 0, []string{buyAndHold, fixedWeights, volTarget}},
		{"rebalance", in.Rebalance != "", []string{fixedWeights, momentum, volTarget}},
		{"band", in.Band != 0, []string{fixedWeights}},
		{"fast", in.Fast != 0, []string{averageCross}},
		{"slow", in.Slow != 0, []string{averageCross}},
		{"lookback", in.Lookback != 0, []string{momentum}},
		{"skip", in.Skip != 0, []string{momentum}},
		{"top", in.Top != 0, []string{momentum}},
		{"only_rising", in.Rising, []string{momentum}},
		{"target_volatility", in.Target != 0, []string{volTarget}},
		{"window", in.Window != 0, []string{volTarget}},
	} {
		if a.given && !slices.Contains(a.of, in.Strategy) {
			return fmt.Errorf("%w: %s has no meaning in %s, but in %s", errStage, a.name, in.Strategy, strings.Join(a.of, ", "))
		}
	}
	return nil
}

// rule is a strategy, with what it does in words. What is out of bounds is left to
// its own check.
func (s stage) rule(in backtestInput) (backtest.Strategy, string, error) {
	n := len(s.prices.Names)
	weights := in.Weights
	if len(weights) == 0 {
		for range n {
			weights = append(weights, 1/float64(n))
		}
	}
	again := backtest.Frequency(cmp.Or(in.Rebalance, string(backtest.Monthly)))
	switch in.Strategy {
	case buyAndHold:
		return backtest.Fixed{Weights: weights, Rebalance: backtest.Never}, "bought once and held: " + s.parts(weights), nil
	case fixedWeights:
		text := fmt.Sprintf("fixed weights, brought back %s", spoken(again))
		if in.Band > 0 {
			text += fmt.Sprintf(" and when one is off by more than %s points", present.RoundedPercent(in.Band, 4))
		}
		return backtest.Fixed{Weights: weights, Rebalance: again, Band: in.Band}, text + ": " + s.parts(weights), nil
	case averageCross:
		c := backtest.Cross{Fast: s.usual(in.Fast, 50, 3), Slow: s.usual(in.Slow, 200, 10)}
		if c.Fast == 0 || c.Slow == 0 {
			return nil, "", fmt.Errorf("%w: give fast and slow; only daily and monthly prices have usual ones", errStage)
		}
		return c, fmt.Sprintf("an equal part each, held while the average of %d closes is above that of %d, else cash", c.Fast, c.Slow), nil
	case momentum:
		m := backtest.Momentum{Lookback: cmp.Or(in.Lookback, int(math.Round(s.periods))), Skip: in.Skip, Top: cmp.Or(in.Top, 1), OnlyRising: in.Rising, Rebalance: again}
		text := fmt.Sprintf("the best %d of %d in equal parts, by the return over %d bars that ends %d bars before, chosen %s", m.Top, n, m.Lookback, m.Skip, spoken(again))
		if m.OnlyRising {
			text += ", cash in place of what has fallen"
		}
		return m, text, nil
	}
	v := backtest.VolTarget{Weights: weights, Target: cmp.Or(in.Target, 0.1), Window: s.usual(in.Window, 60, 12), PeriodsPerYear: s.periods, Rebalance: again}
	if v.Window == 0 {
		return nil, "", fmt.Errorf("%w: give window; only daily and monthly prices have a usual one", errStage)
	}
	return v, fmt.Sprintf("scaled down to a volatility of %s a year by the last %d returns, %s, never borrowed: at most %s", percentText(v.Target), v.Window, spoken(again), s.parts(weights)), nil
}

// usual is what is given, or else what is usual for bars of such a length; 0 where
// nothing is.
func (s stage) usual(given, daily, monthly int) int {
	switch s.interval {
	case market.Daily:
		return cmp.Or(given, daily)
	case market.Monthly:
		return cmp.Or(given, monthly)
	}
	return given
}

// parts are weights in words, with the cash beside them.
func (s stage) parts(weights []float64) string {
	out, cash := make([]string, 0, len(weights)+1), 1.0
	for i, w := range weights {
		if i < len(s.prices.Names) {
			out = append(out, fmt.Sprintf("%s %s %%", s.prices.Names[i], present.RoundedPercent(w, 2)))
		}
		cash -= w
	}
	return strings.Join(append(out, fmt.Sprintf("cash %s %%", present.RoundedPercent(max(present.Fraction(cash), 0), 2))), ", ")
}

func spoken(f backtest.Frequency) string {
	switch f {
	case backtest.EachBar:
		return "at each bar"
	case backtest.Never:
		return "never again"
	}
	return string(f)
}
