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

// dataBasis is what both answers say of the data that they rest on.
type dataBasis struct {
	From        string             `json:"from"`
	To          string             `json:"to"`
	Returns     int                `json:"returns"`
	Interval    market.Interval    `json:"interval,omitempty"`
	Frequency   float64            `json:"frequency"`
	RiskFree    float64            `json:"risk_free_rate"`
	Currency    string             `json:"currency,omitempty"`
	Expected    map[string]float64 `json:"expected_returns"`
	Volatility  map[string]float64 `json:"volatilities"`
	Assumptions []string           `json:"assumptions"`
	// Warnings is never null: none is an answer too.
	Warnings []string         `json:"warnings"`
	Note     string           `json:"note"`
	AsOf     string           `json:"as_of"`
	Sources  []toolkit.Origin `json:"sources"` // each once

	universe assetUniverse
	estimate estimate
	from     []toolkit.NamedOrigin // of each asset
}

func newDataBasis(u assetUniverse, e estimate, in assetsInput, usesReturns bool) dataBasis {
	first := u.series[0].Bars[0].Date
	b := dataBasis{
		From: toolkit.FormatDate(first), To: toolkit.FormatDate(u.asOf()), Returns: u.sample.Periods(), Interval: u.interval, Frequency: u.sample.Frequency(),
		RiskFree: in.RiskFree, Currency: u.currency, Expected: map[string]float64{}, Volatility: map[string]float64{}, Note: pastDataWarning,
		Assumptions: append([]string{
			fmt.Sprintf("%s returns from %s to %s", toolkit.FormatCount(u.sample.Periods()), toolkit.FormatDate(first), toolkit.FormatDate(u.asOf())),
			fmt.Sprintf("%v periods a year, risk-free rate %s", u.sample.Frequency(), formatPercent(in.RiskFree)),
		}, e.assumptions...),
		AsOf: toolkit.FormatDate(u.asOf()), universe: u, estimate: e,
	}
	for i, name := range u.names {
		b.Expected[name] = toolkit.RoundFraction(e.returns[i])
		b.Volatility[name] = toolkit.RoundFraction(math.Sqrt(e.covariance.At(i, i)))
		origin := toolkit.OriginOf(u.series[i].Provenance, toolkit.SeriesReturnKind(u.series[i]))
		if !slices.ContainsFunc(b.Sources, func(o toolkit.Origin) bool { return o.Footer() == origin.Footer() }) {
			b.Sources = append(b.Sources, origin)
		}
		b.from = append(b.from, toolkit.NamedOrigin{Name: name, Origin: origin})
	}
	b.Warnings = append(append([]string{}, u.warnings...), u.dataWarnings(e, usesReturns)...)
	return b
}

// minReturnsPerAsset is the number of returns for each asset below which a covariance of
// the sample is mostly noise.
const minReturnsPerAsset = 10

// dataWarnings are what to know before the weights are believed.
func (u assetUniverse) dataWarnings(e estimate, usesReturns bool) []string {
	var out []string
	note := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	n := u.sample.Periods()
	years := float64(n) / u.sample.Frequency()
	if n < analytics.FewObservations {
		note("only %d returns (fewer than %d): all estimates are uncertain", n, analytics.FewObservations)
	}
	if n < minReturnsPerAsset*len(u.names) && !strings.Contains(strings.Join(e.assumptions, " "), "Ledoit") {
		note("%d returns for %d assets are few: their covariance is noisy; covariance ledoit_wolf is steadier", n, len(u.names))
	}
	if years < 1 {
		note("%.2f years are annualised: a whole year at this pace is a guess", years)
	}
	if usesReturns && e.fromPast {
		note("a mean over %.1f years is uncertain by about %s a year for the typical asset (one standard error), and the weights hang on it", years, formatPercent(u.typicalError(e, years)))
	}
	if u.interval == market.Monthly {
		note("monthly closes: falls within a month are not seen")
	}
	if len(u.gaps) > 0 {
		note("closes are missing in %d places, the first after %s", len(u.gaps), toolkit.FormatDate(u.gaps[0].From))
	}
	if text := toolkit.MixedReturnsWarning(u.series); text != "" {
		out = append(out, text)
	}
	return out
}

// typicalError is the standard error of a mean return: volatility / sqrt(years),
// in the middle of the assets.
func (u assetUniverse) typicalError(e estimate, years float64) float64 {
	errors := make([]float64, len(u.names))
	for i := range errors {
		errors[i] = math.Sqrt(e.covariance.At(i, i) / years)
	}
	slices.Sort(errors)
	return errors[len(errors)/2]
}

// newSheet gathers figures that name their data as the source.
func (b dataBasis) newSheet() *toolkit.CalculationSheet {
	return &toolkit.CalculationSheet{Tool: toolkit.JoinSources(b.from), Currency: b.Currency, AsOf: b.universe.asOf()}
}

// addEstimates makes figures of what is expected of each asset, which stands in a
// table of its own.
func (b dataBasis) addEstimates(s *toolkit.CalculationSheet) {
	for _, name := range b.universe.names {
		s.AddFigure(toolkit.SheetLine{ID: "expected_return_" + name, Label: "expected return of " + name, Value: toolkit.RoundPercent(b.Expected[name], 4), Unit: "%", Formula: b.estimate.returnsBy, Inputs: b.Assumptions})
		s.AddFigure(toolkit.SheetLine{ID: "volatility_" + name, Label: "volatility of " + name, Value: toolkit.RoundPercent(b.Volatility[name], 4), Unit: "%", Formula: "square root of the variance; covariance: " + b.estimate.covarianceBy, Inputs: b.Assumptions})
	}
}

// footer is what stands below the tables.
func (b dataBasis) footer() string {
	var out strings.Builder
	for _, w := range b.Warnings {
		out.WriteString("\n! " + toolkit.TableCell(w) + "\n")
	}
	out.WriteString("\n" + strings.Join(toolkit.OriginFooters(b.from), "\n\n") + "\n\n" + b.Note + ".\n")
	return out.String()
}

// formatPercent is a fraction in per cent, as people read it.
func formatPercent(v float64) string {
	return toolkit.FractionToPercent(toolkit.RoundFraction(v)).Round(2).String() + " %"
}
