package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func riskOf(s riskSample, t riskParameters) riskResult {
	n := len(s.returns) // unknown returns count as periods too
	a := riskResult{
		Symbol: s.series.Symbol, Name: s.series.Name, Benchmark: s.benchmark, BenchmarkOrigin: s.benchmarkFrom, Returns: n, Observations: analytics.KnownReturns(s.returns), Interval: s.series.Interval,
		AnnualBasis:    fmt.Sprintf("%d returns / %v a year = %.4f years", n, t.PeriodsPerYear, float64(n)/t.PeriodsPerYear),
		riskParameters: t, Origin: toolkit.OriginOf(s.series.Provenance), sample: s,
	}
	measures, fall, missing := measureReturns(s.returns, s.benchmarkReturns, t)
	a.riskMeasures, a.Warnings = measures, slices.Concat(s.warnings, missing, sampleWarnings(s, t))
	bars := s.series.Bars
	if len(bars) == 0 {
		return a
	}
	a.From, a.To = toolkit.FormatDate(bars[0].Date), toolkit.FormatDate(bars[len(bars)-1].Date)
	a.Origin = toolkit.OriginOf(s.series.Provenance, toolkit.ReturnKind(s.series.Instrument, s.series.Provenance.Adjustment), s.startNote)
	a.Warnings.Note("method", "The annual return uses %s; returns_stats uses calendar years.", a.AnnualBasis)
	if fall.Depth != 0 {
		// The i-th return ends with bar i+1.
		a.PeakDate, a.TroughDate = dateOrNull(bars[fall.Peak+1].Date), dateOrNull(bars[fall.Trough+1].Date)
		if fall.Recovery >= 0 {
			a.RecoveryDate = dateOrNull(bars[fall.Recovery+1].Date)
		}
	}
	return a
}

// sampleWarnings returns why the measures may mislead.
func sampleWarnings(s riskSample, t riskParameters) (out toolkit.Notes) {
	all, n := len(s.returns), analytics.KnownReturns(s.returns)
	if n < analytics.FewObservations {
		out.Warn("few_returns", "only %d returns: the measures are uncertain, especially the tail measures", n)
	}
	if n < all {
		out.Warn("unknown_returns", "%d of %d returns are unknown and excluded", all-n, all)
	}
	if s.series.Interval == market.Monthly {
		out.Warn("monthly", "monthly closes, annualized with %v periods: drawdowns within a month are not visible", t.PeriodsPerYear)
	}
	if n >= analytics.FewObservations && float64(n-1)*(1-t.Confidence) < 1 {
		out.Warn("short_tail", "the %s tail has less than one of %d returns: value at risk is close to the worst return", toolkit.Format(1-t.Confidence, toolkit.Rate, ""), n)
	}
	if t.RiskFreeRate > maxPlausibleRiskFree {
		out.WarnEach("unusual_rate", toolkit.UnusualRateNote("risk-free rate", t.RiskFreeRate))
	}
	out.WarnEach("unusual_return", percentWarnings("returns", s.returns)...)
	out.WarnEach("unusual_return", percentWarnings("benchmark_returns", s.benchmarkReturns)...)
	prices, err := analytics.NewPrices(s.series)
	if gaps := analytics.Gaps(prices); err == nil && len(gaps) > 0 {
		out.Warn("gaps", "closes are missing in %d places, the first after %s", len(gaps), toolkit.FormatDate(gaps[0].From))
	}
	if years := float64(all) / t.PeriodsPerYear; analytics.ShorterThanYear(years) {
		out.Warn("short_period", "only %.2f years of data: annualized figures are extrapolated", years)
	}
	return out
}

// maxPlausibleRiskFree is above any real risk-free rate: a higher one was probably meant in percent.
const maxPlausibleRiskFree = 0.2

// percentWarnings warns if a return is above 1, which is 100%. Returns below -1 are refused earlier.
func percentWarnings(what string, returns []float64) []string {
	for _, r := range returns {
		if r > 1 {
			return []string{fmt.Sprintf("a return of %s in %s is unusual; 1.2%% is written 0.012", toolkit.Format(r, toolkit.Change, ""), what)}
		}
	}
	return nil
}

func (a riskResult) Headline(lang string) string {
	sharpe, vol := toolkit.Format(a.Sharpe, toolkit.Number, ""), toolkit.Format(a.AnnualVol, toolkit.Percent, "")
	fall := toolkit.Format(a.MaxDrawdown, toolkit.Percent, "")
	if lang == "zh" {
		subject := cmp.Or(string(a.Symbol), "给定的收益率")
		if a.Benchmark != "" {
			subject += "（基准 " + a.Benchmark + "）"
		}
		return fmt.Sprintf("%s：夏普比率 %s，波动率 %s，最大回撤 %s。", subject, sharpe, vol, fall)
	}
	return fmt.Sprintf("%s: Sharpe ratio %s, volatility %s, max drawdown %s.", a.Title(), sharpe, vol, fall)
}

func (a riskResult) Title() string {
	title := cmp.Or(string(a.Symbol), "Supplied returns")
	if a.Benchmark != "" {
		title += " vs. " + a.Benchmark
	}
	if a.Symbol != "" {
		title += fmt.Sprintf(", %s to %s", a.From, a.To)
	}
	return title
}

func (a riskResult) Explain(field string) toolkit.Explanation {
	span := fmt.Sprintf("%d returns", a.Returns)
	if a.Symbol != "" {
		span = fmt.Sprintf("%d %s returns, %s to %s", a.Returns, a.Interval, a.From, a.To)
	}
	e := toolkit.Explanation{Inputs: []string{span, fmt.Sprintf("k = %v periods a year", a.PeriodsPerYear), fmt.Sprintf("f = %v a year", a.RiskFreeRate)}}
	if bars := a.sample.series.Bars; len(bars) > 0 {
		e.AsOf = bars[len(bars)-1].Date
	}
	share := ", " + toolkit.Format(a.Confidence, toolkit.Rate, "")
	switch field {
	case "value_at_risk":
		e.Label = "one-period value at risk" + share
	case "conditional_value_at_risk":
		e.Label = "conditional value at risk" + share
	}
	return e
}

// Chart implements [toolkit.Charter]: the drawdowns of prices, or a histogram of the caller's returns.
func (a riskResult) Chart() *chart.Spec {
	if len(a.sample.series.Bars) > 0 {
		return toolkit.DrawdownChart(a.sample.series)
	}
	return toolkit.FractionsHistogram("returns", a.sample.returns)
}
