package analysis_test

import (
	"fmt"
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

// Both rise from 100 to 110, one of them through 90: by hand, drawdowns of 90/100 - 1 and 0.
func TestCompareAssets_SetsMeasuresSideBySide(t *testing.T) {
	d := depsWith(t, markettest.Daily("AAA", toolstest.MustDay("2020-01-02"), "100", "90", "99", "110"),
		markettest.Daily("BBB", toolstest.MustDay("2020-01-02"), "50", "52", "53", "55"))
	res, got := group.CallOK(t, d, "compare_assets", args{"symbols": []string{"aaa", "BBB"}})
	toolstest.WantFields(t, got["window"].(map[string]any), map[string]any{
		"from": "2020-01-02", "to": "2020-01-07", "observations": 4.0, "interval": "daily", "limits": []any{},
	})
	toolstest.WantFields(t, toolstest.Find(t, got, "assets", "symbol", "AAA"), map[string]any{
		"total_return": 0.1, "max_drawdown": -0.1, "drawdown_peak_date": "2020-01-02", "drawdown_trough_date": "2020-01-03",
		"drawdown_recovery_date": "2020-01-07", "current_drawdown": 0.0, "currency": "USD", "source": "markettest",
	})
	toolstest.WantFields(t, toolstest.Find(t, got, "assets", "symbol", "BBB"), map[string]any{"total_return": 0.1, "max_drawdown": 0.0, "drawdown_peak_date": nil})
	want := map[string]any{"AAA": []any{100.0, 90.0, 99.0, 110.0}, "BBB": []any{100.0, 104.0, 106.0, 110.0}}
	if diff := cmp.Diff(want, got["rebased"].(map[string]any)["series"], cmpopts.EquateApprox(1e-12, 0)); diff != "" {
		t.Errorf("rebased (-want +got):\n%s", diff)
	}
	text := `**AAA, BBB · 2020-01-02 to 2020-01-07**

| measure | AAA | BBB |
| --- | ---: | ---: |
| total return | +10.0% | +10.0% |
| annual return | +105,517.4% | +105,517.4% |
| volatility | 188.6% | 18.1% |
| max drawdown | -10.0% | 0.0% |
| drawdown dates | 2020-01-02 to 2020-01-03 | none |
| recovered | 2020-01-07 | none |
| current drawdown | 0.0% | 0.0% |
| first close | 100.00 USD | 50.00 USD |
| last close | 110.00 USD | 55.00 USD |
| growth of 100 | 110.00 USD | 110.00 USD |

**Correlation of 3 returns**

| correlation | AAA | BBB |
| --- | ---: | ---: |
| AAA | 1 | -0.545 |
| BBB | -0.545 | 1 |

markettest · 2020-01-07 close · dividends reinvested

- ! only 3 returns (fewer than 30): the correlation is uncertain
- ! shorter than a year: the annual return is extrapolated
- ! only 4 observations (fewer than 30): volatility is uncertain
`
	if diff := cmp.Diff(text, res.UserText()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if want := "Total return from 2020-01-02 to 2020-01-07: AAA +10.0%, BBB +10.0%."; res.Headline != want {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
	f := toolstest.Figure(t, res, "assets.0.max_drawdown")
	if f.Label != "AAA max drawdown" || f.Unit != "%" || !f.Value.Round(12).Equal(decimal.NewFromInt(-10)) || f.Formula == "" {
		t.Errorf("figure = %+v", f)
	}
	if f := toolstest.Figure(t, res, "rebased.series.BBB.2020-01-03"); !f.Value.Equal(decimal.NewFromInt(104)) || !f.AsOf.Equal(toolstest.MustDay("2020-01-03")) {
		t.Errorf("figure = %+v", f)
	}
}

// The figures of an asset in the comparison equal those of returns_stats for the same period.
func TestCompareAssets_AgreesWithReturnsStats(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "compare_assets", args{"symbol": "AAPL, IBM", "range": "5y"})
	window := got["window"].(map[string]any)
	for _, symbol := range []string{"AAPL", "IBM"} {
		_, alone := group.CallOK(t, deps(t), "returns_stats", args{"symbol": symbol, "from": window["from"], "to": window["to"]})
		asset := toolstest.Find(t, got, "assets", "symbol", symbol)
		notes := cmpopts.IgnoreMapEntries(func(k string, _ any) bool { return k == "note" || k == "warnings" })
		if diff := cmp.Diff(alone, asset, notes); diff != "" {
			t.Errorf("%s (-returns_stats +compared):\n%s", symbol, diff)
		}
	}
}

func TestCompareAssets_NamesSeriesThatLimitThePeriod(t *testing.T) {
	old := markettest.Daily("OLD", toolstest.MustDay("2019-01-01"), strings.Split(strings.Repeat("10,11,", 50)+"12", ",")...)
	young := markettest.Daily("YOUNG", toolstest.MustDay("2019-03-04"), strings.Split(strings.Repeat("20,19,", 50)+"21", ",")...)
	d := depsWith(t, old, young)
	_, got := group.CallOK(t, d, "compare_assets", args{"symbol": "OLD,YOUNG"})
	end := old.Bars[len(old.Bars)-1].Date.Format("2006-01-02")
	toolstest.WantFields(t, got["window"].(map[string]any), map[string]any{
		"from": "2019-03-04", "to": end, "limits": []any{"YOUNG starts latest, on 2019-03-04", "OLD ends earliest, on " + end},
	})
	// A range within the common period is not limited by the start of that period.
	_, got = group.CallOK(t, d, "compare_assets", args{"symbol": "OLD,YOUNG", "range": "1m"})
	toolstest.WantFields(t, got["window"].(map[string]any), map[string]any{"from": "2019-04-19", "limits": []any{"OLD ends earliest, on " + end}})
}

// The S&P 500 is daily and ends within April 2020, Apple is monthly to 2022: the last complete month
// of both is March 2020.
func TestCompareAssets_MixedIntervalsMeetAtMonthEnds(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "compare_assets", args{"symbols": []string{"^GSPC", "AAPL"}, "range": "1y", "base": "eur"})
	toolstest.WantFields(t, got["window"].(map[string]any), map[string]any{
		"from": "2019-03-29", "to": "2020-03-31", "interval": "monthly", "observations": 13.0, "limits": []any{"^GSPC ends earliest, on 2020-04-17"},
	})
	// 2584.59 / 2834.40 - 1.
	toolstest.WantFields(t, toolstest.Find(t, got, "assets", "symbol", "^GSPC"), map[string]any{"first_close": "2834.4", "last_close": "2584.59", "total_return": -0.088135})
	warnings := toolstest.Warnings(t, got)
	for _, part := range []string{
		"^GSPC uses month-end closes", "returns are not comparable: ^GSPC: price index, no dividends; AAPL: total return",
		"AAPL is in USD, not EUR", "only 12 returns", "drawdowns within a month are not visible",
	} {
		if strings.Count(warnings, part) != 1 || !strings.Contains(res.UserText(), part) {
			t.Errorf("warnings = %q, want %q once, and shown", warnings, part)
		}
	}
	if !strings.Contains(res.UserText(), "SAMPLE") || !strings.Contains(res.Summary, "SAMPLE") || !strings.Contains(res.ModelText(), `"flags":["sample"]`) {
		t.Errorf("sample data is not marked: %q, shown\n%s", res.Summary, res.UserText())
	}
}

func TestCompareAssets_CurrenciesAreNamedNotMixed(t *testing.T) {
	d := depsWith(t, markettest.Daily("AAA", toolstest.MustDay("2020-01-02"), "1", "2", "3", "5"),
		withCurrency(markettest.Daily("BBB", toolstest.MustDay("2020-01-02"), "1", "2", "3", "4"), "JPY"))
	res, got := group.CallOK(t, d, "compare_assets", args{"symbol": "AAA,BBB"})
	if warnings := toolstest.Warnings(t, got); !strings.Contains(warnings, "currencies differ (JPY, USD)") {
		t.Errorf("warnings = %q", warnings)
	}
	if !strings.Contains(res.UserText(), "| last close | 5.00 USD | 4.00 JPY |") || toolstest.Figure(t, res, "assets.1.last_close").Unit != "JPY" {
		t.Errorf("shown:\n%s", res.UserText())
	}
}

func TestCompareAssets_WarnsOfDroppedCloses(t *testing.T) {
	a := markettest.Daily("AAA", toolstest.MustDay("2020-01-02"), "10", "20", "30", "40", "50")
	b := markettest.Daily("BBB", toolstest.MustDay("2020-01-02"), "1", "2", "3", "4", "5")
	b.Bars = append(b.Bars[:1:1], b.Bars[2:]...)
	_, got := group.CallOK(t, depsWith(t, a, b), "compare_assets", args{"symbol": "AAA,BBB"})
	toolstest.WantFields(t, got["window"].(map[string]any), map[string]any{"observations": 4.0})
	if warnings := toolstest.Warnings(t, got); !strings.Contains(warnings, "dropped 1 close of AAA on dates") {
		t.Errorf("warnings = %q", warnings)
	}
}

func TestCompareAssets_RefusesInvalidComparisons(t *testing.T) {
	apart := depsWith(t, markettest.Daily("AAA", toolstest.MustDay("2020-01-02"), "1", "2"), markettest.Daily("BBB", toolstest.MustDay("2021-01-04"), "1", "2"))
	below := depsWith(t, markettest.Daily("AAA", toolstest.MustDay("2020-04-17"), "18.27", "-37.63"), markettest.Daily("BBB", toolstest.MustDay("2020-04-17"), "1", "2"))
	for _, tt := range []struct {
		name string
		d    analysis.Deps
		in   args
		code string
		part string
	}{
		{"one symbol", deps(t), args{"symbol": "AAPL"}, tool.CodeValidation, "need 2 to 8 different symbols, got 1"},
		{"one symbol twice", deps(t), args{"symbol": "AAPL,aapl"}, tool.CodeValidation, "different symbols, got 1"},
		{"two names of one", deps(t), args{"symbol": "AAPL,Apple"}, tool.CodeValidation, "are the same instrument, AAPL"},
		{"nine symbols", deps(t), args{"symbol": "a,b,c,d,e,f,g,h,i"}, tool.CodeValidation, "different symbols, got 9"},
		{"an unknown one", deps(t), args{"symbol": "AAPL,NOSUCH"}, market.CodeUnknownSymbol, "NOSUCH"},
		{"nothing in common", apart, args{"symbol": "AAA,BBB"}, tool.CodeNoData, "AAA has daily closes from 2020-01-02 to 2020-01-03, BBB has"},
		{"after the common end", deps(t), args{"symbol": "AAPL,^GSPC", "from": "2021"}, tool.CodeNoData, "share closes only from 2000-01-31 to 2020-03-31"},
		{"one day", deps(t), args{"symbol": "AAPL,IBM", "from": "2022-06-28"}, tool.CodeNoData, "only one common close"},
		{"a price below zero", below, args{"symbol": "AAA,BBB"}, "", "AAA: close -37.63 on 2020-04-20: price is not positive"},
		{"both kinds of range", deps(t), args{"symbol": "AAPL,IBM", "range": "1y", "to": "2019"}, tool.CodeValidation, "not both"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			toolstest.WantError(t, group.Call(t, tt.d, "compare_assets", tt.in), tt.code, tt.part)
		})
	}
}

func TestCompareAssets_EightLongSeriesFitTheModelAndStayWhole(t *testing.T) {
	var series []market.Series
	var symbols []string
	for i := range 8 {
		closes := make([]string, 400)
		for j := range closes {
			closes[j] = fmt.Sprint(100 + (j*7+i*13)%29 + j)
		}
		symbols = append(symbols, fmt.Sprintf("SYM%d", i))
		series = append(series, markettest.Daily(market.Symbol(symbols[i]), toolstest.MustDay("2018-01-01"), closes...))
	}
	res, got := group.CallOK(t, depsWith(t, series...), "compare_assets", args{"symbols": symbols})
	if rows := len(got["rebased"].(map[string]any)["dates"].([]any)); rows != 400 {
		t.Errorf("%d rows in the value, want all 400", rows)
	}
	model := toolstest.Object(t, res.ModelText())["rebased"].(map[string]any)
	dates := model["dates"].([]any)
	if len(dates) != 30 || dates[0] != "2018-01-01" || dates[29] != got["window"].(map[string]any)["to"] {
		t.Errorf("the model sees %d rows from %v to %v, want 30 from end to end", len(dates), dates[0], dates[len(dates)-1])
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

func TestCompareAssets_NothingAfterNowIsUsed(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("AAA", toolstest.MustDay("2020-01-01"), "100", "101", "500"), markettest.Daily("BBB", toolstest.MustDay("2020-01-01"), "10", "12", "1"))
	d := analysis.Deps{Prices: toolkit.Prices{Bars: toolstest.UnrangedBars{BarSource: s}, Directory: s, Now: toolstest.Clock(t, "2020-01-02T18:00:00Z")}}
	_, got := group.CallOK(t, d, "compare_assets", args{"symbol": "AAA,BBB"})
	toolstest.WantFields(t, toolstest.Find(t, got, "assets", "symbol", "AAA"), map[string]any{"to": "2020-01-02", "total_return": 0.01})
	toolstest.WantFields(t, toolstest.Find(t, got, "assets", "symbol", "BBB"), map[string]any{"to": "2020-01-02", "total_return": 0.2})
}

func TestCompareAssets_SourceOutOfReachIsNotNoData(t *testing.T) {
	s := markettest.NewSource(markettest.Daily("AAA", toolstest.MustDay("2020-01-02"), "1", "2"))
	s.Err = fmt.Errorf("status 503: %w", market.ErrUnavailable)
	d := analysis.Deps{Prices: toolstest.Prices(t, s, "2020-02-01T00:00:00Z")}
	for _, name := range []string{"compare_assets", "correlation"} {
		toolstest.WantError(t, group.Call(t, d, name, args{"symbol": "AAA,BBB"}), "", "status 503")
	}
}
