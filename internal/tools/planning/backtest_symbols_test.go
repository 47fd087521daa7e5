package planning_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func daily(sym market.Symbol, closes ...string) market.Series {
	return markettest.Daily(sym, time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), closes...)
}

func withOpens(s market.Series, opens ...string) market.Series {
	for i, text := range opens {
		s.Bars[i].Open = decimal.NewNullDecimal(decimal.RequireFromString(text))
	}
	return s
}

// Ten shares at the next open, 105, for 1,050.
func TestBacktest_TradesAtTheNextOpenWhereThereIsOne(t *testing.T) {
	a := withOpens(daily("AAA", "100", "110", "121"), "99", "105", "120")
	in := args{"symbols": []string{"AAA"}, "strategy": "buy_and_hold", "start": 1050, "cost_bps": 0}
	_, got := callOK(t, depsWith(t, a), "backtest", in)
	toolstest.WantNear(t, "final equity", field(t, got, "result", "final_equity"), 1210)
	wantAssumptions(t, got, "executed at the next open")
	// A benchmark without opens would trade at another time, so both trade at closes.
	in["benchmark"] = "BBB"
	_, got = callOK(t, depsWith(t, a, daily("BBB", "10", "10", "10")), "backtest", in)
	toolstest.WantNear(t, "final equity at closes", field(t, got, "result", "final_equity"), 1050*1.1)
	wantAssumptions(t, got, "because opens are missing")
}

func TestBacktest_TheBenchmarkIsPlayedOnTheSameDays(t *testing.T) {
	d := depsWith(t, daily("AAA", "10", "10", "20", "20", "30"), daily("BBB", "50", "40", "30", "20", "10"))
	in := args{"symbols": []string{"AAA"}, "strategy": "moving_average_cross", "fast": 1, "slow": 2, "benchmark": "bbb", "start": 100, "cost_bps": 0}
	res, got := callOK(t, d, "backtest", in)
	// From the second day, when the slow average is known: bought at 30.
	toolstest.WantNear(t, "benchmark", field(t, got, "benchmark", "final_equity"), 33.33333)
	if name := field(t, got, "benchmark", "name"); name != "BBB, bought and held" {
		t.Errorf("benchmark = %v, want BBB", name)
	}
	wantFigure(t, res, "benchmark.final_equity", "33.33", "USD")
	in["benchmark"] = " aaa "
	if _, got = callOK(t, d, "backtest", in); field(t, got, "benchmark", "name") != "AAA, bought and held" {
		t.Errorf("benchmark = %v, want AAA", got["benchmark"])
	}
}

func TestBacktest_OneInstrumentByTwoNamesIsRefused(t *testing.T) {
	group.WantInvalid(t, depsWith(t, daily("AAA", "1", "2", "3")), "backtest", args{"symbols": []string{"AAA", "aaa of the test"}, "strategy": "buy_and_hold"}, "are the same instrument, AAA")
}

func TestBacktest_SaysWhatThePricesAre(t *testing.T) {
	a, b := daily("AAA", texts(waveReturns(900, 0.0003, 0.01)...)...), daily("BBB", texts(waveReturns(800, 0.0003, 0.01)...)...)
	b.Bars = b.Bars[100:]
	b.Provenance.Currency, b.Provenance.Adjustment = "EUR", market.AdjustmentSplit
	a.Provenance.Source, b.Provenance.Flags = "another source", []market.Flag{market.FlagSample}
	res, got := callOK(t, depsWith(t, a, b), "backtest", args{"symbols": []string{"AAA", "BBB"}, "strategy": "fixed_weights", "weights": []any{0.6, 0.4}})
	for _, part := range []string{"prices are in EUR, USD", "BBB: price return, no dividends", "BBB starts latest, on 2020-05-21", "still listed"} {
		wantWarning(t, got, part)
	}
	if !strings.Contains(res.Summary, "SAMPLE") || !strings.Contains(res.UserText(), "SAMPLE ·") {
		t.Errorf("summary %q, shown %q; want both to say SAMPLE, also of the second", res.Summary, res.UserText())
	}
	if f := toolstest.Figure(t, res, "result.final_equity"); f.Source != "another source; markettest" || f.Unit != "units of money" {
		t.Errorf("figure = %+v, want both sources and no currency", f)
	}
	wantAssumptions(t, got, "rebalanced monthly: AAA 60.0%, BBB 40.0%", "10 basis points", "starts with 10000")
}

// Bars on every day of the week: 365 make a year.
func TestBacktest_WhatTradesEveryDayHas365BarsAYear(t *testing.T) {
	coin := daily("BTC-USD", texts(waveReturns(400, 0.001, 0.02)...)...)
	for i := range coin.Bars {
		coin.Bars[i].Date = time.Date(2020, 1, 2+i, 0, 0, 0, 0, time.UTC)
	}
	_, got := callOK(t, depsWith(t, coin), "backtest", args{"symbols": []string{"BTC-USD"}, "strategy": "buy_and_hold"})
	toolstest.WantNear(t, "periods", got["periods_per_year"], 365)
}

func TestBacktest_MonthlyAndDailyMeetAtTheEndsOfMonths(t *testing.T) {
	d := depsWith(t, monthEnds("MMM", waveReturns(30, 0.01, 0.03)...), markettest.Daily("DDD", toolstest.MustDay("2000-01-03"), texts(waveReturns(700, 0.0003, 0.01)...)...))
	_, got := callOK(t, d, "backtest", args{"symbols": []string{"DDD", "MMM"}, "strategy": "moving_average_cross"})
	toolstest.WantNear(t, "periods", got["periods_per_year"], 12)
	wantWarning(t, got, "DDD uses month-end closes")
	wantWarning(t, got, "moves within a month are not visible")
	wantAssumptions(t, got, "average of 3 closes is above that of 10")
}

// The clock is at the third day; the source returns all its data.
func TestBacktest_KnowsNothingAfterTheClock(t *testing.T) {
	source := markettest.NewSource(daily("AAA", "100", "100", "110", "1000"))
	d := planning.Deps{Prices: toolkit.Prices{Bars: toolstest.UnrangedBars{BarSource: source}, Directory: source, Now: toolstest.Clock(t, "2020-01-06T23:00:00Z")}}
	_, got := callOK(t, d, "backtest", args{"symbols": []string{"AAA"}, "strategy": "buy_and_hold", "cost_bps": 0})
	toolstest.WantNear(t, "total return", field(t, got, "result", "total_return"), 0.1)
	toolstest.WantFields(t, got, map[string]any{"to": "2020-01-06"})
}

func TestBacktest_WhatHasNoDaysInCommonIsNoData(t *testing.T) {
	d := depsWith(t, daily("AAA", "1", "2", "3"), markettest.Daily("BBB", toolstest.MustDay("2021-01-04"), "1", "2", "3"))
	res := toolstest.Call(t, planning.Tools(d), "backtest", args{"symbols": []string{"AAA", "BBB"}, "strategy": "buy_and_hold"})
	toolstest.WantError(t, res, tool.CodeNoData, "remove the symbol")
	group.WantInvalid(t, d, "backtest", args{"symbols": []string{"AAA"}, "strategy": "buy_and_hold", "range": "soon"}, "invalid period")
}

// Over the sample data with all defaults, and twice with the same result.
func TestBacktest_OfTheSampleIsComplete(t *testing.T) {
	for _, strategy := range []string{"buy_and_hold", "fixed_weights", "moving_average_cross", "momentum", "volatility_target"} {
		in := args{"symbols": []string{"^GSPC"}, "strategy": strategy}
		res, got := callOK(t, sampleDeps(t), "backtest", in)
		again, _ := callOK(t, sampleDeps(t), "backtest", in)
		if res.UserText() != again.UserText() {
			t.Errorf("%s: two answers to one question", strategy)
		}
		if len(got["equity"].([]any)) != 12 || !strings.Contains(res.Summary, "SAMPLE") {
			t.Errorf("%s: %d points, summary %q; want 12 and SAMPLE", strategy, len(got["equity"].([]any)), res.Summary)
		}
	}
}

// OLD ended in 2010, NEW continues: the range is the year before the end of OLD, and NEW needs no data in
// common with it after that.
func TestBacktest_ARangeCountsBackFromTheCommonEnd(t *testing.T) {
	old := markettest.Daily("OLD", toolstest.MustDay("2000-07-03"), texts(waveReturns(2609, 0.0003, 0.01)...)...)
	alive := markettest.Daily("NEW", toolstest.MustDay("2000-07-03"), texts(waveReturns(6259, 0.0003, 0.01)...)...)
	end := old.Bars[len(old.Bars)-1].Date.Format(time.DateOnly)
	for _, in := range []args{
		{"symbols": []string{"NEW", "OLD"}, "strategy": "buy_and_hold", "range": "1y"},
		{"symbols": []string{"NEW"}, "benchmark": "OLD", "strategy": "buy_and_hold", "range": "1y"},
	} {
		_, got := callOK(t, depsWith(t, old, alive), "backtest", in)
		toolstest.WantFields(t, got, map[string]any{"from": "2009-07-02", "to": end})
		wantWarning(t, got, "OLD ends earliest, on "+end+": only the common period is tested")
	}
}

func TestBacktest_DaysThatNotAllHaveAreSaid(t *testing.T) {
	a, b := daily("AAA", "1", "2", "3", "4", "5"), daily("BBB", "1", "2", "3", "4", "5")
	b.Bars = append(b.Bars[:1:1], b.Bars[2:]...)
	_, got := callOK(t, depsWith(t, a, b), "backtest", args{"symbols": []string{"AAA", "BBB"}, "strategy": "buy_and_hold"})
	wantWarning(t, got, "dropped 1 close of AAA on dates")
}

// C1: a year bought and held is its published return, +26.38% in 2003, from the close before it.
func TestBacktest_AYearStartsFromTheCloseBefore(t *testing.T) {
	_, got := callOK(t, sampleDeps(t), "backtest", args{"symbols": []string{"^GSPC"}, "strategy": "buy_and_hold", "from": "2003", "to": "2003", "cost_bps": 0})
	toolstest.WantFields(t, got, map[string]any{"from": "2002-12-31", "to": "2003-12-31"})
	benchmark := field(t, got, "benchmark", "total_return").(float64)
	if math.Abs(benchmark-0.2638) > 5e-5 {
		t.Errorf("benchmark %v, want 0.2638", benchmark)
	}
	if note := got["sources"].([]any)[0].(map[string]any)["note"]; !strings.Contains(note.(string), "starts from the last daily close before 2003-01-01: 2002-12-31") {
		t.Errorf("note = %v", note)
	}
}
