package planning

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type backtestResult struct {
	Label       string                `json:"label" as:"flag"`
	Strategy    string                `json:"strategy"`
	Rule        string                `json:"rule" model:"-"`
	From        string                `json:"from"`
	To          string                `json:"to"`
	Bars        int                   `json:"bars" label:"bars" unit:"bars" formula:"count"`
	PerYear     float64               `json:"periods_per_year"`
	Symbols     []string              `json:"symbols"`
	Currency    string                `json:"currency,omitempty"`
	Result      accountResult         `json:"result"`
	Benchmark   accountResult         `json:"benchmark" label:"benchmark"`
	Excess      *float64              `json:"annual_return_above_benchmark" label:"annual return above the benchmark" as:"points" formula:"annual return - that of the benchmark"`
	Beta        *float64              `json:"beta,omitempty" label:"beta to the benchmark" unit:"ratio" formula:"cov(r, b) / var(b)"`
	Trades      int                   `json:"trades" label:"trades" unit:"trades" formula:"of one instrument each"`
	Turnover    *float64              `json:"annual_turnover" label:"turnover a year" as:"percent" formula:"half of what was bought and sold / equity, a year"`
	Costs       float64               `json:"costs_paid" label:"costs paid" as:"money" formula:"sum over the trades"`
	CostBPS     float64               `json:"cost_bps"`
	Exposure    float64               `json:"average_exposure" label:"invested on average" as:"percent" formula:"mean of what is invested / equity"`
	Weights     []endWeight           `json:"weights_at_the_end" table:"Weights at the end"` // the rest is cash
	Cash        float64               `json:"cash_at_the_end" label:"cash at the end" as:"percent" formula:"1 - the weights"`
	Equity      []equityPoint         `json:"equity" table:"Equity"`
	EquityNote  string                `json:"equity_note,omitempty"`
	Execution   string                `json:"execution" model:"-"`
	Assumptions []string              `json:"assumptions" as:"notes"`
	Warnings    toolkit.Notes         `json:"warnings"`
	Sources     []toolkit.NamedOrigin `json:"sources"`

	source string
	asOf   time.Time
	chart  *chart.Spec
}

// accountResult is how an account did. What its returns cannot support is null.
type accountResult struct {
	Name        string   `json:"name"`
	Final       float64  `json:"final_equity" label:"equity at the end" as:"money" formula:"cash + units * close"`
	Total       float64  `json:"total_return" label:"total return" as:"change" formula:"last equity / first - 1"`
	Annual      *float64 `json:"annual_return" label:"annual return" as:"change" formula:"(last equity / first)^(365.25 / days) - 1"`
	Vol         *float64 `json:"annual_volatility" label:"volatility" as:"percent" formula:"sample standard deviation * sqrt(k), k bars a year"`
	Sharpe      *float64 `json:"sharpe_ratio" label:"Sharpe ratio" unit:"ratio" formula:"mean(r - c) / s(r - c) * sqrt(k), c what cash earns"`
	MaxDrawdown *float64 `json:"max_drawdown" label:"max drawdown" as:"percent" formula:"min(equity / highest before - 1)"`
}

type endWeight struct {
	Symbol string  `json:"symbol" label:"symbol"`
	Weight float64 `json:"weight" label:"weight" as:"percent" formula:"value / equity"`
}

type equityPoint struct {
	Date      string  `json:"date" label:"date"`
	Equity    float64 `json:"equity" label:"rule" as:"money" formula:"cash + units * close"`
	Benchmark float64 `json:"benchmark" label:"benchmark" as:"money" formula:"cash + units * close"`
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
		Trades: result.Trades, Costs: result.Costs, CostBPS: bps, Execution: s.describeExecution(), Sources: append([]toolkit.NamedOrigin{}, s.origins...),
		source: s.source, asOf: s.prices.Dates[len(s.prices.Dates)-1],
	}
	for _, text := range s.warnings {
		a.Warnings.Warn("prices", "%s", text)
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
	cash := 1.0
	for i, w := range result.Weights {
		a.Weights = append(a.Weights, endWeight{s.prices.Names[i], w})
		cash -= w
	}
	a.Cash = max(toolkit.RoundFraction(cash), 0)
	for _, e := range result.Exposure {
		a.Exposure += e / float64(len(result.Exposure))
	}
}

func (a *backtestResult) compareBenchmark(result, benchmark simulate.BacktestResult) {
	if beta, err := analytics.Beta(result.Returns, benchmark.Returns); err == nil {
		a.Beta = &beta
	}
	if a.Result.Annual != nil && a.Benchmark.Annual != nil {
		a.Excess = new(*a.Result.Annual - *a.Benchmark.Annual)
	}
	years := toolkit.YearsSpanned(result.Dates)
	if years < fewYears {
		a.Warnings.Warn("short_period", "%.1f years are short: the result says little of the rule", years)
	}
	if years < minAnnualizedYears {
		a.Warnings.Warn("not_annualized", "too short for a return or a turnover a year")
	} else {
		a.Turnover = &result.Turnover
	}
	if result.Trades == 0 {
		a.Warnings.Warn("no_trades", "the rule never traded: all was cash")
	}
}

const (
	fewYears           = 3   // less does not hold a good and a bad time
	minAnnualizedYears = 0.5 // years: what less brought says nothing of a year
)

// addAssumptions puts down all that was taken for granted.
func (a *backtestResult) addAssumptions(o simulate.BacktestOptions) {
	if a.CostBPS > 0 && a.CostBPS < 0.1 {
		a.Warnings.Warn("unusual_cost", "cost_bps is in basis points: %v of them are next to nothing, 10 are 0.1%%", a.CostBPS)
	}
	a.Assumptions = []string{
		a.Rule, a.Execution,
		fmt.Sprintf("begins with %v; costs of %v basis points of what is traded and %v a trade, no taxes", o.Start, a.CostBPS, o.Fixed),
		fmt.Sprintf("cash earns %s a year, which is the risk-free rate of the Sharpe ratio; %v bars are a year", formatPercent(o.CashRate), a.PerYear),
		"the benchmark is bought with all of the money at the same time and cost, and held",
	}
}

func measureRun(name string, r simulate.BacktestResult, o simulate.BacktestOptions) accountResult {
	last := len(r.Equity) - 1
	total := r.Equity[last] / r.Equity[0]
	out := accountResult{Name: name, Final: r.Equity[last], Total: total - 1}
	known := func(v float64, err error) *float64 {
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	if years := toolkit.YearsSpanned(r.Dates); years >= minAnnualizedYears {
		out.Annual = known(math.Pow(total, 1/years)-1, nil)
	}
	out.Vol = known(analytics.AnnualizedVolatility(r.Returns, o.PeriodsPerYear))
	out.Sharpe = known(analytics.Sharpe(r.Returns, analytics.PerPeriod(o.CashRate, o.PeriodsPerYear), o.PeriodsPerYear))
	drawdown, err := analytics.MaxDrawdownOfReturns(r.Returns)
	out.MaxDrawdown = known(drawdown.Depth, err)
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
		a.Equity = append(a.Equity, equityPoint{toolkit.FormatDate(got.Dates[at]), got.Equity[at], other.Equity[at]})
	}
	if rows < n {
		a.EquityNote = fmt.Sprintf("%d of %s points, evenly spaced", rows, toolkit.FormatCount(n))
	}
}

func (a backtestResult) Title() string {
	return fmt.Sprintf("%s · %s to %s", strings.ReplaceAll(a.Strategy, "_", " "), a.From, a.To)
}

func (a backtestResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Source: a.source, AsOf: a.asOf, Inputs: append([]string{fmt.Sprintf("%s, %s to %s", strings.Join(a.Symbols, ", "), a.From, a.To)}, a.Assumptions...)}
	switch field {
	case "result.total_return":
		e.Key = 1
	case "benchmark.total_return":
		e.Key = 2
	case "result.annual_return":
		e.Key = 3
	case "result.max_drawdown":
		e.Key = 4
	case "beta":
		e.Omit = a.Beta == nil
	}
	return e
}

func (a backtestResult) Headline(lang string) string {
	rule, total, other := strings.ReplaceAll(a.Strategy, "_", " "), toolkit.Format(a.Result.Total, toolkit.Change, ""), toolkit.Format(a.Benchmark.Total, toolkit.Change, "")
	if lang == "zh" {
		return fmt.Sprintf("假设：%s 至 %s，%s 策略的总回报为 %s，基准（%s）为 %s。", a.From, a.To, rule, total, a.Benchmark.Name, other)
	}
	return fmt.Sprintf("Hypothetically, %s returned %s from %s to %s, against %s for %s.", rule, total, a.From, a.To, other, a.Benchmark.Name)
}

func (a backtestResult) Chart() *chart.Spec { return a.chart }
