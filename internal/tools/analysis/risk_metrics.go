package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
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

const riskMetricsDetails = `It fetches prices, or accepts your own returns, and computes annual return and volatility, Sharpe, Sortino, Calmar and Omega ratio, maximum drawdown, historical value at risk and conditional value at risk of one period, downside deviation, tail ratio, skew and kurtosis. With a benchmark it adds alpha, beta, up capture and down capture.

Definitions follow empyrical: sample deviations, annualized by the square root of periods_per_year. conditional_value_at_risk is the mean of the worst 1 - confidence of the returns; the last return among them is counted in part, as in optimize_portfolio. annual_return compounds over n / periods_per_year years (see annual_return_basis). returns_stats uses calendar years, so the two differ slightly. The annual risk-free rate is subtracted from each period as (1 + rate)^(1/k) - 1. Losses are negative fractions (-0.021 is -2.1%). Captures are ratios (1.1 is 110%).

A measure that the returns do not support is null, with a warning. Your own returns must be simple returns of equal periods, as fractions, and benchmark_returns must cover the same periods. Their periods_per_year is 252 by default.`

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
	Observations int `json:"observations" label:"returns measured" unit:"returns" formula:"known returns, counted"`
	riskParameters

	toolkit.Origin
	Warnings toolkit.Notes `json:"warnings"`

	sample riskSample
}

// errReturns marks invalid arguments of risk_metrics.
var errReturns = toolkit.InvalidArgs(errors.New("invalid returns"))

// riskSample holds the returns to measure and their origin.
type riskSample struct {
	returns, benchmarkReturns []float64
	series                    market.Series // without bars if the caller passed returns
	benchmark                 string
	benchmarkFrom             *toolkit.Origin // origin of a fetched benchmark
	startNote                 string          // where the period starts, if that is not obvious
	warnings                  toolkit.Notes
}

// perYear returns the default number of returns a year.
func (s riskSample) perYear() float64 {
	return toolkit.PeriodsPerYear(s.series.Interval, toolkit.SeriesDates(s.series))
}

// newRiskMetrics returns the tool for risk measures.
func newRiskMetrics(d Deps) tool.Tool {
	return toolkit.New("risk_metrics", riskMetricsDescription, tool.Reads, func(ctx context.Context, in riskMetricsInput) (riskResult, error) {
		return d.riskMetrics(ctx, "risk_metrics", in)
	}).
		WithDetails(riskMetricsDetails).Find("statistics", riskMetricsKeywords, riskMetricsPhrasings...)
}

func (d Deps) riskMetrics(ctx context.Context, name string, in riskMetricsInput) (riskResult, error) {
	s, err := d.sample(ctx, in)
	switch {
	case errors.Is(err, analytics.ErrNonPositive), errors.Is(err, analytics.ErrOutOfRange):
		return riskResult{}, toolkit.Unusablef("risk of %s: %v; these prices of %s cannot be used for returns", in.Symbol, err, s.series.Provenance.Source)
	case err != nil:
		return riskResult{}, err
	}
	t := riskParameters{PeriodsPerYear: in.PerYear, RiskFreeRate: in.RiskFree, Confidence: in.Confid}
	if t.PeriodsPerYear == 0 {
		t.PeriodsPerYear = s.perYear()
	}
	if warning := s.frequencyWarning(in.PerYear); warning != "" {
		s.warnings.Warn("annualization", "%s", warning)
	}
	if t, err = t.withDefaults(); err != nil {
		return riskResult{}, toolkit.InvalidArgs(err)
	}
	a := riskOf(s, t)
	if a.riskMeasures == (riskMeasures{}) {
		texts := make([]string, len(a.Warnings))
		for i, n := range a.Warnings {
			texts[i] = n.Text
		}
		return a, toolkit.NoDataf("%s: %s; use a longer range", name, strings.Join(texts, "; "))
	}
	return a, nil
}

// frequencyWarning warns if the requested periods a year, or the default ones, do not match the
// returns. It returns "" if they do or if that is unknown.
func (s riskSample) frequencyWarning(requested float64) string {
	switch dates := toolkit.SeriesDates(s.series); {
	case len(dates) > 0:
		return toolkit.AnnualizationWarning(dates, s.perYear(), requested)
	case requested == 0:
		return fmt.Sprintf("periods_per_year is missing: returns are treated as daily, %v a year", s.perYear())
	}
	return ""
}

// sample returns the returns of a call.
func (d Deps) sample(ctx context.Context, in riskMetricsInput) (riskSample, error) {
	supplied := len(in.Returns) > 0
	switch {
	case supplied == (strings.TrimSpace(in.Symbol) != ""):
		return riskSample{}, fmt.Errorf("%w: use either symbol or returns", errReturns)
	case supplied && (in.Range != "" || in.From != "" || in.To != ""):
		return riskSample{}, fmt.Errorf("%w: range, from and to work only with symbol; shorten returns instead", errReturns)
	case supplied && in.Benchmark != "":
		return riskSample{}, fmt.Errorf("%w: with returns use benchmark_returns, not benchmark", errReturns)
	case !supplied && len(in.BenchmarkReturns) > 0:
		return riskSample{}, fmt.Errorf("%w: with symbol use benchmark, not benchmark_returns", errReturns)
	case len(in.BenchmarkReturns) > 0 && len(in.BenchmarkReturns) != len(in.Returns):
		return riskSample{}, fmt.Errorf("%w: %d returns but %d benchmark_returns; both need one value for each period", errReturns, len(in.Returns), len(in.BenchmarkReturns))
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
	series, warnings, err := toolkit.FetchReturnSeries(ctx, d.Prices, in.Symbol, sp)
	if err != nil {
		return riskSample{}, err
	}
	prices, err := analytics.NewPrices(series)
	s := riskSample{returns: prices.Returns(), series: series, startNote: sp.StartNote(series)}
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

// sampleWithBenchmark returns the returns of an instrument and its benchmark on their common dates.
func (d Deps) sampleWithBenchmark(ctx context.Context, in riskMetricsInput, sp toolkit.Period) (riskSample, error) {
	l, err := d.fetchAssets(ctx, []string{in.Symbol, in.Benchmark}, sp)
	if err != nil {
		return riskSample{}, err
	}
	ours, theirs := l.Series[0], l.Series[1]
	s := riskSample{
		returns: l.Prices[0].Returns(), benchmarkReturns: l.Prices[1].Returns(), series: ours, benchmark: string(theirs.Symbol),
		benchmarkFrom: &toolkit.SeriesOrigins(l.Series)[1].Origin, startNote: l.StartNote, warnings: alignmentWarnings(l),
	}
	return s, nil
}

// riskParameters are the parameters of the risk measures.
type riskParameters struct {
	PeriodsPerYear float64 `json:"periods_per_year" label:"periods per year (k)" unit:"periods" formula:"as given, or from the interval"`
	RiskFreeRate   float64 `json:"risk_free_rate" label:"annual risk-free rate (f)" as:"rate" formula:"as given, or 0"`
	Confidence     float64 `json:"confidence" label:"confidence of value at risk" as:"percent" formula:"as given, or 95%"`
}

// defaultConfidence is the default confidence of value at risk.
const defaultConfidence = 0.95

func (t riskParameters) withDefaults() (riskParameters, error) {
	if t.Confidence == 0 {
		t.Confidence = defaultConfidence
	}
	switch {
	case !(t.Confidence > 0.5) || t.Confidence >= 1:
		return t, fmt.Errorf("confidence %v is out of range; write 95%% as 0.95", t.Confidence)
	case !(t.RiskFreeRate > -1) || t.RiskFreeRate > 1:
		return t, fmt.Errorf("risk_free_rate %v is out of range; it is an annual fraction: write 4%% as 0.04", t.RiskFreeRate)
	case !(t.PeriodsPerYear > 0) || t.PeriodsPerYear > 1e6:
		return t, fmt.Errorf("periods_per_year %v is out of range; use 252 for daily returns, 52 for weekly, 12 for monthly", t.PeriodsPerYear)
	}
	return t, nil
}

// riskMeasures holds the risk measures of returns. A measure that the returns do not support is null,
// and a warning gives the reason.
type riskMeasures struct {
	TotalReturn  *float64 `json:"total_return" label:"total return" as:"change" formula:"product(1 + r) - 1"`
	AnnualReturn *float64 `json:"annual_return" label:"annual return over n/k years" as:"change" formula:"product(1 + r)^(k/n) - 1"`
	AnnualVol    *float64 `json:"annual_volatility" label:"volatility" as:"percent" key:"3" formula:"sample standard deviation of the returns * sqrt(k)"`
	MaxDrawdown  *float64 `json:"max_drawdown" label:"max drawdown" as:"percent" key:"2" formula:"min(wealth / highest wealth before - 1)"`
	Sharpe       *float64 `json:"sharpe_ratio" label:"Sharpe ratio" unit:"ratio" key:"1" formula:"mean(r - f) / s(r - f) * sqrt(k)"`
	Sortino      *float64 `json:"sortino_ratio" label:"Sortino ratio" unit:"ratio" formula:"mean(r - f) * k / downside deviation below f"`
	Calmar       *float64 `json:"calmar_ratio" label:"Calmar ratio" unit:"ratio" formula:"compound annual return over n/k years / |maximum drawdown|"`
	Omega        *float64 `json:"omega_ratio" label:"Omega ratio" unit:"ratio" formula:"sum(r - f above 0) / sum(f - r above 0)"`
	Downside     *float64 `json:"downside_deviation" label:"downside deviation" as:"percent" formula:"sqrt(mean(min(r, 0)^2)) * sqrt(k)"`
	VaR          *float64 `json:"value_at_risk" label:"one-period value at risk" as:"percent" key:"4" formula:"percentile 1 - confidence of the returns, linear"`
	CVaR         *float64 `json:"conditional_value_at_risk" label:"conditional value at risk" as:"percent" formula:"mean of the worst 1 - confidence of the returns, the last of them in part"`
	Tail         *float64 `json:"tail_ratio" label:"tail ratio" unit:"ratio" formula:"|95th percentile| / |5th percentile|"`
	Skew         *float64 `json:"skew" label:"skewness" unit:"ratio" formula:"m3 / m2^1.5"`
	Kurtosis     *float64 `json:"kurtosis" label:"excess kurtosis" unit:"ratio" formula:"m4 / m2^2 - 3"`
	Alpha        *float64 `json:"alpha,omitempty" label:"annual alpha" as:"change" formula:"(1 + mean(r - f - beta (b - f)))^k - 1"`
	Beta         *float64 `json:"beta,omitempty" label:"beta" unit:"ratio" key:"1" formula:"cov(r, b) / var(b)"`
	UpCapture    *float64 `json:"up_capture,omitempty" label:"up capture" unit:"ratio" formula:"annual return / annual return of the benchmark, while it rose"`
	DownCapt     *float64 `json:"down_capture,omitempty" label:"down capture" unit:"ratio" formula:"annual return / annual return of the benchmark, while it fell"`
}

// measureReturns computes all measures of returns, and the relative ones if there is a benchmark.
// Warnings name the missing measures with the reason.
func measureReturns(returns, benchmark []float64, t riskParameters) (m riskMeasures, fall analytics.ReturnDrawdown, warnings toolkit.Notes) {
	k, free := t.PeriodsPerYear, analytics.PerPeriod(t.RiskFreeRate, t.PeriodsPerYear)
	known := func(v float64, err error) *float64 {
		if errors.Is(err, analytics.ErrUndefined) || errors.Is(err, analytics.ErrTooFewReturns) {
			warnings.Warn("not_computed", "no %v", err)
		}
		if err != nil {
			return nil
		}
		return &v
	}
	fall, err := analytics.MaxDrawdownOfReturns(returns)
	m = riskMeasures{
		TotalReturn: known(analytics.CompoundReturn(returns)), AnnualReturn: known(analytics.CompoundAnnualReturn(returns, k)),
		AnnualVol: known(analytics.AnnualizedVolatility(returns, k)), MaxDrawdown: known(fall.Depth, err),
		Sharpe: known(analytics.Sharpe(returns, free, k)), Sortino: known(analytics.Sortino(returns, free, k)),
		Calmar: known(analytics.Calmar(returns, k)), Omega: known(analytics.Omega(returns, free)),
		Downside: known(analytics.DownsideDeviation(returns, 0, k)),
		VaR:      known(analytics.ValueAtRisk(returns, t.Confidence)), CVaR: known(analytics.ConditionalValueAtRisk(returns, t.Confidence)),
		Tail: known(analytics.TailRatio(returns)), Skew: known(analytics.Skewness(returns)), Kurtosis: known(analytics.Kurtosis(returns)),
	}
	if len(benchmark) > 0 {
		m.Beta, m.Alpha = known(analytics.Beta(returns, benchmark)), known(analytics.Alpha(returns, benchmark, free, k))
		m.UpCapture, m.DownCapt = known(analytics.UpCapture(returns, benchmark, k)), known(analytics.DownCapture(returns, benchmark, k))
	}
	return m, fall, warnings
}

// maxReturns limits the returns in a call.
const maxReturns = 50_000

// suppliedNumbers returns the returns in a call; null means unknown and becomes NaN.
func suppliedNumbers(name string, values []*float64) ([]float64, error) {
	if len(values) > maxReturns {
		return nil, fmt.Errorf("too many %[2]s: %[1]d; use at most %[3]d", len(values), name, maxReturns)
	}
	out := make([]float64, len(values))
	for i, v := range values {
		switch {
		case v == nil:
			out[i] = math.NaN()
		case *v < -1 || *v > 1e3:
			return nil, fmt.Errorf("%s %d is %v; returns are fractions (-0.02 for a loss of 2%%), at least -1", name, i+1, *v)
		default:
			out[i] = *v
		}
	}
	return out, nil
}
