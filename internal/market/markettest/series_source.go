package markettest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// SeriesSource serves the given economic series in their order.
type SeriesSource struct {
	// Err, if set, is returned by every call, to simulate a source that is down.
	Err error
	// IgnoresQuery makes it ignore range and day, to test the caller's own filters.
	IgnoresQuery bool

	series []market.EconomicSeries
}

// NewSeriesSource returns a source of the given series.
func NewSeriesSource(series ...market.EconomicSeries) *SeriesSource {
	return &SeriesSource{series: series}
}

// Monthly returns a series of monthly values in percent from a month on, with "." for a value that was not
// published. It panics on a malformed value.
func Monthly(id market.SeriesID, first market.Date, values ...string) market.EconomicSeries {
	s := market.EconomicSeries{
		SeriesInfo: market.SeriesInfo{
			ID: id, Title: string(id) + " of the test", Unit: "percent", Frequency: market.FrequencyMonthly,
			Seasonal: market.SeasonalAdjusted, Publisher: "markettest", ReleaseLag: 10,
		},
		Provenance: market.Provenance{Source: "markettest", Unit: "percent", Adjustment: market.AdjustmentUnknown},
	}
	for i, text := range values {
		o := market.Observation{Date: first.AddDate(0, i, 0)}
		if text != "." {
			o.Value = decimal.NewNullDecimal(decimal.RequireFromString(text))
			s.Provenance.AsOf = o.Date
		}
		s.Observations = append(s.Observations, o)
	}
	s.Provenance.FetchedAt = first.AddDate(0, len(values), 0).Add(24 * time.Hour)
	return s
}

func (s *SeriesSource) failure(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Err
}

// EconomicSeries returns the part of a series that matches the query.
func (s *SeriesSource) EconomicSeries(ctx context.Context, id market.SeriesID, q market.SeriesQuery) (market.EconomicSeries, error) {
	if err := s.failure(ctx); err != nil {
		return market.EconomicSeries{}, err
	}
	for _, one := range s.series {
		if one.ID != id {
			continue
		}
		if s.IgnoresQuery {
			return one, nil
		}
		if !q.KnownOn.IsZero() {
			one = one.KnownOn(q.KnownOn)
		}
		if one = one.Within(q.Range); len(one.Observations) == 0 {
			return market.EconomicSeries{}, fmt.Errorf("test series %s: %w", id, market.ErrNoData)
		}
		return one, nil
	}
	return market.EconomicSeries{}, fmt.Errorf("test series %q: %w", id, market.ErrUnknownSymbol)
}

// FindSeries lists the series whose identifier or title contains the words.
func (s *SeriesSource) FindSeries(ctx context.Context, words string) ([]market.SeriesInfo, error) {
	if err := s.failure(ctx); err != nil {
		return nil, err
	}
	var found []market.SeriesInfo
	for _, one := range s.series {
		if strings.Contains(strings.ToLower(string(one.ID)+" "+one.Title), strings.ToLower(words)) {
			found = append(found, one.SeriesInfo)
		}
	}
	return found, nil
}
