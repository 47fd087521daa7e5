package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

func loadSampleEconomic(files fs.FS, id market.SeriesID) (market.EconomicSeries, error) {
	path := "data/series/" + strings.ToLower(string(id)) + ".csv"
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return market.EconomicSeries{}, fmt.Errorf("reading sample data: %w", err)
	}
	series, err := parseSampleEconomic(text)
	if err == nil && series.ID != id {
		err = fmt.Errorf("it holds %s, not %s", series.ID, id)
	}
	if err != nil {
		return market.EconomicSeries{}, fmt.Errorf("parsing %s: %w", path, err)
	}
	return series, nil
}

// parseSampleEconomic reads a file of observations, oldest first. An empty value was
// not published.
func parseSampleEconomic(text []byte) (market.EconomicSeries, error) {
	t, err := openSampleTable(text)
	if err != nil {
		return market.EconomicSeries{}, err
	}
	series, err := sampleEconomicHeader(t)
	if err != nil {
		return market.EconomicSeries{}, err
	}
	if strings.Join(t.columns, ",") != "date,value" {
		return market.EconomicSeries{}, fmt.Errorf("columns %q are not those of observations", strings.Join(t.columns, ","))
	}
	cells := make([][]byte, len(t.columns))
	for {
		more, err := t.next(cells)
		if err != nil {
			return market.EconomicSeries{}, err
		}
		if !more {
			break
		}
		o, err := parseObservationRow(cells)
		if err != nil {
			return market.EconomicSeries{}, fmt.Errorf("line %d: %w", t.line-1, err)
		}
		if n := len(series.Observations); n > 0 && !o.Date.After(series.Observations[n-1].Date) {
			return market.EconomicSeries{}, fmt.Errorf("line %d: %s does not follow the observation before", t.line-1, cells[0])
		}
		series.Observations = append(series.Observations, o)
	}
	last, ok := series.Latest()
	if !ok {
		return market.EconomicSeries{}, errors.New("no observation has a value")
	}
	series.Provenance.AsOf = last.Date
	return series, nil
}

func sampleEconomicHeader(t *sampleTable) (market.EconomicSeries, error) {
	var zero market.EconomicSeries
	provenance, err := t.provenance()
	if err != nil {
		return zero, err
	}
	if err := t.require("title", "unit", "publisher"); err != nil {
		return zero, err
	}
	id, err := market.ParseSeriesID(t.head["series"])
	if err != nil {
		return zero, fmt.Errorf("series: %w", err)
	}
	s := market.EconomicSeries{SeriesInfo: market.SeriesInfo{
		ID: id, Title: t.head["title"], Unit: t.head["unit"], Publisher: t.head["publisher"],
		Frequency: market.Frequency(t.head["frequency"]), Seasonal: market.Seasonal(t.head["seasonal"]),
	}, Provenance: provenance}
	if !s.Frequency.Valid() || !s.Seasonal.Valid() {
		return zero, fmt.Errorf("frequency %q or seasonal %q is not in use", s.Frequency, s.Seasonal)
	}
	lag, ok := parseDigits([]byte(t.head["lag"]))
	if !ok || len(t.head["lag"]) > 3 {
		return zero, fmt.Errorf("lag %q is no number of days", t.head["lag"])
	}
	s.ReleaseLag = int(lag)
	if text := t.head["vintage"]; text != "" {
		if s.Vintage, err = parseSampleDate([]byte(text)); err != nil {
			return zero, fmt.Errorf("vintage: %w", err)
		}
	}
	return s, nil
}

func parseObservationRow(cells [][]byte) (market.Observation, error) {
	date, err := parseSampleDate(cells[0])
	if err != nil || len(cells[1]) == 0 {
		return market.Observation{Date: date}, err
	}
	value, err := parseSampleDecimal(cells[1])
	return market.Observation{Date: date, Value: decimal.NewNullDecimal(value)}, err
}

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
	full, err := load()
	if err != nil {
		return zero, err
	}
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
		series, err := s.economic[id]()
		if err != nil {
			return nil, err
		}
		if matchesWords(series.SeriesInfo, terms) {
			found = append(found, series.SeriesInfo)
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
