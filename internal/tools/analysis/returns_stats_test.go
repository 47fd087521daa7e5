package analysis_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// C1: from the S&P 500's published closes: 1468.36 on 2007-12-31, 676.53 on 2009-03-09, 2874.56 on
// 2020-04-17.
func TestReturnsStats_IndexSince2008(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "^GSPC", "from": "2008"})
	toolstest.WantFields(t, got, map[string]any{
		"symbol": "^GSPC", "from": "2007-12-31", "to": "2020-04-17", "observations": 3096.0, "interval": "daily",
		"periods_per_year": 252.0, "first_close": "1468.36", "last_close": "2874.56",
		"total_return": 0.957667, "annual_return": 0.0561532, "annual_volatility": 0.2118922,
		"max_drawdown": -0.539261, "drawdown_peak_date": "2007-12-31", "drawdown_trough_date": "2009-03-09",
		"drawdown_recovery_date": "2013-01-10", "current_drawdown": -0.151083,
		"unit": "index points", "adjustment": "raw", "as_of": "2020-04-17", "flags": []any{"sample"}, "warnings": []any{},
	})
	want := `**S&P 500 (^GSPC)**

| measure | value | basis |
| --- | ---: | --- |
| total return | +95.8% | 2007-12-31 to 2020-04-17 |
| annual return | +5.6% | 365.25-day years |
| volatility | 21.2% | daily closes, annualized by sqrt(252) |
| max drawdown | -53.9% | from the highest close before |
| drawdown dates | 2007-12-31 to 2009-03-09 |  |
| recovered | 2013-01-10 |  |
| current drawdown | -15.1% | below the close of 2020-02-19 |
| first close | 1,468.36 index points | 2007-12-31 |
| last close | 2,874.56 index points | 2020-04-17 |

SAMPLE · vega-datasets · 2020-04-17 close · price only, no dividends

- starts from the last daily close before 2008-01-01: 2007-12-31
- Price index: dividends of its members are not included
`
	if diff := cmp.Diff(want, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if want := "^GSPC returned +95.8% from 2007-12-31 to 2020-04-17 (+5.6% a year), max drawdown -53.9%."; res.Headline != want || res.Title != "S&P 500 (^GSPC)" {
		t.Errorf("headline = %q, title %q", res.Headline, res.Title)
	}
}

func TestReturnsStats_FiguresAreInPercentWithFormulaAndInputs(t *testing.T) {
	res, _ := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "^GSPC", "from": "2008"})
	for id, want := range map[string]string{
		"total_return": "95.7667", "annual_return": "5.6153", "annual_volatility": "21.1892",
		"max_drawdown": "-53.9261", "current_drawdown": "-15.1083",
	} {
		f := toolstest.Figure(t, res, id)
		if !f.Value.Round(4).Equal(decimal.RequireFromString(want)) || f.Unit != "%" || f.Formula == "" || len(f.Inputs) == 0 {
			t.Errorf("figure %s = %+v, want %s%% with formula and inputs", id, f, want)
		}
	}
	want := []string{"first close 1468.36 on 2007-12-31", "last close 2874.56 on 2020-04-17"}
	if diff := cmp.Diff(want, toolstest.Figure(t, res, "total_return").Inputs); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if f := toolstest.Figure(t, res, "first_close"); !f.AsOf.Equal(toolstest.MustDay("2007-12-31")) || f.Unit != "index points" {
		t.Errorf("first close = %+v, want it dated 2007-12-31 in index points", f)
	}
}

func TestReturnsStats_StatesWhatTheReturnIncludes(t *testing.T) {
	tests := []struct {
		kind       string
		adjustment market.Adjustment
		want       string
		shown      string
	}{
		{"index", market.AdjustmentRaw, "price index, no dividends", "· price only, no dividends"},
		{"equity", market.AdjustmentRaw, "not adjusted for splits", "· price only, not adjusted for splits"},
		{"equity", market.AdjustmentSplit, "price return, no dividends", "· price only, no dividends"},
		{"equity", market.AdjustmentSplitDiv, "total return, dividends reinvested", "· dividends reinvested"},
		{"equity", market.AdjustmentUnknown, "unknown adjustment", "- return of prices with unknown adjustment"},
		{"index", market.AdjustmentUnknown, "may or may not include dividends", "- index level, may or may not include dividends"},
	}
	for _, tt := range tests {
		t.Run(tt.kind+" "+string(tt.adjustment), func(t *testing.T) {
			s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "99")
			s.Kind, s.Provenance.Adjustment = tt.kind, tt.adjustment
			res, got := group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "VTI"})
			if note := got["note"].(string); !strings.Contains(note, tt.want) {
				t.Errorf("note = %q, want %q in it", note, tt.want)
			}
			if !strings.Contains(res.UserText(), tt.shown) {
				t.Errorf("text = %q, want %q in it", res.UserText(), tt.shown)
			}
		})
	}
}

// Adjusted closes of Apple: 6.048642 on 2007-12-31, 2.6062775 on 2008-12-31, and
// 2.6062775 / 6.048642 - 1 = -0.569114. From January's 4.1334 it would be -0.369.
func TestReturnsStats_AMonthlyYearKeepsItsJanuary(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "AAPL", "from": "2008", "to": "2008"})
	toolstest.WantFields(t, got, map[string]any{"from": "2007-12-31", "to": "2008-12-31", "observations": 13.0, "total_return": -0.569114})
	const said = "the last monthly close before 2008-01-01: 2007-12-31"
	if note := got["note"].(string); !strings.Contains(note, said) || !strings.Contains(res.UserText(), said) {
		t.Errorf("note = %q, shown:\n%s\nwant %q in both", note, res.UserText(), said)
	}
}

func TestReturnsStats_AYearBackOfMonthlyClosesIsAYear(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "AAPL", "range": "1y"})
	toolstest.WantFields(t, got, map[string]any{"from": "2021-05-28", "to": "2022-06-28"})
	if warnings := toolstest.Warnings(t, got); strings.Contains(warnings, "shorter than a year") {
		t.Errorf("warnings = %q of a year and four weeks", warnings)
	}
}

func TestReturnsStats_HighNotReachedAgainIsNull(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "120", "90", "95")
	res, got := group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "VTI"})
	toolstest.WantFields(t, got, map[string]any{
		"max_drawdown": -0.25, "drawdown_peak_date": "2020-01-03", "drawdown_trough_date": "2020-01-06",
		"drawdown_recovery_date": nil, "current_drawdown": 95.0/120 - 1,
	})
	if !strings.Contains(res.UserText(), "| recovered | not by 2020-01-07 |") {
		t.Errorf("shown:\n%s", res.UserText())
	}
}

func TestReturnsStats_RiseHasNoDrawdown(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101", "103")
	res, got := group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "VTI"})
	toolstest.WantFields(t, got, map[string]any{"max_drawdown": 0.0, "drawdown_peak_date": nil, "drawdown_recovery_date": nil})
	if !strings.Contains(res.UserText(), "| max drawdown | 0.0% | never below an earlier close |") {
		t.Errorf("shown:\n%s", res.UserText())
	}
}

func TestReturnsStats_WhatCannotBeComputedIsNullWithItsReason(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101")
	res, got := group.CallOK(t, depsWith(t, s), "returns_stats", args{"symbol": "VTI"})
	toolstest.WantFields(t, got, map[string]any{"annual_volatility": nil, "total_return": 0.01})
	if first := got["warnings"].([]any)[0].(string); !strings.Contains(first, "volatility: 2 of at least 3") {
		t.Errorf("warnings = %v", got["warnings"])
	}
	for _, f := range res.Figures {
		if f.ID == "annual_volatility" {
			t.Errorf("figure %+v of what was not computed", f)
		}
	}
}

func TestReturnsStats_RefusesPricesThatAllowNone(t *testing.T) {
	one := depsWith(t, markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100"))
	toolstest.WantError(t, group.Call(t, one, "returns_stats", args{"symbol": "VTI"}), tool.CodeNoData, "only one close in the range, on 2020-01-02")
	negative := depsWith(t, markettest.Daily("CL=F", toolstest.MustDay("2020-04-17"), "18.27", "-37.63", "10.01"))
	toolstest.WantError(t, group.Call(t, negative, "returns_stats", args{"symbol": "CL=F"}), "", "close -37.63 on 2020-04-20: price is not positive")
	toolstest.WantError(t, group.Call(t, deps(t), "returns_stats", args{"symbol": "^GSPC", "range": "1y", "to": "2019"}), tool.CodeValidation, "not both")
	toolstest.WantError(t, group.Call(t, deps(t), "returns_stats", args{"symbol": "nobody"}), market.CodeUnknownSymbol, "Available: ")
}

func TestReturnsStats_WarnsOfMonthlyAndMissingData(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "returns_stats", args{"symbol": "AAPL", "from": "1980"})
	warnings := toolstest.Warnings(t, got)
	for _, part := range []string{"has no prices before 1990-01-31; shown from there", "sqrt(12)"} {
		if !strings.Contains(warnings, part) {
			t.Errorf("warnings = %q, want %q", warnings, part)
		}
	}
	toolstest.WantFields(t, got, map[string]any{"periods_per_year": 12.0, "interval": "monthly"})
}

func BenchmarkReturnsStats5000(b *testing.B) {
	closes := make([]string, 5000)
	for i := range closes {
		closes[i] = decimal.NewFromInt(int64(1000 + i + 37*(i%11))).String()
	}
	d := depsWith(b, markettest.Daily("VTI", toolstest.MustDay("2000-01-03"), closes...))
	router, in := group.Open(b, d), args{"symbol": "VTI"}
	for b.Loop() {
		toolstest.CallRouter(b, router, "returns_stats", in)
	}
}

// A crypto asset has a close every day, so its volatility is annualized with 365 returns; the same closes
// on weekdays with 252.
func TestReturnsStats_WhatTradesEveryDayHas365ReturnsAYear(t *testing.T) {
	weekdays := toolstest.WaveSeries("STOCK", "2024-01-01", 200)
	coin := toolstest.WaveSeries("STOCK", "2024-01-01", 200)
	coin.Symbol = "COIN"
	for i := range coin.Bars {
		coin.Bars[i].Date = toolstest.MustDay("2024-01-01").AddDate(0, 0, i)
	}
	d := depsWith(t, weekdays, coin)
	res, of365 := group.CallOK(t, d, "returns_stats", args{"symbol": "COIN"})
	_, of252 := group.CallOK(t, d, "returns_stats", args{"symbol": "STOCK"})
	if of365["periods_per_year"] != 365.0 || of252["periods_per_year"] != 252.0 {
		t.Errorf("periods a year %v and %v, want 365 and 252", of365["periods_per_year"], of252["periods_per_year"])
	}
	got := of365["annual_volatility"].(float64) / of252["annual_volatility"].(float64)
	if want := math.Sqrt(365.0 / 252); math.Abs(got-want) > 1e-5 {
		t.Errorf("volatility of the coin is %v of the other's, want %v", got, want)
	}
	if f := toolstest.Figure(t, res, "annual_volatility"); !strings.Contains(f.Formula, "sqrt(365)") {
		t.Errorf("figure = %+v, want its formula with 365", f)
	}
	other := coin
	other.Symbol = "OTHER"
	_, both := group.CallOK(t, depsWith(t, coin, other), "compare_assets", args{"symbol": "COIN,OTHER"})
	if asset := toolstest.Find(t, both, "assets", "symbol", "COIN"); asset["annual_volatility"] != of365["annual_volatility"] {
		t.Errorf("compared volatility %v, want %v", asset["annual_volatility"], of365["annual_volatility"])
	}
	// Compared with a stock, only weekdays remain.
	_, mixed := group.CallOK(t, d, "compare_assets", args{"symbol": "COIN,STOCK"})
	if asset := toolstest.Find(t, mixed, "assets", "symbol", "COIN"); asset["periods_per_year"] != 252.0 {
		t.Errorf("periods a year next to a stock = %v, want 252", asset["periods_per_year"])
	}
}

// 1,208.88 on a Friday and 121.79 on the Monday of a ten-for-one split are not a loss of 90%. If the source
// does not report splits, every tool that computes returns warns, except for crypto assets, which never
// split.
func TestStatistics_WarnOfUnadjustedSplits(t *testing.T) {
	const said = "prices are as traded, and markettest does not report splits"
	traded := func(sym market.Symbol, kind string) market.Series {
		s := markettest.Daily(sym, toolstest.MustDay("2024-06-04"), "1164.37", "1224.40", "1209.98", "1208.88", "121.79")
		s.Kind, s.Provenance.Adjustment = kind, market.AdjustmentRaw
		return s
	}
	d := depsWith(t, traded("NVDA", "equity"), traded("COIN", "crypto"))
	for name, in := range map[string]args{
		"returns_stats":  {"symbol": "NVDA"},
		"risk_metrics":   {"symbol": "NVDA"},
		"compare_assets": {"symbols": []string{"NVDA", "COIN"}},
		"correlation":    {"symbols": []string{"NVDA", "COIN"}},
	} {
		_, got := group.CallOK(t, d, name, in)
		warned := toolstest.Warnings(t, got)
		if strings.Count(warned, said) != 1 || strings.Contains(warned, "COIN: prices") {
			t.Errorf("%s: warnings %q; want once, of NVDA, that %s", name, warned, said)
		}
	}
	if _, got := group.CallOK(t, d, "returns_stats", args{"symbol": "COIN"}); strings.Contains(toolstest.Warnings(t, got), "split") {
		t.Errorf("warnings %v; want none of splits of a coin", got["warnings"])
	}
}

// A share that trades about every other weekday: 131 closes a year, with returns over two or more days
// that are annualized as daily ones.
func TestStatistics_WarnOfTooFewClosesToAnnualize(t *testing.T) {
	thin, other := thinnedSeries(t, "THIN"), thinnedSeries(t, "OTHER")
	d, said := depsWith(t, thin, other), "they assume 252 prices a year, but the data have about 131"
	for name, in := range map[string]args{
		"returns_stats":  {"symbol": "THIN"},
		"risk_metrics":   {"symbol": "THIN"},
		"compare_assets": {"symbols": []string{"THIN", "OTHER"}},
	} {
		if _, got := group.CallOK(t, d, name, in); strings.Count(toolstest.Warnings(t, got), said) != 1 {
			t.Errorf("%s: warnings %v; want once that %s", name, got["warnings"], said)
		}
	}
	_, got := group.CallOK(t, d, "risk_metrics", args{"symbol": "THIN", "periods_per_year": 131})
	if warned := toolstest.Warnings(t, got); strings.Contains(warned, "periods a year") || strings.Contains(warned, "prices a year") {
		t.Errorf("warnings %q; want none where the periods that there are were asked for", warned)
	}
}

// thinnedSeries returns a series with every other of 300 weekdays.
func thinnedSeries(t *testing.T, sym market.Symbol) market.Series {
	t.Helper()
	var closes []string
	for i := range 300 {
		closes = append(closes, fmt.Sprint(100+i*i%7))
	}
	s := markettest.Daily(sym, toolstest.MustDay("2024-01-01"), closes...)
	var bars []market.Bar
	for i := 0; i < len(s.Bars); i += 2 {
		bars = append(bars, s.Bars[i])
	}
	s.Bars = bars
	s.Provenance.AsOf = bars[len(bars)-1].Date
	return s
}

// C16: a jump that is implausible for a market ends every statistic with an error that names its day, but
// only if the period includes it.
func TestStatistics_NotAcrossADoubtfulStep(t *testing.T) {
	s := markettest.Daily("XYZ", toolstest.MustDay("2024-01-01"), strings.Fields(strings.Repeat("100 101 99 102 98 ", 20)+strings.Repeat("1.0 1.01 0.99 1.02 0.98 ", 20))...)
	s.Provenance.Adjustment, s.Actions = market.AdjustmentSplit, []market.Action{}
	other := toolstest.WaveSeries("OTHER", "2024-01-01", 200)
	day := s.Bars[100].Date.Format("2006-01-02")
	d := depsWith(t, s, other)
	for name, in := range map[string]args{
		"returns_stats":        {"symbol": "XYZ"},
		"risk_metrics":         {"symbol": "XYZ"},
		"compare_assets":       {"symbols": []string{"XYZ", "OTHER"}},
		"correlation":          {"symbols": []string{"XYZ", "OTHER"}},
		"technical_indicators": {"symbol": "XYZ", "indicators": []string{"rsi:14"}},
		"chart":                {"symbol": "XYZ", "kind": "drawdown"},
	} {
		in["from"], in["to"] = "2024-03-01", "2024-09-30"
		res := group.Call(t, d, name, in)
		if !res.IsError || !strings.Contains(res.ForModel, day) || !strings.Contains(res.ForModel, "returns, risk and drawdown are not computed") {
			t.Errorf("%s = %s; want an error that names %s", name, res.ForModel, day)
		}
		in["from"], in["to"] = "2024-06-03", "2024-09-30"
		if res := group.Call(t, d, name, in); res.IsError {
			t.Errorf("%s after the step = %s", name, res.ForModel)
		}
	}
	// An average that starts before the period does not include prices before the step.
	_, got := group.CallOK(t, d, "technical_indicators", args{"symbol": "XYZ", "indicators": []string{"ema:60"}, "from": "2024-06-03", "to": "2024-09-30"})
	if text := fmt.Sprint(got["indicators"]); !strings.Contains(text, "ema") || regexp.MustCompile(`\b([2-9]|\d\d+)\.\d{3,}`).MatchString(text) {
		t.Errorf("indicators = %s, want averages of prices near 1", text)
	}
}
