package analysis

import (
	"errors"
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// riskParameters are by what risk is measured.
type riskParameters struct {
	PeriodsPerYear float64 `json:"periods_per_year"`
	RiskFreeRate   float64 `json:"risk_free_rate"`
	Confidence     float64 `json:"confidence"`
}

// defaultConfidence is of value at risk where a call names none.
const defaultConfidence = 0.95

func (t riskParameters) withDefaults() (riskParameters, error) {
	if t.Confidence == 0 {
		t.Confidence = defaultConfidence
	}
	switch {
	case !(t.Confidence > 0.5) || t.Confidence >= 1:
		return t, fmt.Errorf("confidence %v: give 0.95 for 95 %%", t.Confidence)
	case !(t.RiskFreeRate > -1) || t.RiskFreeRate > 1:
		return t, fmt.Errorf("risk_free_rate %v: it is a fraction a year; give 4 %% as 0.04", t.RiskFreeRate)
	case !(t.PeriodsPerYear > 0) || t.PeriodsPerYear > 1e6:
		return t, fmt.Errorf("periods_per_year %v: 252 for daily returns, 52 for weekly, 12 for monthly", t.PeriodsPerYear)
	}
	return t, nil
}

// riskMeasures are what returns say of risk. One that they cannot support is null, and
// a warning says why.
type riskMeasures struct {
	Sharpe    *float64 `json:"sharpe_ratio"`
	Sortino   *float64 `json:"sortino_ratio"`
	Calmar    *float64 `json:"calmar_ratio"`
	Omega     *float64 `json:"omega_ratio"`
	Downside  *float64 `json:"downside_deviation"`
	VaR       *float64 `json:"value_at_risk"`
	CVaR      *float64 `json:"conditional_value_at_risk"`
	Tail      *float64 `json:"tail_ratio"`
	Skew      *float64 `json:"skew"`
	Kurtosis  *float64 `json:"kurtosis"`
	Alpha     *float64 `json:"alpha,omitempty"`
	Beta      *float64 `json:"beta,omitempty"`
	UpCapture *float64 `json:"up_capture,omitempty"`
	DownCapt  *float64 `json:"down_capture,omitempty"`

	lines    []measureLine
	warnings []string
}

// measureLine is a measure for figures and for people.
type measureLine struct {
	id, label, formula string
	value              float64
	rate               bool // shown in per cent
}

// measureReturns takes all measures of returns, with those against a benchmark
// where there is one.
func measureReturns(returns, benchmark []float64, t riskParameters) *riskMeasures {
	k, free := t.PeriodsPerYear, analytics.PerPeriod(t.RiskFreeRate, t.PeriodsPerYear)
	m := &riskMeasures{}
	m.Sharpe = m.record(measureLine{id: "sharpe_ratio", label: "Sharpe ratio", formula: "mean(r - f) / s(r - f) * sqrt(k)"})(analytics.Sharpe(returns, free, k))
	m.Sortino = m.record(measureLine{id: "sortino_ratio", label: "Sortino ratio", formula: "mean(r - f) * k / downside deviation below f"})(analytics.Sortino(returns, free, k))
	m.Calmar = m.record(measureLine{id: "calmar_ratio", label: "Calmar ratio", formula: "compound annual return over n/k years / |maximum drawdown|"})(analytics.Calmar(returns, k))
	m.Omega = m.record(measureLine{id: "omega_ratio", label: "Omega ratio", formula: "sum(r - f above 0) / sum(f - r above 0)"})(analytics.Omega(returns, free))
	m.Downside = m.record(measureLine{id: "downside_deviation", label: "downside deviation", rate: true, formula: "sqrt(mean(min(r, 0)^2)) * sqrt(k)"})(analytics.DownsideDeviation(returns, 0, k))
	share := decimal.NewFromFloat(t.Confidence).Shift(2).String()
	m.VaR = m.record(measureLine{id: "value_at_risk", label: "value at risk of a period, " + share + " %", rate: true, formula: "percentile 1 - confidence of the returns, linear"})(analytics.ValueAtRisk(returns, t.Confidence))
	m.CVaR = m.record(measureLine{id: "conditional_value_at_risk", label: "conditional value at risk, " + share + " %", rate: true, formula: "mean of the returns at and below the value at risk"})(analytics.ConditionalValueAtRisk(returns, t.Confidence))
	m.Tail = m.record(measureLine{id: "tail_ratio", label: "tail ratio", formula: "|95th percentile| / |5th percentile|"})(analytics.TailRatio(returns))
	m.Skew = m.record(measureLine{id: "skew", label: "skewness", formula: "m3 / m2^1.5"})(analytics.Skewness(returns))
	m.Kurtosis = m.record(measureLine{id: "kurtosis", label: "excess kurtosis", formula: "m4 / m2^2 - 3"})(analytics.Kurtosis(returns))
	if len(benchmark) > 0 {
		m.Beta = m.record(measureLine{id: "beta", label: "beta", formula: "cov(r, b) / var(b)"})(analytics.Beta(returns, benchmark))
		m.Alpha = m.record(measureLine{id: "alpha", label: "alpha a year", rate: true, formula: "(1 + mean(r - f - beta (b - f)))^k - 1"})(analytics.Alpha(returns, benchmark, free, k))
		m.UpCapture = m.record(measureLine{id: "up_capture", label: "up capture", formula: "annual return / that of the benchmark, while it rose"})(analytics.UpCapture(returns, benchmark, k))
		m.DownCapt = m.record(measureLine{id: "down_capture", label: "down capture", formula: "annual return / that of the benchmark, while it fell"})(analytics.DownCapture(returns, benchmark, k))
	}
	return m
}

func (m *riskMeasures) record(l measureLine) func(v float64, err error) *float64 {
	return func(v float64, err error) *float64 {
		if err != nil {
			if errors.Is(err, analytics.ErrUndefined) || errors.Is(err, analytics.ErrTooFewReturns) {
				m.warnings = append(m.warnings, "no "+l.label+": "+err.Error())
			}
			return nil
		}
		l.value = toolkit.RoundSignificant(v)
		if l.rate {
			l.value = toolkit.RoundFraction(v)
		}
		m.lines = append(m.lines, l)
		return &l.value
	}
}

func (l measureLine) format() string {
	if l.rate {
		return toolkit.FormatRate(l.value)
	}
	return toolkit.FormatSigned(decimal.NewFromFloat(l.value), 2)
}

// rows are the measures as people read them.
func (m *riskMeasures) rows() [][]string {
	rows := make([][]string, len(m.lines))
	for i, l := range m.lines {
		rows[i] = []string{l.label, l.format(), l.formula}
	}
	return rows
}

// figures are the measures, each like the one given but for what is its own.
func (m *riskMeasures) figures(like tool.Figure) []tool.Figure {
	out := make([]tool.Figure, len(m.lines))
	for i, l := range m.lines {
		out[i] = like
		out[i].ID, out[i].Label, out[i].Formula = l.id, l.label, l.formula
		out[i].Value, out[i].Unit = decimal.NewFromFloat(l.value), "ratio"
		if l.rate {
			out[i].Value, out[i].Unit = toolkit.FractionToPercent(l.value), "%"
		}
	}
	return out
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
			return nil, fmt.Errorf("%s %d is %v: returns are fractions, -0.02 for a fall of 2 %%, and none is below -1", name, i+1, *v)
		default:
			out[i] = *v
		}
	}
	return out, nil
}
