package statistics

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/risk"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

func riskOf(s sampleOf, t terms) riskAnswer {
	a := riskAnswer{
		Symbol: s.series.Symbol, Name: s.series.Name, Benchmark: s.benchmark, Returns: len(s.returns), Observations: len(s.returns), Interval: s.series.Interval,
		terms: t, measures: measureReturns(s.returns, s.against, t), Warnings: append([]string{}, s.warnings...), sample: s,
	}
	a.Origin = present.OriginOf(s.series.Provenance)
	if n := len(s.series.Bars); n > 0 {
		a.From, a.To = present.Dated(s.series.Bars[0].Date), present.Dated(s.series.Bars[n-1].Date)
		a.Origin = present.OriginOf(s.series.Provenance, present.ReturnKind(s.series.Instrument, s.series.Provenance.Adjustment))
	}
	a.TotalReturn = a.rate(measureLine{id: "total_return", label: "total return", formula: "product(1 + r) - 1"})(risk.TotalReturn(s.returns))
	a.AnnualReturn = a.rate(measureLine{id: "annual_return", label: "annual return", formula: "product(1 + r)^(k/n) - 1"})(risk.AnnualReturn(s.returns, t.PeriodsPerYear))
	a.AnnualVol = a.rate(measureLine{id: "annual_volatility", label: "volatility", formula: "sample standard deviation of the returns * sqrt(k)"})(risk.AnnualVolatility(s.returns, t.PeriodsPerYear))
	fall, err := risk.WorstFall(s.returns)
	a.MaxDrawdown = a.rate(measureLine{id: "max_drawdown", label: "maximum drawdown", formula: "min(wealth / highest wealth before - 1)"})(fall.Depth, err)
	if err == nil {
		a.datesOf(fall)
	}
	a.Warnings = append(a.Warnings, a.measures.warnings...)
	a.Warnings = append(a.Warnings, cautions(s, t)...)
	return a
}

func (a *riskAnswer) rate(l measureLine) func(float64, error) *float64 {
	l.rate = true
	return a.measures.take(l)
}

// datesOf dates a fall where there are bars: the i-th return ends with bar i+1.
func (a *riskAnswer) datesOf(fall risk.Fall) {
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

// cautions are what to know before the measures are believed.
func cautions(s sampleOf, t terms) []string {
	var out []string
	if n := len(s.returns); n < analytics.FewObservations {
		out = append(out, fmt.Sprintf("%d returns are few: the measures are uncertain, the tails most of all", n))
	}
	if n := countUnknown(s.returns); n > 0 {
		out = append(out, fmt.Sprintf("%d of %d returns are not known and left out", n, len(s.returns)))
	}
	if s.series.Interval == market.Monthly {
		out = append(out, "monthly closes, annualised by 12: falls within a month are not seen")
	}
	prices, err := analytics.NewPrices(s.series)
	if gaps := analytics.Gaps(prices); err == nil && len(gaps) > 0 {
		out = append(out, fmt.Sprintf("closes are missing in %d places, the first after %s", len(gaps), present.Dated(gaps[0].From)))
	}
	if years := float64(len(s.returns)) / t.PeriodsPerYear; years < 1 {
		out = append(out, fmt.Sprintf("%.2f years are annualised: a whole year at this pace is a guess", years))
	}
	return out
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

func (a riskAnswer) result(name string) tool.Result {
	if len(a.measures.lines) == 0 {
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
	source := a.Source
	if source == "" {
		source = name
	}
	inputs := []string{span, fmt.Sprintf("k = %v periods a year", a.PeriodsPerYear), fmt.Sprintf("f = %v a year", a.RiskFreeRate)}
	var b strings.Builder
	fmt.Fprintf(&b, "**Risk** of %s · %s\n\n", present.Cell(subject), span)
	b.WriteString(present.Table([]string{"measure", "value:", "formula"}, a.measures.rows()))
	for _, w := range a.Warnings {
		b.WriteString("\n! " + w + "\n")
	}
	if a.Symbol != "" {
		b.WriteString("\n" + a.Footer() + "\n")
	}
	summary := span
	if a.Sharpe != nil {
		summary = fmt.Sprintf("Sharpe %.2f, worst fall %s", *a.Sharpe, present.PercentOf(*a.MaxDrawdown))
	}
	return tool.Result{
		Value: a, ForUser: b.String(), Title: subject, Summary: strings.TrimSpace(summary + " " + a.Loud()),
		Figures: a.measures.figures(tool.Figure{AsOf: a.asOf(), Source: source, Inputs: inputs}),
	}
}

// asOf is the day of the last close, zero for returns without dates.
func (a riskAnswer) asOf() market.Date {
	if n := len(a.sample.series.Bars); n > 0 {
		return a.sample.series.Bars[n-1].Date
	}
	return market.Date{}
}
