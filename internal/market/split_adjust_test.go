package market_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

func num(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func some(text string) decimal.NullDecimal { return decimal.NewNullDecimal(num(text)) }

// asTraded returns NVIDIA's raw prices around its split of ten for one on Monday 2024-06-10: 1,208.88 the
// Friday before and 121.79 that day. Dates are moved to January 2020.
func asTraded() market.Series {
	return market.Series{
		Instrument: market.Instrument{Symbol: "NVDA", Kind: "equity"}, Interval: market.Daily,
		Bars: []market.Bar{
			{Date: day(6), Open: some("1197.7"), Close: num("1209.98"), Volume: some("66469600")},
			{Date: day(7), Open: some("1197.7"), High: some("1216.92"), Low: some("1180.22"), Close: num("1208.88")},
			{Date: day(10), Open: some("120.37"), Close: num("121.79"), Volume: some("314162700")},
		},
		Actions: []market.Action{
			{Kind: market.ActionDividend, Date: day(7), Amount: num("0.1")},
			{Kind: market.ActionSplit, Date: day(10), New: num("10"), Old: num("1")},
			{Kind: market.ActionDividend, Date: day(10), Amount: num("0.2")},
			{Kind: market.ActionSplit, Date: day(20), New: num("2"), Old: num("1")},
		},
		Provenance: market.Provenance{Source: "test", Adjustment: market.AdjustmentRaw},
	}
}

func TestSeries_SplitAdjustedIsOfTheNewestShares(t *testing.T) {
	raw := asTraded()
	got, err := raw.SplitAdjusted()
	if err != nil {
		t.Fatal(err)
	}
	want := asTraded()
	want.Bars = []market.Bar{
		{Date: day(6), Open: some("119.77"), Close: num("120.998"), Volume: some("664696000")},
		{Date: day(7), Open: some("119.77"), High: some("121.692"), Low: some("118.022"), Close: num("120.888")},
		{Date: day(10), Open: some("120.37"), Close: num("121.79"), Volume: some("314162700")},
	}
	want.Actions[0].Amount, want.Actions[2].Amount = num("0.01"), num("0.02")
	want.Provenance.Adjustment = market.AdjustmentSplit
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("SplitAdjusted (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(asTraded(), raw); diff != "" {
		t.Errorf("the series given was changed:\n%s", diff)
	}
	again, err := got.SplitAdjusted()
	if diff := cmp.Diff(got, again); err != nil || diff != "" {
		t.Errorf("a second time: %v\n%s", err, diff)
	}
}

// The total return is the same whether splits are undone before or together with dividends.
func TestSeries_SplitAdjustedKeepsTheTotalReturn(t *testing.T) {
	direct, err := asTraded().TotalReturn()
	if err != nil {
		t.Fatal(err)
	}
	adjusted, err := asTraded().SplitAdjusted()
	if err != nil {
		t.Fatal(err)
	}
	staged, err := adjusted.TotalReturn()
	if err != nil {
		t.Fatal(err)
	}
	for i, bar := range staged.Bars {
		if off := bar.Close.Sub(direct.Bars[i].Close).Abs(); off.GreaterThan(num("0.000000001")) {
			t.Errorf("bar %d closes at %s; in one step at %s", i, bar.Close, direct.Bars[i].Close)
		}
	}
}

func TestSeries_SplitAdjustedNeedsToKnowTheSplits(t *testing.T) {
	for _, tt := range []struct {
		name, kind string
		adjustment market.Adjustment
		told, ok   bool
	}{
		{"as traded, nothing known", "equity", market.AdjustmentRaw, false, false},
		{"as traded, of a kind not known", "", market.AdjustmentRaw, false, false},
		{"of unknown adjustment", "equity", market.AdjustmentUnknown, true, false},
		{"an index", "index", market.AdjustmentRaw, false, true},
		{"a coin", "crypto", market.AdjustmentRaw, false, true},
		{"adjusted already", "equity", market.AdjustmentSplitDiv, false, true},
	} {
		s := asTraded()
		s.Kind, s.Provenance.Adjustment = tt.kind, tt.adjustment
		if !tt.told {
			s.Actions = nil
		}
		got, err := s.SplitAdjusted()
		if !tt.ok && !errors.Is(err, market.ErrActionsUnknown) {
			t.Errorf("%s: error = %v, want ErrActionsUnknown", tt.name, err)
		}
		if diff := cmp.Diff(s, got); tt.ok && (err != nil || diff != "") {
			t.Errorf("%s: %v, changed:\n%s", tt.name, err, diff)
		}
	}
}

// On the day of a split, the previous price is on the new scale: NVIDIA rose by 0.75% on 2024-06-10 and did
// not fall by 90%.
func TestSeries_LatestIsBesideAPriceOfTheSameShares(t *testing.T) {
	s := asTraded()
	q, ok := s.Latest()
	if !ok || !q.Price.Equal(num("121.79")) || !q.Previous.Decimal.Equal(num("120.888")) || !q.PreviousAsOf.Equal(day(7)) {
		t.Errorf("Latest = %s after %s of %s, %v; want 121.79 after 120.888 of %s", q.Price, q.Previous.Decimal, q.PreviousAsOf, ok, day(7))
	}
	if q.Provenance.Adjustment != market.AdjustmentRaw {
		t.Errorf("adjustment %s; want that of the price, which is as traded", q.Provenance.Adjustment)
	}
	s.Actions = nil
	if q, _ = s.Latest(); !q.Previous.Decimal.Equal(num("1208.88")) {
		t.Errorf("previous = %s; want the 1208.88 as traded, because the split is unknown", q.Previous.Decimal)
	}
}
