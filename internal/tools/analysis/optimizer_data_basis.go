package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// dataBasis describes the data behind both answers.
type dataBasis struct {
	From        string             `json:"from"`
	To          string             `json:"to"`
	Returns     int                `json:"returns" label:"returns of each asset" unit:"returns" formula:"common closes - 1"`
	Interval    market.Interval    `json:"interval,omitempty"`
	Frequency   float64            `json:"frequency"`
	RiskFree    float64            `json:"risk_free_rate"`
	Currency    string             `json:"currency,omitempty"`
	Expected    map[string]float64 `json:"expected_returns" label:"expected return" as:"percent"`
	Volatility  map[string]float64 `json:"volatilities" label:"volatility" as:"percent"`
	Assumptions []string           `json:"assumptions" as:"notes"`
	// Warnings is never null; an empty list means none.
	Warnings toolkit.Notes    `json:"warnings"`
	Note     string           `json:"note"`
	AsOf     string           `json:"as_of"`
	Sources  []toolkit.Origin `json:"sources"` // each once

	Origins []toolkit.NamedOrigin `json:"-"` // one for each asset

	universe assetUniverse
	estimate estimate
}

func newDataBasis(u assetUniverse, e estimate, in assetsInput, usesReturns bool) dataBasis {
	first := u.series[0].Bars[0].Date
	b := dataBasis{
		From: toolkit.FormatDate(first), To: toolkit.FormatDate(u.asOf()), Returns: u.sample.Periods(), Interval: u.interval, Frequency: u.sample.Frequency(),
		RiskFree: in.RiskFree, Currency: u.currency, Expected: map[string]float64{}, Volatility: map[string]float64{}, Note: pastDataWarning,
		Assumptions: append([]string{
			fmt.Sprintf("%s returns from %s to %s", toolkit.Format(u.sample.Periods(), toolkit.Count, ""), toolkit.FormatDate(first), toolkit.FormatDate(u.asOf())),
			fmt.Sprintf("%v periods a year, risk-free rate %s", u.sample.Frequency(), formatPercent(in.RiskFree)),
		}, e.assumptions...),
		AsOf: toolkit.FormatDate(u.asOf()), universe: u, estimate: e,
	}
	for i, name := range u.names {
		b.Expected[name] = e.returns[i]
		b.Volatility[name] = math.Sqrt(e.covariance.At(i, i))
		origin := toolkit.OriginOf(u.series[i].Provenance, toolkit.SeriesReturnKind(u.series[i]))
		if !slices.ContainsFunc(b.Sources, func(o toolkit.Origin) bool { return o.SameAs(origin) }) {
			b.Sources = append(b.Sources, origin)
		}
		b.Origins = append(b.Origins, toolkit.NamedOrigin{Name: name, Origin: origin})
	}
	b.Warnings.WarnEach("data", u.warnings...)
	u.warnOfData(e, usesReturns, &b.Warnings)
	return b
}

// minReturnsPerAsset is the number of returns per asset below which a sample covariance is mostly
// noise.
const minReturnsPerAsset = 10

// warnOfData warns about data that make the weights unreliable.
func (u assetUniverse) warnOfData(e estimate, usesReturns bool, notes *toolkit.Notes) {
	n := u.sample.Periods()
	years := float64(n) / u.sample.Frequency()
	if n < analytics.FewObservations {
		notes.Warn("few_returns", "only %d returns (fewer than %d): all estimates are uncertain", n, analytics.FewObservations)
	}
	if n < minReturnsPerAsset*len(u.names) && !strings.Contains(strings.Join(e.assumptions, " "), "Ledoit") {
		notes.Warn("noisy_covariance", "the covariance is noisy: only %d returns for %d assets; covariance ledoit_wolf is more stable", n, len(u.names))
	}
	if analytics.ShorterThanYear(years) {
		notes.Warn("short_period", "only %.2f years of data: annualized figures are extrapolated", years)
	}
	if usesReturns && e.fromPast {
		notes.Warn("uncertain_mean", "The weights depend on mean returns over %.1f years, with a standard error of about %s a year.", years, formatPercent(u.typicalError(e, years)))
	}
	if u.interval == market.Monthly {
		notes.Warn("monthly", "monthly closes: declines within a month are not visible")
	}
	if len(u.gaps) > 0 {
		notes.Warn("gaps", "closes are missing in %d places, the first after %s", len(u.gaps), toolkit.FormatDate(u.gaps[0].From))
	}
	if text := toolkit.MixedReturnsWarning(u.series); text != "" {
		notes.WarnEach("mixed_returns", text)
	}
}

// typicalError returns the standard error of a mean return, volatility / sqrt(years), for the median
// asset.
func (u assetUniverse) typicalError(e estimate, years float64) float64 {
	errors := make([]float64, len(u.names))
	for i := range errors {
		errors[i] = math.Sqrt(e.covariance.At(i, i) / years)
	}
	slices.Sort(errors)
	return errors[len(errors)/2]
}

func (b dataBasis) Text() string { return b.Note + "." }

// explain describes the fields of dataBasis for both answers.
func (b dataBasis) explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Inputs: b.Assumptions, Source: toolkit.JoinSources(b.Origins), AsOf: b.universe.asOf()}
	switch field {
	case "expected_returns":
		e.Formula = b.estimate.returnsBy
	case "volatilities":
		e.Formula = "square root of the variance; covariance: " + b.estimate.covarianceBy
	}
	return e
}

// formatPercent formats a fraction in percent.
func formatPercent(v float64) string { return toolkit.Format(v, toolkit.Percent, "") }
