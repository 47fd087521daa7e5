package positions_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// A reason for all returns of a window is given once, and a reason for one return with its name.
func TestPerformance_AReasonIsSaidOnce(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Transactions = append(w.Transactions, toolstest.Buy("3", "de", "NONE", "1", "50", "EUR", "2024-01-04"))
	res, _ := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	if n := strings.Count(res.UserText(), "since inception, all returns: "); n != 1 || strings.Contains(res.UserText(), "since inception, time-weighted: ") {
		t.Errorf("the reason of all returns stands %d times:\n%s", n, res.UserText())
	}
	res, _ = toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{"method": "money_weighted"})
	if !strings.Contains(res.UserText(), "since inception, money-weighted: ") {
		t.Errorf("the only return has no reason by its name:\n%s", res.UserText())
	}
}

// The source of prices is listed once per security, even if the benchmark is a position, and a flag
// of any security is shown for the whole answer.
func TestPerformance_OriginsAreThoseOfAllPricesOnce(t *testing.T) {
	w := toolstest.TwoCurrencyFixture()
	w.Series = append(w.Series, toolstest.Daily("INDEX", "USD", toolstest.MustDay("2023-12-26"), repeated("50", 10)...))
	for i := range w.Series {
		if w.Series[i].Symbol == "SAP" {
			w.Series[i].Provenance.Flags = []market.Flag{market.FlagSample}
		}
	}
	for benchmark, want := range map[string][]string{"": {"SAP", "VTI"}, "VTI": {"SAP", "VTI"}, "INDEX": {"SAP", "VTI", "INDEX"}} {
		res, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{"benchmark": benchmark})
		if diff := cmp.Diff(want, toolstest.Rows(t, got, "prices", "symbol")); diff != "" {
			t.Errorf("benchmark %q, prices of (-want +got):\n%s", benchmark, diff)
		}
		if diff := cmp.Diff([]string{"EUR/USD"}, toolstest.Rows(t, got, "rates", "pair")); diff != "" {
			t.Errorf("benchmark %q, rates of (-want +got):\n%s", benchmark, diff)
		}
		warnings := toolstest.Warnings(t, got)
		if strings.Count(warnings, "Some prices are SAMPLE.") != 1 || !strings.Contains(res.Summary, "SAMPLE") {
			t.Errorf("warnings = %q, summary %q; want the flag once in both", warnings, res.Summary)
		}
	}
}

// A table states how many lots its total excludes; otherwise a partial total would look complete.
func TestPerformance_PeopleAreToldHowManyLotsAreNotKnown(t *testing.T) {
	w := twoYears()
	w.Transactions = append(w.Transactions, portfolio.Transaction{
		ID: "in", Date: toolstest.MustDay("2023-02-01"), Kind: portfolio.KindTransferIn, Account: "us", Symbol: "INDEX", Quantity: toolstest.MustDecimal("1"), CostUnknown: true,
	})
	res, _ := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	if !strings.Contains(res.UserText(), "-400.00 (without 1 of 3 lots of unknown gain)") {
		t.Errorf("the sum does not say what it leaves out:\n%s", res.UserText())
	}
	if f := toolstest.Figure(t, res, "windows.3.unrealised.unknown"); f.Value.String() != "1" || f.Unit != "lots" {
		t.Errorf("figure = %+v, want 1 lot", f)
	}
}

// Flows are in the last window, which includes those of the others. People and models see the
// newest ones.
func TestPerformance_TheNewestOfManyPaymentsAreListed(t *testing.T) {
	w := twoYears()
	first := toolstest.MustDay("2023-02-01")
	for i := range 60 {
		paid := cash(fmt.Sprint("p", i), portfolio.KindDeposit, "1", "2023-02-01")
		paid.Date = first.AddDate(0, 0, i)
		w.Transactions = append(w.Transactions, paid)
	}
	res, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "windows", "since inception"), map[string]any{"flow_days": 62.0, "net_flow": "2260"})
	if year := toolstest.ObjectAt(t, got, "windows", "1 year"); year["flows"] != nil {
		t.Errorf("flows of the shorter window = %v, want those of the longest alone", year["flows"])
	}
	output := toolstest.Rows(t, toolstest.ObjectAt(t, any(toolstest.Object(t, res.ForModel)), "windows", "since inception"), "flows", "date")
	if len(output) != 40 || output[0] != "2023-02-22" || output[39] != "2024-01-02" {
		t.Errorf("a model is told of %d flows, %v; want the newest 40, to 2024-01-02", len(output), output)
	}
	if strings.Contains(res.UserText(), "| 2023-02-21 |") || !strings.Contains(res.UserText(), "| 2023-02-22 |") {
		t.Errorf("people are not shown the newest 40:\n%s", res.UserText())
	}
	if f := toolstest.Figure(t, res, "windows.3.flows.61.amount"); f.Label != "deposit or withdrawal, 2024-01-02, since inception" || f.Unit != "USD" {
		t.Errorf("figure = %+v, want the newest payment", f)
	}
}

// The labels of figures name their period.
func TestPerformance_FiguresAreNamedByTheirWindow(t *testing.T) {
	tools := performanceToolsOf(t, twoYears())
	res, _ := toolstest.CallOK(t, tools, performanceOf, toolstest.Args{})
	for id, want := range map[string]string{
		"windows.0.days": "366 1 year days", "windows.3.days": "731 since inception days", "windows.3.returns.0.pct": "-10 return, time-weighted, since inception",
		"windows.3.attribution.effects.5.amount": "-400 gain by source, gain, since inception",
	} {
		if f := toolstest.Figure(t, res, id); f.Value.Round(2).String()+" "+f.Label != want {
			t.Errorf("figure %s = %s %s, want %s", id, f.Value, f.Label, want)
		}
	}
	res, _ = toolstest.CallOK(t, tools, performanceOf, toolstest.Args{"range": "6m"})
	if f := toolstest.Figure(t, res, "windows.0.returns.0.pct"); !f.Value.IsZero() || !strings.HasSuffix(f.Label, "2024-07-01 to 2025-01-01") {
		t.Errorf("figure of the period = %s %s, want 0: the price stayed at 90", f.Value, f.Label)
	}
}

// The chart shows the value of the portfolio, with a gap where it is unknown.
func TestPerformance_TheChartHasAGapWhereThereIsNoValue(t *testing.T) {
	w := twoYears()
	w.Transactions = append(w.Transactions, toolstest.Sell("5", "us", "XYZ", "20", "1800", "USD", "2024-09-02"), toolstest.Buy("6", "us", "HOLE", "1", "10", "USD", "2024-10-01"), toolstest.Sell("7", "us", "HOLE", "1", "10", "USD", "2024-11-01"))
	res, got := toolstest.CallOK(t, performanceToolsOf(t, w), performanceOf, toolstest.Args{})
	if res.Chart == nil || len(res.Chart.Series) != 1 {
		t.Fatalf("chart = %+v, want one line", res.Chart)
	}
	line, holes := res.Chart.Series[0], 0
	for i, v := range line.Values {
		inside := !line.Times[i].Before(toolstest.MustDay("2024-10-01")) && line.Times[i].Before(toolstest.MustDay("2024-11-01"))
		if v != v != inside {
			t.Fatalf("%s: value %v; want none while HOLE was held, and one else", line.Times[i].Format("2006-01-02"), v)
		}
		if v != v {
			holes++
		}
	}
	toolstest.WantFields(t, toolstest.ObjectAt(t, got, "gaps", "HOLE"), map[string]any{"from": "2024-10-01", "to": "2024-10-31"})
	// A long series is thinned, which must not close the gap.
	if holes == 0 || holes > 31 {
		t.Errorf("%d points of %d without a value, want some of October", holes, len(line.Values))
	}
	// Only the day before the portfolio, on which it was empty, has a value.
	none := twoYears()
	none.Series = none.Series[1:]
	if res, _ := toolstest.CallOK(t, performanceToolsOf(t, none), performanceOf, toolstest.Args{}); res.Chart != nil {
		t.Errorf("chart = %+v though XYZ has no price, want none", res.Chart)
	}
}

// A default benchmark that is not a symbol, or has no closes, is reported next to the returns, none of
// which depends on it.
func TestPerformance_ABenchmarkOfTheSettingsNeverFails(t *testing.T) {
	for _, setting := range []string{"not a symbol at all, but a sentence", "NOPE", "LATE"} {
		w := twoYears()
		w.Series = append(w.Series, toolstest.Daily("LATE", "USD", toolstest.MustDay("2024-12-30"), "10", "11"))
		d := w.Deps(t)
		d.Benchmark = setting
		tools := positions.PerformanceTools(d)
		res, got := toolstest.CallOK(t, tools, performanceOf, toolstest.Args{})
		in := toolstest.ObjectAt(t, got, "windows", "since inception")
		why, _ := toolstest.ObjectAt(t, in, "benchmark")["why"].(string)
		if why == "" || pct(t, in, "time_weighted", "pct") != "-10" {
			t.Errorf("setting %q: why %q, return %s; want a reason beside -10", setting, why, pct(t, in, "time_weighted", "pct"))
		}
		if !strings.Contains(res.UserText(), "since inception, benchmark: ") {
			t.Errorf("setting %q: people are not told why:\n%s", setting, res.UserText())
		}
	}
}
