package journal_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
)

func series(actions []market.Action, closes ...string) market.Series {
	s := market.Series{Instrument: market.Instrument{Symbol: "VTI"}, Interval: market.Daily, Actions: actions,
		Provenance: market.Provenance{Adjustment: market.AdjustmentSplit, Currency: "USD", Source: "test"}}
	for i, c := range closes {
		s.Bars = append(s.Bars, market.Bar{Date: on(2024, 1, 2+i), Close: dec(c)})
	}
	return s
}

func TestGrowthOf_DividendsAreReinvested(t *testing.T) {
	// The share falls from 100 to 98 and pays 4 on the way: of 100 become
	// 98 / (100 * (1 - 4/100)) = 1.0208333.
	paid := []market.Action{{Kind: market.ActionDividend, Date: on(2024, 1, 3), Amount: dec("4")}}
	got, err := journal.GrowthOf(series(paid, "100", "97", "98"), on(2024, 1, 2), market.Date{})
	if err != nil || !got.Total || math.Abs(got.Return-0.0208333) > 1e-6 {
		t.Errorf("GrowthOf = %+v, %v, want 0.0208333 in total", got, err)
	}
	if got.From != on(2024, 1, 2) || got.To != on(2024, 1, 4) || got.Currency != "USD" || got.Source != "test" {
		t.Errorf("GrowthOf = %+v, want the days, currency and source of the series", got)
	}
}

func TestGrowthOf_WithoutActionsItIsOfPrices(t *testing.T) {
	got, err := journal.GrowthOf(series(nil, "100", "97", "98"), on(2024, 1, 2), on(2024, 1, 3))
	if err != nil || got.Total || math.Abs(got.Return+0.03) > 1e-12 {
		t.Errorf("GrowthOf = %+v, %v, want -0.03 of prices", got, err)
	}
}

func TestGrowthOf_TheCloseBeforeStandsForADayWithoutOne(t *testing.T) {
	got, err := journal.GrowthOf(series(nil, "100", "97"), on(2024, 1, 2).Add(0), on(2024, 1, 10))
	if err != nil || got.To != on(2024, 1, 3) {
		t.Errorf("GrowthOf = %+v, %v, want it to end on 3 January", got, err)
	}
}

func TestGrowthOf_WithoutACloseNearTheDayThereIsNone(t *testing.T) {
	broken := series([]market.Action{{Kind: market.ActionDividend, Date: on(2024, 1, 3), Amount: dec("400")}}, "100", "97")
	for _, row := range []struct {
		name     string
		series   market.Series
		from, to time.Time
		want     error
	}{
		{"no bars", series(nil), on(2024, 1, 2), market.Date{}, journal.ErrNoPrice},
		{"before the first", series(nil, "1", "2"), on(2024, 1, 1), market.Date{}, journal.ErrNoPrice},
		{"long after the last", series(nil, "1", "2"), on(2024, 1, 2), on(2024, 1, 18), journal.ErrNoPrice},
		{"backwards", series(nil, "1", "2"), on(2024, 1, 3), on(2024, 1, 2), journal.ErrNoPrice},
		{"worth nothing", series(nil, "0", "2"), on(2024, 1, 2), market.Date{}, journal.ErrNoPrice},
		{"a dividend as large as the price", broken, on(2024, 1, 2), market.Date{}, market.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, err := journal.GrowthOf(row.series, row.from, row.to); !errors.Is(err, row.want) {
				t.Errorf("GrowthOf = %+v, %v, want %v", got, err, row.want)
			}
		})
	}
}
