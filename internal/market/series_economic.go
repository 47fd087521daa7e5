package market

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"
)

// Frequency is how often an economic series is measured. It determines the period of an observation
// and thus the earliest day it can be known.
type Frequency string

// Frequencies in use. A daily or weekly observation is dated by its only or last day, a longer one by the
// first day of its period.
const (
	FrequencyDaily     Frequency = "daily"
	FrequencyWeekly    Frequency = "weekly"
	FrequencyMonthly   Frequency = "monthly"
	FrequencyQuarterly Frequency = "quarterly"
	FrequencyAnnual    Frequency = "annual"
)

// months returns the length of a period, or zero if it is not a whole number of months.
func (f Frequency) months() int {
	switch f {
	case FrequencyMonthly:
		return 1
	case FrequencyQuarterly:
		return 3
	case FrequencyAnnual:
		return 12
	}
	return 0
}

// Valid reports whether f is one of the frequencies in use.
func (f Frequency) Valid() bool {
	return f == FrequencyDaily || f == FrequencyWeekly || f.months() > 0
}

// PeriodEnd returns the last day of the period of an observation dated d.
func (f Frequency) PeriodEnd(d Date) Date {
	if n := f.months(); n > 0 {
		return d.AddDate(0, n, -1)
	}
	return d
}

// Seasonal is the seasonal adjustment of a series.
type Seasonal string

// Kinds of seasonal adjustment. Compare only series of the same kind.
const (
	SeasonalNone         Seasonal = "none"
	SeasonalAdjusted     Seasonal = "adjusted"
	SeasonalAdjustedRate Seasonal = "adjusted-annual-rate" // a quarter's adjusted amount times four
	SeasonalUnknown      Seasonal = "unknown"
)

// Valid reports whether s is one of the kinds in use.
func (s Seasonal) Valid() bool {
	return s == SeasonalNone || s == SeasonalAdjusted || s == SeasonalAdjustedRate || s == SeasonalUnknown
}

// SeriesID is the identifier of an economic series in FRED's spelling: upper case, "CPIAUCSL".
type SeriesID string

// maxSeriesID is longer than any identifier of FRED.
const maxSeriesID = 40

// ParseSeriesID converts an identifier as people type it to nfa's spelling. It does not check that the series
// exists. Text that cannot be an identifier yields ErrInvalidSymbol.
func ParseSeriesID(text string) (SeriesID, error) {
	id := strings.ToUpper(strings.TrimSpace(text))
	notInID := func(r rune) bool { return !isAlphanumeric(r) && r != '_' && r != '.' && r != '-' }
	if id == "" || len(id) > maxSeriesID || strings.ContainsFunc(id, notInID) || !strings.ContainsFunc(id, isAlphanumeric) {
		return "", fmt.Errorf("%w: %.60q is not a series ID such as CPIAUCSL", ErrInvalidSymbol, text)
	}
	return SeriesID(id), nil
}

// SeriesInfo describes what an economic series measures.
type SeriesInfo struct {
	ID        SeriesID  `json:"id"`
	Title     string    `json:"title"`
	Unit      string    `json:"unit"` // "percent", "index 1982-1984=100"
	Frequency Frequency `json:"frequency"`
	Seasonal  Seasonal  `json:"seasonal_adjustment"`
	Publisher string    `json:"publisher"` // who measures it, not who redistributes it
	// ReleaseLag is the approximate number of days from the end of a period to its publication. It
	// is used if a source has no release dates.
	ReleaseLag int `json:"release_lag_days,omitempty"`
}

// FindSeries returns the series that match every word, best title match first. A word matches the start of a
// word in the identifier, title, publisher or synonyms. Synonyms are words that people use for a series but
// its title lacks. Without words it returns all.
func FindSeries(all []SeriesInfo, synonyms func(SeriesID) string, words string) []SeriesInfo {
	// Split at everything but letters and digits: "10-Year" is two words.
	split := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	wanted := split(words)
	found := []SeriesInfo{}
	for _, info := range all {
		terms := split(fmt.Sprint(info.ID, " ", info.Title, " ", info.Publisher, " ", synonyms(info.ID)))
		lacks := func(word string) bool {
			return !slices.ContainsFunc(terms, func(term string) bool { return strings.HasPrefix(term, word) })
		}
		if !slices.ContainsFunc(wanted, lacks) {
			found = append(found, info)
		}
	}
	if len(wanted) > 0 {
		slices.SortStableFunc(found, func(a, b SeriesInfo) int { return cmp.Compare(len(a.Title), len(b.Title)) })
	}
	return found
}

// Observation is one measured period. A value that was not published is invalid,
// never zero.
type Observation struct {
	Date  Date                `json:"date"` // see Frequency
	Value decimal.NullDecimal `json:"value"`
	// Released is when this value was published; zero if unknown.
	Released Date `json:"released,omitzero"`
}

// EconomicSeries holds observations from one source, oldest first.
type EconomicSeries struct {
	SeriesInfo
	Observations []Observation `json:"observations"`
	// Vintage is the day as of which these values were the published ones; later revisions are not in them.
	// Zero if unknown.
	Vintage    Date       `json:"vintage,omitzero"`
	Provenance Provenance `json:"provenance"` // AsOf is the date of the last value
}

// Within returns the observations dated in r. They are shared with s, not
// copied; there may be none.
func (s EconomicSeries) Within(r Range) EconomicSeries {
	return s.filter(func(o Observation) bool { return r.Contains(o.Date) })
}

// KnownOn returns the observations that can have been published by the end of day: by their release
// dates, else by the end of their period and ReleaseLag. It cannot undo revisions: only a source
// with vintages has the values published at that time.
func (s EconomicSeries) KnownOn(day Date) EconomicSeries {
	return s.filter(func(o Observation) bool {
		out := o.Released
		if out.IsZero() {
			out = s.Frequency.PeriodEnd(o.Date).AddDate(0, 0, s.ReleaseLag)
		}
		return !out.After(day)
	})
}

func (s EconomicSeries) filter(wanted func(Observation) bool) EconomicSeries {
	kept := make([]Observation, 0, len(s.Observations))
	for _, o := range s.Observations {
		if wanted(o) {
			kept = append(kept, o)
		}
	}
	s.Observations = kept
	if last, ok := s.Latest(); ok {
		s.Provenance.AsOf = last.Date
	}
	return s
}

// Latest returns the last observation that has a value, and false if there is none.
func (s EconomicSeries) Latest() (Observation, bool) {
	for _, o := range slices.Backward(s.Observations) {
		if o.Value.Valid {
			return o, true
		}
	}
	return Observation{}, false
}

// SeriesQuery narrows a request to a SeriesSource. The zero value requests everything in its newest
// version.
type SeriesQuery struct {
	Range
	// KnownOn, if set, requests the values as published by the end of that day. A source without
	// vintages returns the newest values of the periods published by then and reports it in
	// Vintage.
	KnownOn time.Time
}

// SeriesSource provides economic series. An unknown identifier yields ErrUnknownSymbol, a known one without
// observations in the query's range ErrNoData. FindSeries returns the series that match a few words, best
// first; no match is not an error. Observations may be shared with the source: do not change them.
type SeriesSource interface {
	EconomicSeries(ctx context.Context, id SeriesID, q SeriesQuery) (EconomicSeries, error)
	FindSeries(ctx context.Context, words string) ([]SeriesInfo, error)
}
