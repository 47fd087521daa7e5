package positions_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// countingRates records the requests for rates.
type countingRates struct {
	market.RateSource
	pairs []string
}

func (c *countingRates) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	day := func(d market.Date) string {
		if d.IsZero() {
			return ""
		}
		return d.Format("2006-01-02")
	}
	c.pairs = append(c.pairs, fmt.Sprintf("%s %s..%s", pair, day(r.From), day(r.To)))
	return c.RateSource.Rates(ctx, pair, r)
}

// euroPair returns the euro in dollars: 1.05, 1.06, 1.07 and 1.10 from Monday to Thursday.
func euroPair() market.Pair { return market.Pair{Base: "EUR", Quote: "USD"} }

func newCountingDeps(t *testing.T) (positions.Deps, *countingRates) {
	t.Helper()
	d := newTestDeps(t)
	c := &countingRates{RateSource: d.Rates}
	d.Rates = c
	return d, c
}

func TestRateCache_OnIsTheLastRateOnOrBeforeTheDay(t *testing.T) {
	for _, tc := range []struct{ name, from, to, day, want string }{
		{"its own day", "EUR", "USD", "2024-06-25", "1.06 of 2024-06-25"},
		{"today has none yet", "EUR", "USD", "2024-06-28", "1.1 of 2024-06-27"},
		{"the first", "EUR", "USD", "2024-06-24", "1.05 of 2024-06-24"},
		{"a currency in itself", "USD", "USD", "2024-06-25", "1 of 2024-06-25"},
		{"in itself on a day of no rate", "XYZ", "XYZ", "1999-01-01", "1 of 1999-01-01"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, err := newTestDeps(t).NewRateCache().On(t.Context(), tc.from, tc.to, portfoliotest.Day(tc.day))
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprintf("%s of %s", r.Value, r.Date.Format("2006-01-02")); got != tc.want || r.Pair.Base != tc.from || r.Pair.Quote != tc.to {
				t.Errorf("On(%s, %s, %s) = %s of %v; want %s", tc.from, tc.to, tc.day, got, r.Pair, tc.want)
			}
		})
	}
}

func TestRateCache_WhatThereIsNotIsAnErrorThatNamesIt(t *testing.T) {
	d := newTestDeps(t)
	for _, tc := range []struct{ name, from, day, says string }{
		{"before all rates", "EUR", "2024-06-20", "EUR/USD"},
		{"a currency that nobody quotes", "XYZ", "2024-06-25", "XYZ/USD"},
	} {
		if r, err := d.NewRateCache().On(t.Context(), tc.from, "USD", portfoliotest.Day(tc.day)); err == nil || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: On = %v, %v; want an error with %q", tc.name, r, err, tc.says)
		}
	}
	d.Rates = nil
	if r, err := d.NewRateCache().On(t.Context(), "EUR", "USD", portfoliotest.Day("2024-06-25")); err == nil {
		t.Errorf("On without a source = %v; want an error", r)
	}
	if r, err := d.NewRateCache().On(t.Context(), "EUR", "EUR", portfoliotest.Day("2024-06-25")); err != nil || r.Value.String() != "1" {
		t.Errorf("On of a currency in itself without a source = %v, %v; want 1", r.Value, err)
	}
}

// After a request from the oldest day on, the source is not asked again.
func TestRateCache_AreAskedForOnceEach(t *testing.T) {
	d, source := newCountingDeps(t)
	rates := d.NewRateCache()
	if _, err := rates.Since(t.Context(), euroPair(), portfoliotest.Day("2024-06-24")); err != nil {
		t.Fatal(err)
	}
	for _, day := range []string{"2024-06-24", "2024-06-25", "2024-06-28", "2024-06-30"} {
		if _, err := rates.On(t.Context(), "EUR", "USD", portfoliotest.Day(day)); err != nil {
			t.Errorf("On(%s) = %v", day, err)
		}
	}
	if _, err := rates.Since(t.Context(), euroPair(), market.Date{}); err != nil {
		t.Errorf("Since of the newest = %v", err)
	}
	if diff := cmp.Diff([]string{"EUR/USD 2024-06-17..2024-06-28"}, source.pairs); diff != "" {
		t.Errorf("the source was asked (-want +got):\n%s", diff)
	}
}

// Rates of later days are not used for an earlier day, and the latest rate alone is not used for a past
// day.
func TestRateCache_AnEarlierDayIsAskedForAnew(t *testing.T) {
	d, source := newCountingDeps(t)
	rates := d.NewRateCache()
	for _, tc := range []struct{ day, want string }{
		{"2024-06-28", "1.1"}, {"2024-06-26", "1.07"}, {"2024-06-24", "1.05"}, {"2024-06-25", "1.06"},
	} {
		r, err := rates.On(t.Context(), "EUR", "USD", portfoliotest.Day(tc.day))
		if err != nil || r.Value.String() != tc.want {
			t.Errorf("On(%s) = %s, %v; want %s", tc.day, r.Value, err, tc.want)
		}
	}
	want := []string{"EUR/USD ..2024-06-28", "EUR/USD 2024-06-19..2024-06-28", "EUR/USD 2024-06-17..2024-06-28"}
	if diff := cmp.Diff(want, source.pairs); diff != "" {
		t.Errorf("the source was asked (-want +got):\n%s", diff)
	}
}

func TestRateCache_ARefusalIsRememberedAndACancelledCallIsNot(t *testing.T) {
	d, source := newCountingDeps(t)
	rates := d.NewRateCache()
	for range 3 {
		if _, err := rates.On(t.Context(), "XYZ", "USD", portfoliotest.Day("2024-06-28")); !errors.Is(err, market.ErrUnknownSymbol) {
			t.Errorf("On(XYZ) = %v, want ErrUnknownSymbol", err)
		}
	}
	if len(source.pairs) != 1 {
		t.Errorf("the source was asked %q; want once", source.pairs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rates.On(ctx, "EUR", "USD", portfoliotest.Day("2024-06-28")); !errors.Is(err, context.Canceled) {
		t.Errorf("On of a cancelled call = %v, want that it was", err)
	}
	if r, err := rates.On(t.Context(), "EUR", "USD", portfoliotest.Day("2024-06-28")); err != nil || r.Value.String() != "1.1" {
		t.Errorf("On after one that was cancelled = %s, %v; want 1.1", r.Value, err)
	}
}

func TestRateCache_NoneOfAfterTheClockCounts(t *testing.T) {
	d, err := newTestDeps(t).AsOf("2024-06-25")
	if err != nil {
		t.Fatal(err)
	}
	d.Rates = &markettest.FakeFeeds{FX: d.Rates.(*markettest.FakeFeeds).FX, IgnoresQuery: true}
	s, err := d.NewRateCache().Since(t.Context(), euroPair(), market.Date{})
	if err != nil || len(s.Rates) != 2 || s.Rates[1].Value.String() != "1.06" {
		t.Errorf("Since on 2024-06-25 = %v, %v; want the two rates until then", s.Rates, err)
	}
	if r, err := d.NewRateCache().On(t.Context(), "EUR", "USD", d.Today()); err != nil || r.Value.String() != "1.06" {
		t.Errorf("On(2024-06-25) = %s, %v; want 1.06", r.Value, err)
	}
}

// 500 EUR of June 24 at 1.05 are 525 USD, of June 26 at 1.07 535. Zero is zero at any rate.
func TestCostConverter_ConvertsAtTheRateOfTheDayOrSaysWhyNot(t *testing.T) {
	costs := newTestDeps(t).NewCostConverterSince(t.Context(), "USD", map[string]market.Date{"EUR": portfoliotest.Day("2024-06-24")})
	for _, tc := range []struct {
		name, amount, currency, day string
		want                        string // "" if unknown
		why                         string
	}{
		{"the first day", "500", "EUR", "2024-06-24", "525", ""},
		{"another day", "500", "EUR", "2024-06-26", "535", ""},
		{"the base itself", "500", "USD", "", "500", ""},
		{"nothing", "0", "XYZ", "", "0", ""},
		{"not known", "", "EUR", "2024-06-24", "", "cost basis is unknown"},
		{"a day that is not known", "500", "EUR", "", "", "acquisition date is unknown"},
		{"no rate", "500", "XYZ", "2024-06-24", "", "XYZ/USD"},
		{"before all rates", "500", "EUR", "2024-01-02", "", "EUR/USD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var amount decimal.NullDecimal
			if tc.amount != "" {
				amount = decimal.NewNullDecimal(toolstest.MustDecimal(tc.amount))
			}
			var day market.Date
			if tc.day != "" {
				day = portfoliotest.Day(tc.day)
			}
			got, why := costs.Convert(t.Context(), amount, tc.currency, day)
			if got.Valid != (tc.want != "") || got.Valid && got.Decimal.String() != tc.want || got.Valid == (why != "") || !strings.Contains(why, tc.why) {
				t.Errorf("Converted(%s %s of %s) = %v %s, %q; want %q and %q", tc.amount, tc.currency, tc.day, got.Valid, got.Decimal, why, tc.want, tc.why)
			}
		})
	}
}

func lot(currency, day, quantity, cost string) portfolio.Lot {
	l := portfolio.Lot{Quantity: toolstest.MustDecimal(quantity), Currency: currency}
	if cost != "" {
		l.Cost = decimal.NewNullDecimal(toolstest.MustDecimal(cost))
	}
	if day != "" {
		l.Acquired = portfoliotest.Day(day)
	}
	return l
}

// 100 EUR x 1.05 + 200 EUR x 1.07 + 50 USD = 369 USD; the proceeds of a short lot count as negative: minus
// 30.
func TestCostConverter_AllIsTheSumOfEachLotAtItsOwnDay(t *testing.T) {
	lots := []portfolio.Lot{lot("EUR", "2024-06-26", "1", "200"), lot("EUR", "2024-06-24", "1", "100"), lot("USD", "", "1", "50"), lot("USD", "2024-06-24", "-3", "30")}
	d, source := newCountingDeps(t)
	costs := d.NewCostConverter(t.Context(), "USD", lots)
	if got, why := costs.ConvertLots(t.Context(), lots); !got.Valid || got.Decimal.String() != "339" || why != "" {
		t.Errorf("All = %s (known %v), %q; want 339", got.Decimal, got.Valid, why)
	}
	if diff := cmp.Diff([]string{"EUR/USD 2024-06-17..2024-06-28"}, source.pairs); diff != "" {
		t.Errorf("rates were asked for (-want +got):\n%s", diff)
	}
	if got, why := costs.ConvertLots(t.Context(), append(lots, lot("EUR", "", "1", "5"))); got.Valid || why == "" {
		t.Errorf("All with a lot of no day = %s, %q; want none, and why", got.Decimal, why)
	}
	if got, _ := costs.ConvertLots(t.Context(), nil); !got.Valid || !got.Decimal.IsZero() {
		t.Errorf("All of no lot = %v; want zero", got)
	}
}

func TestSignedCost_OfAShortLotIsBelowZero(t *testing.T) {
	for _, tc := range []struct {
		l    portfolio.Lot
		want string
	}{{lot("USD", "", "2", "30"), "30"}, {lot("USD", "", "-2", "30"), "-30"}} {
		if got := positions.SignedCost(tc.l); !got.Valid || got.Decimal.String() != tc.want {
			t.Errorf("SignedCost of %s units = %s; want %s", tc.l.Quantity, got.Decimal, tc.want)
		}
	}
	if got := positions.SignedCost(lot("USD", "", "-2", "")); got.Valid {
		t.Errorf("SignedCost of what is not known = %s; want none", got.Decimal)
	}
}
