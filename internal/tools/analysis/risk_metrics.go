package analysis

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type riskMetricsInput struct {
	Symbol    string `json:"symbol,omitempty" jsonschema:"Symbol, such as AAPL or ^GSPC."`
	Range     string `json:"range,omitempty" jsonschema:"To the last close: 1m, 6m, 1y, 5y, 10y, ytd or max. Default max."`
	From      string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To        string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	Benchmark string `json:"benchmark,omitempty" jsonschema:"For alpha, beta and capture, such as ^GSPC."`
	suppliedReturns
}

const riskMetricsDescription = `Risk of one symbol or of your own returns: Sharpe, Sortino, Calmar and Omega ratio, VaR, CVaR, drawdown, skew; with a benchmark alpha, beta and capture. For "how much a year" use returns_stats. Past risk does not limit future losses: say so.`

const riskMetricsDetails = `It measures prices that it fetches, or returns given in the call: annual return and volatility, Sharpe, Sortino, Calmar and Omega ratio, maximum drawdown, historical value at risk and conditional value at risk of one period, downside deviation, tail ratio, skew and kurtosis. With a benchmark it adds alpha, beta, up capture and down capture.

Definitions are those of empyrical: sample deviations, annualized by the square root of periods_per_year. annual_return compounds over n / periods_per_year years (see annual_return_basis). returns_stats counts calendar years, so the two differ a little. The annual risk-free rate is subtracted from each period as (1 + rate)^(1/k) - 1. Losses are negative fractions (-0.021 is -2.1%). Captures are ratios (1.1 is 110%).

A measure that the returns do not support is null, with a warning. Own returns are simple returns of equal periods, as fractions; give benchmark_returns for the same periods. periods_per_year is 252 for own returns by default.`

const riskMetricsKeywords = "sharpe sortino calmar omega beta alpha var cvar value-at-risk shortfall expected tail skew kurtosis downside deviation capture benchmark risk-adjusted ratio volatility metrics 夏普 夏普比率 贝塔 阿尔法 风险价值 索提诺 风险指标 下行风险 超额收益 偏度"

var riskMetricsPhrasings = []string{
	"sharpe ratio of <sym>",
	"beta of <sym> against <sym>",
	"value at risk of <sym> at <pct>",
	"risk-adjusted return of <sym> with a risk-free rate of <pct>",
	"alpha of <sym> versus its benchmark",
	"<sym> 的夏普比率",
	"<sym> 相对 <sym> 的贝塔",
	"<sym> 的风险价值是多少",
}

type riskResult struct {
	Symbol          market.Symbol   `json:"symbol,omitempty"`
	Name            string          `json:"name,omitempty"`
	Benchmark       string          `json:"benchmark,omitempty"`
	BenchmarkOrigin *toolkit.Origin `json:"benchmark_origin,omitempty" label:"benchmark"`
	From            string          `json:"from,omitempty"`
	To              string          `json:"to,omitempty"`
	Returns         int             `json:"returns"`
	Interval        market.Interval `json:"interval,omitempty"`
	AnnualBasis     string          `json:"annual_return_basis"`
	PeakDate        *string         `json:"drawdown_peak_date,omitempty"`
	TroughDate      *string         `json:"drawdown_trough_date,omitempty"`
	RecoveryDate    *string         `json:"drawdown_recovery_date,omitempty"`
	riskMeasures
	Observations int `json:"observations" label:"returns measured" unit:"returns" formula:"counted"`
	riskParameters

	toolkit.Origin
	Warnings toolkit.Notes `json:"warnings"`

	sample riskSample
}

// errReturns marks arguments that make no returns to measure.
var errReturns = errors.New("no returns to measure")

// riskSample are the returns under measure, with where they come from.
type riskSample struct {
	returns, benchmarkReturns []float64
	series                    market.Series // without bars where returns were given
	benchmark                 string
	benchmarkFrom             *toolkit.Origin // of a benchmark that was fetched
	warnings                  toolkit.Notes
}

// perYear is how many of the returns make a year, unless the call says.
func (s riskSample) perYear() float64 {
	return toolkit.PeriodsPerYear(s.series.Interval, toolkit.SeriesDates(s.series))
}

// newRiskMetrics is the tool that measures risk.
func newRiskMetrics(d Deps) tool.Tool {
	return tool.New("risk_metrics", riskMetricsDescription, tool.Reads, func(ctx context.Context, in riskMetricsInput) (tool.Result, error) {
		return d.riskMetrics(ctx, "risk_metrics", in)
	}).WithDetails(riskMetricsDetails).Find("statistics", riskMetricsKeywords, riskMetricsPhrasings...)
}

func (d Deps) riskMetrics(ctx context.Context, name string, in riskMetricsInput) (tool.Result, error) {
	s, err := d.sample(ctx, in)
	switch {
	case errors.Is(err, toolkit.ErrPeriod), errors.Is(err, errInvalidSeries), errors.Is(err, errReturns):
		return toolkit.InvalidResult(err)
	case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
		return tool.Errorf("risk of %s: %v; the data of %s cannot be used for returns", in.Symbol, err, s.series.Provenance.Source)
	case err != nil:
		return toolkit.SourceErrorResult(err)
	}
	t := riskParameters{PeriodsPerYear: in.PerYear, RiskFreeRate: in.RiskFree, Confidence: in.Confid}
	if t.PeriodsPerYear == 0 {
		t.PeriodsPerYear = s.perYear()
	}
	if warning := s.frequencyWarning(in.PerYear); warning != "" {
		s.warnings.Warn("annualization", "%s", warning)
	}
	if t, err = t.withDefaults(); err != nil {
		return toolkit.InvalidResult(err)
	}
	a := riskOf(s, t)
	if a.riskMeasures == (riskMeasures{}) {
		texts := make([]string, len(a.Warnings))
		for i, n := range a.Warnings {
			texts[i] = n.Text
		}
		return tool.Failed(tool.CodeNoData, fmt.Sprintf("%s: %s; ask for a longer range", name, strings.Join(texts, "; "))), nil
	}
	return toolkit.Render(a), nil
}

// frequencyWarning says where the periods a year that a call asks for, or the usual ones where it
// asks for none, are not those of the returns, "" where they are or nobody can tell.
func (s riskSample) frequencyWarning(requested float64) string {
	switch dates := toolkit.SeriesDates(s.series); {
	case len(dates) > 0:
		return toolkit.AnnualizationWarning(dates, s.perYear(), requested)
	case requested == 0:
		return fmt.Sprintf("periods_per_year is missing: the returns count as daily, %v a year", s.perYear())
	}
	return ""
}

// sample reads the returns that a call is about.
func (d Deps) sample(ctx context.Context, in riskMetricsInput) (riskSample, error) {
	supplied := len(in.Returns) > 0
	switch {
	case supplied == (strings.TrimSpace(in.Symbol) != ""):
		return riskSample{}, fmt.Errorf("%w: give either symbol or returns", errReturns)
	case supplied && (in.Range != "" || in.From != "" || in.To != ""):
		return riskSample{}, fmt.Errorf("%w: range, from and to belong to a symbol; returns of your own are measured whole", errReturns)
	case supplied && in.Benchmark != "":
		return riskSample{}, fmt.Errorf("%w: returns of your own are set against benchmark_returns, not a symbol", errReturns)
	case !supplied && len(in.BenchmarkReturns) > 0:
		return riskSample{}, fmt.Errorf("%w: a symbol is set against a benchmark symbol, not returns", errReturns)
	case len(in.BenchmarkReturns) > 0 && len(in.BenchmarkReturns) != len(in.Returns):
		return riskSample{}, fmt.Errorf("%w: %d returns, but %d of the benchmark; give one for each period", errReturns, len(in.Returns), len(in.BenchmarkReturns))
	case supplied:
		return suppliedSample(in)
	}
	sp, err := toolkit.ParsePeriod(in.Range, in.From, in.To, "max")
	if err != nil {
		return riskSample{}, err
	}
	if strings.TrimSpace(in.Benchmark) != "" {
		return d.sampleWithBenchmark(ctx, in, sp)
	}
	series, warnings, err := d.History(ctx, in.Symbol, sp)
	if err != nil {
		return riskSample{}, err
	}
	prices, err := analytics.NewPrices(series)
	s := riskSample{returns: prices.Returns(), series: series}
	s.warnings.WarnEach("prices", warnings...)
	return s, err
}

func suppliedSample(in riskMetricsInput) (riskSample, error) {
	returns, err := suppliedNumbers("returns", in.Returns)
	if err != nil {
		return riskSample{}, fmt.Errorf("%w: %w", errReturns, err)
	}
	against, err := suppliedNumbers("benchmark_returns", in.BenchmarkReturns)
	if err != nil {
		return riskSample{}, fmt.Errorf("%w: %w", errReturns, err)
	}
	s := riskSample{returns: returns, benchmarkReturns: against}
	s.series.Provenance = market.Provenance{Source: "given in the call", Unit: "returns", Adjustment: market.AdjustmentUnknown}
	if len(against) > 0 {
		s.benchmark = "benchmark_returns"
	}
	return s, nil
}

// sampleWithBenchmark brings an instrument and its benchmark to their common dates.
func (d Deps) sampleWithBenchmark(ctx context.Context, in riskMetricsInput, sp toolkit.Period) (riskSample, error) {
	l, err := d.fetchAssets(ctx, []string{in.Symbol, in.Benchmark}, sp)
	if err != nil {
		return riskSample{}, err
	}
	ours, theirs := l.Series[0], l.Series[1]
	s := riskSample{
		returns: l.Prices[0].Returns(), benchmarkReturns: l.Prices[1].Returns(), series: ours, benchmark: string(theirs.Symbol),
		benchmarkFrom: &toolkit.SeriesOrigins(l.Series)[1].Origin, warnings: alignmentWarnings(l),
	}
	return s, nil
}
