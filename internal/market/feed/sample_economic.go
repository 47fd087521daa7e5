package feed

import (
	"context"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// EconomicSeries returns the observations of id. The sample data has one vintage, so KnownOn hides
// unpublished values but cannot undo revisions.
func (s *SampleSource) EconomicSeries(ctx context.Context, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	var zero market.EconomicSeries
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	load, ok := s.economic[id]
	if !ok {
		return zero, fmt.Errorf("sample data for the economic series %q: %w", id, market.ErrUnknownSymbol)
	}
	full := load()
	known := full
	if !q.KnownOn.IsZero() {
		known = full.KnownOn(q.KnownOn)
	}
	part := known.Within(q.Range)
	if len(part.Observations) == 0 {
		first, last := full.Observations[0].Date, full.Observations[len(full.Observations)-1].Date
		return zero, fmt.Errorf("sample observations of %s run from %s to %s: %w",
			id, first.Format(sampleDateLayout), last.Format(sampleDateLayout), market.ErrNoData)
	}
	part.Provenance.Unit = part.Unit
	part.Provenance.Flags = slices.Clone(part.Provenance.Flags)
	return part, nil
}

// FindSeries lists the series whose identifier, title or publisher contains all the words, best
// title match first. Without words it lists all.
func (s *SampleSource) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var all []market.SeriesInfo
	for _, id := range sampleSeriesIDs() {
		all = append(all, s.economic[id]().SeriesInfo)
	}
	return market.FindSeries(all, func(id market.SeriesID) string { return searchSynonyms[id] }, words), nil
}

// searchSynonyms are common words for a series that its title lacks.
var searchSynonyms = map[market.SeriesID]string{
	"CPIAUCSL": "inflation cpi headline",
	"CPILFESL": "inflation cpi core",
	"UNRATE":   "jobs",
	"FEDFUNDS": "policy interest fed",
	"GDPC1":    "gdp growth",
	"DGS10":    "rate bond interest",
	"DGS2":     "rate bond interest",
	"DGS3MO":   "rate bond interest",
}
