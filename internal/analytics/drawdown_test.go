package analytics_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

var driftTolerance = cmpopts.EquateApprox(0, 5e-5)

func TestMaxDrawdown_WorkedExamples(t *testing.T) {
	at := func(s string) time.Time { return day(t, s) }
	tests := []struct {
		name   string
		prices analytics.Prices
		want   analytics.Drawdown
	}{
		{
			// 676.53/1447.16 - 1: the fall of 2008, back on 2012-09-13.
			"the index since 2008", sp500YearEnds(t),
			analytics.Drawdown{Depth: -0.5325, Peak: at("2008-01-02"), Trough: at("2009-03-09"), Recovery: at("2012-09-13")},
		},
		{
			// YCharts glossary, "Max Drawdown": 46.67% from 150,000 to 80,000; the rise to 120,000 in
			// between is not a new peak.
			"a bounce on the way down",
			mustPrices(t, newSeries(t, market.Monthly, "2020-01-31", "100000", "2020-02-29", "150000", "2020-03-31", "90000",
				"2020-04-30", "120000", "2020-05-31", "80000", "2020-06-30", "200000")),
			analytics.Drawdown{Depth: -0.4667, Peak: at("2020-02-29"), Trough: at("2020-05-31"), Recovery: at("2020-06-30")},
		},
		{
			// empyrical 0.5, tests/test_stats.py, test_max_drawdown: mixed_returns.
			"still down at the end",
			pricesFromReturns(t, market.Daily, .01, .10, -.04, .02, .03, .02, .01, -.10),
			analytics.Drawdown{Depth: -0.1, Peak: at("2000-02-06"), Trough: at("2000-02-07")},
		},
		{
			"a high held for two days was set on the first",
			mustPrices(t, newSeries(t, market.Daily, "2020-01-01", "10", "2020-01-02", "10", "2020-01-03", "9", "2020-01-04", "9", "2020-01-05", "10")),
			analytics.Drawdown{Depth: -0.1, Peak: at("2020-01-01"), Trough: at("2020-01-03"), Recovery: at("2020-01-05")},
		},
		{
			"a deeper fall replaces a recovered one",
			mustPrices(t, newSeries(t, market.Daily, "2020-01-01", "10", "2020-01-02", "9", "2020-01-03", "12", "2020-01-04", "6", "2020-01-05", "11")),
			analytics.Drawdown{Depth: -0.5, Peak: at("2020-01-03"), Trough: at("2020-01-04")},
		},
		{"one observation", pricesFromReturns(t, market.Daily), analytics.Drawdown{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := analytics.MaxDrawdown(tt.prices)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, driftTolerance); diff != "" {
				t.Errorf("worst drawdown (-want +got):\n%s", diff)
			}
		})
	}
}

// empyrical 0.5, tests/test_stats.py, test_max_drawdown: negative_returns.
func TestMaxDrawdown_FallFromTheFirstPriceCounts(t *testing.T) {
	got, err := analytics.MaxDrawdown(pricesFromReturns(t, market.Daily, 0, -.06, -.07, -.01, -.09, -.02, -.06, -.08, -.05))
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "depth", got.Depth, -0.36590730349873601, 1e-8)
}

func TestDrawdown_MonotoneRiseHasNone(t *testing.T) {
	p := pricesFromReturns(t, market.Daily, .01, .002, 0, .03, .5)
	for name, measure := range map[string]func(analytics.Prices) (analytics.Drawdown, error){
		"worst": analytics.MaxDrawdown, "current": analytics.CurrentDrawdown,
	} {
		if got, err := measure(p); err != nil || got != (analytics.Drawdown{}) {
			t.Errorf("%s drawdown of a rise = %+v, %v; want none", name, got, err)
		}
	}
}

// 2874.56/3386.15 - 1, below the high of 2020-02-19.
func TestCurrentDrawdown_IsMeasuredFromTheHighestPrice(t *testing.T) {
	got, err := analytics.CurrentDrawdown(sp500YearEnds(t))
	if err != nil {
		t.Fatal(err)
	}
	want := analytics.Drawdown{Depth: -0.15108, Peak: day(t, "2020-02-19"), Trough: day(t, "2020-04-17")}
	if diff := cmp.Diff(want, got, driftTolerance); diff != "" {
		t.Errorf("current drawdown (-want +got):\n%s", diff)
	}
}

func TestDrawdown_NoObservationIsTooFew(t *testing.T) {
	for name, measure := range measures() {
		if _, err := measure(analytics.Prices{}); !errors.Is(err, analytics.ErrTooFew) {
			t.Errorf("%s of nothing = %v, want ErrTooFew", name, err)
		}
	}
}

// The definition applied directly to all pairs: the lowest ratio of a later price to an earlier one.
func TestMaxDrawdown_EqualsTheWorstOfAllPairs(t *testing.T) {
	for seed := range uint64(20) {
		s := randomSeries(t, seed, 200)
		want := 0.0
		for i := range s.Bars {
			for _, later := range s.Bars[i:] {
				want = math.Min(want, later.Close.InexactFloat64()/s.Bars[i].Close.InexactFloat64()-1)
			}
		}
		p := mustPrices(t, s)
		worst, err := analytics.MaxDrawdown(p)
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, "worst drawdown", worst.Depth, want, 1e-12)
		current, err := analytics.CurrentDrawdown(p)
		if err != nil {
			t.Fatal(err)
		}
		if current.Depth < worst.Depth || current.Depth > 0 {
			t.Errorf("seed %d: current drawdown %v lies outside %v..0", seed, current.Depth, worst.Depth)
		}
	}
}
