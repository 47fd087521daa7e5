package sample

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

func loadEconomic(files fs.FS, id market.SeriesID) (market.EconomicSeries, error) {
	path := "data/series/" + strings.ToLower(string(id)) + ".csv"
	text, err := fs.ReadFile(files, path)
	if err != nil {
		return market.EconomicSeries{}, fmt.Errorf("reading sample data: %w", err)
	}
	series, err := parseEconomic(text)
	if err == nil && series.ID != id {
		err = fmt.Errorf("it holds %s, not %s", series.ID, id)
	}
	if err != nil {
		return market.EconomicSeries{}, fmt.Errorf("parsing %s: %w", path, err)
	}
	return series, nil
}

// parseEconomic reads a file of observations, oldest first. An empty value was
// not published.
func parseEconomic(text []byte) (market.EconomicSeries, error) {
	t, err := openTable(text)
	if err != nil {
		return market.EconomicSeries{}, err
	}
	series, err := economicHead(t)
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
		o, err := observationOf(cells)
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

func economicHead(t *table) (market.EconomicSeries, error) {
	var none market.EconomicSeries
	provenance, err := t.provenance()
	if err != nil {
		return none, err
	}
	if err := t.require("title", "unit", "publisher"); err != nil {
		return none, err
	}
	id, err := market.ParseSeriesID(t.head["series"])
	if err != nil {
		return none, fmt.Errorf("series: %w", err)
	}
	s := market.EconomicSeries{SeriesInfo: market.SeriesInfo{
		ID: id, Title: t.head["title"], Unit: t.head["unit"], Publisher: t.head["publisher"],
		Frequency: market.Frequency(t.head["frequency"]), Seasonal: market.Seasonal(t.head["seasonal"]),
	}, Provenance: provenance}
	if !s.Frequency.Valid() || !s.Seasonal.Valid() {
		return none, fmt.Errorf("frequency %q or seasonal %q is not in use", s.Frequency, s.Seasonal)
	}
	lag, ok := digits([]byte(t.head["lag"]))
	if !ok || len(t.head["lag"]) > 3 {
		return none, fmt.Errorf("lag %q is no number of days", t.head["lag"])
	}
	s.ReleaseLag = int(lag)
	if text := t.head["vintage"]; text != "" {
		if s.Vintage, err = parseDate([]byte(text)); err != nil {
			return none, fmt.Errorf("vintage: %w", err)
		}
	}
	return s, nil
}

func observationOf(cells [][]byte) (market.Observation, error) {
	date, err := parseDate(cells[0])
	if err != nil || len(cells[1]) == 0 {
		return market.Observation{Date: date}, err
	}
	value, err := parseDecimal(cells[1])
	return market.Observation{Date: date, Value: decimal.NewNullDecimal(value)}, err
}

// EconomicSeries returns the observations of id. The sample has one vintage, so
// KnownOn leaves out what was not yet published and cannot undo revisions.
func (s *Source) EconomicSeries(ctx context.Context, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	var none market.EconomicSeries
	if err := ctx.Err(); err != nil {
		return none, err
	}
	load, ok := s.economic[id]
	if !ok {
		return none, fmt.Errorf("sample data for the economic series %q: %w", id, market.ErrUnknownSymbol)
	}
	whole, err := load()
	if err != nil {
		return none, err
	}
	known := whole
	if !q.KnownOn.IsZero() {
		known = whole.KnownOn(q.KnownOn)
	}
	part := known.Within(q.Range)
	if len(part.Observations) == 0 {
		first, last := whole.Observations[0].Date, whole.Observations[len(whole.Observations)-1].Date
		return none, fmt.Errorf("sample observations of %s run from %s to %s: %w",
			id, first.Format(dateLayout), last.Format(dateLayout), market.ErrNoData)
	}
	part.Provenance.Unit = part.Unit
	part.Provenance.Flags = slices.Clone(part.Provenance.Flags)
	return part, nil
}

// FindSeries lists the series whose identifier, title or publisher has all the
// words, those with more of the title in them first; without words, every series.
func (s *Source) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	asked := wordsOf(words)
	found := []market.SeriesInfo{}
	for _, id := range seriesIDs() {
		series, err := s.economic[id]()
		if err != nil {
			return nil, err
		}
		if describes(series.SeriesInfo, asked) {
			found = append(found, series.SeriesInfo)
		}
	}
	if len(asked) > 0 {
		slices.SortStableFunc(found, func(a, b market.SeriesInfo) int { return cmp.Compare(len(a.Title), len(b.Title)) })
	}
	return found, nil
}

// describes reports whether each word begins a word of what is said of the
// series.
func describes(info market.SeriesInfo, words []string) bool {
	said := wordsOf(fmt.Sprint(info.ID, " ", info.Title, " ", info.Publisher, " ", spoken(info.ID)))
	for _, w := range words {
		if !slices.ContainsFunc(said, func(one string) bool { return strings.HasPrefix(one, w) }) {
			return false
		}
	}
	return true
}

// wordsOf splits at everything but letters and digits: "10-Year" is two words.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// spoken are words that people use for a series and its title does not.
func spoken(id market.SeriesID) string {
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
