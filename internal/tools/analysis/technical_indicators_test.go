package analysis_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// everyIndicator lists all indicators with their default parameters.
var everyIndicator = []string{
	"sma:20", "ema:20", "rsi:14", "macd:12,26,9", "bbands:20,2", "atr:14", "adx:14", "stoch:14,3,3", "obv", "mfi:14", "cci:20", "willr:14",
	"roc:12", "vwap", "ichimoku", "aroon:25", "psar", "donchian:20", "keltner:20,2",
}

// lastOf returns a column's value at the last bar.
func lastOf(t *testing.T, got map[string]any, column string) any {
	t.Helper()
	values, ok := got["series"].(map[string]any)[column].([]any)
	if !ok || len(values) == 0 {
		t.Fatalf("no column %q", column)
	}
	return values[len(values)-1]
}

// The mean of the last five published closes of the S&P 500, where 2789.82 on 2020-04-09 is the sixth:
// (2761.63 + 2846.06 + 2783.36 + 2799.55 + 2874.56) / 5; and the rate of change from 2761.63 to 2874.56,
// four sessions later.
func TestTechnicalIndicators_OfPublishedCloses(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "indicators": []string{"sma:5", "ROC : 4"}})
	toolstest.WantFields(t, got, map[string]any{
		"symbol": "^GSPC", "interval": "daily", "from": "2019-04-17", "to": "2020-04-17", "unit": "index points", "as_of": "2020-04-17",
		"flags": []any{"sample"}, "refused": []any{}, "warnings": []any{},
	})
	toolstest.WantNear(t, "sma:5", lastOf(t, got, "sma:5"), 2813.032)
	toolstest.WantNear(t, "roc:4", lastOf(t, got, "roc:4"), 4.0892516)
	f := toolstest.Figure(t, res, "series.roc:4.2020-04-17")
	if f.Unit != "%" || f.Formula != "rate of change (4)" || !f.AsOf.Equal(toolstest.MustDay("2020-04-17")) || !f.Value.Round(6).Equal(decimal.RequireFromString("4.089252")) {
		t.Errorf("figure = %+v", f)
	}
	want := `**S&P 500 (^GSPC) · 253 daily bars, 2019-04-17 to 2020-04-17**

| indicator | latest | unit | description |
| --- | ---: | --- | --- |
| close | 2,874.56 | index points | closing price |
| sma:5 | 2,813.03 | index points | simple moving average (5) |
| roc:4 | +4.1% | % | rate of change (4) |

SAMPLE · vega-datasets · 2020-04-17 close

- range 1y counts back from the last close, 2020-04-17
- Price index: dividends of its members are not included
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if want := "^GSPC on 2020-04-17: sma:5 2,813.03, roc:4 +4.1%."; res.Headline != want {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
}

// The last values over 5,105 sessions of the S&P 500, from a script in another language that follows each
// definition literally: Wilder's sums instead of means, two branches in the parabolic stop, windows by
// slices.
func TestTechnicalIndicators_AgreeWithAnIndependentComputation(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "indicators": everyIndicator})
	for column, want := range map[string]float64{
		"rsi:14": 57.36269465644201, "atr:14": 109.57898922243746, "adx:14.index": 23.4571729063902, "adx:14.plus_di": 29.561178417727152,
		"adx:14.minus_di": 20.4031682255622, "macd:12,26,9.line": 16.395998236646847, "macd:12,26,9.signal": -35.490931514949274,
		"keltner:20,2,10.upper": 2916.2680221159476, "keltner:20,2,10.lower": 2503.27195640121, "ichimoku:9,26,52.conversion": 2726.895,
		"ichimoku:9,26,52.base": 2535.54, "ichimoku:9,26,52.span_a": 2986.17, "ichimoku:9,26,52.span_b": 3050.37, "cci:20": 121.5614575244717,
		"mfi:14": 66.61357562377621, "psar:0.02,0.2": 2668.5419696248814, "stoch:14,3,3.k": 89.6829084516155, "stoch:14,3,3.d": 89.73592862456148,
	} {
		if v := lastOf(t, got, column).(float64); math.Abs(v/want-1) > 1e-9 {
			t.Errorf("%s = %v, want %v", column, v, want)
		}
	}
}

func TestTechnicalIndicators_EveryOneIsGivenAndFitsTheModel(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "range": "max", "indicators": everyIndicator})
	if n := len(got["indicators"].([]any)); n != len(everyIndicator) {
		t.Errorf("%d indicators, want %d", n, len(everyIndicator))
	}
	series := got["series"].(map[string]any)
	for name, column := range series {
		if n := len(column.([]any)); n != int(got["count"].(float64)) || n != len(got["dates"].([]any)) {
			t.Errorf("%s has %d values, want one for each of %v dates", name, n, got["count"])
		}
		if name != "ichimoku:9,26,52.lagging" && lastOf(t, got, name) == nil {
			t.Errorf("%s has no latest value", name)
		}
	}
	model := toolstest.Object(t, res.ModelText())
	if rows := len(model["dates"].([]any)); rows != 30 || model["series_note"] == nil {
		t.Errorf("the model sees %d rows, note %v; want the last 30", rows, model["series_note"])
	}
	if len(res.ModelText()) >= tool.DefaultModelBytes {
		t.Errorf("%d bytes for the model, more than it is given", len(res.ModelText()))
	}
	ids := map[string]bool{}
	for _, f := range res.Figures {
		if f.Label == "" || f.Unit == "" || f.Source == "" || f.AsOf.IsZero() || ids[f.ID] {
			t.Fatalf("figure %+v is incomplete or not unique", f)
		}
		ids[f.ID] = true
	}
}

// Every value that the model reads is a figure.
func TestTechnicalIndicators_EveryNumberShownIsAFigure(t *testing.T) {
	res, _ := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "indicators": []string{"macd", "atr"}})
	known := map[string]float64{}
	for _, f := range res.Figures {
		known[f.ID] = f.Value.InexactFloat64()
	}
	model := toolstest.Object(t, res.ModelText())
	for name, column := range model["series"].(map[string]any) {
		for i, v := range column.([]any) {
			id := fmt.Sprintf("series.%s.%s", name, model["dates"].([]any)[i])
			if figure, ok := known[id]; v != nil && (!ok || math.Abs(figure/v.(float64)-1) > 1e-5) {
				t.Errorf("%s = %v, figure %v", id, v, figure)
			}
		}
	}
}

func TestTechnicalIndicators_WhatNeedsMoreThanClosesIsRefusedAlone(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "AAPL", "indicators": []string{"sma:3", "atr:14", "obv", "vwap", "sma:0", "magic"}})
	if n := len(got["indicators"].([]any)); n != 1 {
		t.Errorf("%d indicators, want only sma:3", n)
	}
	reasons := map[string]string{}
	for _, r := range got["refused"].([]any) {
		reasons[r.(map[string]any)["indicator"].(string)] = r.(map[string]any)["reason"].(string)
	}
	for indicator, part := range map[string]string{
		"atr:14": "needs high and low", "obv": "needs volume", "vwap": "only closes", "sma:0": "0 is not a number of bars", "magic": "use sma:20, ",
	} {
		if !strings.Contains(reasons[indicator], part) || !strings.Contains(res.UserText(), "| "+indicator+" | ") {
			t.Errorf("%s refused with %q, want %q, and shown", indicator, reasons[indicator], part)
		}
	}
	if warnings := toolstest.Warnings(t, got); !strings.Contains(warnings, "lengths count months") {
		t.Errorf("warnings = %q of monthly bars", warnings)
	}
}

func TestTechnicalIndicators_NoneLeftIsAnError(t *testing.T) {
	for _, tt := range []struct {
		in   args
		part string
	}{
		{args{"symbol": "AAPL", "indicators": []string{"atr"}}, "no indicator can be computed: atr:14: needs high and low"},
		{args{"symbol": "AAPL", "indicators": []string{}}, "need 1 to 25 indicators, got 0"},
		{args{"indicators": []string{"sma"}}, "symbol is required, or bars"},
		{args{"symbol": "AAPL", "bars": []args{{"date": "2020-01-02", "close": 1}}, "indicators": []string{"sma"}}, "not both"},
		{args{"symbol": "AAPL", "range": "soon", "indicators": []string{"sma"}}, "invalid period"},
		{args{"symbol": "AAPL", "indicators": slices.Repeat([]string{"sma"}, 26)}, "need 1 to 25 indicators, got 26"},
	} {
		toolstest.WantError(t, group.Call(t, deps(t), "technical_indicators", tt.in), tool.CodeValidation, tt.part)
	}
	toolstest.WantError(t, group.Call(t, deps(t), "technical_indicators", args{"symbol": "nobody", "indicators": []string{"sma"}}), market.CodeUnknownSymbol, "Available: ")
	toolstest.WantError(t, group.Call(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "from": "2021", "indicators": []string{"sma"}}), tool.CodeNoData, "2020-04-17")
}

// A range of five bars uses earlier bars for a 20-bar average. Anchored indicators start at the first
// bar of the range.
func TestTechnicalIndicators_BarsBeforeTheRangeServeForTheWarmUp(t *testing.T) {
	const from = "2020-04-13"
	_, short := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "from": from, "indicators": []string{"sma:200", "obv"}})
	_, long := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "range": "max", "indicators": []string{"sma:200", "obv"}})
	toolstest.WantFields(t, short, map[string]any{"from": from, "count": 5.0})
	if a, b := lastOf(t, short, "sma:200"), lastOf(t, long, "sma:200"); a != b || a == nil {
		t.Errorf("sma:200 of the week = %v, of all = %v; want the same", a, b)
	}
	if first := short["series"].(map[string]any)["obv"].([]any)[0]; first != 0.0 {
		t.Errorf("obv starts with %v, want 0 at the first bar of the range", first)
	}
	if w := toolstest.Find(t, short, "indicators", "indicator", "sma:200")["warm_up"].(map[string]any)["value"]; w != 0.0 {
		t.Errorf("warm-up within the range = %v, want 0", w)
	}
	if w := toolstest.Find(t, long, "indicators", "indicator", "sma:200")["warm_up"].(map[string]any)["value"]; w != 199.0 {
		t.Errorf("warm-up of the complete series = %v, want 199", w)
	}
}

// The worked example of the Tulip Indicators, IBM in November 2005: atr 5 is 1.116
// on the fifth bar and 1.051 on the sixth, rsi 5 is 72.034 on the sixth.
func TestTechnicalIndicators_OfGivenBars(t *testing.T) {
	bar := func(day int, high, low, last float64) args {
		return args{"date": fmt.Sprintf("2005-11-%02d", day), "high": high, "low": low, "close": last}
	}
	bars := []args{bar(1, 82.15, 81.29, 81.59), bar(2, 81.89, 80.64, 81.06), bar(3, 83.03, 81.31, 82.87),
		bar(4, 83.30, 82.65, 83.00), bar(7, 83.85, 83.07, 83.61), bar(8, 83.90, 83.11, 83.15)}
	res, got := group.CallOK(t, deps(t), "technical_indicators", args{"bars": bars, "indicators": []string{"atr:5", "rsi:5", "sma:9", "mfi"}})
	toolstest.WantFields(t, got, map[string]any{"from": "2005-11-01", "to": "2005-11-08", "source": "given in the call", "as_of": "2005-11-08", "count": 6.0})
	want := []any{nil, nil, nil, nil, 1.116, 1.0508}
	if diff := cmp.Diff(want, got["series"].(map[string]any)["atr:5"], cmpopts.EquateApprox(1e-6, 0)); diff != "" {
		t.Errorf("atr:5 (-want +got):\n%s", diff)
	}
	if v := lastOf(t, got, "rsi:5").(float64); v < 64.9265 || v > 72.0345 || fmt.Sprintf("%.3f", v) != "72.034" {
		t.Errorf("rsi:5 = %v, want 72.034", v)
	}
	if warnings := toolstest.Warnings(t, got); !strings.Contains(warnings, "sma:9 has no value") {
		t.Errorf("warnings = %q, want one of an average over more bars than there are", warnings)
	}
	if !strings.Contains(res.UserText(), "| sma:9 | n/a |") {
		t.Errorf("shown:\n%s", res.UserText())
	}
}

func TestTechnicalIndicators_GivenBarsThatAreNoneAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, part string
		bars       []args
	}{
		{"newest first", "oldest first", []args{{"date": "2020-01-03", "close": 1}, {"date": "2020-01-02", "close": 1}}},
		{"one day twice", "one per day", []args{{"date": "2020-01-03", "close": 1}, {"date": "2020-01-03", "close": 1}}},
		{"a month for a day", "is not a date", []args{{"date": "2020-01", "close": 1}}},
		{"high below low", "high 1 below low 2", []args{{"date": "2020-01-02", "high": 1, "low": 2, "close": 1}}},
		{"negative volume", "negative volume", []args{{"date": "2020-01-02", "close": 1, "volume": -1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			toolstest.WantError(t, group.Call(t, deps(t), "technical_indicators", args{"bars": tt.bars, "indicators": []string{"sma:1"}}), tool.CodeValidation, tt.part)
		})
	}
}

func TestTechnicalIndicators_GapsAndMissingNumbersAreSaid(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "10", "11", "12", "13", "14", "15")
	for i := range s.Bars {
		if i != 3 {
			s.Bars[i].High, s.Bars[i].Low = decimal.NewNullDecimal(s.Bars[i].Close), decimal.NewNullDecimal(s.Bars[i].Close)
		}
	}
	s.Bars[5].Date = toolstest.MustDay("2020-03-02")
	_, got := group.CallOK(t, depsWith(t, s), "technical_indicators", args{"symbol": "VTI", "range": "max", "indicators": []string{"donchian:2"}})
	warnings := toolstest.Warnings(t, got)
	for _, part := range []string{"1 gap in the data, the first from 2020-01-08 to 2020-03-02", "1 bar without high"} {
		if !strings.Contains(warnings, part) {
			t.Errorf("warnings = %q, want %q", warnings, part)
		}
	}
	want := []any{nil, 11.0, 12.0, nil, nil, 15.0}
	if diff := cmp.Diff(want, got["series"].(map[string]any)["donchian:2.upper"]); diff != "" {
		t.Errorf("across the missing bar (-want +got):\n%s", diff)
	}
}

// With the clock set back, later bars are hidden, also in the warm-up.
func TestTechnicalIndicators_NothingAfterNowIsUsed(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("VTI", toolstest.MustDay("2020-01-01"), "10", "20", "99"))
	d := analysis.Deps{Prices: toolkit.Prices{Bars: toolstest.UnrangedBars{BarSource: s}, Directory: s, Now: toolstest.Clock(t, "2020-01-02T18:00:00Z")}}
	_, got := group.CallOK(t, d, "technical_indicators", args{"symbol": "VTI", "range": "max", "indicators": []string{"sma:2"}})
	toolstest.WantFields(t, got, map[string]any{"to": "2020-01-02", "count": 2.0})
	if v := lastOf(t, got, "sma:2"); v != 15.0 {
		t.Errorf("sma:2 = %v, want 15", v)
	}
}

func TestTechnicalIndicators_NamesAreReadLeniently(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "indicators": []string{"MACD:5", " rsi ", "rsi:14", "bbands: 10, 1.5", "keltner:10,1.5,5"}})
	var names []string
	for _, l := range got["indicators"].([]any) {
		names = append(names, l.(map[string]any)["indicator"].(string))
	}
	if diff := cmp.Diff([]string{"macd:5,26,9", "rsi:14", "bbands:10,1.5", "keltner:10,1.5,5"}, names); diff != "" {
		t.Errorf("indicators (-want +got):\n%s", diff)
	}
}

func TestTechnicalIndicators_RefusesInvalidParameters(t *testing.T) {
	for text, part := range map[string]string{
		"sma:2.5": "a whole number", "sma:-3": "not a number of bars", "sma:5001": "not a number of bars", "sma:x": `"x" is not a number`, "sma:": `"" is not a number`,
		"sma:NaN": "is not a number", "rsi:14,3": "too many numbers: 2", "obv:3": "too many", "bbands:20,0": "not a valid factor", "macd:26,12": "shorter",
		"psar:0.3,0.2": "must not exceed", "keltner:20,2,1.5": "a whole number", "sma20": "unknown indicator", "": "unknown indicator",
	} {
		toolstest.WantError(t, group.Call(t, deps(t), "technical_indicators", args{"symbol": "^GSPC", "indicators": []string{text}}), tool.CodeValidation, part)
	}
}

func FuzzTechnicalIndicators_NamesNeverBreakIt(f *testing.F) {
	for _, one := range append(everyIndicator, "macd:26,12", "sma:1e309", "psar:1e-300,100", "sma:5000", "::", "bbands:1,0x1p-2", "sma:٣") {
		f.Add(one)
	}
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "10", "11", "12", "11", "10", "12", "13")
	for i, b := range s.Bars {
		s.Bars[i].High, s.Bars[i].Low = decimal.NewNullDecimal(b.Close), decimal.NewNullDecimal(b.Close)
		s.Bars[i].Volume = decimal.NewNullDecimal(decimal.NewFromInt(int64(i)))
	}
	router := group.Open(f, depsWith(f, s))
	f.Fuzz(func(t *testing.T, text string) {
		res := toolstest.CallRouter(t, router, "technical_indicators", args{"symbol": "VTI", "range": "max", "indicators": []string{text}})
		switch {
		case res.Code == tool.CodeCrashed:
			t.Fatalf("%q crashes", text)
		case res.IsError:
			return
		}
		got := toolstest.DecodeResult(t, res)
		key := got["indicators"].([]any)[0].(map[string]any)["indicator"].(string)
		again := toolstest.DecodeResult(t, toolstest.CallRouter(t, router, "technical_indicators", args{"symbol": "VTI", "range": "max", "indicators": []string{key}}))
		if diff := cmp.Diff(got["series"], again["series"]); diff != "" {
			t.Errorf("%q is called %q, which is another (-one +other):\n%s", text, key, diff)
		}
	})
}

// NVIDIA as traded around its ten-for-one split on 2024-06-10: 1,208.88 on the
// Friday before, 121.79 on the day. Adjusted, the mean of five closes is
// (116.437 + 122.44 + 120.998 + 120.888 + 121.79) / 5; unadjusted it would be 985.884.
func TestTechnicalIndicators_ASplitIsNotAPriceMove(t *testing.T) {
	s := markettest.Daily("NVDA", toolstest.MustDay("2024-06-04"), "1164.37", "1224.40", "1209.98", "1208.88", "121.79")
	s.Provenance.Adjustment = market.AdjustmentRaw
	s.Actions = []market.Action{{Kind: market.ActionSplit, Date: toolstest.MustDay("2024-06-10"), New: decimal.NewFromInt(10), Old: decimal.NewFromInt(1)}}
	_, got := group.CallOK(t, depsWith(t, s), "technical_indicators", args{"symbol": "NVDA", "indicators": []string{"sma:5", "roc:1"}})
	if v := lastOf(t, got, "sma:5"); v != 120.5106 {
		t.Errorf("sma:5 = %v, want 120.5106", v)
	}
	toolstest.WantNear(t, "roc:1", lastOf(t, got, "roc:1"), 100*(121.79/120.888-1))
	if got["adjustment"] != "split" {
		t.Errorf("adjustment %v; want that the answer says splits are undone", got["adjustment"])
	}

	s.Actions = nil
	_, got = group.CallOK(t, depsWith(t, s), "technical_indicators", args{"symbol": "NVDA", "indicators": []string{"sma:5"}})
	if said := fmt.Sprint(got["warnings"]); !strings.Contains(said, "as traded, and markettest does not report splits") {
		t.Errorf("warnings = %s; want that a split may be among the prices", said)
	}
	s.Kind = "crypto"
	_, got = group.CallOK(t, depsWith(t, s), "technical_indicators", args{"symbol": "NVDA", "indicators": []string{"sma:5"}})
	if said := fmt.Sprint(got["warnings"]); strings.Contains(said, "split") {
		t.Errorf("warnings = %s; want none of splits, for a coin has none", said)
	}
}

func BenchmarkTechnicalIndicators(b *testing.B) {
	router := group.Open(b, deps(b))
	raw, err := json.Marshal(everyIndicator)
	if err != nil {
		b.Fatal(err)
	}
	in := args{"symbol": "^GSPC", "range": "1y", "indicators": json.RawMessage(raw)}
	for b.Loop() {
		if res := toolstest.CallRouter(b, router, "technical_indicators", in); res.IsError {
			b.Fatal(res.ErrorText())
		}
	}
}

// withCurrency returns a series in another currency.
func withCurrency(s market.Series, currency string) market.Series {
	s.Provenance.Currency = currency
	return s
}
