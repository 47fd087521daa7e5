package yahoo_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func TestSeries_OfRecordedCharts(t *testing.T) {
	for _, row := range []struct {
		file        string
		sym         market.Symbol
		first, last string
		n           int
		close       string // of the first bar
		provenance  market.Provenance
	}{
		{"chart-AAPL-2020-08-31-to-2020-11-07.json", "AAPL", "2020-08-31", "2020-11-06", 49, "129.04",
			market.Provenance{Currency: "USD", Unit: "price"}},
		{"chart-MSFT-div-2021-02-01-to-2022-01-31.json", "MSFT", "2021-02-01", "2022-01-28", 252, "239.65",
			market.Provenance{Currency: "USD", Unit: "price"}},
		// Five years later the price is 305.3 pence, so the scale is right.
		{"chart-OCDO.L-2020-01-01-to-2020-01-03.json", "OCDO.L", "2020-01-02", "2020-01-02", 1, "12.595",
			market.Provenance{Currency: "GBP", QuotedCurrency: "GBp", Unit: "price", Flags: []market.Flag{market.FlagConverted}}},
		{"chart-WSKT.JK-2020-01-01-to-2020-01-03.json", "WSKT.JK", "2020-01-02", "2020-01-02", 1, "1505",
			market.Provenance{Currency: "IDR", Unit: "price"}},
		{"chart-BTC-USD-2020-01-01-to-2020-01-03.json", "BTC-USD", "2020-01-01", "2020-01-03", 3, "7200.1743",
			market.Provenance{Currency: "USD", Unit: "price"}},
		{"chart-EURUSD=X-2020-01-01-to-2020-01-03.json", "EURUSD=X", "2020-01-01", "2020-01-03", 3, "1.1220826",
			market.Provenance{Currency: "USD", Unit: "price"}},
		{"chart-WSU.DE-2023-08-04-to-2023-08-09.json", "WSU.DE", "2023-08-04", "2023-08-08", 3, "34.45",
			market.Provenance{Currency: "EUR", Unit: "price"}},
		{"chart-0P000071W8.TO-2020-01-01-to-2020-01-03.json", "0P000071W8.TO", "2020-01-02", "2020-01-02", 1, "73.72",
			market.Provenance{Currency: "CAD", Unit: "price"}},
	} {
		t.Run(row.file, func(t *testing.T) {
			s := chartSeries(t, recordedChart(t, "yahoo/"+row.file), row.sym)
			n := len(s.Bars)
			if n != row.n || !s.Bars[0].Date.Equal(chartDay(row.first)) || !s.Bars[n-1].Date.Equal(chartDay(row.last)) {
				t.Errorf("%d bars from %v to %v, want %d from %s to %s", n, s.Bars[0].Date, s.Bars[n-1].Date, row.n, row.first, row.last)
			}
			if !s.Bars[0].Close.Equal(chartDecimal(row.close)) {
				t.Errorf("first close = %s, want %s", s.Bars[0].Close, row.close)
			}
			markettest.CheckBars(t, s.Bars)
			want := row.provenance
			want.Source, want.Endpoint, want.Adjustment = "yahoo", "v8 chart", market.AdjustmentSplit
			want.AsOf, want.FetchedAt = chartDay(row.last), chartNoon
			if diff := cmp.Diff(want, s.Provenance, cmpopts.IgnoreFields(market.Provenance{}, "License")); diff != "" {
				t.Errorf("provenance (-want +got):\n%s", diff)
			}
			if s.Name == "" || s.Kind == "" || s.Actions == nil {
				t.Errorf("series lacks a name, a kind or its actions: %+v", s.Instrument)
			}
		})
	}
}

func TestSeries_RecordedActionsAreReturned(t *testing.T) {
	s := chartSeries(t, recordedChart(t, "yahoo/chart-AAPL-2020-08-31-to-2020-11-07.json"), "AAPL")
	want := []market.Action{
		{Kind: market.ActionSplit, Date: chartDay("2020-08-31"), New: chartDecimal("4"), Old: chartDecimal("1")},
		{Kind: market.ActionDividend, Date: chartDay("2020-11-06"), Amount: chartDecimal("0.205")},
	}
	if diff := cmp.Diff(want, s.Actions); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}
}

// The expected values are Yahoo's own adjusted closes in the recording. Those computed here from closes and
// dividends differ by a constant factor (for the dividends after the last bar) and the rounding of single
// precision.
func TestSeries_TotalReturnAgreesWithYahoosOwn(t *testing.T) {
	body := recordedChart(t, "yahoo/chart-MSFT-div-2021-02-01-to-2022-01-31.json")
	s, err := chartSeries(t, body, "MSFT").TotalReturn()
	if err != nil {
		t.Fatal(err)
	}
	var theirs struct {
		Chart struct {
			Result []struct {
				Indicators struct {
					AdjClose []struct{ AdjClose []float64 }
				}
			}
		}
	}
	mustDecode(t, body, &theirs)
	adjusted := theirs.Chart.Result[0].Indicators.AdjClose[0].AdjClose
	n := len(s.Bars)
	factor := adjusted[n-1] / s.Bars[n-1].Close.InexactFloat64()
	for i, b := range s.Bars {
		if got := b.Close.InexactFloat64() * factor; math.Abs(got/adjusted[i]-1) > 2e-6 {
			t.Fatalf("%s: %.6f, Yahoo has %.6f", b.Date.Format(time.DateOnly), got, adjusted[i])
		}
	}
}

func TestSeries_RecordedWindowWithoutTradingIsNoData(t *testing.T) {
	for _, file := range []string{"chart-AAPL-2025-02-01-to-2025-02-02-includePrePost-false-interval-1m.json", "chart-no-results.json"} {
		_, err := seriesAt(recordedChart(t, "yahoo/"+file), "AAPL", chartNoon)
		if !errors.Is(err, market.ErrNoData) {
			t.Errorf("%s: Series = %v, want ErrNoData", file, err)
		}
	}
}

func TestSeries_RecordedMinutesAreNotTakenForDays(t *testing.T) {
	_, err := seriesAt(recordedChart(t, "yahoo/chart-AAPL-5m-2026-10.json"), "AAPL", chartNoon)
	if !errors.Is(err, market.ErrMalformed) || !strings.Contains(err.Error(), "5m") {
		t.Errorf("Series of a chart of five minutes = %v, want ErrMalformed that says so", err)
	}
}

// C16: the tables next to the recordings have the closes that yfinance expects after its repair. Only the
// ratios of closes count, because the table does not show whether the newest price is right.
func TestSeries_RecordedMistakesAreRepaired(t *testing.T) {
	for _, row := range []struct {
		name, file, symbol, currency, zone string
		flag                               market.Flag
		note                               string
	}{
		{"pounds among pence", "AET-L-1d-100x-error", "AET.L", "GBp", "Europe/London", market.FlagRepaired, "Prices from 2022-05-09 to 2022-05-19 are multiplied by 0.01, because"},
		{"split of a part", "DEX-AX-1d-bad-stock-split", "DEX.AX", "AUD", "Australia/Sydney", market.FlagRepaired, "multiplied by 2.269632, because the source adjusted only some prices for the split of 0.4406 for 1"},
		{"dividend not adjusted for", "8TRA-DE-1d-missing-div-adjust", "8TRA.DE", "EUR", "Europe/Berlin", market.FlagSuspect, "does not confirm the dividend of 2023-06-02"},
	} {
		t.Run(row.name, func(t *testing.T) {
			parse := func(file string) market.Series {
				return chartSeries(t, tableOf(t, row.symbol, row.currency, row.zone, recordedChart(t, "yahoo_repair/"+file)).String(), market.Symbol(row.symbol))
			}
			s, right := parse(row.file+".csv"), parse(row.file+"-fixed.csv")
			if !s.Provenance.Has(row.flag) || !strings.Contains(s.Provenance.Note, row.note) || len(s.DoubtfulSteps()) > 0 {
				t.Errorf("flags %v, note %q, steps %v; want %s, %q and no step", s.Provenance.Flags, s.Provenance.Note, s.DoubtfulSteps(), row.flag, row.note)
			}
			if right.Provenance.Has(market.FlagSuspect) || right.Provenance.Has(market.FlagRepaired) {
				t.Errorf("the table after the repair is flagged %v", right.Provenance.Flags)
			}
			scale := right.Bars[0].Close.Div(s.Bars[0].Close)
			for i, b := range s.Bars {
				if off := b.Close.Mul(scale).Div(right.Bars[i].Close).Sub(decimal.NewFromInt(1)).Abs(); off.GreaterThan(decimal.New(1, -4)) {
					t.Errorf("%s: close %s, want %s times one scale", b.Date.Format(time.DateOnly), b.Close, right.Bars[i].Close)
				}
			}
		})
	}
}
