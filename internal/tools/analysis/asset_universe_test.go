package analysis_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestUniverse_PeriodsPerYearComeFromTheDates(t *testing.T) {
	closes := randomWalks(2, 40)
	for _, tt := range []struct {
		name string
		next func(time.Time) time.Time
		want float64
	}{
		{"weekly", func(d time.Time) time.Time { return d.AddDate(0, 0, 7) }, 52},
		{"monthly", func(d time.Time) time.Time { return d.AddDate(0, 1, 0) }, 12},
		{"daily", func(d time.Time) time.Time { return d.AddDate(0, 0, 1+2*int(d.Weekday()/time.Friday)) }, 252},
		{"daily", func(d time.Time) time.Time { return d.AddDate(0, 0, 1) }, 365}, // on weekends too, like crypto assets
	} {
		t.Run(fmt.Sprintf("%s %v", tt.name, tt.want), func(t *testing.T) {
			var dates []string
			for d := time.Date(2020, 1, 3, 0, 0, 0, 0, time.UTC); len(dates) < 40; d = tt.next(d) {
				dates = append(dates, d.Format(time.DateOnly))
			}
			in := args{"objective": "hrp", "prices": args{"dates": dates, "series": closes}}
			_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
			if got["frequency"] != tt.want || got["interval"] != tt.name {
				t.Errorf("frequency %v of interval %v, want %v", got["frequency"], got["interval"], tt.want)
			}
			if said := fmt.Sprint(got["warnings"]); strings.Contains(said, "were requested") || strings.Contains(said, "closes are missing") {
				t.Errorf("warnings %s; want none of the frequency or of gaps", said)
			}
			in["frequency"] = 4
			if _, got = toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in); got["frequency"] != 4.0 {
				t.Errorf("frequency %v, want the requested 4", got["frequency"])
			}
			if said, want := fmt.Sprint(got["warnings"]), fmt.Sprintf("4 periods a year were requested, but the data have about %v", tt.want); !strings.Contains(said, want) {
				t.Errorf("warnings %s; want %q", said, want)
			}
		})
	}
}

// Quarterly closes: four a year are expected, and there are no gaps.
func TestUniverse_ClosesOfQuarters(t *testing.T) {
	var dates []string
	for d := time.Date(2010, 3, 31, 0, 0, 0, 0, time.UTC); len(dates) < 40; d = d.AddDate(0, 3, 0) {
		dates = append(dates, d.Format(time.DateOnly))
	}
	in := args{"objective": "hrp", "prices": args{"dates": dates, "series": randomWalks(2, 40)}, "frequency": 4}
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	if said := fmt.Sprint(got["warnings"]); strings.Contains(said, "were requested") || strings.Contains(said, "closes are missing") {
		t.Errorf("warnings %s; want none of the frequency or of gaps", said)
	}
	in["frequency"] = 12
	_, got = toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	if said := fmt.Sprint(got["warnings"]); !strings.Contains(said, "12 periods a year were requested, but the data have about 4") {
		t.Errorf("warnings %s; want that there are four closes a year", said)
	}
}

// Closes every other day: two-day returns are treated as daily ones.
func TestUniverse_ClosesThatAreTooFewForTheirInterval(t *testing.T) {
	var dates []string
	for d := time.Date(2020, 1, 3, 0, 0, 0, 0, time.UTC); len(dates) < 100; d = d.AddDate(0, 0, 2) {
		dates = append(dates, d.Format(time.DateOnly))
	}
	in := args{"objective": "hrp", "prices": args{"dates": dates, "series": randomWalks(2, 100)}}
	const few, asked = "they assume 252 prices a year, but the data have about 183", "were requested"
	_, got := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	if said := fmt.Sprint(got["warnings"]); !strings.Contains(said, few) || strings.Contains(said, asked) {
		t.Errorf("warnings %s; want %q", said, few)
	}
	in["frequency"] = 183
	_, got = toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	if said := fmt.Sprint(got["warnings"]); strings.Contains(said, "a year on average") || strings.Contains(said, asked) {
		t.Errorf("warnings %s; want none where the closes that there are were counted", said)
	}
}

func TestUniverse_ThePriceLevelDoesNotMatter(t *testing.T) {
	closes := randomWalks(4, 150)
	in := args{"objective": "max_sharpe", "prices": prices(closes), "max_weight": 0.5}
	_, first := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	for i, v := range closes["A2"] {
		closes["A2"][i] = 1000 * v
	}
	in["prices"] = prices(closes)
	_, second := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", in)
	for name, w := range numbers(t, first["weights"]) {
		toolstest.WantWithin(t, "weight of "+name, numbers(t, second["weights"])[name], w, 2e-6)
	}
}

func TestUniverse_FetchedAndGivenClosesGiveOneAnswer(t *testing.T) {
	closes := randomWalks(3, 200)
	given := args{"objective": "min_volatility", "prices": prices(closes)}
	_, a := toolstest.CallOK(t, optimizerTools(t), "optimize_portfolio", given)
	_, b := toolstest.CallOK(t, optimizerTools(t, daily(t, closes)...), "optimize_portfolio", args{"objective": "min_volatility", "symbols": []string{"A2, a0", "A1"}, "range": "max"})
	for name, w := range numbers(t, a["weights"]) {
		toolstest.WantWithin(t, "weight of "+name, numbers(t, b["weights"])[name], w, 1e-4)
	}
}

func TestUniverse_ASpanIsHeeded(t *testing.T) {
	tools := optimizerTools(t, daily(t, randomWalks(2, 300))...)
	in := args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "from": "2024-03", "to": "2024-06-14"}
	_, got := toolstest.CallOK(t, tools, "optimize_portfolio", in)
	toolstest.WantFields(t, got, map[string]any{"from": "2024-02-29", "to": "2024-06-14", "as_of": "2024-06-14"})
	in["to"] = "2024-03-04"
	wantRejected(t, tools, "optimize_portfolio", in, tool.CodeNoData, "use a longer range")
}

func TestUniverse_DailyClosesWithMonthlyOnesAreReducedToMonthEnds(t *testing.T) {
	series := daily(t, randomWalks(2, 300))
	series[0] = toolkit.ToMonthly(series[0])
	_, got := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "range": "max"})
	if got["frequency"] != 12.0 || !strings.Contains(toolstest.Warnings(t, got), "uses month-end closes") {
		t.Errorf("frequency %v, warnings %s", got["frequency"], toolstest.Warnings(t, got))
	}
}

func TestUniverse_WarnsOfReturnsThatAreNotComparable(t *testing.T) {
	series := daily(t, randomWalks(2, 100))
	series[0].Provenance.Adjustment, series[0].Actions = market.AdjustmentSplit, nil
	res, got := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "range": "max"})
	if w := toolstest.Warnings(t, got); !strings.Contains(w, "returns are not comparable") || !strings.Contains(w, "price return, no dividends") {
		t.Errorf("warnings = %s", w)
	}
	// Both have one source, which is listed once, with the kind of return of each.
	if n := strings.Count(res.UserText(), "markettest"); n != 1 || !strings.Contains(res.UserText(), "A0: price return, no dividends") || !strings.Contains(res.UserText(), "A1: total return, dividends reinvested") {
		t.Errorf("the source is listed %d times, want once with the kind of return of each:\n%s", n, res.UserText())
	}
}

func TestUniverse_MissingStretchesAreSaid(t *testing.T) {
	series := daily(t, randomWalks(2, 100))
	for i := range series {
		series[i].Bars = append(series[i].Bars[:40:40], series[i].Bars[60:]...)
	}
	_, got := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "range": "max"})
	if w := toolstest.Warnings(t, got); !strings.Contains(w, "closes are missing in 1 places, the first after 2024-02-23") {
		t.Errorf("warnings = %s", w)
	}
}

func TestUniverse_ASourceThatIsDownEndsTheCall(t *testing.T) {
	router := toolstest.Open(t, failingTools(t, market.ErrUnavailable))
	res := toolstest.CallRouter(t, router, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A1"}})
	if !res.IsError || res.Code == tool.CodeValidation {
		t.Errorf("result = %q, code %q: want a failure that no better question avoids", res.ErrorText(), res.Code)
	}
}

// A0 ends in the first year of A1 and the market.
func TestUniverse_ARangeCountsBackFromTheCommonEnd(t *testing.T) {
	series := daily(t, randomWalks(3, 700))
	series[0].Bars = series[0].Bars[:200]
	end := series[0].Bars[199].Date.Format(time.DateOnly)
	for _, in := range []args{
		{"objective": "hrp", "symbols": []string{"A1", "A0"}, "range": "3m"},
		{"objective": "max_sharpe", "expected_returns": "capm", "benchmark": "A0", "symbols": []string{"A1", "A2"}, "range": "3m"},
		{"objective": "max_sharpe", "expected_returns": "capm", "benchmark": "a0", "symbols": []string{"A0", "A1"}, "range": "3m"},
	} {
		_, got := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", in)
		toolstest.WantFields(t, got, map[string]any{"from": "2024-07-04", "to": end})
		if w := toolstest.Warnings(t, got); !strings.Contains(w, "A0 ends earliest, on "+end+": only the common period is used") {
			t.Errorf("warnings = %s", w)
		}
	}
}

func TestUniverse_TwoNamesOfOneInstrumentAreRefused(t *testing.T) {
	tools := optimizerTools(t, daily(t, randomWalks(2, 50))...)
	wantRejected(t, tools, "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A0 of the test", "A1"}, "range": "max"}, tool.CodeValidation, "are the same instrument, A0; list it once")
}

func TestUniverse_WarnsOfASeriesThatShortensThePeriod(t *testing.T) {
	series := daily(t, randomWalks(2, 300))
	series[1].Bars = series[1].Bars[100:]
	_, got := toolstest.CallOK(t, optimizerTools(t, series...), "optimize_portfolio", args{"objective": "hrp", "symbols": []string{"A0", "A1"}, "range": "max"})
	if w := toolstest.Warnings(t, got); !strings.Contains(w, "A1 starts latest, on 2024-05-20: only the common period is used") {
		t.Errorf("warnings = %s", w)
	}
}
