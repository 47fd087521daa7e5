package analysis

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func riskOf(s riskSample, t riskParameters) riskResult {
	a := riskResult{
		Symbol: s.series.Symbol, Name: s.series.Name, Benchmark: s.benchmark, BenchmarkOrigin: s.benchmarkFrom, Returns: len(s.returns), Observations: len(s.returns), Interval: s.series.Interval,
		riskParameters: t, riskMeasures: measureReturns(s.returns, s.benchmarkReturns, t), Warnings: append([]string{}, s.warnings...), sample: s,
	}
	a.Origin = toolkit.OriginOf(s.series.Provenance)
	if n := len(s.series.Bars); n > 0 {
		a.From, a.To = toolkit.FormatDate(s.series.Bars[0].Date), toolkit.FormatDate(s.series.Bars[n-1].Date)
		a.Origin = toolkit.OriginOf(s.series.Provenance, toolkit.ReturnKind(s.series.Instrument, s.series.Provenance.Adjustment))
	}
	a.AnnualBasis = fmt.Sprintf("%d returns / %v a year = %.4f years", len(s.returns), t.PeriodsPerYear, float64(len(s.returns))/t.PeriodsPerYear)
	a.TotalReturn = a.addRate(measureLine{id: "total_return", label: "total return", formula: "product(1 + r) - 1"})(analytics.CompoundReturn(s.returns))
	a.AnnualReturn = a.addRate(measureLine{id: "annual_return", label: "annual return over n/k years", formula: "product(1 + r)^(k/n) - 1"})(analytics.CompoundAnnualReturn(s.returns, t.PeriodsPerYear))
	a.AnnualVol = a.addRate(measureLine{id: "annual_volatility", label: "volatility", formula: "sample standard deviation of the returns * sqrt(k)"})(analytics.AnnualizedVolatility(s.returns, t.PeriodsPerYear))
	fall, err := analytics.MaxDrawdownOfReturns(s.returns)
	a.MaxDrawdown = a.addRate(measureLine{id: "max_drawdown", label: "maximum drawdown", formula: "min(wealth / highest wealth before - 1)"})(fall.Depth, err)
	if err == nil {
		a.setDrawdownDates(fall)
	}
	a.Warnings = append(a.Warnings, a.riskMeasures.warnings...)
	a.Warnings = append(a.Warnings, sampleWarnings(s, t)...)
	return a
}

func (a *riskResult) addRate(l measureLine) func(float64, error) *float64 {
	l.rate = true
	return a.riskMeasures.record(l)
}

// setDrawdownDates dates a fall where there are bars: the i-th return ends with bar i+1.
func (a *riskResult) setDrawdownDates(fall analytics.ReturnDrawdown) {
	bars := a.sample.series.Bars
	if len(bars) == 0 || fall.Depth == 0 {
		return
	}
	date := func(at int) *string { return dateOrNull(bars[at+1].Date) }
	a.PeakDate, a.TroughDate = date(fall.Peak), date(fall.Trough)
	if fall.Recovery >= 0 {
		a.RecoveryDate = date(fall.Recovery)
	}
}

// sampleWarnings are what to know before the measures are believed.
func sampleWarnings(s riskSample, t riskParameters) []string {
	var out []string
	if n := len(s.returns); n < analytics.FewObservations {
		out = append(out, fmt.Sprintf("%d returns are few: the measures are uncertain, the tails most of all", n))
	}
	if n := countUnknown(s.returns); n > 0 {
		out = append(out, fmt.Sprintf("%d of %d returns are not known and left out", n, len(s.returns)))
	}
	if s.series.Interval == market.Monthly {
		out = append(out, fmt.Sprintf("monthly closes, annualised by %v: falls within a month are not seen", t.PeriodsPerYear))
	}
	if n := float64(len(s.returns)); n >= analytics.FewObservations && (n-1)*(1-t.Confidence) < 1 {
		out = append(out, fmt.Sprintf("less than one of %v returns lies in a tail of %s %%: value at risk is about the worst of them", n, toolkit.FractionToPercent(toolkit.RoundFraction(1-t.Confidence))))
	}
	if t.RiskFreeRate > maxPlausibleRiskFree {
		out = append(out, toolkit.UnusualRateNote("risk-free rate", t.RiskFreeRate))
	}
	out = append(out, percentWarnings("returns", s.returns)...)
	out = append(out, percentWarnings("benchmark_returns", s.benchmarkReturns)...)
	prices, err := analytics.NewPrices(s.series)
	if gaps := analytics.Gaps(prices); err == nil && len(gaps) > 0 {
		out = append(out, fmt.Sprintf("closes are missing in %d places, the first after %s", len(gaps), toolkit.FormatDate(gaps[0].From)))
	}
	if years := float64(len(s.returns)) / t.PeriodsPerYear; years < 1 {
		out = append(out, fmt.Sprintf("%.2f years are annualised: a whole year at this pace is a guess", years))
	}
	return out
}

// maxPlausibleRiskFree is above what is safe anywhere: more likely it is a per cent.
const maxPlausibleRiskFree = 0.2

// percentWarnings doubts returns of which one more than doubles all: 1.2 is 120 %. Below
// -1 they are refused before.
func percentWarnings(what string, returns []float64) []string {
	for _, r := range returns {
		if r > 1 {
			return []string{fmt.Sprintf("a return of %s is among the %s: they are fractions, 0.012 for 1.2 %%", toolkit.FormatRate(toolkit.RoundFraction(r)), what)}
		}
	}
	return nil
}

func countUnknown(returns []float64) int {
	n := 0
	for _, r := range returns {
		if math.IsNaN(r) {
			n++
		}
	}
	return n
}

func (a riskResult) result(name string) tool.Result {
	if len(a.riskMeasures.lines) == 0 {
		return tool.Failed(tool.CodeNoData, fmt.Sprintf("%s: %v; ask for a longer range", name, errors.New(strings.Join(a.Warnings, "; "))))
	}
	span := fmt.Sprintf("%d returns", a.Returns)
	subject := "returns given"
	if a.Symbol != "" {
		span = fmt.Sprintf("%d %s returns, %s to %s", a.Returns, a.Interval, a.From, a.To)
		subject = string(a.Symbol)
	}
	if a.Benchmark != "" {
		subject += " against " + a.Benchmark
	}
	origins := []toolkit.NamedOrigin{{Name: string(a.Symbol), Origin: a.Origin}}
	if a.BenchmarkOrigin != nil {
		origins = append(origins, toolkit.NamedOrigin{Name: a.Benchmark, Origin: *a.BenchmarkOrigin})
	}
	inputs := []string{span, fmt.Sprintf("k = %v periods a year", a.PeriodsPerYear), fmt.Sprintf("f = %v a year", a.RiskFreeRate)}
	var b strings.Builder
	fmt.Fprintf(&b, "**Risk** of %s · %s\n\n", toolkit.TableCell(subject), span)
	b.WriteString(toolkit.MarkdownTable([]string{"measure", "value:", "formula"}, a.riskMeasures.rows()))
	for _, w := range a.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	fmt.Fprintf(&b, "\nf, the risk-free rate, is %s %% a year; k is %v periods a year\n\nannual return: %s", toolkit.FractionToPercent(a.RiskFreeRate), a.PeriodsPerYear, a.AnnualBasis)
	if a.Symbol != "" {
		b.WriteString("; returns_stats counts calendar years\n\n" + strings.Join(toolkit.OriginFooters(origins), "\n\n"))
	}
	b.WriteString("\n")
	summary := span
	if a.Sharpe != nil {
		summary = fmt.Sprintf("Sharpe %.2f, worst fall %s", *a.Sharpe, toolkit.FormatRate(*a.MaxDrawdown))
	}
	return tool.Result{
		Value: a, ForUser: b.String(), Title: subject, Summary: strings.TrimSpace(summary + " " + a.flagText()),
		Figures: a.figures(tool.Figure{AsOf: a.asOf(), Source: cmp.Or(toolkit.JoinSources(origins), name), Inputs: inputs}),
		Chart:   a.sample.chart(),
	}
}

// chart draws the falls of prices, and of returns that were given how often they occur.
func (s riskSample) chart() *chart.Spec {
	if len(s.series.Bars) > 0 {
		return toolkit.DrawdownChart(s.series)
	}
	return toolkit.FractionsHistogram("returns", s.returns)
}

// figures are the measures and by what they were taken.
func (a riskResult) figures(like tool.Figure) []tool.Figure {
	out := a.riskMeasures.figures(like)
	for _, f := range []struct {
		id, label, unit, formula string
		value                    decimal.Decimal
	}{
		{"observations", "returns measured", "returns", "counted", decimal.NewFromInt(int64(a.Observations))},
		{"periods_per_year", "periods a year", "periods", "as given, else that of the interval", decimal.NewFromFloat(a.PeriodsPerYear)},
		{"risk_free_rate", "risk-free rate a year", "%", "as given, else 0", toolkit.FractionToPercent(a.RiskFreeRate)},
		{"confidence", "confidence of value at risk", "%", "as given, else 95 %", toolkit.FractionToPercent(a.Confidence)},
	} {
		term := like
		term.ID, term.Label, term.Unit, term.Value, term.Formula = f.id, f.label, f.unit, f.value, f.formula
		out = append(out, term)
	}
	return out
}

// flagText are the flags of the prices, and of those of the benchmark where they are
// others.
func (a riskResult) flagText() string {
	flags := a.FlagText()
	if a.BenchmarkOrigin != nil && a.BenchmarkOrigin.FlagText() != flags && a.BenchmarkOrigin.FlagText() != "" {
		flags += " (benchmark: " + a.BenchmarkOrigin.FlagText() + ")"
	}
	return strings.TrimSpace(flags)
}

// asOf is the day of the last close, zero for returns without dates.
func (a riskResult) asOf() market.Date {
	if n := len(a.sample.series.Bars); n > 0 {
		return a.sample.series.Bars[n-1].Date
	}
	return market.Date{}
}
