package analysis_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// rangeRecorder is a source that notes from where it is asked, by symbol.
type rangeRecorder struct {
	market.BarSource
	mu        sync.Mutex
	requested map[market.Symbol][]string
}

func (n *rangeRecorder) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.requested[sym] = append(n.requested[sym], toolkit.FormatDate(r.From))
	return n.BarSource.Bars(ctx, sym, r)
}

// recordingDeps are the tools over a live source that has the given series.
func recordingDeps(t *testing.T, now string, series ...market.Series) (analysis.Deps, *rangeRecorder) {
	t.Helper()
	s := markettest.NewSource(series...)
	n := &rangeRecorder{BarSource: s, requested: map[market.Symbol][]string{}}
	return analysis.Deps{Prices: toolkit.Prices{Bars: n, Directory: s, Now: toolstest.Clock(t, now)}}, n
}

// waveSeries has so many weekdays of closes that rise and fall, from a day on.
func waveSeries(t *testing.T, sym market.Symbol, first string, days int) market.Series {
	t.Helper()
	closes := make([]string, days)
	for i := range closes {
		closes[i] = fmt.Sprintf("%d.%02d", 100+i/50+(i*i+int(sym[0]))%23, (i*31)%100)
	}
	return markettest.Daily(sym, toolstest.Day(t, first), closes...)
}

// Twenty-four years of sessions, until 2024-06-28.
func TestTechnicalIndicators_AsksForTheRangeAndItsWarmUpAlone(t *testing.T) {
	series := waveSeries(t, "VTI", "2000-07-03", 6260)
	indicators := []string{"sma:200", "ema:20", "rsi:14", "macd", "bbands"}
	for _, tc := range []struct {
		name string
		in   args
		from string // two months before the lead, for the close of a month
	}{
		// 900 days before 2023-06-29, for three times 200 sessions.
		{"a range", args{"range": "1y"}, "2020-11-10"},
		{"a day", args{"from": "2023-06-28"}, "2020-11-09"},
		// 2250 days before.
		{"a longer average", args{"range": "1y", "indicators": []string{"ema:500"}}, "2017-03-01"},
		{"everything", args{"range": "max"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, requested := recordingDeps(t, "2024-06-29T12:00:00Z", series)
			if tc.in["symbol"] = "VTI"; tc.in["indicators"] == nil {
				tc.in["indicators"] = indicators
			}
			answered(t, d, "technical_indicators", tc.in)
			if diff := cmp.Diff([]string{tc.from}, requested.requested["VTI"]); diff != "" {
				t.Errorf("asked from (-want +got):\n%s", diff)
			}
		})
	}
}

// What came before the lead no longer shows: the figures are those of the whole
// series.
func TestTechnicalIndicators_TheWarmUpIsLongEnough(t *testing.T) {
	d, _ := recordingDeps(t, "2024-06-29T12:00:00Z", waveSeries(t, "VTI", "2000-07-03", 6260))
	indicators := []string{"sma:200", "ema:20", "ema:50", "rsi:14", "macd", "bbands", "roc:250"}
	_, whole := answered(t, d, "technical_indicators", args{"symbol": "VTI", "range": "max", "indicators": indicators})
	_, year := answered(t, d, "technical_indicators", args{"symbol": "VTI", "range": "1y", "indicators": indicators})
	for column, values := range year["series"].(map[string]any) {
		want := whole["series"].(map[string]any)[column].([]any)
		got := values.([]any)
		if diff := cmp.Diff(want[len(want)-len(got):], got); diff != "" {
			t.Errorf("%s (-whole series +year):\n%s", column, diff)
		}
	}
}

// A length counts months where the bars are monthly.
func TestTechnicalIndicators_MonthlyBarsAreLedByMonths(t *testing.T) {
	d, requested := recordingDeps(t, "2024-06-29T12:00:00Z", toolkit.ToMonthly(waveSeries(t, "VTI", "1960-01-04", 16820)))
	_, got := answered(t, d, "technical_indicators", args{"symbol": "VTI", "range": "1y", "indicators": []string{"sma:150"}})
	if lineOf(t, got, "sma:150")["warm_up"].(map[string]any)["value"] != 0.0 {
		t.Errorf("sma:150 of monthly bars = %v, want values from the first bar on", got["series"])
	}
	if n := len(requested.requested["VTI"]); n != 2 {
		t.Errorf("asked %d times, want a second time once the bars are known to be monthly", n)
	}
}

// The common end is years before that of what goes on; how it is found is tested in
// lineup.
func TestCompareAssets_ARangeCountsBackFromTheCommonEnd(t *testing.T) {
	old, alive := waveSeries(t, "OLD", "2000-07-03", 2610), waveSeries(t, "NEW", "2000-07-03", 6260)
	end := toolkit.FormatDate(old.Bars[len(old.Bars)-1].Date)
	d, _ := recordingDeps(t, "2024-06-29T12:00:00Z", old, alive)
	for _, name := range []string{"compare_assets", "correlation"} {
		_, got := answered(t, d, name, args{"symbols": []string{"NEW", "OLD"}, "range": "1y"})
		window := got["window"].(map[string]any)
		toolstest.WantFields(t, window, map[string]any{"from": "2009-07-02", "to": end})
		if diff := cmp.Diff([]any{"OLD ends first, on " + end}, window["limits"]); diff != "" {
			t.Errorf("%s: limits (-want +got):\n%s", name, diff)
		}
	}
}
