package analysis_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// recordingDeps returns dependencies that record the requests for the given series.
func recordingDeps(t *testing.T, now string, series ...market.Series) (analysis.Deps, *toolstest.RecordingBars) {
	t.Helper()
	p := toolstest.Prices(t, markettest.NewSource(series...), now)
	bars := &toolstest.RecordingBars{BarSource: p.Bars}
	p.Bars = bars
	return analysis.Deps{Prices: p}, bars
}

// Twenty-four years of sessions, until 2024-06-28.
func TestTechnicalIndicators_AsksForTheRangeAndItsWarmUpAlone(t *testing.T) {
	series := toolstest.WaveSeries("VTI", "2000-07-03", 6260)
	indicators := []string{"sma:200", "ema:20", "rsi:14", "macd", "bbands"}
	for _, tc := range []struct {
		name string
		in   args
		from string // two months before the lead, for a monthly close
	}{
		// 900 days before 2023-06-29, for three times 200 sessions.
		{"a range", args{"range": "1y"}, "2020-11-10"},
		{"a day", args{"from": "2023-06-28"}, "2020-11-09"},
		// 2250 days before.
		{"a longer average", args{"range": "1y", "indicators": []string{"ema:500"}}, "2017-03-01"},
		{"everything", args{"range": "max"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, bars := recordingDeps(t, "2024-06-29T12:00:00Z", series)
			if tc.in["symbol"] = "VTI"; tc.in["indicators"] == nil {
				tc.in["indicators"] = indicators
			}
			group.CallOK(t, d, "technical_indicators", tc.in)
			if diff := cmp.Diff([]string{tc.from}, bars.Starts()["VTI"]); diff != "" {
				t.Errorf("asked from (-want +got):\n%s", diff)
			}
		})
	}
}

// Data before the lead have no effect: the figures equal those of the complete series.
func TestTechnicalIndicators_TheWarmUpIsLongEnough(t *testing.T) {
	d, _ := recordingDeps(t, "2024-06-29T12:00:00Z", toolstest.WaveSeries("VTI", "2000-07-03", 6260))
	indicators := []string{"sma:200", "ema:20", "ema:50", "rsi:14", "macd", "bbands", "roc:250"}
	_, whole := group.CallOK(t, d, "technical_indicators", args{"symbol": "VTI", "range": "max", "indicators": indicators})
	_, year := group.CallOK(t, d, "technical_indicators", args{"symbol": "VTI", "range": "1y", "indicators": indicators})
	for column, values := range year["series"].(map[string]any) {
		want := whole["series"].(map[string]any)[column].([]any)
		got := values.([]any)
		if diff := cmp.Diff(want[len(want)-len(got):], got); diff != "" {
			t.Errorf("%s (-whole series +year):\n%s", column, diff)
		}
	}
}

// Lengths count months if the bars are monthly.
func TestTechnicalIndicators_MonthlyBarsAreLedByMonths(t *testing.T) {
	d, bars := recordingDeps(t, "2024-06-29T12:00:00Z", toolkit.ToMonthly(toolstest.WaveSeries("VTI", "1960-01-04", 16820)))
	_, got := group.CallOK(t, d, "technical_indicators", args{"symbol": "VTI", "range": "1y", "indicators": []string{"sma:150"}})
	if toolstest.Find(t, got, "indicators", "indicator", "sma:150")["warm_up"].(map[string]any)["value"] != 0.0 {
		t.Errorf("sma:150 of monthly bars = %v, want values from the first bar on", got["series"])
	}
	if n := len(bars.Starts()["VTI"]); n != 2 {
		t.Errorf("asked %d times, want a second time once the bars are known to be monthly", n)
	}
}

// The common end is years before the end of the other series; package toolkit tests how it is found.
func TestCompareAssets_ARangeCountsBackFromTheCommonEnd(t *testing.T) {
	old, alive := toolstest.WaveSeries("OLD", "2000-07-03", 2610), toolstest.WaveSeries("NEW", "2000-07-03", 6260)
	end := toolkit.FormatDate(old.Bars[len(old.Bars)-1].Date)
	d, _ := recordingDeps(t, "2024-06-29T12:00:00Z", old, alive)
	for _, name := range []string{"compare_assets", "correlation"} {
		_, got := group.CallOK(t, d, name, args{"symbols": []string{"NEW", "OLD"}, "range": "1y"})
		window := got["window"].(map[string]any)
		toolstest.WantFields(t, window, map[string]any{"from": "2009-07-02", "to": end})
		if diff := cmp.Diff([]any{"OLD ends earliest, on " + end}, window["limits"]); diff != "" {
			t.Errorf("%s: limits (-want +got):\n%s", name, diff)
		}
	}
}
