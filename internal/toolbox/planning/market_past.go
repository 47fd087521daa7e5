package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/simulation"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// past is the history that a call names.
func (d Deps) past(ctx context.Context, in futures, w *world) (simulation.Past, error) {
	symbol := strings.TrimSpace(in.Symbol)
	switch {
	case (symbol == "") == (len(in.Returns) == 0):
		return simulation.Past{}, fmt.Errorf("%w: give mean_return and volatility, or either symbol or returns", errWorld)
	case symbol == "":
		return w.ownPast(in)
	}
	sp, err := question.ParseSpan(in.Range, "", "", "max")
	if err != nil {
		return simulation.Past{}, err
	}
	series, warnings, err := d.returning(ctx, symbol, sp)
	if err != nil {
		return simulation.Past{}, err
	}
	series = lineup.MonthEnds(series)
	prices, err := analytics.NewPrices(series)
	if err != nil {
		return simulation.Past{}, fmt.Errorf("%s: %w", series.Symbol, err)
	}
	n := len(series.Bars)
	if n < 2 {
		return simulation.Past{}, fmt.Errorf("%w: %s has no two month ends in the range; take a longer one", errWorld, series.Symbol)
	}
	origin := present.OriginOf(series.Provenance, present.ReturnKind(series.Instrument, series.Provenance.Adjustment))
	w.origin, w.source, w.asOf, w.warnings = &origin, origin.Source, series.Bars[n-1].Date, warnings
	w.words = append(w.words, fmt.Sprintf("%d monthly returns of %s, %s to %s", n-1, series.Symbol, present.Dated(series.Bars[0].Date), present.Dated(series.Bars[n-1].Date)))
	return simulation.Past{Returns: prices.Returns(), PerYear: 12}, nil
}

// mostReturns bounds a past that comes with a call.
const mostReturns = 50_000

// ownPast is a past that came with the call.
func (w *world) ownPast(in futures) (simulation.Past, error) {
	per := in.PerYear
	if per == 0 {
		per = 1
	}
	if len(in.Returns) > mostReturns {
		return simulation.Past{}, fmt.Errorf("%w: %d returns; give at most %d", errWorld, len(in.Returns), mostReturns)
	}
	if most := slices.Max(in.Returns); most > 1 {
		w.warnings = append(w.warnings, fmt.Sprintf("a return of %s is among them: returns are fractions, 0.07 for 7 %%", percentText(most)))
	}
	w.words = append(w.words, fmt.Sprintf("%d returns of the caller's, %d a year", len(in.Returns), per))
	return simulation.Past{Returns: in.Returns, PerYear: per}, nil
}

// yearly is the compound growth a year of a past.
func yearly(p simulation.Past) float64 {
	grown := 1.0
	for _, r := range p.Returns {
		grown *= 1 + r
	}
	return simulation.Compound(grown, float64(len(p.Returns))/float64(p.PerYear))
}
