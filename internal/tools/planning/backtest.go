package planning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type backtestInput struct {
	Symbols   []string        `json:"symbols,omitempty" jsonschema:"1 to 20 symbols, such as [\"SPY\", \"TLT\"]."`
	Prices    *suppliedPrices `json:"prices,omitempty" arg:"rare" jsonschema:"Own closes instead of symbols."`
	Strategy  string          `json:"strategy" jsonschema:"buy_and_hold, fixed_weights, momentum, volatility_target or below."`
	Weights   []float64       `json:"weights,omitempty" jsonschema:"In the order of symbols. Default: equal."`
	Rebalance string          `json:"rebalance,omitempty" jsonschema:"monthly (default), quarterly, yearly, each_bar or never."`
	Band      float64         `json:"band,omitempty" arg:"rare" jsonschema:"fixed_weights: rebalance if a weight drifts by more."`
	Fast      int             `json:"fast,omitempty" jsonschema:"For moving_average_cross. Default 50; slow 200."`
	Slow      int             `json:"slow,omitempty"`
	Lookback  int             `json:"lookback,omitempty" arg:"rare" jsonschema:"momentum: bars of the ranking return. Default a year."`
	Skip      int             `json:"skip,omitempty" arg:"rare" jsonschema:"momentum: latest bars to skip. Default 0."`
	Top       int             `json:"top,omitempty" arg:"rare" jsonschema:"momentum: number of symbols to hold. Default 1."`
	Rising    bool            `json:"only_rising,omitempty" arg:"rare" jsonschema:"momentum: hold cash instead of symbols that fell."`
	Target    float64         `json:"target_volatility,omitempty" arg:"rare" jsonschema:"volatility_target: annual. Default 0.1."`
	Window    int             `json:"window,omitempty" arg:"rare" jsonschema:"volatility_target: bars. Default 60, monthly data 12."`
	Benchmark string          `json:"benchmark,omitempty"`
	CostBPS   *float64        `json:"cost_bps,omitempty" arg:"rare" jsonschema:"Trading cost, basis points. Default 10."`
	FixedCost float64         `json:"fixed_cost,omitempty" arg:"rare" jsonschema:"Cost of each trade in money. Default 0."`
	CashRate  float64         `json:"cash_rate,omitempty" arg:"rare" jsonschema:"Annual rate on cash, such as 0.02. Default 0."`
	Start     float64         `json:"start,omitempty" arg:"rare" jsonschema:"Starting money. Default 10000."`
	Range     string          `json:"range,omitempty" jsonschema:"To the last close, such as 5y, 10y or max. Default max."`
	From      string          `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To        string          `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
}

type suppliedPrices struct {
	Dates   []string         `json:"dates" jsonschema:"YYYY-MM-DD, oldest first."`
	Series  []suppliedSeries `json:"series" jsonschema:"1 to 20; the first is the benchmark."`
	PerYear float64          `json:"periods_per_year,omitempty" jsonschema:"If neither daily nor monthly: 52 for weekly, 4 for quarterly."`
}

type suppliedSeries struct {
	Name   string    `json:"name"`
	Closes []float64 `json:"closes" jsonschema:"One for each date."`
}

const backtestDescription = "Simulates a strategy on past prices, with costs, against a benchmark: buy and hold, fixed weights, moving averages, momentum or a volatility target. HYPOTHETICAL: say so, with costs, period and every warning, and never present it as a forecast."

const backtestDetails = `Strategies: buy_and_hold, fixed_weights (with rebalancing), moving_average_cross, momentum and volatility_target. A decision at the close of one bar is executed at the open of the next bar, or at its close if opens are missing. A decision uses no later data. Prices include dividends if the source has them.

Only instruments that are still listed are included; those that failed are missing. A rule found by trying many may be luck until it is confirmed on other data.

weights apply to buy_and_hold, fixed_weights and volatility_target: one fraction per symbol in the same order, at most 1 in total, the rest in cash. rebalance applies to fixed_weights, momentum and volatility_target. band (fixed_weights) also rebalances as soon as one weight drifts by more; 0.05 is 5 percentage points. fast and slow are the bars of the two averages (default 50 and 200; monthly data 3 and 10). momentum ranks by the return over lookback bars, without the latest skip bars, and holds the top ones. window is the number of bars for the volatility. cash_rate is earned on cash, and is the risk-free rate of the Sharpe ratio. cost_bps of 10 is 0.1% of the value of a trade.

prices takes your own closes as {"dates", "series": [{"name", "closes"}], "periods_per_year"}.`

const backtestKeywords = "backtest strategy simulate historical rule trading rebalance rebalancing momentum crossover moving-average hold buy-and-hold test tested past would worked costs benchmark signal volatility-target rotation 回测 策略 历史模拟 定期再平衡 动量 均线策略 买入持有"

var backtestPhrasings = []string{
	"backtest a <num>/<num> portfolio of <sym> and <sym> with yearly rebalancing",
	"would a <num>/<num> moving average strategy on <sym> have worked",
	"test a momentum strategy on <sym>, <sym> and <sym>",
	"how would buying and holding <sym> have done with trading costs",
	"does rebalancing pay off",
	"回测 <sym> 的均线策略",
	"<pct> <sym> 和 <pct> <sym> 的历史回测",
}

// errInvalidBacktest marks arguments that do not define a backtest.
var errInvalidBacktest = errors.New("invalid arguments")

// newBacktest returns the tool that tests a strategy on past prices.
func newBacktest(d Deps) tool.Tool {
	return toolkit.New("backtest", backtestDescription, tool.Reads, func(ctx context.Context, in backtestInput) (backtestResult, error) {
		a, err := d.backtest(ctx, in)
		return a, refusal("backtest", err)
	}).
		WithDetails(backtestDetails).Find("statistics", backtestKeywords, backtestPhrasings...)
}

func (d Deps) backtest(ctx context.Context, in backtestInput) (backtestResult, error) {
	if err := in.checkUnusedArguments(); err != nil {
		return backtestResult{}, err
	}
	s, err := d.loadPrices(ctx, in)
	if err != nil {
		return backtestResult{}, err
	}
	return s.run(in)
}

const (
	strategyBuyAndHold   = "buy_and_hold"
	strategyFixedWeights = "fixed_weights"
	strategyAverageCross = "moving_average_cross"
	strategyMomentum     = "momentum"
	strategyVolTarget    = "volatility_target"
)

// checkUnusedArguments rejects arguments that the strategy ignores, because the caller expects them
// to have an effect.
func (in backtestInput) checkUnusedArguments() error {
	known := []string{strategyBuyAndHold, strategyFixedWeights, strategyAverageCross, strategyMomentum, strategyVolTarget}
	if !slices.Contains(known, in.Strategy) {
		return fmt.Errorf("%w: unknown strategy %.30q; use %s", errInvalidBacktest, in.Strategy, strings.Join(known, ", "))
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
			return fmt.Errorf("%w: %s does not apply to %s, only to %s", errInvalidBacktest, a.name, in.Strategy, strings.Join(a.of, ", "))
		}
	}
	return nil
}

// strategy returns the strategy and its description. The strategy itself validates its parameters.
func (s backtestPrices) strategy(in backtestInput) (simulate.Strategy, string, error) {
	n := len(s.prices.Names)
	weights := in.Weights
	if len(weights) == 0 {
		weights = slices.Repeat([]float64{1 / float64(n)}, n)
	}
	frequency := simulate.Frequency(cmp.Or(in.Rebalance, string(simulate.Monthly)))
	switch in.Strategy {
	case strategyBuyAndHold:
		return simulate.FixedWeights{Weights: weights, Rebalance: simulate.Never}, "bought once and held: " + s.describeWeights(weights), nil
	case strategyFixedWeights:
		text := fmt.Sprintf("fixed weights, rebalanced %s", frequencyText(frequency))
		if in.Band > 0 {
			text += fmt.Sprintf(" and when a weight drifts by more than %s points", toolkit.RoundPercent(in.Band, 4))
		}
		return simulate.FixedWeights{Weights: weights, Rebalance: frequency, Band: in.Band}, text + ": " + s.describeWeights(weights), nil
	case strategyAverageCross:
		c := simulate.MovingAverageCross{Fast: s.orUsual(in.Fast, 50, 3), Slow: s.orUsual(in.Slow, 200, 10)}
		if c.Fast == 0 || c.Slow == 0 {
			return nil, "", fmt.Errorf("%w: set fast and slow; only daily and monthly prices have defaults", errInvalidBacktest)
		}
		return c, fmt.Sprintf("equal weights, held while the average of %d closes is above that of %d, else cash", c.Fast, c.Slow), nil
	case strategyMomentum:
		m := simulate.Momentum{Lookback: cmp.Or(in.Lookback, int(math.Round(s.periods))), Skip: in.Skip, Top: cmp.Or(in.Top, 1), OnlyRising: in.Rising, Rebalance: frequency}
		text := fmt.Sprintf("the best %d of %d with equal weights, by the return over %d bars ending %d bars earlier, chosen %s", m.Top, n, m.Lookback, m.Skip, frequencyText(frequency))
		if m.OnlyRising {
			text += ", cash instead of symbols that fell"
		}
		return m, text, nil
	}
	v := simulate.VolTarget{Weights: weights, Target: cmp.Or(in.Target, 0.1), Window: s.orUsual(in.Window, 60, 12), PeriodsPerYear: s.periods, Rebalance: frequency}
	if v.Window == 0 {
		return nil, "", fmt.Errorf("%w: set window; only daily and monthly prices have a default", errInvalidBacktest)
	}
	return v, fmt.Sprintf("scaled down to an annual volatility of %s by the last %d returns, %s, without borrowing: at most %s", formatPercent(v.Target), v.Window, frequencyText(frequency), s.describeWeights(weights)), nil
}

// orUsual returns value if set, else the default for daily or monthly bars; 0 if there is no
// default.
func (s backtestPrices) orUsual(value, daily, monthly int) int {
	switch s.interval {
	case market.Daily:
		return cmp.Or(value, daily)
	case market.Monthly:
		return cmp.Or(value, monthly)
	}
	return value
}

// describeWeights lists weights and the remaining cash.
func (s backtestPrices) describeWeights(weights []float64) string {
	out, cash := make([]string, 0, len(weights)+1), 1.0
	for i, w := range weights {
		if i < len(s.prices.Names) {
			out = append(out, s.prices.Names[i]+" "+formatPercent(w))
		}
		cash -= w
	}
	return strings.Join(append(out, "cash "+formatPercent(restOfWeights(cash))), ", ")
}

func frequencyText(f simulate.Frequency) string {
	switch f {
	case simulate.EachBar:
		return "at every bar"
	case simulate.Never:
		return "never"
	}
	return string(f)
}
