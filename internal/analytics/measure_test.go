package analytics_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

func mustMeasure(t *testing.T, p analytics.Prices) analytics.Performance {
	t.Helper()
	perf, err := analytics.Measure(p)
	if err != nil {
		t.Fatalf("Measure = %v", err)
	}
	return perf
}

func TestMeasure_StatesInputsPeriodAndCount(t *testing.T) {
	perf := mustMeasure(t, sp500YearEnds(t))
	if perf.Observations != 7 || perf.PeriodsPerYear != 252 {
		t.Errorf("inputs = %+v", perf)
	}
	if !perf.From.Equal(day(t, "2008-01-02")) || !perf.To.Equal(day(t, "2020-04-17")) {
		t.Errorf("period = %s to %s", perf.From, perf.To)
	}
	wantNear(t, "years", perf.Years, 4489/365.25, 1e-12)
}

func TestMeasure_OneObservationIsTooFew(t *testing.T) {
	if _, err := analytics.Measure(pricesFromReturns(t, market.Daily)); !errors.Is(err, analytics.ErrTooFew) {
		t.Errorf("Measure of one price = %v, want ErrTooFew", err)
	}
}

func TestMeasure_WarnsOfWhatWeakensTheFigures(t *testing.T) {
	tests := []struct {
		name   string
		prices analytics.Prices
		want   []string // a part of each warning, in order
	}{
		{"two years of daily closes", mustPrices(t, randomSeries(t, 1, 800)), nil},
		{"few, and less than a year", pricesFromReturns(t, market.Daily, .01, -.01, .02),
			[]string{"extrapolated", "only 4 observations"}},
		{"one return", pricesFromReturns(t, market.Daily, .01),
			[]string{"not computed: volatility", "extrapolated", "only 2 observations"}},
		{"a rate beyond float64", pricesFromReturns(t, market.Daily, 99, 0),
			[]string{"not computed: annual return", "extrapolated", "only 3 observations"}},
		{"monthly", mustPrices(t, newSeries(t, market.Monthly, "2018-01-31", "1", "2018-02-28", "2", "2019-02-28", "3")),
			[]string{"only 3 observations", "sqrt(12)", "1 gaps in the data; the longest is 365 days, 2018-02-28 to 2019-02-28"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mustMeasure(t, tt.prices).Warnings
			if len(got) != len(tt.want) {
				t.Fatalf("warnings = %q, want %d like %q", got, len(tt.want), tt.want)
			}
			for i, part := range tt.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("warning %d = %q, want %q in it", i, got[i], part)
				}
			}
		})
	}
}

func TestMeasure_WhatCannotBeComputedIsAbsentNotZero(t *testing.T) {
	if perf := mustMeasure(t, pricesFromReturns(t, market.Daily, .01)); perf.AnnualVolatility != nil || perf.AnnualReturn == nil {
		t.Errorf("two prices: volatility %v, annual return %v; want only the return", perf.AnnualVolatility, perf.AnnualReturn)
	}
}

func TestGaps_ExchangeHolidaysAreNone(t *testing.T) {
	p := mustPrices(t, newSeries(t, market.Daily,
		"2001-09-07", "1085.78", "2001-09-10", "1092.54", "2001-09-17", "1038.77", "2001-09-25", "1012.27"))
	gaps := analytics.Gaps(p)
	if len(gaps) != 1 || gaps[0].Days() != 8 || !gaps[0].From.Equal(day(t, "2001-09-17")) {
		t.Errorf("gaps = %+v, want only the 8 days after 2001-09-17", gaps)
	}
}

// The expected distance of weekly or quarterly closes is not defined.
func TestGaps_AreOfDaysAndMonthsAlone(t *testing.T) {
	for _, interval := range []market.Interval{"", "weekly"} {
		p := mustPrices(t, newSeries(t, interval, "2020-03-31", "100", "2020-06-30", "104", "2020-09-30", "103"))
		if gaps := analytics.Gaps(p); len(gaps) != 0 {
			t.Errorf("gaps of closes of interval %q = %+v; want none", interval, gaps)
		}
	}
}

func BenchmarkMeasure5000(b *testing.B) {
	p, err := analytics.NewPrices(randomSeries(b, 1, 5000))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := analytics.Measure(p); err != nil {
			b.Fatal(err)
		}
	}
}
