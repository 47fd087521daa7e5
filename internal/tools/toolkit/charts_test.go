package toolkit_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func rawSeries(t *testing.T, closes ...string) market.Series {
	return markettest.Daily("VTI", toolstest.MustDay("2024-01-02"), closes...)
}

// withOHLC gives a series opens, highs and lows around its closes, and volumes.
func withOHLC(s market.Series) market.Series {
	for i := range s.Bars {
		b := &s.Bars[i]
		b.Open, b.High, b.Low = decimal.NewNullDecimal(b.Close.Sub(decimal.NewFromInt(1))), decimal.NewNullDecimal(b.Close.Add(decimal.NewFromInt(2))), decimal.NewNullDecimal(b.Close.Sub(decimal.NewFromInt(3)))
		b.Volume = decimal.NewNullDecimal(decimal.NewFromInt(int64(100 * (i + 1))))
	}
	return s
}

func wantValues(t *testing.T, what string, got chart.Values, want ...float64) {
	t.Helper()
	if diff := cmp.Diff(chart.Values(want), got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestPrices_AreCandlesWhereEveryBarIsWhole(t *testing.T) {
	got := toolkit.PriceChart(withOHLC(rawSeries(t, "10", "12", "11")))
	if got.Kind != chart.KindCandles || got.Unit != "USD" || got.Validate() != nil {
		t.Fatalf("Prices of whole bars = %+v, Validate() = %v; want candles in USD", got, got.Validate())
	}
	wantValues(t, "opens", got.Candles.Open, 9, 11, 10)
	wantValues(t, "highs", got.Candles.High, 12, 14, 13)
	wantValues(t, "lows", got.Candles.Low, 7, 9, 8)
	wantValues(t, "closes", got.Candles.Close, 10, 12, 11)
	wantValues(t, "volumes", got.Candles.Volume, 100, 200, 300)

	partly := withOHLC(rawSeries(t, "10", "12", "11"))
	partly.Bars[1].Open = decimal.NullDecimal{}
	line := toolkit.PriceChart(partly)
	if line.Kind != chart.KindLine {
		t.Fatalf("Prices with a bar that has only a close = %s, want a line: no close may be lost", line.Kind)
	}
	wantValues(t, "closes", line.Series[0].Values, 10, 12, 11)
}

func TestCandleChart_LeaveAGapWhereABarIsNotWhole(t *testing.T) {
	s := withOHLC(rawSeries(t, "10", "12", "11"))
	s.Bars[1].High = decimal.NullDecimal{}
	for i := range s.Bars {
		s.Bars[i].Volume = decimal.NullDecimal{}
	}
	got := toolkit.CandleChart(s)
	wantValues(t, "closes", got.Candles.Close, 10, math.NaN(), 11)
	if got.Candles.Volume != nil {
		t.Errorf("volume = %v, want none: it is not known", got.Candles.Volume)
	}
	if none := toolkit.CandleChart(rawSeries(t, "10", "12", "11")); none != nil {
		t.Errorf("Candles of closes only = %+v, want nil", none)
	}
}

// From 100 to 80 is a drawdown of 20%; 120 is a new high; 90 is 25% below it.
func TestDrawdownChart_IsBelowTheHighestCloseBefore(t *testing.T) {
	got := toolkit.DrawdownChart(rawSeries(t, "100", "80", "120", "90"))
	wantValues(t, "falls", got.Series[0].Values, 0, -20, 0, -25)
	if got.Kind != chart.KindDrawdown || got.Unit != "%" || got.Validate() != nil {
		t.Errorf("Drawdown = %s in %q, Validate() = %v", got.Kind, got.Unit, got.Validate())
	}
}

func TestReturnsHistogram_AreFromCloseToClose(t *testing.T) {
	got := toolkit.ReturnsHistogram(rawSeries(t, "100", "110", "99"))
	wantValues(t, "returns", got.Series[0].Values, 10, -10)
}

func TestCompareChart_DrawsSixAndSaysOfHowMany(t *testing.T) {
	var many []market.Series
	for range 8 {
		many = append(many, rawSeries(t, "10", "12", "11"))
	}
	got := toolkit.CompareChart(many)
	if len(got.Series) != 6 || !strings.Contains(got.Title, "the first 6 of 8") || got.Validate() != nil {
		t.Errorf("Compared of 8 = %d series titled %q, Validate() = %v", len(got.Series), got.Title, got.Validate())
	}
	if two := toolkit.CompareChart(many[:2]); strings.Contains(two.Title, "first") {
		t.Errorf("Compared of 2 is titled %q", two.Title)
	}
}

// A price below zero has neither a return nor a drawdown, so no chart is drawn.
func TestDrawing_OfWhatCannotBeDrawnIsNil(t *testing.T) {
	one, below := rawSeries(t, "10"), rawSeries(t, "18.27", "-37.63", "5")
	for name, got := range map[string]*chart.Spec{
		"closes of one": toolkit.ClosesChart(one), "candles of one": toolkit.CandleChart(withOHLC(one)), "drawdown of one": toolkit.DrawdownChart(one),
		"returns of two": toolkit.ReturnsHistogram(rawSeries(t, "10", "11")), "a comparison of one": toolkit.CompareChart([]market.Series{below}),
		"nothing to compare": toolkit.CompareChart(nil), "a drawdown below zero": toolkit.DrawdownChart(below), "returns below zero": toolkit.ReturnsHistogram(below),
		"no fractions": toolkit.FractionsHistogram("returns", nil), "no bars": toolkit.PriceChart(market.Series{}),
	} {
		if got != nil {
			t.Errorf("%s = %+v, want nil", name, got)
		}
	}
	if toolkit.ClosesChart(below) == nil {
		t.Error("a line of prices below zero is not drawn, and could be")
	}
}
