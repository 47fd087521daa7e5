package planning

import (
	"context"
	"errors"

	"github.com/nfa-cli/nfa/internal/tool"
)

type backtestInput struct {
	Symbols   []string        `json:"symbols,omitempty" jsonschema:"1 to 20 different instruments; or give prices"`
	Prices    *suppliedPrices `json:"prices,omitempty" jsonschema:"closes of your own, instead of symbols"`
	Strategy  string          `json:"strategy" jsonschema:"buy_and_hold, fixed_weights, moving_average_cross, momentum or volatility_target"`
	Weights   []float64       `json:"weights,omitempty" jsonschema:"buy_and_hold, fixed_weights, volatility_target: fractions, one for each instrument in the same order, at most 1 in all, the rest is cash; equal when left out"`
	Rebalance string          `json:"rebalance,omitempty" jsonschema:"fixed_weights, momentum, volatility_target: monthly, quarterly, yearly, each_bar or never; monthly when left out"`
	Band      float64         `json:"band,omitempty" jsonschema:"fixed_weights: bring back, too, as soon as one weight is off by more, 0.05 for 5 points; none when left out"`
	Fast      int             `json:"fast,omitempty" jsonschema:"moving_average_cross: bars of the fast average; when left out 50, on monthly data 3"`
	Slow      int             `json:"slow,omitempty" jsonschema:"moving_average_cross: bars of the slow average; when left out 200, on monthly data 10"`
	Lookback  int             `json:"lookback,omitempty" jsonschema:"momentum: bars of the return that ranks; a year when left out"`
	Skip      int             `json:"skip,omitempty" jsonschema:"momentum: latest bars left out of it; 0 when left out"`
	Top       int             `json:"top,omitempty" jsonschema:"momentum: how many are held; 1 when left out"`
	Rising    bool            `json:"only_rising,omitempty" jsonschema:"momentum: hold cash in place of what has fallen"`
	Target    float64         `json:"target_volatility,omitempty" jsonschema:"volatility_target: a year, a fraction; 0.1 when left out"`
	Window    int             `json:"window,omitempty" jsonschema:"volatility_target: bars by which volatility is measured; when left out 60, on monthly data 12"`
	Benchmark string          `json:"benchmark,omitempty" jsonschema:"instrument that is bought and held beside it, on the same days; the first symbol when left out"`
	CostBPS   *float64        `json:"cost_bps,omitempty" jsonschema:"cost of a trade in basis points of its value, 10 for 0.1 %; 10 when left out"`
	FixedCost float64         `json:"fixed_cost,omitempty" jsonschema:"of each trade, in money; 0 when left out"`
	CashRate  float64         `json:"cash_rate,omitempty" jsonschema:"earned on what is not invested, a year, a fraction; also the risk-free rate of the Sharpe ratio; 0 when left out"`
	Start     float64         `json:"start,omitempty" jsonschema:"money to begin with; 10,000 when left out"`
	Range     string          `json:"range,omitempty" jsonschema:"5y, 10y, max ...; max when neither this nor from and to are given"`
	From      string          `json:"from,omitempty" jsonschema:"first day, YYYY-MM-DD"`
	To        string          `json:"to,omitempty" jsonschema:"last day, YYYY-MM-DD"`
}

type suppliedPrices struct {
	Dates   []string         `json:"dates" jsonschema:"YYYY-MM-DD, oldest first"`
	Series  []suppliedSeries `json:"series" jsonschema:"1 to 20; the first is the benchmark"`
	PerYear float64          `json:"periods_per_year,omitempty" jsonschema:"where the dates are neither daily nor monthly: 52 for weekly, 4 for quarterly"`
}

type suppliedSeries struct {
	Name   string    `json:"name"`
	Closes []float64 `json:"closes" jsonschema:"one for each date"`
}

const backtestDescription = `Plays a rule of investing on past prices, with costs, beside a benchmark on the same days: buy and hold, fixed weights with rebalancing, crossing moving averages, momentum, or a volatility target.
What is decided at the close of one bar is done at the next bar's open, or its close where opens are missing; a decision sees nothing later. Prices count dividends where the source tells them. Rates are fractions.
The result is HYPOTHETICAL: say so, with the costs, the period and every warning. It knows only instruments that are still listed, and a rule found by trying many is luck until it holds on data it was not found on. Never present it as what will be earned.`

// errInvalidBacktest marks arguments that make no backtest.
var errInvalidBacktest = errors.New("not a backtest")

// newBacktest is the tool that plays a rule on the past.
func newBacktest(d Deps) tool.Tool {
	return tool.New("backtest", backtestDescription, tool.Reads, func(ctx context.Context, in backtestInput) (tool.Result, error) {
		const name = "backtest"
		if err := in.checkUnusedArguments(); err != nil {
			return invalidResult(name, err)
		}
		s, err := d.loadPrices(ctx, in)
		if err != nil {
			return invalidResult(name, err)
		}
		a, err := s.run(in)
		if err != nil {
			return invalidResult(name, err)
		}
		return a.result(s), nil
	})
}
