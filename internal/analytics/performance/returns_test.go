package performance_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
)

func seriesDate(s string) market.Date {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

// seriesUntil returns a series with each value from its day to the day before the next, up to and including
// until; an empty value is a day without one. There are no flows.
func seriesUntil(until string, dayAndWorth ...string) performance.ValueSeries {
	c := performance.ValueSeries{First: seriesDate(dayAndWorth[0]), Base: "USD"}
	next := 0
	for d := c.First; !d.After(seriesDate(until)); d = d.AddDate(0, 0, 1) {
		if next < len(dayAndWorth) && d.Equal(seriesDate(dayAndWorth[next])) {
			next += 2
		}
		var value decimal.NullDecimal
		if worth := dayAndWorth[next-1]; worth != "" {
			value = decimal.NewNullDecimal(decimal.RequireFromString(worth))
		}
		c.Values = append(c.Values, value)
	}
	c.Flows = make([]decimal.Decimal, len(c.Values))
	c.UnvaluedReason = func(i int) string { return fmt.Sprintf("nobody priced day %d", i) }
	c.UnknownFlowReason = func(performance.Span) string { return "" }
	return c
}

// flow adds a deposit on a day, or a withdrawal if it is below zero.
func flow(c performance.ValueSeries, day, amount string) performance.ValueSeries {
	i := int(seriesDate(day).Sub(c.First) / (24 * time.Hour))
	c.Flows[i] = c.Flows[i].Add(decimal.RequireFromString(amount))
	return c
}

func fullSpan(c performance.ValueSeries) performance.Span {
	return performance.Span{To: len(c.Values) - 1}
}

// methods returns the returns of a span by method.
func methods(c performance.ValueSeries, s performance.Span) map[string]performance.Return {
	return map[string]performance.Return{
		"time": c.TimeWeighted(s), "money": c.MoneyWeighted(s), "dietz": c.ModifiedDietz(s), "linked": c.LinkedDietz(s),
	}
}

// wantSeriesReturn compares to within a billionth.
func wantSeriesReturn(t testing.TB, name string, got performance.Return, want float64) {
	t.Helper()
	if got.Value == nil {
		t.Errorf("%s is absent: %s; want %v", name, got.Reason, want)
	} else if math.Abs(*got.Value-want) > 1e-9*max(1, math.Abs(want)) {
		t.Errorf("%s = %v; want %v", name, *got.Value, want)
	}
}

func wantAbsentSeriesReturn(t testing.TB, name string, got performance.Return, why string) {
	t.Helper()
	if got.Value != nil || got.Annual != nil || !strings.Contains(got.Reason, why) {
		t.Errorf("%s = %v, absent because %q; want it absent because %q", name, got.Value, got.Reason, why)
	}
}

// 1,000 become 1,100: 10% by every method, over two days, a month, or a year of 365 days, for which a
// spreadsheet's XIRR is 10% as well.
func TestValueSeries_AllMethodsAgreeOnOnePayment(t *testing.T) {
	for _, to := range []string{"2023-01-02", "2023-01-31", "2024-01-01"} {
		c := flow(seriesUntil(to, "2022-12-31", "0", "2023-01-01", "1000", to, "1100"), "2023-01-01", "1000")
		for name, m := range methods(c, fullSpan(c)) {
			wantSeriesReturn(t, name+" to "+to, m, 0.1)
		}
		if annual := c.MoneyWeighted(fullSpan(c)).Annual; to == "2024-01-01" && (annual == nil || math.Abs(*annual-0.1) > 1e-9) {
			t.Errorf("XIRR = %v, want 10 %%", annual)
		}
	}
}

func TestValueSeries_ShortWindowsAreNeverAnnualized(t *testing.T) {
	half := seriesUntil("2024-12-31", "2024-06-30", "1100", "2024-12-31", "1210")
	for name, m := range methods(half, fullSpan(half)) {
		wantSeriesReturn(t, name+" of half a year", m, 0.1)
		if m.Annual != nil {
			t.Errorf("%s of half a year has an annual rate of %v, want none", name, *m.Annual)
		}
	}
	// 366 days: 1.21^(365/366) - 1.
	year, want := seriesUntil("2024-12-31", "2023-12-31", "1000", "2024-12-31", "1210"), math.Pow(1.21, 365.0/366)-1
	for name, m := range methods(year, fullSpan(year)) {
		wantSeriesReturn(t, name+" of a year", m, 0.21)
		if m.Annual == nil || math.Abs(*m.Annual-want) > 1e-9 {
			t.Errorf("%s of a leap year = %v a year, want %v", name, m.Annual, want)
		}
	}
}

// January +10% on 1,000; 900 are paid in on February 1, and the 2,000 end as 1,945.
func TestLinkedDietz_LinksCalendarMonths(t *testing.T) {
	c := flow(seriesUntil("2024-02-29", "2023-12-31", "1000", "2024-01-31", "1100", "2024-02-01", "2000", "2024-02-29", "1945"), "2024-02-01", "900")
	wantSeriesReturn(t, "linked monthly", c.LinkedDietz(fullSpan(c)), 1.1*1945/2000-1)
	wantSeriesReturn(t, "time-weighted", c.TimeWeighted(fullSpan(c)), 1.1*1945/2000-1)
}

// A window from the middle of one month to the middle of another has three parts, of 16, 29 and 10 days,
// each with +10%.
func TestLinkedDietz_TheFirstAndLastMonthAreCutByTheWindow(t *testing.T) {
	c := seriesUntil("2024-03-10", "2024-01-15", "1000", "2024-01-31", "1100", "2024-02-29", "1210", "2024-03-10", "1331")
	m := c.LinkedDietz(fullSpan(c))
	wantSeriesReturn(t, "linked monthly", m, 0.331)
	if months := m.Inputs[len(m.Inputs)-1]; months.Name != "months linked" || !months.Value.Equal(decimal.NewFromInt(3)) {
		t.Errorf("linked of %+v, want three months", months)
	}
}

// A deposit counts from the start of its day, a withdrawal until the end of its day: in a window of 30
// days, (30 - 10 + 1) / 30 and (30 - 20) / 30.
func TestAverageCapital_WeighsFlowsByTheirDays(t *testing.T) {
	c := seriesUntil("2024-04-30", "2024-03-31", "100000", "2024-04-10", "120000", "2024-04-20", "115000", "2024-04-30", "121000")
	c = flow(flow(c, "2024-04-10", "20000"), "2024-04-20", "-5000")
	want := 100000 + 20000*0.7 - 5000.0/3
	if capital, ok := c.AverageCapital(fullSpan(c)); !ok || math.Abs(capital-want) > 1e-6 {
		t.Errorf("AverageCapital = %v, %v, want %v", capital, ok, want)
	}
	wantSeriesReturn(t, "Modified Dietz", c.ModifiedDietz(fullSpan(c)), 6000/want)
	if net := c.NetFlow(fullSpan(c)); !net.Equal(decimal.NewFromInt(15000)) {
		t.Errorf("NetFlow = %s, want 15000", net)
	}
	owed := seriesUntil("2024-04-30", "2024-03-31", "-10")
	if capital, ok := owed.AverageCapital(fullSpan(owed)); ok {
		t.Errorf("AverageCapital of a debt = %v, want none", capital)
	}
}

// 1,000 were paid in, 2,300 taken out and 1,320 are owed: 10% and 20% both solve -1 + 2.3 v - 1.32 v^2 = 0.
func TestMoneyWeighted_SeveralRatesAreNone(t *testing.T) {
	c := flow(seriesUntil("2023-01-01", "2021-01-01", "1000", "2022-01-01", "-1300", "2023-01-01", "-1320"), "2022-01-01", "-2300")
	wantAbsentSeriesReturn(t, "money-weighted", c.MoneyWeighted(fullSpan(c)), "10.00%, 20.00%")
}

func TestPath_EndsWhereTheTimeWeightedReturnDoes(t *testing.T) {
	c := flow(seriesUntil("2024-01-05", "2024-01-01", "100", "2024-01-02", "", "2024-01-03", "110", "2024-01-04", "60", "2024-01-05", "66"), "2024-01-04", "-50")
	path, why := c.Path(fullSpan(c))
	if why != "" || len(path) != 5 {
		t.Fatalf("Path = %v, %q; want five days", path, why)
	}
	if path[0] != 100 || !math.IsNaN(path[1]) || math.Abs(path[2]-110) > 1e-9 || math.Abs(path[3]-110) > 1e-9 || math.Abs(path[4]-121) > 1e-9 {
		t.Errorf("Path = %v, want 100, nothing, 110, 110, 121", path)
	}
	wantSeriesReturn(t, "time-weighted", c.TimeWeighted(fullSpan(c)), 0.21)
}

// The return of the closes alone, whatever the flows.
func TestSeries_LooksAtNoFlow(t *testing.T) {
	c := flow(seriesUntil("2024-02-01", "2024-01-01", "10", "2024-02-01", "12"), "2024-01-10", "1000000")
	m := c.Series(fullSpan(c))
	wantSeriesReturn(t, "series", m, 0.2)
	if n := len(m.Inputs); n != 3 || m.Inputs[1].Name != "first close" || !m.Inputs[2].Date.Equal(seriesDate("2024-02-01")) {
		t.Errorf("inputs = %+v, want the days and both closes", m.Inputs)
	}
}

// An unknown return is absent, with the reason that the series gives.
func TestValueSeries_WhatIsNotKnownIsAbsentWithItsReason(t *testing.T) {
	noEnd := seriesUntil("2024-01-31", "2024-01-01", "100", "2024-01-31", "")
	noFlow := seriesUntil("2024-01-31", "2024-01-01", "100")
	noFlow.UnknownFlowReason = func(s performance.Span) string { return fmt.Sprintf("a gift after day %d", s.From) }
	gap := flow(seriesUntil("2024-01-31", "2024-01-01", "100", "2024-01-10", "", "2024-01-12", "150"), "2024-01-11", "50")
	for name, m := range methods(noEnd, fullSpan(noEnd)) {
		wantAbsentSeriesReturn(t, name+" without a value at the end", m, "nobody priced day 30")
	}
	wantAbsentSeriesReturn(t, "series without a value at the end", noEnd.Series(fullSpan(noEnd)), "nobody priced day 30")
	for name, m := range methods(noFlow, fullSpan(noFlow)) {
		wantAbsentSeriesReturn(t, name+" with a flow nobody knows", m, "a gift after day 0")
	}
	wantAbsentSeriesReturn(t, "time-weighted over a flow in a gap", gap.TimeWeighted(fullSpan(gap)), "there was a cash flow of 50 USD on 2024-01-11, but nobody priced day 10")
	if _, why := gap.Path(fullSpan(gap)); why == "" {
		t.Error("Path over a flow in a gap says nothing")
	}
	empty := seriesUntil("2024-01-31", "2024-01-01", "0")
	wantAbsentSeriesReturn(t, "time-weighted of nothing", empty.TimeWeighted(fullSpan(empty)), "nothing was invested")
	wantAbsentSeriesReturn(t, "linked of nothing", empty.LinkedDietz(fullSpan(empty)), "nothing was invested")
}
