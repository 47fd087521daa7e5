package prices_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestPriceHistory_GivesTheBarsOfThePeriodAndItsExtremes(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "price_history", args{"symbol": "^gspc", "from": "2008-01-01", "to": "2020-04-17"})
	toolstest.WantFields(t, got, map[string]any{
		"symbol": "^GSPC", "name": "S&P 500", "kind": "index", "interval": "daily",
		"from": "2007-12-31", "to": "2020-04-17", "count": 3096.0, "unit": "index points", "adjustment": "raw",
		"as_of": "2020-04-17", "flags": []any{"sample"},
		"high": map[string]any{"date": "2020-02-19", "close": "3386.15"},
		"low":  map[string]any{"date": "2009-03-09", "close": "676.53"},
	})
	toolstest.WantFields(t, got["first"].(map[string]any), map[string]any{"date": "2007-12-31", "open": "1475.25", "close": "1468.36"})
	toolstest.WantFields(t, got["last"].(map[string]any), map[string]any{"date": "2020-04-17", "high": "2879.22", "close": "2874.56"})
	if n := len(got["bars"].([]any)); n != 3096 {
		t.Errorf("programs get %d bars, want all 3096", n)
	}
	if res.Title != "^GSPC · 2007-12-31 to 2020-04-17 · daily" || res.Summary != "3,096 bars SAMPLE" {
		t.Errorf("card = %q, %q", res.Title, res.Summary)
	}
}

func TestPriceHistory_ModelSeesTwentyYearsThinnedAndIsTold(t *testing.T) {
	res, whole := group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "range": "max"})
	if strings.Contains(res.ForModel, "[clipped") {
		t.Fatal("the history of 20 years does not fit into the model's limit")
	}
	model := toolstest.Object(t, res.ForModel)
	bars := model["bars"].([]any)
	if len(bars) != 60 || model["count"] != whole["count"] {
		t.Errorf("model sees %d bars and count %v, want 60 of %v", len(bars), model["count"], whole["count"])
	}
	toolstest.WantFields(t, bars[0].(map[string]any), map[string]any{"date": whole["from"]})
	toolstest.WantFields(t, bars[59].(map[string]any), map[string]any{"date": whole["to"]})
	if note, _ := model["bars_note"].(string); !strings.Contains(note, "60 of 5,") {
		t.Errorf("bars_note = %q, want it to say how many are shown", note)
	}
	if _, ok := whole["bars_note"]; ok {
		t.Error("the whole history carries a bars_note")
	}
}

// The figure check must be able to trace every number that the model received.
func TestPriceHistory_EveryCloseShownToTheModelIsAFigure(t *testing.T) {
	for _, in := range []args{{"symbol": "^GSPC", "range": "max"}, {"symbol": "^GSPC", "range": "2m"}} {
		res, _ := group.CallOK(t, deps(t), "price_history", in)
		for i, b := range toolstest.Object(t, res.ForModel)["bars"].([]any) {
			b := b.(map[string]any)
			f := toolstest.Figure(t, res, fmt.Sprintf("bars.%d.close", i))
			if f.Value.String() != b["close"] || f.AsOf.Format("2006-01-02") != b["date"] {
				t.Errorf("figure %+v does not carry %v", f, b)
			}
		}
	}
}

func TestPriceHistory_RangeCountsBackFromTheLastClose(t *testing.T) {
	tests := []struct {
		symbol, back, from string
	}{
		{"^GSPC", "1m", "2020-03-17"},
		{"^GSPC", "1mo", "2020-03-17"},
		{"^GSPC", "6M", "2019-10-17"},
		{"^GSPC", "1y", "2019-04-17"},
		{"^GSPC", "5y", "2015-04-17"},
		{"^GSPC", "2w", "2020-04-03"},
		{"^GSPC", "5d", "2020-04-09"}, // the 12th was Easter: the last close before
		{"^GSPC", "ytd", "2019-12-31"},
		{"^GSPC", "", "2019-04-17"},
		{"AAPL", "1y", "2021-05-28"}, // monthly, to 2022-06-28: June's close lies after the 28th
		{"AAPL", "1m", "2022-04-29"},
		{"AAPL", "ytd", "2021-12-31"},
		{"AAPL", "max", "1990-01-31"},
	}
	for _, tt := range tests {
		t.Run(tt.symbol+" "+tt.back, func(t *testing.T) {
			_, got := group.CallOK(t, deps(t), "price_history", args{"symbol": tt.symbol, "range": tt.back})
			toolstest.WantFields(t, got, map[string]any{"from": tt.from})
			note, _ := got["note"].(string)
			if contains := strings.Contains(note, "counts back from the last close"); contains != (tt.back != "max") {
				t.Errorf("note = %q", note)
			}
		})
	}
}

// A month before March 31 is the end of February, not March 3.
func TestPriceHistory_RangeStaysWithinTheMonth(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2021-02-25"), strings.Split(strings.Repeat("100,", 24)+"100", ",")...)
	_, got := group.CallOK(t, depsOf(t, s), "price_history", args{"symbol": "VTI", "range": "1m"})
	toolstest.WantFields(t, got, map[string]any{"from": "2021-02-26", "to": "2021-03-31"})
}

func TestPriceHistory_DatesMayBeMonthsOrYears(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "from": "2008", "to": "2009-02"})
	toolstest.WantFields(t, got, map[string]any{"from": "2007-12-31", "to": "2009-02-27"})
}

// C1: the highest close of 2008 is 1447.16 on 2008-01-02, not the 1468.36 of 2007-12-31 that the year is
// measured from: -38.49%.
func TestPriceHistory_TheCloseBeforeAYearIsNotItsHighest(t *testing.T) {
	for _, interval := range []string{"", "monthly"} {
		_, got := group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "from": "2008", "to": "2008", "interval": interval})
		toolstest.WantFields(t, got["first"].(map[string]any), map[string]any{"date": "2007-12-31", "close": "1468.36"})
		if high := got["high"].(map[string]any)["date"].(string); !strings.HasPrefix(high, "2008-") {
			t.Errorf("interval %q: highest close on %s", interval, high)
		}
		if change := got["price_change_pct"]; !strings.HasPrefix(fmt.Sprint(change), "-38.48") {
			t.Errorf("interval %q: change %v, want -38.49 rounded", interval, change)
		}
	}
}

func TestPriceHistory_MonthlySeriesBeginsWithTheCloseBefore(t *testing.T) {
	for _, row := range []struct{ from, first string }{
		{"2008", "2007-12-31"}, {"2008-03", "2008-02-29"}, {"2008-03-15", "2008-02-29"}, {"2008-03-31", "2008-03-31"}, {"1990-01-05", "1990-01-31"},
	} {
		_, got := group.CallOK(t, deps(t), "price_history", args{"symbol": "AAPL", "from": row.from, "to": "2008-12"})
		toolstest.WantFields(t, got, map[string]any{"from": row.first, "to": "2008-12-31"})
		contains := strings.Contains(got["note"].(string), "starts from the last monthly close")
		if moved := row.from == "2008" || row.first == "2008-02-29"; contains != moved {
			t.Errorf("from %s: note = %q, want the earlier beginning said: %v", row.from, got["note"], moved)
		}
	}
}

// A monthly series has no close on most days, so the error lists the nearest closes.
func TestPriceHistory_ADayBetweenClosesNamesTheClosesAroundIt(t *testing.T) {
	const around = "no close on 2015-03-01; the series is %s, and the nearest closes are %s on 2015-02-27 and %s"
	toolstest.WantError(t, group.Call(t, deps(t), "price_history", args{"symbol": "AAPL", "from": "2015-03-01", "to": "2015-03-01"}), tool.CodeNoData,
		fmt.Sprintf(around, "monthly", "28.996323", "28.19751 on 2015-03-31 (USD)"))
	toolstest.WantError(t, group.Call(t, deps(t), "price_history", args{"symbol": "^GSPC", "from": "2015-03-01", "to": "2015-03-01"}), tool.CodeNoData,
		fmt.Sprintf(around, "daily", "2104.5", "2117.39 on 2015-03-02 (index points)"))
	toolstest.WantError(t, group.Call(t, deps(t), "price_history", args{"symbol": "AAPL", "from": "2015-03-01", "to": "2015-03-15"}), tool.CodeNoData,
		"no close from 2015-03-01 to 2015-03-15")
}

func TestPriceHistory_WarnsOfMissingData(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "from": "1995", "to": "2024"})
	toolstest.WantFields(t, got, map[string]any{"warnings": []any{
		"^GSPC has no prices before 2000-01-03; shown from there",
		"^GSPC has no prices after 2020-04-17; shown up to there",
	}})
	_, got = group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "range": "50y"})
	toolstest.WantFields(t, got, map[string]any{"warnings": []any{"^GSPC has no prices before 2000-01-03; shown from there"}})
}

func TestPriceHistory_RefusesInvalidPeriods(t *testing.T) {
	tests := []struct {
		name       string
		in         args
		code, want string
	}{
		{"range and dates", args{"range": "1y", "from": "2008"}, tool.CodeValidation, "either range (\"1y\") or from and to"},
		{"unknown range", args{"range": "decade"}, tool.CodeValidation, "use 1m, 6m"},
		{"zero range", args{"range": "0m"}, tool.CodeValidation, "use 1m, 6m"},
		{"immense range", args{"range": "99999999999999999999y"}, tool.CodeValidation, "use 1m, 6m"},
		{"no date", args{"from": "last May"}, tool.CodeValidation, "use YYYY-MM-DD"},
		{"impossible date", args{"to": "2008-02-30"}, tool.CodeValidation, "use YYYY-MM-DD"},
		{"backwards", args{"from": "2010", "to": "2008"}, tool.CodeValidation, "swap them"},
		{"unknown interval", args{"interval": "minutely"}, tool.CodeValidation, "use 5m, 1h, daily, weekly or monthly"},
		{"no intraday source", args{"interval": "1h"}, tool.CodeNoData, "use interval daily, weekly or monthly"},
		{"before the data", args{"from": "1990", "to": "1995"}, tool.CodeNoData, "prices are available from 2000-01-03 to 2020-04-17"},
		{"after the data", args{"from": "2024"}, tool.CodeNoData, "prices are available from 2000-01-03 to 2020-04-17"},
		{"unknown symbol", args{"symbol": "^GSPX"}, market.CodeUnknownSymbol, "Did you mean ^GSPC (S&P 500)?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := args{"symbol": "^GSPC"}
			for k, v := range tt.in {
				in[k] = v
			}
			toolstest.WantError(t, group.Call(t, deps(t), "price_history", in), tt.code, tt.want)
		})
	}
}

func TestPriceHistory_DailyBarsGatherIntoMonths(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "from": "2020-01", "to": "2020-03", "interval": "monthly"})
	toolstest.WantFields(t, got, map[string]any{"interval": "monthly", "count": 4.0, "from": "2019-12-31", "to": "2020-03-31"})
	if first := got["first"].(map[string]any); len(first) != 2 || first["close"] != "3230.78" {
		t.Errorf("first = %v, want only the close that the period starts from", first)
	}
	_, days := group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "from": "2020-03-02", "to": "2020-03"})
	first, last := days["first"].(map[string]any), days["last"].(map[string]any)
	toolstest.WantFields(t, got["last"].(map[string]any), map[string]any{
		"open": first["open"], "close": last["close"], "high": "3136.72", "low": "2191.86",
	})
}

func TestPriceHistory_MonthlyBarsCannotBecomeDays(t *testing.T) {
	toolstest.WantError(t, group.Call(t, deps(t), "price_history", args{"symbol": "AAPL", "interval": "daily"}), tool.CodeNoData, "only monthly bars")
}

func TestPriceHistory_ClosesAloneShowNoOtherPrices(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101.5")
	s.Instrument = market.Instrument{Symbol: "VTI", Name: "Total | Market"}
	res, got := group.CallOK(t, depsOf(t, s), "price_history", args{"symbol": "VTI"})
	if first := got["first"].(map[string]any); len(first) != 2 {
		t.Errorf("bar = %v, want date and close only", first)
	}
	if !strings.Contains(res.UserText(), "Total | Market") || !strings.Contains(res.UserText(), "| 2020-01-03 | 101.50 |") {
		t.Errorf("shown:\n%s", res.UserText())
	}
}

// An adjusted price from before a split is not the price that was traded.
func TestPriceHistory_AReplayStatesTheAdjustment(t *testing.T) {
	s := markettest.Daily("VTI", toolstest.MustDay("2024-06-26"), "10.0", "10.2", "10.3")
	s.Provenance.Adjustment, s.Provenance.Phase, s.Actions = market.AdjustmentSplit, market.PhaseRegular, nil
	const warning = "prices are adjusted for splits up to today"
	d := depsOf(t, s)
	res, _ := group.CallOK(t, d, "price_history", args{"symbol": "VTI", "range": "max"})
	if strings.Contains(res.UserText(), warning) {
		t.Errorf("prices of now read %q", res.UserText())
	}
	d.Replay, d.Now = true, toolstest.Clock(t, "2024-06-27T22:00:00Z")
	res, got := group.CallOK(t, d, "price_history", args{"symbol": "VTI", "from": "2024-06-26"})
	if got["note"] != warning || !strings.Contains(res.UserText(), warning) || got["session"] != nil {
		t.Errorf("note %v, session %v, people read %q; want %q and nothing of the session now", got["note"], got["session"], res.UserText(), warning)
	}
}

// C21: weeks from Monday to Friday, dated by their last session. The closes are those of the sample.
func TestPriceHistory_DailyBarsGatherIntoWeeks(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "price_history", args{"symbol": "^GSPC", "from": "2020-01", "to": "2020-01", "interval": "weekly"})
	toolstest.WantFields(t, got, map[string]any{"interval": "weekly", "count": 6.0, "from": "2019-12-31", "to": "2020-01-31"})
	var days []string
	for _, b := range got["bars"].([]any) {
		days = append(days, b.(map[string]any)["date"].(string))
	}
	if want := []string{"2019-12-31", "2020-01-03", "2020-01-10", "2020-01-17", "2020-01-24", "2020-01-31"}; !slices.Equal(days, want) {
		t.Errorf("weeks end on %v, want %v", days, want)
	}
}

// fakeIntraday has one session of hourly bars, in New York.
type fakeIntraday struct{ asked market.Range }

func (f *fakeIntraday) Intraday(_ context.Context, sym market.Symbol, i market.Interval, r market.Range) (market.Series, error) {
	f.asked = r
	zone, _ := time.LoadLocation("America/New_York")
	s := market.Series{Instrument: market.Instrument{Symbol: sym, Kind: "equity"}, Interval: i}
	for _, day := range []int{18, 19} {
		for hour := range 3 {
			s.Bars = append(s.Bars, market.Bar{Date: time.Date(2026, time.November, day, 9+hour, 30, 0, 0, zone), Close: decimal.NewFromInt(int64(100 + day + hour))})
		}
	}
	s.Provenance = market.Provenance{Source: "markettest", AsOf: s.Bars[5].Date, FetchedAt: s.Bars[5].Date, Currency: "USD", Adjustment: market.AdjustmentSplit}
	return s, nil
}

// C21: a range of a day starts from the last bar of the session before it.
func TestPriceHistory_HoursAreDatedInTheExchangesTime(t *testing.T) {
	d, source := deps(t), &fakeIntraday{}
	d.Intraday = source
	res, got := group.CallOK(t, d, "price_history", args{"symbol": "^GSPC", "interval": "1h", "range": "1d"})
	toolstest.WantFields(t, got, map[string]any{
		"interval": "1h", "timezone": "America/New_York", "count": 4.0, "from": "2026-11-18 11:30", "to": "2026-11-19 11:30", "price_change_pct": "0.8333333333333333",
	})
	if want := "^GSPC went from 120.00 USD (2026-11-18 11:30) to 121.00 USD"; !strings.Contains(res.Headline, want) {
		t.Errorf("headline = %q, want %q", res.Headline, want)
	}
	d.Replay = true
	toolstest.WantError(t, group.Call(t, d, "price_history", args{"symbol": "^GSPC", "interval": "5m"}), tool.CodeNoData, "not available as of")
}
