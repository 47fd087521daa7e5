package feed

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
)

// EconomicSeries returns the observations of id. The sample has one vintage, so
// KnownOn leaves out what was not yet published and cannot undo revisions.
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

// FindSeries lists the series whose identifier, title or publisher has all the
// words, those with more of the title in them first; without words, every series.
func (s *SampleSource) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	terms := splitWords(words)
	found := []market.SeriesInfo{}
	for _, id := range sampleSeriesIDs() {
		if info := s.economic[id]().SeriesInfo; matchesWords(info, terms) {
			found = append(found, info)
		}
	}
	if len(terms) > 0 {
		slices.SortStableFunc(found, func(a, b market.SeriesInfo) int { return cmp.Compare(len(a.Title), len(b.Title)) })
	}
	return found, nil
}

// matchesWords reports whether each word begins a word of what is said of the
// series.
func matchesWords(info market.SeriesInfo, words []string) bool {
	terms := splitWords(fmt.Sprint(info.ID, " ", info.Title, " ", info.Publisher, " ", searchSynonyms(info.ID)))
	for _, w := range words {
		if !slices.ContainsFunc(terms, func(term string) bool { return strings.HasPrefix(term, w) }) {
			return false
		}
	}
	return true
}

// splitWords splits at everything but letters and digits: "10-Year" is two words.
func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// searchSynonyms are words that people use for a series and its title does not.
func searchSynonyms(id market.SeriesID) string {
	switch id {
	case "CPIAUCSL":
		return "inflation cpi headline"
	case "CPILFESL":
		return "inflation cpi core"
	case "UNRATE":
		return "jobs"
	case "FEDFUNDS":
		return "policy interest fed"
	case "GDPC1":
		return "gdp growth"
	case "DGS10", "DGS2", "DGS3MO":
		return "rate bond interest"
	}
	return ""
}
