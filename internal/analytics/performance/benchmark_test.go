package performance_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
)

func compare(t *testing.T, h *performance.History, s market.Series) performance.Comparison {
	t.Helper()
	c, err := h.Compare(s, h.First(), h.Last())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A portfolio that only ever held the benchmark, bought at the close, has its returns.
func TestCompare_APortfolioOfTheBenchmarkIsTheBenchmark(t *testing.T) {
	series := prices("FUND", "2024-01-01", "10", "11", "9", "12", "8", "10", "13", "14")
	h := history(t, ledger(
		deposit("2024-01-01", "1000"), buy("2024-01-01", "FUND", "100", "1000"),
		deposit("2024-01-04", "600"), buy("2024-01-04", "FUND", "50", "600"),
		sell("2024-01-06", "FUND", "30", "300"), withdraw("2024-01-06", "300"),
	), marketOf(series), "2024-01-08")
	c := compare(t, h, series)
	if c.Reason != "" {
		t.Fatalf("comparison is absent: %s", c.Reason)
	}
	if !c.EndDifference.Valid || c.EndDifference.Decimal.Abs().GreaterThan(dec("1e-12")) {
		t.Errorf("ahead by %v, want 0", c.EndDifference)
	}
	if c.TimeWeightedDifference == nil || math.Abs(*c.TimeWeightedDifference) > 1e-12 || c.MoneyWeightedDifference == nil || math.Abs(*c.MoneyWeightedDifference) > 1e-9 {
		t.Errorf("ahead by time %v, by money %v; want 0 and 0", c.TimeWeightedDifference, c.MoneyWeightedDifference)
	}
}

// 1,000 in at 10 and 1,000 in at 20 buy 150 units: 3,600 at 24. The portfolio is all cash and has 2,000.
// The series itself goes from 10 to 24.
func TestCompare_TheSameMoneyOnTheSameDays(t *testing.T) {
	series := closesFrom("FUND", "2024-03-01", "2023-12-31", "10", "2024-02-01", "20", "2024-03-01", "24")
	h := history(t, ledger(deposit("2024-01-01", "1000"), deposit("2024-02-01", "1000")), marketOf(), "2024-03-01")
	c := compare(t, h, series)
	wantSum(t, "end", c.End.Decimal, "3600")
	wantSum(t, "ahead", c.EndDifference.Decimal, "-1600")
	wantReturn(t, "series", c.Series, 1.4)
	// February 1: the 1,000 from the start became 2,000, and another 1,000 came in.
	wantReturn(t, "time-weighted", c.TimeWeighted, 3000.0/2000*1.2-1)
}

// Two euros a share are reinvested: 10 -> (10 - 2 + 2), and the rate rises by a tenth.
func TestCompare_CountsDividendsAndTheRate(t *testing.T) {
	series := priced("EUR", prices("FUND", "2024-01-01", "10", "10", "8", "8"))
	series.Actions = []market.Action{{Kind: market.ActionDividend, Date: date("2024-01-03"), Amount: dec("2")}}
	data := withRates(marketOf(), rates("EUR", "USD", prices("", "2024-01-01", "1", "1", "1", "1.1")))
	c := compare(t, history(t, ledger(deposit("2024-01-01", "800")), data, "2024-01-04"), series)
	wantSum(t, "end", c.End.Decimal.Round(9), "880")
}

func TestCompare_IsAbsentWithTheReason(t *testing.T) {
	series := prices("FUND", "2024-01-01", "10", "10", "2", "2")
	unknown := series
	unknown.Provenance.Adjustment = market.AdjustmentUnknown
	foreign := priced("JPY", series)
	l := ledger(deposit("2024-01-01", "1000"), withdraw("2024-01-03", "500"))
	for _, c := range []struct {
		name   string
		series market.Series
		says   string
	}{
		{"more taken out than it would have had", series, "the withdrawal"},
		{"of unknown level", unknown, "unknown"},
		{"without a rate", foreign, "no exchange rate for JPY"},
		{"without a close", prices("FUND", "2024-01-02", "10"), "no price or exchange rate on 2024-01-01"},
	} {
		got := compare(t, history(t, l, marketOf(), "2024-01-04"), c.series)
		if !strings.Contains(got.Reason, c.says) || got.End.Valid || got.TimeWeightedDifference != nil || got.MoneyWeightedDifference != nil {
			t.Errorf("%s: %+v; want it absent, saying %q", c.name, got, c.says)
		}
	}
}

// From the middle on, the value of the portfolio at the start buys the benchmark: 1,500 at 20
// are 75 units, and 600 more at 30 are 20: 95 at 30.
func TestCompare_BeginsWithTheValueAtTheStart(t *testing.T) {
	series := closesFrom("FUND", "2024-03-01", "2024-01-01", "10", "2024-01-15", "20", "2024-02-01", "30")
	h := history(t, ledger(deposit("2024-01-01", "1500"), deposit("2024-02-10", "600")), marketOf(), "2024-03-01")
	c, err := h.Compare(series, date("2024-01-20"), date("2024-03-01"))
	if err != nil {
		t.Fatal(err)
	}
	wantSum(t, "end", c.End.Decimal, "2850")
	wantSum(t, "ahead", c.EndDifference.Decimal, "-750")
}

// Two thirds of a unit, twice, minus four thirds: a remainder of rounding is not a debt.
func TestCompare_WhatRoundingLeavesIsNoDebt(t *testing.T) {
	series := closesFrom("FUND", "2024-03-01", "2024-01-01", "3")
	h := history(t, ledger(deposit("2024-01-01", "1"), deposit("2024-01-05", "1"), withdraw("2024-02-01", "2")), marketOf(), "2024-03-01")
	c := compare(t, h, series)
	if c.Reason != "" || !c.End.Decimal.IsZero() {
		t.Errorf("end = %v (%s), want 0", c.End, c.Reason)
	}
}

// 1,000 in at 10 and 1,000 in at 20: the second deposit changes neither return. The portfolio is all cash
// and stays at 100; the benchmark goes from 10 to 24.
func TestGrowth_EndsWhereTheTimeWeightedReturnsDo(t *testing.T) {
	series := prices("FUND", "2024-01-01", "10", "20", "18", "24")
	h := history(t, ledger(deposit("2024-01-01", "1000"), deposit("2024-01-02", "1000")), marketOf(), "2024-01-04")
	g, err := h.Growth(series, h.First().AddDate(0, 0, 1), h.Last())
	if err != nil || g.Reason != "" {
		t.Fatalf("Growth = %+v, %v", g, err)
	}
	c := compare(t, h, series)
	if n := len(g.Dates); n != len(g.Portfolio) || n != len(g.Benchmark) || !g.Dates[n-1].Equal(h.Last()) {
		t.Fatalf("Growth has %d days, %d and %d values", n, len(g.Portfolio), len(g.Benchmark))
	}
	for i, v := range g.Portfolio {
		if math.Abs(v-100) > 1e-9 {
			t.Errorf("the portfolio on day %d = %v, want 100: it is cash", i, v)
		}
	}
	if first := g.Benchmark[0]; first != 100 {
		t.Errorf("the benchmark begins at %v, want 100", first)
	}
	whole, err := h.Growth(series, h.First(), h.Last())
	if err != nil || c.TimeWeighted.Value == nil {
		t.Fatalf("Growth = %v, time-weighted %+v", err, c.TimeWeighted)
	}
	if end, want := whole.Benchmark[len(whole.Benchmark)-1], 100*(1+*c.TimeWeighted.Value); math.Abs(end-want) > 1e-9 {
		t.Errorf("the benchmark ends at %v, want %v as the comparison has it", end, want)
	}
}

func TestGrowth_WhatCannotBeComparedSaysWhy(t *testing.T) {
	h := history(t, ledger(deposit("2024-01-01", "1000")), marketOf(), "2024-01-04")
	if g, err := h.Growth(priced("EUR", prices("FUND", "2024-01-01", "10", "11", "12", "13")), h.First(), h.Last()); err != nil || g.Reason == "" || g.Portfolio != nil {
		t.Errorf("Growth without a rate = %+v, %v, want why it is absent", g, err)
	}
	if _, err := h.Growth(prices("FUND", "2024-01-01", "10"), h.Last(), h.First()); !errors.Is(err, performance.ErrInvalidRequest) {
		t.Errorf("Growth of a window that ends before it begins = %v, want ErrQuestion", err)
	}
}
