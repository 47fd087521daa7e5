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
	Excess      *float64              `json:"annual_return_above_benchmark" label:"annual return above the benchmark" as:"points" formula:"annual return - annual return of the benchmark"`
	Beta        *float64              `json:"beta,omitempty" label:"beta to the benchmark" unit:"ratio" formula:"cov(r, b) / var(b)"`
	Trades      int                   `json:"trades" label:"trades" unit:"trades" formula:"one instrument per trade"`
	Turnover    *float64              `json:"annual_turnover" label:"annual turnover" as:"percent" formula:"(bought + sold) / 2 / equity, per year"`
	Costs       float64               `json:"costs_paid" label:"costs paid" as:"money" formula:"sum over the trades"`
	CostBPS     float64               `json:"cost_bps"`
	Exposure    float64               `json:"average_exposure" label:"invested on average" as:"percent" formula:"mean of invested / equity"`
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

// accountResult is the performance of an account. Figures that its returns cannot support are null.
type accountResult struct {
	Name        string   `json:"name"`
	Final       float64  `json:"final_equity" label:"equity at the end" as:"money" formula:"cash + units * close"`
	Total       float64  `json:"total_return" label:"total return" as:"change" formula:"last equity / first - 1"`
	Annual      *float64 `json:"annual_return" label:"annual return" as:"change" formula:"(last equity / first)^(365.25 / days) - 1"`
	Vol         *float64 `json:"annual_volatility" label:"volatility" as:"percent" formula:"sample standard deviation * sqrt(k), k bars per year"`
	Sharpe      *float64 `json:"sharpe_ratio" label:"Sharpe ratio" unit:"ratio" formula:"mean(r - c) / s(r - c) * sqrt(k), c the return of cash"`
	MaxDrawdown *float64 `json:"max_drawdown" label:"max drawdown" as:"percent" formula:"min(equity / previous peak - 1)"`
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

// run simulates the strategy, and buying and holding the benchmark over the same period.
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
		return backtestResult{}, fmt.Errorf("benchmark: %w", err)
	}
	a := backtestResult{
		Label: hypotheticalLabel, Strategy: in.Strategy, Rule: text, From: toolkit.FormatDate(result.Dates[0]), To: toolkit.FormatDate(result.Dates[len(result.Dates)-1]), Bars: len(result.Dates), PerYear: s.periods,
		Symbols: s.prices.Names, Currency: s.currency, Result: measureRun(in.Strategy, result, o), Benchmark: measureRun(s.benchmark.Names[0]+", bought and held", benchmark, o),
		Trades: result.Trades, Costs: result.Costs, CostBPS: bps, Execution: "decided at a close, executed at the next open", Sources: append([]toolkit.NamedOrigin{}, s.origins...),
		source: s.source, asOf: s.prices.Dates[len(s.prices.Dates)-1],
	}
	if s.prices.Opens == nil {
		a.Execution = "decided at a close, executed at the next close, because opens are missing"
	}
	a.Warnings.WarnEach("prices", s.warnings...)
	a.setHoldings(s, result)
	a.compareBenchmark(result, benchmark)
	a.setEquityCurve(result, benchmark)
	a.chart = equityChart(result, a.Result.Name, benchmark, a.Benchmark.Name)
	a.addAssumptions(o)
	return a, nil
}

func (a *backtestResult) setHoldings(s backtestPrices, result simulate.BacktestResult) {
	cash := 1.0
	for i, w := range result.Weights {
		a.Weights = append(a.Weights, endWeight{s.prices.Names[i], w})
		cash -= w
	}
	a.Cash = restOfWeights(cash)
	for _, e := range result.Exposure {
		a.Exposure += e / float64(len(result.Exposure))
	}
}

// restOfWeights returns what the weights leave for cash, without the rounding error of their sum.
func restOfWeights(cash float64) float64 {
	if cash < 1e-12 {
		return 0
	}
	return cash
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
		a.Warnings.Warn("short_period", "%.1f years are too short to judge the rule", years)
	}
	if years < minAnnualizedYears {
		a.Warnings.Warn("not_annualized", "too short for annual figures")
	} else {
		a.Turnover = &result.Turnover
	}
	if result.Trades == 0 {
		a.Warnings.Warn("no_trades", "the rule never traded; everything stayed in cash")
	}
}

const (
	fewYears           = 3   // shorter periods rarely contain good and bad times
	minAnnualizedYears = 0.5 // years; shorter results do not support annual figures
)

// addAssumptions lists all assumptions of the backtest.
func (a *backtestResult) addAssumptions(o simulate.BacktestOptions) {
	if a.CostBPS > 0 && a.CostBPS < 0.1 {
		a.Warnings.Warn("unusual_cost", "cost_bps is in basis points: %v is almost nothing; 10 is 0.1%%", a.CostBPS)
	}
	a.Assumptions = []string{
		a.Rule, a.Execution,
		fmt.Sprintf("starts with %v; costs %v basis points of each trade plus %v per trade; no taxes", o.Start, a.CostBPS, o.Fixed),
		fmt.Sprintf("cash earns %s a year, also the risk-free rate of the Sharpe ratio; %v bars per year", formatPercent(o.CashRate), a.PerYear),
		"the benchmark is bought once with all the money, at the same time and cost, and held",
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

// equityChart draws the growth of 100 with the rule, and with the benchmark over the same period.
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

// setEquityCurve keeps a limited number of points, evenly spaced from the first to the last.
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
	return fmt.Sprintf("Hypothetically, %s returned %s from %s to %s, compared with %s for %s.", rule, total, a.From, a.To, other, a.Benchmark.Name)
}

func (a backtestResult) Chart() *chart.Spec { return a.chart }
