package toolkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// pricesOf returns prices with the given series, and the recorded requests.
func pricesOf(t *testing.T, series ...market.Series) (toolkit.Prices, *toolstest.RecordingBars) {
	t.Helper()
	p := toolstest.Prices(t, markettest.NewSource(series...), "2024-06-29T12:00:00Z")
	bars := &toolstest.RecordingBars{BarSource: p.Bars}
	p.Bars = bars
	return p, bars
}

// Twenty-four years of sessions, until 2024-06-28.
func TestFetchSeries_AsksForTheSpanAlone(t *testing.T) {
	for _, tc := range []struct {
		name string
		sp   toolkit.Period
		want string // five months before the period: three for the last common close, two for a monthly close
	}{
		{"a range", span(t, "5y", "", ""), "2019-01-29"},
		{"a day", span(t, "", "2020-06-02", ""), "2020-01-02"},
		{"a month", span(t, "", "2020-06", ""), "2019-12-29"}, // from the close before it
		{"everything", toolkit.Period{}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, requests := pricesOf(t, toolstest.WaveSeries("AAA", "2000-07-03", 6260), toolstest.WaveSeries("BBB", "2000-07-03", 6260))
			series, err := toolkit.FetchSeries(t.Context(), p, []string{"bbb", "AAA"}, tc.sp)
			if err != nil || series[0].Symbol != "BBB" || series[1].Symbol != "AAA" {
				t.Fatalf("Fetch = %d series, %v; want BBB and AAA", len(series), err)
			}
			if diff := cmp.Diff(map[market.Symbol][]string{"AAA": {tc.want}, "BBB": {tc.want}}, requests.Starts()); diff != "" {
				t.Errorf("asked from (-want +got):\n%s", diff)
			}
		})
	}
}

// A range counts back from the last common close, years before that of a series that continues.
func TestFetchSeries_ReachesBackFromTheCommonEnd(t *testing.T) {
	old, alive := toolstest.WaveSeries("OLD", "2000-07-03", 2610), toolstest.WaveSeries("NEW", "2000-07-03", 6260)
	end := toolkit.FormatDate(old.Bars[len(old.Bars)-1].Date)
	for _, tc := range []struct{ back, from string }{{"1y", "2009-07-02"}, {"ytd", "2009-12-31"}, {"2w", "2010-06-18"}, {"max", "2000-07-03"}} {
		t.Run(tc.back, func(t *testing.T) {
			p, requests := pricesOf(t, old, alive)
			sp := span(t, tc.back, "", "")
			series, err := toolkit.FetchSeries(t.Context(), p, []string{"NEW", "OLD"}, sp)
			if err != nil {
				t.Fatal(err)
			}
			l := aligned(t, sp, series...)
			if l.From != tc.from || l.To != end {
				t.Errorf("from %s to %s, want %s to %s", l.From, l.To, tc.from, end)
			}
			if last := requests.Starts()["NEW"][len(requests.Starts()["NEW"])-1]; tc.back != "max" && (last < "2008" || last >= tc.from) {
				t.Errorf("NEW is last requested from %q, want some months before %s", last, tc.from)
			}
			dated := span(t, "", tc.from, end)
			if series, err = toolkit.FetchSeries(t.Context(), p, []string{"NEW", "OLD"}, dated); err != nil {
				t.Fatal(err)
			}
			for i, s := range aligned(t, dated, series...).Series {
				if diff := cmp.Diff(closesOf(s), closesOf(l.Series[i])); diff != "" {
					t.Errorf("%s (-by dates +by range):\n%s", s.Symbol, diff)
				}
			}
		})
	}
}

// A dividend of 10 at a price of 100 lowers earlier prices by a tenth.
func TestFetchSeries_CountsDividendsWhereTheyAreTold(t *testing.T) {
	told, untold := daily(t, "TOLD", "2024-06-03", "100", "90", "99"), daily(t, "UNTOLD", "2024-06-03", "100", "90", "99")
	told.Provenance.Adjustment, untold.Provenance.Adjustment = market.AdjustmentSplit, market.AdjustmentRaw
	told.Actions = []market.Action{{Kind: market.ActionDividend, Date: toolstest.MustDay("2024-06-04"), Amount: decimal.NewFromInt(10)}}
	p, _ := pricesOf(t, told, untold)
	series, err := toolkit.FetchSeries(t.Context(), p, []string{"TOLD", "UNTOLD"}, toolkit.Period{})
	if err != nil {
		t.Fatal(err)
	}
	if got := closesOf(series[0]); got != "90 90 99" || series[0].Provenance.Adjustment != market.AdjustmentSplitDiv {
		t.Errorf("closes %s, %s; want 90 90 99 with dividends", got, series[0].Provenance.Adjustment)
	}
	if got := closesOf(series[1]); got != "100 90 99" || series[1].Provenance.Adjustment != market.AdjustmentRaw {
		t.Errorf("closes %s, %s; want them as they are", got, series[1].Provenance.Adjustment)
	}
}

// A dividend as large as the price rules out reinvestment, but a two-for-one split is still adjusted.
func TestFetchSeries_ASplitIsUndoneWhereDividendsCannotBe(t *testing.T) {
	s := daily(t, "AAA", "2020-01-02", "10", "11", "6", "6.6")
	s.Provenance.Adjustment = market.AdjustmentRaw
	s.Actions = []market.Action{
		{Kind: market.ActionDividend, Date: s.Bars[1].Date, Amount: decimal.NewFromInt(10)},
		{Kind: market.ActionSplit, Date: s.Bars[2].Date, New: decimal.NewFromInt(2), Old: decimal.NewFromInt(1)},
	}
	p, _ := pricesOf(t, s)
	series, err := toolkit.FetchSeries(t.Context(), p, []string{"AAA"}, toolkit.Period{})
	if err != nil {
		t.Fatal(err)
	}
	if got := closesOf(series[0]); got != "5 5.5 6 6.6" || series[0].Provenance.Adjustment != market.AdjustmentSplit {
		t.Errorf("closes %s, adjustment %s; want 5 5.5 6 6.6 adjusted for splits", got, series[0].Provenance.Adjustment)
	}
}

func TestFetchSeries_SaysWhatHasNoPrices(t *testing.T) {
	series := []market.Series{daily(t, "AAA", "2024-06-03", "1", "2"), daily(t, "BBB", "2024-06-03", "3", "4"), daily(t, "OLD", "2001-01-02", "5", "6")}
	for _, tc := range []struct {
		name  string
		asked []string
		from  string
		is    error
		part  string
	}{
		{"unknown", []string{"AAA", "NOSUCH", "NONE"}, "", market.ErrUnknownSymbol, "NONE"},
		{"a single one", []string{"OLD"}, "2010", market.ErrNoData, "prices are available from 2001-01-02 to 2001-01-03"},
		{"none at all", nil, "2010", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, _ := pricesOf(t, series...)
			got, err := toolkit.FetchSeries(t.Context(), p, tc.asked, span(t, "", tc.from, ""))
			if !errors.Is(err, tc.is) || err != nil && !strings.Contains(err.Error(), tc.part) || len(got) != 0 {
				t.Errorf("Fetch(%q) = %d series, %v; want %v with %q", tc.asked, len(got), err, tc.is, tc.part)
			}
		})
	}
	// Several series are fetched completely, so that AlignSeries can report what each covers.
	p, _ := pricesOf(t, series...)
	if got, err := toolkit.FetchSeries(t.Context(), p, []string{"AAA", "OLD"}, span(t, "", "2010", "")); err != nil || len(got[1].Bars) != 2 {
		t.Errorf("Fetch = %d series, %v; want both, whole", len(got), err)
	}
}

func TestFetchSeries_ASourceThatIsDownOrACallThatEndsIsNoAbsenceOfData(t *testing.T) {
	s := markettest.NewSource(daily(t, "AAA", "2024-06-03", "1", "2"))
	s.Err = fmt.Errorf("status 503: %w", market.ErrUnavailable)
	p := toolkit.Prices{Bars: s, Directory: s, Now: toolstest.Clock(t, "2024-06-29T12:00:00Z")}
	if _, err := toolkit.FetchSeries(t.Context(), p, []string{"AAA", "BBB"}, toolkit.Period{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("Fetch = %v, want what the source says", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := toolkit.FetchSeries(ctx, p, []string{"AAA", "BBB"}, toolkit.Period{}); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "prices of AAA, BBB") {
		t.Errorf("Fetch = %v, want that the call was ended", err)
	}
}

func TestWithBenchmark_PutsABenchmarkAmongWhatIsAskedOnce(t *testing.T) {
	requests := []string{"AAA", "BBB"}
	for _, tc := range []struct {
		benchmark string
		want      []string
		at        int
	}{
		{" bbb ", []string{"AAA", "BBB"}, 1},
		{" SPY", []string{"AAA", "BBB", "SPY"}, 2},
	} {
		if all, at := toolkit.WithBenchmark(requests, tc.benchmark); !cmp.Equal(all, tc.want) || at != tc.at {
			t.Errorf("WithBenchmark(%q, %q) = %q, %d; want %q, %d", requests, tc.benchmark, all, at, tc.want, tc.at)
		}
	}
}

func TestDistinctSeries_KeepsTheFirstOfEachSymbol(t *testing.T) {
	a, b := daily(t, "AAA", "2020-01-02", "1"), daily(t, "BBB", "2020-01-02", "2")
	got := toolkit.DistinctSeries([]market.Series{a, b, a})
	if len(got) != 2 || got[0].Symbol != "AAA" || got[1].Symbol != "BBB" {
		t.Errorf("Distinct = %d series, want AAA and BBB", len(got))
	}
	if err := toolkit.CheckDistinct([]string{"AAA", "bbb"}, []market.Series{a, b, a}); err != nil {
		t.Errorf("Twice = %v; want nil, because the third was not requested", err)
	}
	err := toolkit.CheckDistinct([]string{"AAA", "bbb", "Aaa Inc"}, []market.Series{a, b, a})
	if err == nil || err.Error() != "AAA and Aaa Inc are the same instrument, AAA; list it once" {
		t.Errorf("Twice = %v", err)
	}
}

func TestCallerSeries_IsASeriesOfNoKnownIntervalOrAdjustment(t *testing.T) {
	dates, err := toolkit.ParseDays([]string{"2020-01-31", " 2020-02-28 "})
	if err != nil {
		t.Fatal(err)
	}
	s, err := toolkit.CallerSeries("mine", "EUR", dates, []float64{10, 10.5})
	if err != nil {
		t.Fatal(err)
	}
	want := market.Provenance{Source: toolkit.CallerSource, Currency: "EUR", Unit: "price", Adjustment: market.AdjustmentUnknown, AsOf: toolstest.MustDay("2020-02-28")}
	if diff := cmp.Diff(want, s.Provenance); diff != "" {
		t.Errorf("provenance (-want +got):\n%s", diff)
	}
	if s.Symbol != "mine" || s.Interval != "" || closesOf(s) != "10 10.5" {
		t.Errorf("series %s of interval %q: %s", s.Symbol, s.Interval, closesOf(s))
	}
	if diff := cmp.Diff(dates, toolkit.SeriesDates(s)); diff != "" {
		t.Errorf("Dates (-want +got):\n%s", diff)
	}
}

func TestCallerSeries_ErrorsSayWhatToCorrect(t *testing.T) {
	for _, tc := range []struct {
		name   string
		dates  []string
		closes []float64
		part   string
	}{
		{"a month for a day", []string{"2020-01"}, []float64{1}, `date: "2020-01" is not a date; use YYYY-MM-DD`},
		{"newest first", []string{"2020-01-03", "2020-01-02"}, []float64{1, 2}, "date 2020-01-02 follows 2020-01-03; list dates oldest first"},
		{"a day twice", []string{"2020-01-03", "2020-01-03"}, []float64{1, 2}, "each once"},
		{"too few closes", []string{"2020-01-02", "2020-01-03"}, []float64{1}, "1 closes for 2 dates"},
		{"nothing", []string{"2020-01-02"}, []float64{0}, "close 0 on 2020-01-02: prices must be above zero"},
		{"below zero", []string{"2020-01-02"}, []float64{-1}, "above zero"},
		{"no number", []string{"2020-01-02"}, []float64{math.NaN()}, "close NaN"},
		{"without end", []string{"2020-01-02"}, []float64{math.Inf(1)}, "close +Inf"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dates, err := toolkit.ParseDays(tc.dates)
			if err == nil {
				_, err = toolkit.CallerSeries("mine", "", dates, tc.closes)
			}
			if err == nil || !strings.Contains(err.Error(), tc.part) {
				t.Errorf("error = %v, want %q", err, tc.part)
			}
		})
	}
}

// Parsed dates are in order and keep their day.
func FuzzDays_AreInOrder(f *testing.F) {
	for _, seed := range []string{"2020-01-02,2020-01-03", "2020-02-30", "2020-01-03,2020-01-02", "0000-00-00", ",", "1700-01-01,2400-12-31"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		texts := strings.Split(text, ",")
		dates, err := toolkit.ParseDays(texts)
		if err != nil {
			if len(err.Error()) > 200 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		for i, d := range dates {
			if d.Format("2006-01-02") != strings.TrimSpace(texts[i]) || i > 0 && !d.After(dates[i-1]) {
				t.Errorf("Days(%q) = %v", texts, dates)
			}
		}
	})
}
