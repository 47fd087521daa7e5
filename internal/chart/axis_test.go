package chart_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart"
)

func TestScale_HasRoundNumbersOnIt(t *testing.T) {
	for _, row := range []struct {
		name      string
		low, high float64
		log       bool
		want      []string
	}{
		{"prices", 98.2, 121.7, false, []string{"100", "105", "110", "115", "120"}},
		{"across zero", -3, 2, false, []string{"-3", "-2", "-1", "0", "1", "2"}},
		{"millions", 1e6, 3e6, false, []string{"1.0M", "1.5M", "2.0M", "2.5M", "3.0M"}},
		{"decades", 1, 10_000, true, []string{"1", "10", "100", "1,000", "10,000"}},
		{"no logarithm", 0, 4, true, []string{"0", "1", "2", "3", "4"}},
		{"one value", 7, 7, false, []string{"6.8", "7.0", "7.2"}},
	} {
		var e chart.ValueRange
		e.Add(row.high, math.NaN(), row.low, math.Inf(1))
		var got []string
		last := -1.0
		for _, tick := range e.Scale(row.log).Ticks(5, "") {
			if tick.Position <= last || tick.Position > 1 {
				t.Errorf("%s: %s stands at %g after %g", row.name, tick.Label, tick.Position, last)
			}
			got, last = append(got, tick.Label), tick.Position
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}

func TestScale_KnowsNoPlaceForWhatIsNotKnown(t *testing.T) {
	var e chart.ValueRange
	e.Add(1, 100)
	for _, v := range []float64{math.NaN(), math.Inf(-1), 1e200, 0, -5} {
		if got := e.Scale(true).Position(v); !math.IsNaN(got) {
			t.Errorf("Position(%g) on a logarithmic scale = %g, want none", v, got)
		}
	}
	if got := e.Scale(true).Position(10); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("Position(10) from 1 to 100 = %g, want half-way", got)
	}
}

// The reader of a chart does not know when it was drawn.
func TestPeriod_WhatATickLeavesOutStandsAboveIt(t *testing.T) {
	from := time.Date(2023, 12, 31, 9, 30, 0, 0, time.UTC)
	for _, row := range []struct {
		name string
		p    chart.Period
		want string
	}{
		{"hours", period(from, from.Add(time.Hour), from.Add(6*time.Hour)), "2023-12-31"},
		{"days", period(from, from.AddDate(0, 0, 40)), "2024"},
		{"months", period(from, from.AddDate(0, 8, 0)), ""},
		{"years", period(from, from.AddDate(30, 0, 0)), ""},
		{"the ends", period(from, from), ""},
	} {
		if first := row.p.Ticks(60)[0]; first.At.Format(first.ContextLayout) != row.want {
			t.Errorf("%s: above %s stands %q, want %q", row.name, first.At.Format(first.Layout), first.At.Format(first.ContextLayout), row.want)
		}
	}
}

func period(times ...time.Time) chart.Period {
	var p chart.Period
	p.Add(times)
	return p
}

func TestPeriod_TicksAreBeginnings(t *testing.T) {
	from := time.Date(2023, 11, 6, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		days int
		want []string
	}{
		{0, []string{"2023-11-06"}},
		{1, []string{"Nov 6", "Nov 7"}},
		{60, []string{"Nov 13", "Nov 27", "Dec 11", "Dec 25"}},
		{365, []string{"2024-01", "2024-04", "2024-07", "2024-10"}},
		{4000, []string{"2024", "2026", "2028", "2030", "2032", "2034"}},
	} {
		var p chart.Period
		p.Add([]time.Time{from, from.AddDate(0, 0, row.days)})
		var got []string
		for _, tick := range p.Ticks(50) {
			got = append(got, tick.At.Format(tick.Layout))
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%d days (-want +got):\n%s", row.days, diff)
		}
	}
}
