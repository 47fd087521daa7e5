package analysis

import (
	"errors"
	"fmt"
	"math"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// riskParameters are the parameters of the risk measures.
type riskParameters struct {
	PeriodsPerYear float64 `json:"periods_per_year" label:"periods per year (k)" unit:"periods" formula:"as given, or from the interval"`
	RiskFreeRate   float64 `json:"risk_free_rate" label:"annual risk-free rate (f)" as:"rate" formula:"as given, or 0"`
	Confidence     float64 `json:"confidence" label:"confidence of value at risk" as:"percent" formula:"as given, or 95%"`
}

// defaultConfidence is of value at risk where a call names none.
const defaultConfidence = 0.95

func (t riskParameters) withDefaults() (riskParameters, error) {
	if t.Confidence == 0 {
		t.Confidence = defaultConfidence
	}
	switch {
	case !(t.Confidence > 0.5) || t.Confidence >= 1:
		return t, fmt.Errorf("confidence %v: give 0.95 for 95%%", t.Confidence)
	case !(t.RiskFreeRate > -1) || t.RiskFreeRate > 1:
		return t, fmt.Errorf("risk_free_rate %v: it is an annual fraction; give 4%% as 0.04", t.RiskFreeRate)
	case !(t.PeriodsPerYear > 0) || t.PeriodsPerYear > 1e6:
		return t, fmt.Errorf("periods_per_year %v: 252 for daily returns, 52 for weekly, 12 for monthly", t.PeriodsPerYear)
	}
	return t, nil
}

// riskMeasures are the risk measures of returns. A measure that the returns do not support is
// null, and a warning gives the reason.
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
	VaR          *float64 `json:"value_at_risk" label:"value at risk of a period" as:"percent" key:"4" formula:"percentile 1 - confidence of the returns, linear"`
	CVaR         *float64 `json:"conditional_value_at_risk" label:"conditional value at risk" as:"percent" formula:"mean of the returns at and below the value at risk"`
	Tail         *float64 `json:"tail_ratio" label:"tail ratio" unit:"ratio" formula:"|95th percentile| / |5th percentile|"`
	Skew         *float64 `json:"skew" label:"skewness" unit:"ratio" formula:"m3 / m2^1.5"`
	Kurtosis     *float64 `json:"kurtosis" label:"excess kurtosis" unit:"ratio" formula:"m4 / m2^2 - 3"`
	Alpha        *float64 `json:"alpha,omitempty" label:"annual alpha" as:"change" formula:"(1 + mean(r - f - beta (b - f)))^k - 1"`
	Beta         *float64 `json:"beta,omitempty" label:"beta" unit:"ratio" key:"1" formula:"cov(r, b) / var(b)"`
	UpCapture    *float64 `json:"up_capture,omitempty" label:"up capture" unit:"ratio" formula:"annual return / annual return of the benchmark, while it rose"`
	DownCapt     *float64 `json:"down_capture,omitempty" label:"down capture" unit:"ratio" formula:"annual return / annual return of the benchmark, while it fell"`
}

// measureReturns computes all measures of returns, relative ones too if there is a benchmark.
// The warnings name the missing measures with the reason.
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

// maxReturns bounds what comes with a call.
const maxReturns = 50_000

// suppliedNumbers are returns as they came in a call; null is one that is not known.
func suppliedNumbers(name string, values []*float64) ([]float64, error) {
	if len(values) > maxReturns {
		return nil, fmt.Errorf("%d %s; at most %d are measured at once", len(values), name, maxReturns)
	}
	out := make([]float64, len(values))
	for i, v := range values {
		switch {
		case v == nil:
			out[i] = math.NaN()
		case *v < -1 || *v > 1e3:
			return nil, fmt.Errorf("%s %d is %v: returns are fractions, -0.02 for a loss of 2%%, and none is below -1", name, i+1, *v)
		default:
			out[i] = *v
		}
	}
	return out, nil
}
