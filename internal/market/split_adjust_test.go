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

// A source reports NVIDIA's prices on the shares of today. On the share basis of a past day, they are the
// prices and dividends as they were traded, and later events are unknown.
func TestSeries_OnShareBasisUndoesLaterSplits(t *testing.T) {
	later := asTraded()
	later.Actions = append(later.Actions[:3:3], market.Action{Kind: market.ActionDividend, Date: day(15), Amount: num("0.3")}) // without a split after the bars
	reported, err := later.SplitAdjusted()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name  string
		day   int
		bars  []market.Bar
		shown []market.Action
	}{
		{"the session before the split", 7, asTraded().Bars[:2], asTraded().Actions[:1]},
		{"a Sunday before the split", 9, asTraded().Bars[:2], asTraded().Actions[:1]},
		{"the day of the split", 10, reported.Bars, reported.Actions[:3]},
		{"before every dividend", 6, asTraded().Bars[:1], []market.Action{}},
		{"before the bars", 5, []market.Bar{}, []market.Action{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			given, err := later.SplitAdjusted()
			if err != nil {
				t.Fatal(err)
			}
			got, err := given.OnShareBasis(day(row.day))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.bars, got.Bars); diff != "" {
				t.Errorf("bars (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(row.shown, got.Actions); diff != "" {
				t.Errorf("actions (-want +got):\n%s", diff)
			}
			if !got.Provenance.ShareBasis.Equal(day(row.day)) {
				t.Errorf("share basis of %v, want January %d", got.Provenance.ShareBasis, row.day)
			}
			if diff := cmp.Diff(reported, given); diff != "" {
				t.Errorf("the series given was changed:\n%s", diff)
			}
		})
	}
}

// Two later splits count together, and a reverse split goes the other way.
func TestSeries_OnShareBasisCountsEverySplit(t *testing.T) {
	s := asTraded()
	s.Provenance.Adjustment = market.AdjustmentSplit
	s.Bars = []market.Bar{{Date: day(6), Close: num("100"), Volume: some("600")}}
	s.Actions = []market.Action{
		{Kind: market.ActionSplit, Date: day(10), New: num("3"), Old: num("1")},
		{Kind: market.ActionSplit, Date: day(20), New: num("1"), Old: num("2")},
	}
	got, err := s.OnShareBasis(day(6))
	if err != nil {
		t.Fatal(err)
	}
	if want := []market.Bar{{Date: day(6), Close: num("150"), Volume: some("400")}}; !cmp.Equal(want, got.Bars) {
		t.Errorf("OnShareBasis (-want +got):\n%s", cmp.Diff(want, got.Bars))
	}
}

// Prices that were never adjusted, or of an instrument that never splits, only end on the day. Without
// knowledge of later splits, prices as traded cannot be computed.
func TestSeries_OnShareBasisNeedsLaterEvents(t *testing.T) {
	for _, row := range []struct {
		name   string
		change func(*market.Series)
		fails  bool
	}{
		{"raw prices", func(*market.Series) {}, false},
		{"an index", func(s *market.Series) {
			s.Kind, s.Actions, s.Provenance.Adjustment = "index", nil, market.AdjustmentUnknown
		}, false},
		{"nothing later", func(s *market.Series) {
			s.Actions, s.Bars, s.Provenance.Adjustment = nil, s.Bars[:2], market.AdjustmentUnknown
		}, false},
		{"splits are unknown", func(s *market.Series) { s.Actions, s.Provenance.Adjustment = nil, market.AdjustmentSplit }, true},
		{"the adjustment is unknown", func(s *market.Series) { s.Provenance.Adjustment = market.AdjustmentUnknown }, true},
		{"dividends are in the prices", func(s *market.Series) { s.Provenance.Adjustment = market.AdjustmentSplitDiv }, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := asTraded()
			row.change(&s)
			got, err := s.OnShareBasis(day(7))
			if errors.Is(err, market.ErrActionsUnknown) != row.fails {
				t.Fatalf("error %v", err)
			}
			if !row.fails && !cmp.Equal(asTraded().Bars[:2], got.Bars) {
				t.Errorf("bars (-want +got):\n%s", cmp.Diff(asTraded().Bars[:2], got.Bars))
			}
		})
	}
}
