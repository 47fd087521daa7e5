package allocation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// basis is what both answers say of the data that they rest on.
type basis struct {
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
	Sources  []present.Origin `json:"sources"` // each once

	universe universe
	estimate estimate
	from     []present.Sourced // of each asset
}

func basisOf(u universe, e estimate, in assetsInput, usesReturns bool) basis {
	first := u.series[0].Bars[0].Date
	b := basis{
		From: present.Dated(first), To: present.Dated(u.asOf()), Returns: u.sample.Periods(), Interval: u.interval, Frequency: u.sample.Frequency(),
		RiskFree: in.RiskFree, Currency: u.currency, Expected: map[string]float64{}, Volatility: map[string]float64{}, Note: caution,
		Assumptions: append([]string{
			fmt.Sprintf("%s returns from %s to %s", present.Counted(u.sample.Periods()), present.Dated(first), present.Dated(u.asOf())),
			fmt.Sprintf("%v periods a year, risk-free rate %s", u.sample.Frequency(), percent(in.RiskFree)),
		}, e.assumptions...),
		AsOf: present.Dated(u.asOf()), universe: u, estimate: e,
	}
	for i, name := range u.names {
		b.Expected[name] = present.Fraction(e.returns[i])
		b.Volatility[name] = present.Fraction(math.Sqrt(e.covariance.At(i, i)))
		origin := present.OriginOf(u.series[i].Provenance, lineup.Kind(u.series[i]))
		if !slices.ContainsFunc(b.Sources, func(o present.Origin) bool { return o.Footer() == origin.Footer() }) {
			b.Sources = append(b.Sources, origin)
		}
		b.from = append(b.from, present.Sourced{Name: name, Origin: origin})
	}
	b.Warnings = append(append([]string{}, u.warnings...), u.cautions(e, usesReturns)...)
	return b
}

// fewPerAsset is the number of returns for each asset below which a covariance of
// the sample is mostly noise.
const fewPerAsset = 10

// cautions are what to know before the weights are believed.
func (u universe) cautions(e estimate, usesReturns bool) []string {
	var out []string
	note := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	n := u.sample.Periods()
	years := float64(n) / u.sample.Frequency()
	if n < analytics.FewObservations {
		note("only %d returns (fewer than %d): all estimates are uncertain", n, analytics.FewObservations)
	}
	if n < fewPerAsset*len(u.names) && !strings.Contains(strings.Join(e.assumptions, " "), "Ledoit") {
		note("%d returns for %d assets are few: their covariance is noisy; covariance ledoit_wolf is steadier", n, len(u.names))
	}
	if years < 1 {
		note("%.2f years are annualised: a whole year at this pace is a guess", years)
	}
	if usesReturns && e.fromPast {
		note("a mean over %.1f years is uncertain by about %s a year for the typical asset (one standard error), and the weights hang on it", years, percent(u.typicalError(e, years)))
	}
	if u.interval == market.Monthly {
		note("monthly closes: falls within a month are not seen")
	}
	if len(u.gaps) > 0 {
		note("closes are missing in %d places, the first after %s", len(u.gaps), present.Dated(u.gaps[0].From))
	}
	if text := lineup.Unlike(u.series); text != "" {
		out = append(out, text)
	}
	return out
}

// typicalError is the standard error of a mean return: volatility / sqrt(years),
// in the middle of the assets.
func (u universe) typicalError(e estimate, years float64) float64 {
	errors := make([]float64, len(u.names))
	for i := range errors {
		errors[i] = math.Sqrt(e.covariance.At(i, i) / years)
	}
	slices.Sort(errors)
	return errors[len(errors)/2]
}

// sheet gathers figures that name their data as the source.
func (b basis) sheet() *present.Sheet {
	return &present.Sheet{Tool: lineup.Sources(b.from), Currency: b.Currency, AsOf: b.universe.asOf()}
}

// estimates makes figures of what is expected of each asset, which stands in a
// table of its own.
func (b basis) estimates(s *present.Sheet) {
	for _, name := range b.universe.names {
		s.AddUnseen(present.Line{ID: "expected_return_" + name, Label: "expected return of " + name, Value: present.RoundedPercent(b.Expected[name], 4), Unit: "%", Formula: b.estimate.returnsBy, Inputs: b.Assumptions})
		s.AddUnseen(present.Line{ID: "volatility_" + name, Label: "volatility of " + name, Value: present.RoundedPercent(b.Volatility[name], 4), Unit: "%", Formula: "square root of the variance; covariance: " + b.estimate.covarianceBy, Inputs: b.Assumptions})
	}
}

// footer is what stands below the tables.
func (b basis) footer() string {
	var out strings.Builder
	for _, w := range b.Warnings {
		out.WriteString("\n! " + present.Cell(w) + "\n")
	}
	out.WriteString("\n" + strings.Join(present.Footers(b.from), "\n\n") + "\n\n" + b.Note + ".\n")
	return out.String()
}

// percent is a fraction in per cent, as people read it.
func percent(v float64) string {
	return present.AsPercent(present.Fraction(v)).Round(2).String() + " %"
}
