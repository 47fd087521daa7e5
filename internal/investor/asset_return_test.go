package investor_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

func series(actions []market.Action, closes ...string) market.Series {
	s := market.Series{Instrument: market.Instrument{Symbol: "VTI"}, Interval: market.Daily, Actions: actions,
		Provenance: market.Provenance{Adjustment: market.AdjustmentSplit, Currency: "USD", Source: "test"}}
	for i, c := range closes {
		s.Bars = append(s.Bars, market.Bar{Date: date(2024, 1, 2+i), Close: journalDec(c)})
	}
	return s
}

func TestReturnBetween_DividendsAreReinvested(t *testing.T) {
	// The share falls from 100 to 98 and pays 4: 100 becomes 98 / (100 * (1 - 4/100)) = 1.0208333.
	paid := []market.Action{{Kind: market.ActionDividend, Date: date(2024, 1, 3), Amount: journalDec("4")}}
	got, err := investor.ReturnBetween(series(paid, "100", "97", "98"), date(2024, 1, 2), market.Date{})
	if err != nil || !got.Total || math.Abs(got.Return-0.0208333) > 1e-6 {
		t.Errorf("GrowthOf = %+v, %v, want 0.0208333 in total", got, err)
	}
	if got.From != date(2024, 1, 2) || got.To != date(2024, 1, 4) || got.Currency != "USD" || got.Source != "test" {
		t.Errorf("GrowthOf = %+v, want the days, currency and source of the series", got)
	}
}

func TestReturnBetween_WithoutActionsItIsOfPrices(t *testing.T) {
	got, err := investor.ReturnBetween(series(nil, "100", "97", "98"), date(2024, 1, 2), date(2024, 1, 3))
	if err != nil || got.Total || math.Abs(got.Return+0.03) > 1e-12 {
		t.Errorf("GrowthOf = %+v, %v, want -0.03 of prices", got, err)
	}
}

func TestReturnBetween_TheCloseBeforeStandsForADayWithoutOne(t *testing.T) {
	got, err := investor.ReturnBetween(series(nil, "100", "97"), date(2024, 1, 2).Add(0), date(2024, 1, 10))
	if err != nil || got.To != date(2024, 1, 3) {
		t.Errorf("GrowthOf = %+v, %v, want it to end on 3 January", got, err)
	}
}

func TestReturnBetween_WithoutACloseNearTheDayThereIsNone(t *testing.T) {
	broken := series([]market.Action{{Kind: market.ActionDividend, Date: date(2024, 1, 3), Amount: journalDec("400")}}, "100", "97")
	for _, row := range []struct {
		name     string
		series   market.Series
		from, to time.Time
		want     error
	}{
		{"no bars", series(nil), date(2024, 1, 2), market.Date{}, investor.ErrNoPrice},
		{"before the first", series(nil, "1", "2"), date(2024, 1, 1), market.Date{}, investor.ErrNoPrice},
		{"long after the last", series(nil, "1", "2"), date(2024, 1, 2), date(2024, 1, 18), investor.ErrNoPrice},
		{"backwards", series(nil, "1", "2"), date(2024, 1, 3), date(2024, 1, 2), investor.ErrNoPrice},
		{"worth nothing", series(nil, "0", "2"), date(2024, 1, 2), market.Date{}, investor.ErrNoPrice},
		{"a dividend as large as the price", broken, date(2024, 1, 2), market.Date{}, market.ErrMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, err := investor.ReturnBetween(row.series, row.from, row.to); !errors.Is(err, row.want) {
				t.Errorf("GrowthOf = %+v, %v, want %v", got, err, row.want)
			}
		})
	}
}

func TestReturnBetween_DividendsAreInItOnlyWhereAllThatIsPaidIs(t *testing.T) {
	known := []market.Action{} // and there were none
	for _, row := range []struct {
		name       string
		kind       string
		adjustment market.Adjustment
		actions    []market.Action
		total      bool
	}{
		{"a fund that paid none", "fund", market.AdjustmentSplit, known, true},
		{"a fund whose dividends are unknown", "fund", market.AdjustmentSplit, nil, false},
		{"adjusted by its source", "fund", market.AdjustmentSplitDiv, nil, true},
		{"an index, whose members pay", "index", market.AdjustmentSplit, known, false},
		{"an index as it is", "index", market.AdjustmentRaw, nil, false},
		{"an index that is called adjusted", "index", market.AdjustmentSplitDiv, nil, false},
		{"a coin, which pays none", "crypto", market.AdjustmentRaw, nil, true},
		{"a currency", "currency", market.AdjustmentUnknown, nil, false},
		{"raw with its splits", "equity", market.AdjustmentRaw, known, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := series(row.actions, "100", "110")
			s.Kind, s.Provenance.Adjustment = row.kind, row.adjustment
			got, err := investor.ReturnBetween(s, date(2024, 1, 2), market.Date{})
			if err != nil || got.Total != row.total || math.Abs(got.Return-0.1) > 1e-12 {
				t.Errorf("GrowthOf = %+v, %v, want 0.1 with total %v", got, err, row.total)
			}
		})
	}
}

// After a 4-for-1 split a quarter remains: 25 after 100 is not a loss.
func TestReturnBetween_PricesThatMayHideASplitGiveNone(t *testing.T) {
	for _, row := range []struct {
		name       string
		adjustment market.Adjustment
		actions    []market.Action
		says       string
	}{
		{"raw, and nobody tells of splits", market.AdjustmentRaw, nil, "not adjusted for splits"},
		{"adjusted in a way that nobody tells", market.AdjustmentUnknown, []market.Action{}, "unknown whether"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := series(row.actions, "100", "25")
			s.Kind, s.Provenance.Adjustment = "equity", row.adjustment
			got, err := investor.ReturnBetween(s, date(2024, 1, 2), market.Date{})
			if !errors.Is(err, investor.ErrSplitsUnknown) || !strings.Contains(err.Error(), row.says) {
				t.Errorf("GrowthOf = %+v, %v, want journal.ErrSplitsUnknown: %s", got, err, row.says)
			}
		})
	}
	reported := series([]market.Action{{Kind: market.ActionSplit, Date: date(2024, 1, 3), New: journalDec("4"), Old: journalDec("1")}}, "100", "25")
	reported.Kind, reported.Provenance.Adjustment = "equity", market.AdjustmentRaw
	if got, err := investor.ReturnBetween(reported, date(2024, 1, 2), market.Date{}); err != nil || got.Return != 0 {
		t.Errorf("ReturnBetween over a reported split = %+v, %v, want none", got, err)
	}
}

func TestReturnBetween_WhereDividendsAreNotKnownItIsOfPricesWithTheSplitsUndone(t *testing.T) {
	s := series([]market.Action{{Kind: market.ActionSplit, Date: date(2024, 1, 3), New: journalDec("4"), Old: journalDec("1")}}, "100", "25", "26")
	s.DividendsUnknown = true
	if got, err := investor.ReturnBetween(s, date(2024, 1, 2), market.Date{}); err != nil || got.Total || math.Abs(got.Return+0.74) > 1e-12 {
		t.Errorf("GrowthOf what is adjusted for splits = %+v, %v, want one of prices alone", got, err)
	}
	s.Provenance.Adjustment = market.AdjustmentRaw
	if got, err := investor.ReturnBetween(s, date(2024, 1, 2), market.Date{}); err != nil || got.Total || math.Abs(got.Return-0.04) > 1e-12 {
		t.Errorf("GrowthOf raw prices = %+v, %v, want 4%% of prices alone", got, err)
	}
}

func TestReinvestDividends_MakesASeriesReadyOnce(t *testing.T) {
	paid := []market.Action{{Kind: market.ActionDividend, Date: date(2024, 1, 3), Amount: journalDec("4")}}
	raw := series(paid, "100", "97", "98")
	ready, err := investor.ReinvestDividends(raw)
	if err != nil {
		t.Fatal(err)
	}
	once, err := investor.ReturnBetween(ready, date(2024, 1, 2), market.Date{})
	direct, other := investor.ReturnBetween(raw, date(2024, 1, 2), market.Date{})
	if err != nil || other != nil || once != direct {
		t.Errorf("GrowthOf of the series made ready = %+v, %v, want %+v, %v", once, err, direct, other)
	}
}
