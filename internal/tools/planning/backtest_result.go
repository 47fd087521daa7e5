package planning

import (
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type backtestResult struct {
	Label       string                `json:"label"`
	Strategy    string                `json:"strategy"`
	Rule        string                `json:"rule"`
	From        string                `json:"from"`
	To          string                `json:"to"`
	Bars        int                   `json:"bars"`
	PerYear     float64               `json:"periods_per_year"`
	Symbols     []string              `json:"symbols"`
	Currency    string                `json:"currency,omitempty"`
	Result      runJSON               `json:"result"`
	Benchmark   runJSON               `json:"benchmark"`
	Excess      *float64              `json:"annual_return_above_benchmark"`
	Beta        *float64              `json:"beta,omitempty"`
	Trades      int                   `json:"trades"`
	Turnover    *float64              `json:"annual_turnover"`
	Costs       float64               `json:"costs_paid"`
	CostBPS     float64               `json:"cost_bps"`
	Exposure    float64               `json:"average_exposure"`
	Weights     []weightJSON          `json:"weights_at_the_end"` // the rest is cash
	Equity      []equityJSON          `json:"equity"`
	EquityNote  string                `json:"equity_note,omitempty"`
	Execution   string                `json:"execution"`
	Assumptions []string              `json:"assumptions"`
	Warnings    []string              `json:"warnings"`
	Sources     []toolkit.NamedOrigin `json:"sources"`

	chart *chart.Spec
}

// runJSON is how an account did. What its returns cannot support is null.
type runJSON struct {
	Name        string   `json:"name"`
	Final       float64  `json:"final_equity"`
	Total       float64  `json:"total_return"`
	Annual      *float64 `json:"annual_return"`
	Vol         *float64 `json:"annual_volatility"`
	Sharpe      *float64 `json:"sharpe_ratio"`
	MaxDrawdown *float64 `json:"max_drawdown"`
}

type weightJSON struct {
	Symbol string  `json:"symbol"`
	Weight float64 `json:"weight"`
}

type equityJSON struct {
	Date      string  `json:"date"`
	Equity    float64 `json:"equity"`
	Benchmark float64 `json:"benchmark"`
}

const (
	defaultCost  = 10.0 // basis points
	defaultStart = 10_000.0
)

// run runs the rule, and buys and holds the benchmark over the same days.
func (s backtestPrices) run(in backtestInput) (backtestResult, error) {
	rule, text, err := s.strategy(in)
	if err != nil {
		return backtestResult{}, err
	}
	bps := defaultCost
	if in.CostBPS != nil {
		bps = *in.CostBPS
	}
	o := simulate.BacktestOptions{Start: in.Start, Costs: simulate.Costs{Rate: bps / 1e4, Fixed: in.FixedCost}, CashRate: in.CashRate, PeriodsPerYear: s.periods}
	if o.Start == 0 {
		o.Start = defaultStart
	}
	result, err := simulate.Backtest(s.prices, rule, o)
	if err != nil {
		return backtestResult{}, err
	}
	benchmark, err := simulate.BacktestFrom(s.benchmark, simulate.FixedWeights{Weights: []float64{1}, Rebalance: simulate.Never}, o, rule.Warmup()-1)
	if err != nil {
		return backtestResult{}, fmt.Errorf("the benchmark: %w", err)
	}
	a := backtestResult{
		Label: hypotheticalLabel, Strategy: in.Strategy, Rule: text, From: toolkit.FormatDate(result.Dates[0]), To: toolkit.FormatDate(result.Dates[len(result.Dates)-1]), Bars: len(result.Dates), PerYear: s.periods,
		Symbols: s.prices.Names, Currency: s.currency, Result: measureRun(in.Strategy, result, o), Benchmark: measureRun(s.benchmark.Names[0]+", bought and held", benchmark, o),
		Trades: result.Trades, Costs: toolkit.RoundSignificant(result.Costs), CostBPS: bps, Execution: s.describeExecution(),
		Warnings: append([]string{}, s.warnings...), Sources: append([]toolkit.NamedOrigin{}, s.origins...),
	}
	a.setHoldings(s, result)
	a.compareBenchmark(result, benchmark)
	a.setEquityCurve(result, benchmark)
	a.chart = equityChart(result, a.Result.Name, benchmark, a.Benchmark.Name)
	a.addAssumptions(o)
	return a, nil
}

func (s backtestPrices) describeExecution() string {
	if s.prices.Opens != nil {
		return "decided at a close, done at the next open"
	}
	return "decided at a close, done at the next close, since opens are missing"
}

func (a *backtestResult) setHoldings(s backtestPrices, result simulate.BacktestResult) {
	for i, w := range result.Weights {
		a.Weights = append(a.Weights, weightJSON{s.prices.Names[i], toolkit.RoundFraction(w)})
	}
	for _, e := range result.Exposure {
		a.Exposure += e / float64(len(result.Exposure))
	}
	a.Exposure = toolkit.RoundFraction(a.Exposure)
}

func (a *backtestResult) compareBenchmark(result, benchmark simulate.BacktestResult) {
	if beta, err := analytics.Beta(result.Returns, benchmark.Returns); err == nil {
		beta = toolkit.RoundSignificant(beta)
		a.Beta = &beta
	}
	if a.Result.Annual != nil && a.Benchmark.Annual != nil {
		above := toolkit.RoundFraction(*a.Result.Annual - *a.Benchmark.Annual)
		a.Excess = &above
	}
	years := toolkit.YearsSpanned(result.Dates)
	if years < fewYears {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%.1f years are short: the result says little of the rule", years))
	}
	if years < minAnnualizedYears {
		a.Warnings = append(a.Warnings, "too short for a return or a turnover a year")
	} else {
		turnover := toolkit.RoundFraction(result.Turnover)
		a.Turnover = &turnover
	}
	if result.Trades == 0 {
		a.Warnings = append(a.Warnings, "the rule never traded: all was cash")
	}
}

const (
	fewYears           = 3   // less does not hold a good and a bad time
	minAnnualizedYears = 0.5 // years: what less brought says nothing of a year
)

// addAssumptions puts down all that was taken for granted.
func (a *backtestResult) addAssumptions(o simulate.BacktestOptions) {
	if a.CostBPS > 0 && a.CostBPS < 0.1 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("cost_bps is in basis points: %v of them are next to nothing, 10 are 0.1 %%", a.CostBPS))
	}
	a.Assumptions = []string{
		a.Rule, a.Execution,
		fmt.Sprintf("begins with %v; costs of %v basis points of what is traded and %v a trade, no taxes", o.Start, a.CostBPS, o.Fixed),
		fmt.Sprintf("cash earns %s a year, which is the risk-free rate of the Sharpe ratio; %v bars are a year", formatPercent(o.CashRate), a.PerYear),
		"the benchmark is bought with all of the money at the same time and cost, and held",
	}
}

func measureRun(name string, r simulate.BacktestResult, o simulate.BacktestOptions) runJSON {
	last := len(r.Equity) - 1
	total := r.Equity[last] / r.Equity[0]
	out := runJSON{Name: name, Final: toolkit.RoundSignificant(r.Equity[last]), Total: toolkit.RoundFraction(total - 1)}
	optional := func(v float64, err error, tidy func(float64) float64) *float64 {
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		v = tidy(v)
		return &v
	}
	if years := toolkit.YearsSpanned(r.Dates); years >= minAnnualizedYears {
		out.Annual = optional(math.Pow(total, 1/years)-1, nil, toolkit.RoundFraction)
	}
	vol, err := analytics.AnnualizedVolatility(r.Returns, o.PeriodsPerYear)
	out.Vol = optional(vol, err, toolkit.RoundFraction)
	sharpe, err := analytics.Sharpe(r.Returns, analytics.PerPeriod(o.CashRate, o.PeriodsPerYear), o.PeriodsPerYear)
	out.Sharpe = optional(sharpe, err, toolkit.RoundSignificant)
	fall, err := analytics.MaxDrawdownOfReturns(r.Returns)
	out.MaxDrawdown = optional(fall.Depth, err, toolkit.RoundFraction)
	return out
}

// equityChart draws what 100 became by the rule, and in the benchmark on the same days.
func equityChart(got simulate.BacktestResult, rule string, other simulate.BacktestResult, benchmark string) *chart.Spec {
	if len(got.Dates) < 2 {
		return nil
	}
	return &chart.Spec{Kind: chart.KindCompare, Title: hypotheticalLabel + " equity", Series: []chart.Series{
		{Name: strings.ReplaceAll(rule, "_", " "), Times: got.Dates, Values: got.Equity},
		{Name: benchmark, Times: other.Dates, Values: other.Equity},
	}}
}

const maxEquityRows = 12

// setEquityCurve keeps at most so many points, evenly spaced from the first to the last.
func (a *backtestResult) setEquityCurve(got, other simulate.BacktestResult) {
	n := len(got.Equity)
	rows := min(n, maxEquityRows)
	for i := range rows {
		at := i * (n - 1) / max(rows-1, 1)
		a.Equity = append(a.Equity, equityJSON{toolkit.FormatDate(got.Dates[at]), toolkit.RoundSignificant(got.Equity[at]), toolkit.RoundSignificant(other.Equity[at])})
	}
	if rows < n {
		a.EquityNote = fmt.Sprintf("%d of %s points, evenly spaced", rows, toolkit.FormatCount(n))
	}
}
