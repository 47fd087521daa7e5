package markettest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
)

// SeriesSubject is a source of economic series to be checked against the contract.
type SeriesSubject struct {
	Source market.SeriesSource
	// Listed has at least five observations.
	Listed market.SeriesID
	// Words match it, and possibly other series.
	Words string
}

// unlistedSeries is a valid identifier that no source knows.
const unlistedSeries market.SeriesID = "NOSUCHSERIESZZ"

// RunSeries checks a source against the contract of market.SeriesSource. Each check gets a new
// source from newSource.
func RunSeries(t *testing.T, newSource func(t *testing.T) SeriesSubject) {
	t.Helper()
	for name, promise := range map[string]func(*testing.T, SeriesSubject){
		"series is complete":            seriesIsComplete,
		"observations are in order":     observationsAreInOrder,
		"range ends are inclusive":      seriesRangeIsInclusive,
		"empty range returns no data":   seriesEmptyRangeIsNoData,
		"unpublished values are absent": seriesHidesUnreleased,
		"unlisted series is unknown":    unlistedSeriesIsUnknown,
		"text search finds it":          searchFindsSeries,
		"canceled context ends calls":   seriesCallsEnd,
	} {
		t.Run(name, func(t *testing.T) { promise(t, newSource(t)) })
	}
}

func allObservations(t *testing.T, s SeriesSubject) market.EconomicSeries {
	t.Helper()
	series, err := s.Source.EconomicSeries(t.Context(), s.Listed, market.SeriesQuery{})
	if err != nil {
		t.Fatalf("EconomicSeries(%s) = %v", s.Listed, err)
	}
	if len(series.Observations) < 5 {
		t.Fatalf("EconomicSeries(%s) = %d observations, want 5 or more", s.Listed, len(series.Observations))
	}
	return series
}

func seriesIsComplete(t *testing.T, s SeriesSubject) {
	series := allObservations(t, s)
	if series.ID != s.Listed || series.Title == "" || series.Unit == "" || series.Publisher == "" ||
		!series.Frequency.Valid() || !series.Seasonal.Valid() || series.ReleaseLag < 0 {
		t.Errorf("EconomicSeries(%s) is described by %+v", s.Listed, series.SeriesInfo)
	}
	p := series.Provenance
	last, ok := series.Latest()
	if p.Source == "" || p.FetchedAt.IsZero() || p.Unit != series.Unit || !ok || !p.AsOf.Equal(last.Date) {
		t.Errorf("provenance %+v: want source, fetched, the unit %q, and as of the last value, %v", p, series.Unit, last.Date)
	}
}

func observationsAreInOrder(t *testing.T, s SeriesSubject) {
	var before market.Date
	for _, o := range allObservations(t, s).Observations {
		if !o.Date.After(before) || !o.Date.Equal(o.Date.UTC().Truncate(24*time.Hour)) {
			t.Errorf("observation of %v after %v: want ascending dates at midnight UTC", o.Date, before)
		}
		before = o.Date
	}
}

func seriesRangeIsInclusive(t *testing.T, s SeriesSubject) {
	all := allObservations(t, s).Observations
	for name, row := range map[string]struct {
		r    market.Range
		want []market.Observation
	}{
		"both ends": {market.Range{From: all[1].Date, To: all[3].Date}, all[1:4]},
		"one":       {market.Range{From: all[2].Date, To: all[2].Date}, all[2:3]},
		"open end":  {market.Range{From: all[len(all)-2].Date}, all[len(all)-2:]},
	} {
		got, err := s.Source.EconomicSeries(t.Context(), s.Listed, market.SeriesQuery{Range: row.r})
		if err != nil {
			t.Errorf("%s: EconomicSeries = %v", name, err)
			continue
		}
		if diff := cmp.Diff(row.want, got.Observations); diff != "" {
			t.Errorf("%s: observations (-want +got):\n%s", name, diff)
		}
	}
}

func seriesEmptyRangeIsNoData(t *testing.T, s SeriesSubject) {
	first := allObservations(t, s).Observations[0].Date
	for name, q := range map[string]market.SeriesQuery{
		"before the first": {Range: market.Range{To: first.AddDate(-200, 0, 0)}},
		"not yet out":      {KnownOn: first.AddDate(-200, 0, 0)},
	} {
		if _, err := s.Source.EconomicSeries(t.Context(), s.Listed, q); !errors.Is(err, market.ErrNoData) {
			t.Errorf("%s: EconomicSeries = %v, want ErrNoData", name, err)
		}
	}
}

func seriesHidesUnreleased(t *testing.T, s SeriesSubject) {
	all := allObservations(t, s)
	// On the day a period starts, nothing of it can be known, unless the period is that day.
	day := all.Observations[4].Date.AddDate(0, 0, -1)
	got, err := s.Source.EconomicSeries(t.Context(), s.Listed, market.SeriesQuery{KnownOn: day})
	if err != nil && !errors.Is(err, market.ErrNoData) {
		t.Fatalf("EconomicSeries known on %v = %v", day, err)
	}
	for _, o := range got.Observations {
		if end := all.Frequency.PeriodEnd(o.Date); end.After(day) {
			t.Errorf("on %v the source returns %v, a period that ends on %v", day, o.Date, end)
		}
	}
}

func unlistedSeriesIsUnknown(t *testing.T, s SeriesSubject) {
	_, err := s.Source.EconomicSeries(t.Context(), unlistedSeries, market.SeriesQuery{})
	if !errors.Is(err, market.ErrUnknownSymbol) || !strings.Contains(err.Error(), string(unlistedSeries)) {
		t.Errorf("EconomicSeries(%s) = %v, want an ErrUnknownSymbol that names it", unlistedSeries, err)
	}
}

func searchFindsSeries(t *testing.T, s SeriesSubject) {
	want := allObservations(t, s).SeriesInfo
	found, err := s.Source.FindSeries(t.Context(), s.Words)
	if err != nil {
		t.Fatalf("FindSeries(%q) = %v", s.Words, err)
	}
	times := 0
	for _, one := range found {
		if one.ID == want.ID {
			times++
			if diff := cmp.Diff(want, one); diff != "" {
				t.Errorf("FindSeries describes %s differently (-series +found):\n%s", want.ID, diff)
			}
		}
	}
	if times != 1 {
		t.Errorf("FindSeries(%q) lists %s %d times, want once", s.Words, want.ID, times)
	}
	if none, err := s.Source.FindSeries(t.Context(), "zzqx nosuchword"); err != nil || len(none) > 0 {
		t.Errorf("FindSeries of nonsense = %v, %v; want nothing and no error", none, err)
	}
}

func seriesCallsEnd(t *testing.T, s SeriesSubject) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, seriesErr := s.Source.EconomicSeries(ctx, s.Listed, market.SeriesQuery{})
	_, findErr := s.Source.FindSeries(ctx, s.Words)
	for call, err := range map[string]error{"EconomicSeries": seriesErr, "FindSeries": findErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a canceled context = %v, want context.Canceled", call, err)
		}
	}
}
