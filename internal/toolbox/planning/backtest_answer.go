package planning

import (
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/backtest"
	"github.com/nfa-cli/nfa/internal/analytics/risk"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type backtestAnswer struct {
	Label       string            `json:"label"`
	Strategy    string            `json:"strategy"`
	Rule        string            `json:"rule"`
	From        string            `json:"from"`
	To          string            `json:"to"`
	Bars        int               `json:"bars"`
	PerYear     float64           `json:"periods_per_year"`
	Symbols     []string          `json:"symbols"`
	Currency    string            `json:"currency,omitempty"`
	Result      runJSON           `json:"result"`
	Benchmark   runJSON           `json:"benchmark"`
	Excess      *float64          `json:"annual_return_above_benchmark"`
	Beta        *float64          `json:"beta,omitempty"`
	Trades      int               `json:"trades"`
	Turnover    *float64          `json:"annual_turnover"`
	Costs       float64           `json:"costs_paid"`
	CostBPS     float64           `json:"cost_bps"`
	Exposure    float64           `json:"average_exposure"`
	Weights     []weightJSON      `json:"weights_at_the_end"` // the rest is cash
	Equity      []equityJSON      `json:"equity"`
	EquityNote  string            `json:"equity_note,omitempty"`
	Execution   string            `json:"execution"`
	Assumptions []string          `json:"assumptions"`
	Warnings    []string          `json:"warnings"`
	Sources     []present.Sourced `json:"sources"`

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
	standardCost  = 10.0 // basis points
	standardStart = 10_000.0
)

// play runs the rule, and buys and holds the benchmark over the same days.
func (s stage) play(in backtestInput) (backtestAnswer, error) {
	rule, text, err := s.rule(in)
	if err != nil {
		return backtestAnswer{}, err
	}
	bps := standardCost
	if in.CostBPS != nil {
		bps = *in.CostBPS
	}
	o := backtest.Options{Start: in.Start, Costs: backtest.Costs{Rate: bps / 1e4, Fixed: in.FixedCost}, CashRate: in.CashRate, PeriodsPerYear: s.periods}
	if o.Start == 0 {
		o.Start = standardStart
	}
	got, err := backtest.Run(s.prices, rule, o)
	if err != nil {
		return backtestAnswer{}, err
	}
	other, err := backtest.RunFrom(s.benchmark, backtest.Fixed{Weights: []float64{1}, Rebalance: backtest.Never}, o, rule.Warmup()-1)
	if err != nil {
		return backtestAnswer{}, fmt.Errorf("the benchmark: %w", err)
	}
	a := backtestAnswer{
		Label: hypothetical, Strategy: in.Strategy, Rule: text, From: present.Dated(got.Dates[0]), To: present.Dated(got.Dates[len(got.Dates)-1]), Bars: len(got.Dates), PerYear: s.periods,
		Symbols: s.prices.Names, Currency: s.currency, Result: measured(in.Strategy, got, o), Benchmark: measured(s.benchmark.Names[0]+", bought and held", other, o),
		Trades: got.Trades, Costs: present.Tidy(got.Costs), CostBPS: bps, Execution: s.execution(),
		Warnings: append([]string{}, s.warnings...), Sources: append([]present.Sourced{}, s.origins...),
	}
	a.hold(s, got)
	a.compare(got, other)
	a.curve(got, other)
	a.chart = curves(got, a.Result.Name, other, a.Benchmark.Name)
	a.say(o)
	return a, nil
}

func (s stage) execution() string {
	if s.prices.Opens != nil {
		return "decided at a close, done at the next open"
	}
	return "decided at a close, done at the next close, since opens are missing"
}

func (a *backtestAnswer) hold(s stage, got backtest.Result) {
	for i, w := range got.Weights {
		a.Weights = append(a.Weights, weightJSON{s.prices.Names[i], present.Fraction(w)})
	}
	for _, e := range got.Exposure {
		a.Exposure += e / float64(len(got.Exposure))
	}
	a.Exposure = present.Fraction(a.Exposure)
}

func (a *backtestAnswer) compare(got, other backtest.Result) {
	if beta, err := risk.Beta(got.Returns, other.Returns); err == nil {
		beta = present.Tidy(beta)
		a.Beta = &beta
	}
	if a.Result.Annual != nil && a.Benchmark.Annual != nil {
		above := present.Fraction(*a.Result.Annual - *a.Benchmark.Annual)
		a.Excess = &above
	}
	years := lineup.Years(got.Dates)
	if years < fewYears {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%.1f years are short: the result says little of the rule", years))
	}
	if years < annualised {
		a.Warnings = append(a.Warnings, "too short for a return or a turnover a year")
	} else {
		turnover := present.Fraction(got.Turnover)
		a.Turnover = &turnover
	}
	if got.Trades == 0 {
		a.Warnings = append(a.Warnings, "the rule never traded: all was cash")
	}
}

const (
	fewYears   = 3   // less does not hold a good and a bad time
	annualised = 0.5 // years: what less brought says nothing of a year
)

// say puts down all that was taken for granted.
func (a *backtestAnswer) say(o backtest.Options) {
	if a.CostBPS > 0 && a.CostBPS < 0.1 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("cost_bps is in basis points: %v of them are next to nothing, 10 are 0.1 %%", a.CostBPS))
	}
	a.Assumptions = []string{
		a.Rule, a.Execution,
		fmt.Sprintf("begins with %v; costs of %v basis points of what is traded and %v a trade, no taxes", o.Start, a.CostBPS, o.Fixed),
		fmt.Sprintf("cash earns %s a year, which is the risk-free rate of the Sharpe ratio; %v bars are a year", percentText(o.CashRate), a.PerYear),
		"the benchmark is bought with all of the money at the same time and cost, and held",
	}
}

func measured(name string, r backtest.Result, o backtest.Options) runJSON {
	last := len(r.Equity) - 1
	total := r.Equity[last] / r.Equity[0]
	out := runJSON{Name: name, Final: present.Tidy(r.Equity[last]), Total: present.Fraction(total - 1)}
	optional := func(v float64, err error, tidy func(float64) float64) *float64 {
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		v = tidy(v)
		return &v
	}
	if years := lineup.Years(r.Dates); years >= annualised {
		out.Annual = optional(math.Pow(total, 1/years)-1, nil, present.Fraction)
	}
	vol, err := risk.AnnualVolatility(r.Returns, o.PeriodsPerYear)
	out.Vol = optional(vol, err, present.Fraction)
	sharpe, err := risk.Sharpe(r.Returns, risk.PerPeriod(o.CashRate, o.PeriodsPerYear), o.PeriodsPerYear)
	out.Sharpe = optional(sharpe, err, present.Tidy)
	fall, err := risk.WorstFall(r.Returns)
	out.MaxDrawdown = optional(fall.Depth, err, present.Fraction)
	return out
}

// curves draws what 100 became by the rule, and in the benchmark on the same days.
func curves(got backtest.Result, rule string, other backtest.Result, benchmark string) *chart.Spec {
	if len(got.Dates) < 2 {
		return nil
	}
	return &chart.Spec{Kind: chart.KindCompare, Title: hypothetical + " equity", Series: []chart.Series{
		{Name: strings.ReplaceAll(rule, "_", " "), Times: got.Dates, Values: got.Equity},
		{Name: benchmark, Times: other.Dates, Values: other.Equity},
	}}
}

const mostEquityRows = 12

// curve keeps at most so many points, evenly spaced from the first to the last.
func (a *backtestAnswer) curve(got, other backtest.Result) {
	n := len(got.Equity)
	rows := min(n, mostEquityRows)
	for i := range rows {
		at := i * (n - 1) / max(rows-1, 1)
		a.Equity = append(a.Equity, equityJSON{present.Dated(got.Dates[at]), present.Tidy(got.Equity[at]), present.Tidy(other.Equity[at])})
	}
	if rows < n {
		a.EquityNote = fmt.Sprintf("%d of %s points, evenly spaced", rows, present.Counted(n))
	}
}
