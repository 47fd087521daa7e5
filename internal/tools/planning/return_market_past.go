package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// loadPast is the history that a call names.
func (d Deps) loadPast(ctx context.Context, in marketInput, w *returnMarket) (simulate.PastReturns, error) {
	symbol := strings.TrimSpace(in.Symbol)
	switch {
	case (symbol == "") == (len(in.Returns) == 0):
		return simulate.PastReturns{}, fmt.Errorf("%w: give mean_return and volatility, or either symbol or returns", errInvalidMarket)
	case symbol == "":
		return w.suppliedPast(in)
	}
	sp, err := toolkit.ParsePeriod(in.Range, "", "", "max")
	if err != nil {
		return simulate.PastReturns{}, err
	}
	series, warnings, err := d.totalReturnSeries(ctx, symbol, sp)
	if err != nil {
		return simulate.PastReturns{}, err
	}
	series = toolkit.ToMonthEnds(series)
	prices, err := analytics.NewPrices(series)
	if err != nil {
		return simulate.PastReturns{}, fmt.Errorf("%s: %w", series.Symbol, err)
	}
	n := len(series.Bars)
	if n < 2 {
		return simulate.PastReturns{}, fmt.Errorf("%w: %s has no two month ends in the range; take a longer one", errInvalidMarket, series.Symbol)
	}
	origin := toolkit.OriginOf(series.Provenance, toolkit.ReturnKind(series.Instrument, series.Provenance.Adjustment))
	w.origin, w.source, w.asOf, w.warnings = &origin, origin.Source, series.Bars[n-1].Date, warnings
	w.assumptions = append(w.assumptions, fmt.Sprintf("%d monthly returns of %s, %s to %s", n-1, series.Symbol, toolkit.FormatDate(series.Bars[0].Date), toolkit.FormatDate(series.Bars[n-1].Date)))
	return simulate.PastReturns{Returns: prices.Returns(), PerYear: 12}, nil
}

// maxReturns bounds a past that comes with a call.
const maxReturns = 50_000

// suppliedPast is a past that came with the call.
func (w *returnMarket) suppliedPast(in marketInput) (simulate.PastReturns, error) {
	per := in.PerYear
	if per == 0 {
		per = 1
	}
	if len(in.Returns) > maxReturns {
		return simulate.PastReturns{}, fmt.Errorf("%w: %d returns; give at most %d", errInvalidMarket, len(in.Returns), maxReturns)
	}
	if most := slices.Max(in.Returns); most > 1 {
		w.warnings = append(w.warnings, fmt.Sprintf("a return of %s is among them: returns are fractions, 0.07 for 7 %%", formatPercent(most)))
	}
	w.assumptions = append(w.assumptions, fmt.Sprintf("%d returns of the caller's, %d a year", len(in.Returns), per))
	return simulate.PastReturns{Returns: in.Returns, PerYear: per}, nil
}

// annualGrowth is the compound growth a year of a past.
func annualGrowth(p simulate.PastReturns) float64 {
	grown := 1.0
	for _, r := range p.Returns {
		grown *= 1 + r
	}
	return simulate.AnnualGrowth(grown, float64(len(p.Returns))/float64(p.PerYear))
}
