package planning_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func balanceAfter(t *testing.T, got map[string]any, year int) map[string]any {
	t.Helper()
	return got["balances"].([]any)[year].(map[string]any)
}

// The future value of a spreadsheet: 1,000, and 100 at the end of each of 10 years,
// at 5%. 1000*1.05^10 + 100*(1.05^10 - 1)/0.05 = 2886.6839.
func TestRetirement_WithoutChanceItIsCompoundInterest(t *testing.T) {
	res, got := callOK(t, depsWith(t), "retirement_simulation", args{
		"current_balance": 1000, "years": 10, "annual_contribution": 100, "contribution_years": 10, "mean_return": 0.05, "volatility": 0, "currency": "usd",
	})
	for _, p := range []string{"p5", "p50", "p95"} {
		toolstest.WantNear(t, p, balanceAfter(t, got, 10)[p], 2886.6839)
	}
	wantFigure(t, res, "balances.10.p50", "2886.68", "USD")
	if got["success_rate"] != nil || got["needed_start"] != nil {
		t.Errorf("success = %v, needed start = %v; want none of a plan that cannot fail", got["success_rate"], got["needed_start"])
	}
	wantWarning(t, got, "it cannot fail")
	wantWarning(t, got, "No inflation is assumed")
	wantAssumptions(t, got, "mean 5.0%, standard deviation 0.0%", "seed 1", "100 saved at the end of each of 10 years", "inflation 0.0%, fee 0.0%, tax on gains 0.0%", "10,000 futures")
}

// The annuity due: 100 a year for 20 years at 4% is worth 100*1.04*(1 - 1.04^-20)/0.04 = 1413.3939 today.
// The amount needed is rounded up and the possible spending down, because a cent less or more fails.
func TestRetirement_NeedsAreThoseOfTheAnnuity(t *testing.T) {
	res, got := callOK(t, depsWith(t), "retirement_simulation", args{
		"current_balance": 1000, "years": 20, "annual_withdrawal": 100, "mean_return": 0.04, "volatility": 0, "currency": "USD",
	})
	toolstest.WantNear(t, "success", got["success_rate"], 0)
	toolstest.WantNear(t, "needed start", got["needed_start"], 1413.40)
	toolstest.WantNear(t, "largest withdrawal", got["largest_withdrawal"], 70.75) // 1000/14.133939 = 70.7517
	wantFigure(t, res, "ran_out.share", "100", "%")
	wantFigure(t, res, "ran_out.earliest_year", "13", "year of the plan") // 1000 - 100*1.04*(1 - 1.04^-n)/0.04 falls below 0
	wantAssumptions(t, got, "100 spent at the start of each year from year 1")
}

// With a return of 3% above an inflation of 2%, amounts in today's money grow by 3%.
func TestRetirement_BalancesAreInTodaysMoney(t *testing.T) {
	_, got := callOK(t, depsWith(t), "retirement_simulation", args{
		"current_balance": 1000, "years": 10, "annual_contribution": 100, "contribution_years": 10, "ending_balance": 2490.30, "inflation": 0.02, "mean_return": 1.02*1.03 - 1, "volatility": 0,
	})
	grown := math.Pow(1.03, 10)
	toolstest.WantNear(t, "end", balanceAfter(t, got, 10)["p50"], 1000*grown+100*(grown-1)/0.03)
	toolstest.WantNear(t, "success", got["success_rate"], 1)
	toolstest.WantNear(t, "needed start", got["needed_start"], 1000)
	toolstest.WantNear(t, "needed contribution", got["needed_contribution"], 100)
}

// By hand, with 100 and 60 a year: +50% and -50% leave (100 - 60)*1.5 = 60, which is enough for the last
// payment; -50% and +20% leave 20, which is not.
func TestRetirement_HistoricalByHand(t *testing.T) {
	in := args{"current_balance": 100, "years": 2, "annual_withdrawal": 60, "returns": []any{0.5, -0.5, 0.2}, "method": "historical", "success_probability": 0.5}
	res, got := callOK(t, depsWith(t), "retirement_simulation", in)
	toolstest.WantNear(t, "success", got["success_rate"], 0.5)
	toolstest.WantNear(t, "largest withdrawal", got["largest_withdrawal"], 60)
	toolstest.WantFields(t, got, map[string]any{"paths": 2.0, "ran_out": map[string]any{"share": 0.5, "earliest_year": 2.0, "median_year": 2.0}})
	if got["seed"] != nil {
		t.Errorf("seed = %v, want none where nothing is drawn", got["seed"])
	}
	wantFigure(t, res, "success_rate", "50", "%")
	wantWarning(t, got, "2 paths are overlapping historical periods")
	in["success_probability"] = 1
	_, got = callOK(t, depsWith(t), "retirement_simulation", in)
	toolstest.WantNear(t, "needed start for both", got["needed_start"], 60+60/0.5)
	toolstest.WantNear(t, "largest withdrawal for both", got["largest_withdrawal"], 33.33) // w + w/0.5 = 100
}

// The possible spending is computed without planned spending.
func TestRetirement_SaysHowMuchCanBeSpent(t *testing.T) {
	res, got := callOK(t, depsWith(t), "retirement_simulation", args{
		"current_balance": 1413.3939, "years": 20, "withdrawal_from_year": 1, "mean_return": 0.04, "volatility": 0, "currency": "JPY",
	})
	toolstest.WantNear(t, "largest withdrawal", got["largest_withdrawal"], 99) // 99.999..., and no smaller coin
	if got["success_rate"] != nil || res.Headline != "You can spend 99 JPY a year in 90.0% of 10,000 futures." {
		t.Errorf("success = %v, summary %q; want what can be spent alone", got["success_rate"], res.Summary)
	}
}

func TestRetirement_WhatCannotSucceedIsSaidInsteadOfZero(t *testing.T) {
	_, got := callOK(t, depsWith(t), "retirement_simulation", args{
		"current_balance": 100, "years": 5, "annual_withdrawal": 1, "ending_balance": 1000, "mean_return": 0.04, "volatility": 0,
	})
	if got["largest_withdrawal"] != nil {
		t.Errorf("largest withdrawal = %v, want none: the end is missed without one", got["largest_withdrawal"])
	}
	wantWarning(t, got, "no withdrawal makes the plan succeed in 90")
}

func TestRetirement_ASeedGivesTheSameAnswer(t *testing.T) {
	in := args{"current_balance": 500, "years": 30, "annual_withdrawal": 25, "inflation": 0.02, "mean_return": 0.06, "volatility": 0.15, "paths": 500, "seed": 7}
	one, got := callOK(t, depsWith(t), "retirement_simulation", in)
	two, again := callOK(t, depsWith(t), "retirement_simulation", in)
	if diff := cmp.Diff(got, again); diff != "" || one.UserText() != two.UserText() {
		t.Errorf("the same seed (-one +two):\n%s", diff)
	}
	toolstest.WantNear(t, "seed", got["seed"], 7)
	wantWarning(t, got, "With only 500 paths")
	in["seed"] = 8
	if _, other := callOK(t, depsWith(t), "retirement_simulation", in); cmp.Equal(got["balances"], other["balances"]) {
		t.Error("another seed gives the same balances")
	}
}

func TestRetirement_ThePastOfASymbolSaysWhatItIs(t *testing.T) {
	past := monthEnds("EUR.X", waveReturns(120, 0.005, 0.04)...)
	past.Provenance.Currency, past.Provenance.Adjustment = "EUR", "raw"
	res, got := callOK(t, depsWith(t, past), "retirement_simulation", args{
		"current_balance": 100, "years": 8, "annual_withdrawal": 10, "symbol": "eur.x", "currency": "USD", "paths": 2000,
	})
	toolstest.WantFields(t, got, map[string]any{"method": "bootstrap", "paths": 2000.0})
	wantAssumptions(t, got, "120 monthly returns of EUR.X, 2000-01-31 to 2010-01-31", "blocks of 12 periods")
	wantWarning(t, got, "Past returns are in EUR, the plan in USD")
	wantWarning(t, got, "no dividends, not adjusted for splits")
	if f := toolstest.Figure(t, res, "success_rate"); f.Source != "markettest" || f.AsOf.Format("2006-01-02") != "2010-01-31" {
		t.Errorf("figure of %s as of %s, want the past's", f.Source, f.AsOf)
	}
	_, got = callOK(t, depsWith(t, past), "retirement_simulation", args{"current_balance": 100, "years": 8, "annual_withdrawal": 10, "symbol": "EUR.X", "method": "historical"})
	toolstest.WantNear(t, "paths", got["paths"], 120-96+1)
}

func TestRetirement_SampleDataAreLoud(t *testing.T) {
	res, _ := callOK(t, sampleDeps(t), "retirement_simulation", args{"current_balance": 100, "years": 5, "annual_withdrawal": 4, "symbol": "^GSPC", "paths": 1000})
	if !strings.Contains(res.Summary, "SAMPLE") || !strings.Contains(res.UserText(), "SAMPLE ·") {
		t.Errorf("summary %q, shown %q; want both to say SAMPLE", res.Summary, res.UserText())
	}
}

// The clock is in the middle of May 2020; the source returns all its data.
func TestRetirement_KnowsNothingAfterTheClock(t *testing.T) {
	series := markettest.Daily("VTI", toolstest.MustDay("2014-01-02"), texts(waveReturns(2500, 0.0003, 0.01)...)...)
	source := markettest.NewSource(series)
	d := planning.Deps{Prices: toolkit.Prices{Bars: toolstest.UnrangedBars{BarSource: source}, Directory: source, Now: toolstest.Clock(t, "2020-05-14T12:00:00Z")}}
	_, got := callOK(t, d, "retirement_simulation", args{"current_balance": 100, "years": 3, "annual_withdrawal": 4, "symbol": "VTI", "paths": 1000})
	// January 2014 to April 2020: 76 closes; that of May is not the end of a month.
	wantAssumptions(t, got, "75 monthly returns of VTI, 2014-01-31 to 2020-04-30")
}

func TestRetirement_SaysWhatToMend(t *testing.T) {
	sound := func() args {
		return args{"current_balance": 100, "years": 10, "annual_withdrawal": 4, "mean_return": 0.05, "volatility": 0.1}
	}
	drop := func(a args, names ...string) {
		for _, n := range names {
			delete(a, n)
		}
	}
	for _, tc := range []struct {
		name, part string
		change     func(args)
	}{
		{"a mean in per cent", "write 7% as 0.07", func(a args) { a["mean_return"] = 7 }},
		{"a mean of one per cent", "write 7% as 0.07", func(a args) { a["mean_return"] = 1 }},
		{"a fee in per cent", "write 0.2% as 0.002", func(a args) { a["fee"] = 0.2 }},
		{"an inflation in per cent", "write 2% as 0.02", func(a args) { a["inflation"] = 2 }},
		{"a tax in per cent", "write 25% as 0.25", func(a args) { a["tax_on_gains"] = 25 }},
		{"a share in per cent", "write 0.9 for 90%", func(a args) { a["success_probability"] = 90 }},
		{"saving without an end", "needs contribution_years", func(a args) { a["annual_contribution"] = 5 }},
		{"saving until the end", "leaves none for spending", func(a args) { a["contribution_years"] = 10 }},
		{"spending after the end", "withdrawals start in year 11; use 1 to 10", func(a args) { a["withdrawal_from_year"] = 11 }},
		{"debt", "must not be negative", func(a args) { a["current_balance"] = -1 }},
		{"no volatility", "both", func(a args) { drop(a, "volatility") }},
		{"no mean", "both", func(a args) { drop(a, "mean_return") }},
		{"no market", "or symbol, or returns", func(a args) { drop(a, "volatility", "mean_return") }},
		{"two markets", "no symbol or returns", func(a args) { a["symbol"] = "VTI" }},
		{"another method", "normal, bootstrap or historical", func(a args) { a["method"] = "garch" }},
		{"a mean for the past", "apply only to method normal", func(a args) { a["method"] = "bootstrap" }},
		{"blocks of a normal market", "applies only to method bootstrap", func(a args) { a["block_periods"] = 12 }},
		{"periods without returns", "applies only to returns", func(a args) { a["periods_per_year"] = 12 }},
		{"a range of nothing", "range applies only to symbol", func(a args) { a["range"] = "10y" }},
		{"paths of the past", "omit paths", func(a args) {
			drop(a, "volatility", "mean_return")
			a["method"], a["returns"], a["paths"] = "historical", []any{0.1}, 10
		}},
		{"too many paths", "use 1 to 200000", func(a args) { a["paths"] = 1000000 }},
		{"a short past", "use a longer one", func(a args) { drop(a, "volatility", "mean_return"); a["returns"] = []any{0.1, 0.2} }},
		{"returns in per cent", "-0.03", func(a args) { drop(a, "volatility", "mean_return"); a["returns"] = []any{7, -3, 2, 1, 4, 5} }},
		{"a currency by name", "ISO 4217", func(a args) { a["currency"] = "dollars" }},
		{"sums beyond all reason", "invalid amount", func(a args) { a["current_balance"] = 1e300 }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := sound()
			tc.change(in)
			group.WantInvalid(t, depsWith(t), "retirement_simulation", in, tc.part)
		})
	}
}

// A balance too large for a float64 must not be shown as zero.
func TestRetirement_BalancesBeyondAllNumbersAreRefused(t *testing.T) {
	returns := make([]float64, 60)
	for i := range returns {
		returns[i] = 5
	}
	in := args{"current_balance": 1e9, "years": 50, "annual_withdrawal": 1, "returns": returns, "periods_per_year": 12}
	group.WantInvalid(t, depsWith(t), "retirement_simulation", in, "out of range")
	in["years"] = 2
	_, got := callOK(t, depsWith(t), "retirement_simulation", in)
	wantWarning(t, got, "one return is 500.0%")
}

func TestRetirement_AnUnknownSymbolIsNoData(t *testing.T) {
	res := toolstest.Call(t, planning.Tools(depsWith(t, monthEnds("VTI", 0.1))), "retirement_simulation", args{"current_balance": 1, "years": 5, "symbol": "VTX"})
	toolstest.WantError(t, res, "unknown_symbol", "Did you mean VTI")
}
