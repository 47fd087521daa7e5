package chart_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/charttest"
)

func TestSpec_IsTheSameAfterJSON(t *testing.T) {
	for name, spec := range charttest.FixtureSpecs() {
		data, err := json.Marshal(spec)
		if err != nil {
			t.Fatalf("Marshal(%s) = %v", name, err)
		}
		var again chart.Spec
		if err := json.Unmarshal(data, &again); err != nil {
			t.Fatalf("Unmarshal(%s) = %v", name, err)
		}
		if diff := cmp.Diff(spec, again, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s after JSON (-want +got):\n%s", name, diff)
		}
	}
}

func TestValues_AMissingOneIsNull(t *testing.T) {
	data, err := json.Marshal(chart.Values{1.5, math.NaN(), -2, math.Inf(1), 1e-9})
	if err != nil || string(data) != `[1.5,null,-2,null,1e-09]` {
		t.Fatalf("Marshal = %s, %v; want nulls for what is missing", data, err)
	}
	var got chart.Values
	if err := json.Unmarshal([]byte(`[null, 0, 2]`), &got); err != nil || !math.IsNaN(got[0]) || got[1] != 0 || got[2] != 2 {
		t.Errorf("Unmarshal = %v, %v; want NaN, 0, 2", got, err)
	}
	if err := json.Unmarshal([]byte(`null`), &got); err != nil || got != nil {
		t.Errorf("Unmarshal(null) = %v, %v; want none", got, err)
	}
	if err := json.Unmarshal([]byte(`["1"]`), &got); err == nil {
		t.Errorf("Unmarshal of text = %v, want an error", got)
	}
}

func TestValidate_RefusesWhatCannotBeDrawnAsMeant(t *testing.T) {
	days := charttest.FixtureWeekdays(3)
	ok := chart.Series{Name: "A", Times: days, Values: chart.Values{1, 2, 3}}
	line := func(change func(*chart.Spec)) chart.Spec {
		s := chart.Spec{Kind: chart.KindLine, Title: "A", Series: []chart.Series{ok}}
		change(&s)
		return s
	}
	values := func(v ...float64) chart.Spec {
		return line(func(s *chart.Spec) { s.Series = []chart.Series{{Times: charttest.FixtureWeekdays(len(v)), Values: v}} })
	}
	kind := func(k chart.Kind, s chart.Spec) chart.Spec { s.Kind = k; return s }
	candle := func(open, high, low, end, volume float64) chart.Spec {
		return chart.Spec{Kind: chart.KindCandles, Candles: chart.Candles{Times: days[:1], Open: chart.Values{open},
			High: chart.Values{high}, Low: chart.Values{low}, Close: chart.Values{end}, Volume: chart.Values{volume}}}
	}
	bands := func(bands ...chart.Percentile) chart.Spec {
		return chart.Spec{Kind: chart.KindFan, Fan: chart.Fan{Times: days[:1], Percentiles: bands}}
	}
	for _, row := range []struct {
		name, says string
		spec       chart.Spec
	}{
		{"kind", "unknown kind", kind("pie", line(func(*chart.Spec) {}))},
		{"no series", "0 series", line(func(s *chart.Spec) { s.Series = nil })},
		{"seven series", "7 series", line(func(s *chart.Spec) { s.Series = []chart.Series{ok, ok, ok, ok, ok, ok, ok} })},
		{"long title", "longer than", line(func(s *chart.Spec) { s.Title = strings.Repeat("x", 201) })},
		{"long name", "longer than", line(func(s *chart.Spec) { s.Series[0].Name = strings.Repeat("x", 201) })},
		{"no points", "0 points", values()},
		{"too many points", "100000 points", kind(chart.KindLine, seriesSpec(make([]time.Time, 100_000), make([]float64, 100_000)...))},
		{"lengths", "2 values for 3 points", line(func(s *chart.Spec) { s.Series[0].Values = chart.Values{1, 2} })},
		{"backwards", "oldest first", line(func(s *chart.Spec) { s.Series[0].Times = []time.Time{days[2], days[1], days[0]} })},
		{"year", "year 12000", line(func(s *chart.Spec) { s.Series[0].Times = []time.Time{days[0], days[1], days[2].AddDate(9976, 0, 0)} })},
		{"infinite", "+Inf", values(1, math.Inf(1))},
		{"beyond figures", "1e+200", values(1, 1e200)},
		{"all missing", "all values are missing", values(math.NaN())},
		{"log of zero", "log scale", line(func(s *chart.Spec) { s.Log, s.Series = true, values(1, 0).Series })},
		{"rebased below zero", "rebased", kind(chart.KindCompare, values(1, -1))},
		{"nothing in common", "no common day", kind(chart.KindCompare, line(func(s *chart.Spec) {
			s.Series = append(s.Series, chart.Series{Times: []time.Time{days[0].AddDate(1, 0, 0)}, Values: chart.Values{1}})
		}))},
		{"a rise in a drawdown", "zero or less", kind(chart.KindDrawdown, values(-1, 2))},
		{"two histograms", "has one", kind(chart.KindHistogram, line(func(s *chart.Spec) { s.Series = []chart.Series{ok, ok} }))},
		{"low above open", "not between the low and the high", candle(1, 3, 2, 3, 1)},
		{"negative volume", "below zero", candle(1, 3, 1, 3, -1)},
		{"even percentiles", "odd number", bands(chart.Percentile{Rank: 5, Values: chart.Values{1}}, chart.Percentile{Rank: 95, Values: chart.Values{2}})},
		{"percentile of 101", "percentile 101", bands(chart.Percentile{Rank: 101, Values: chart.Values{1}})},
		{"percentile of nothing", "percentile NaN", bands(chart.Percentile{Rank: math.NaN(), Values: chart.Values{1}})},
		{"crossing percentiles", "is below percentile", bands(chart.Percentile{Rank: 5, Values: chart.Values{2}},
			chart.Percentile{Rank: 50, Values: chart.Values{1}}, chart.Percentile{Rank: 95, Values: chart.Values{3}})},
		{"no parts", "0 parts", chart.Spec{Kind: chart.KindBars}},
		{"part without value", "no value", chart.Spec{Kind: chart.KindBars, Parts: []chart.Part{{Label: "a", Value: math.NaN()}}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := row.spec.Validate()
			if !errors.Is(err, chart.ErrInvalid) || !strings.Contains(err.Error(), row.says) {
				t.Errorf("Validate() = %v, want ErrInvalid that says %q", err, row.says)
			}
			if row.name != "too many points" {
				if lines := chart.Render(row.spec, chart.RenderOptions{Width: 50, Height: 9}); len(lines) == 0 || len(lines) > 9 {
					t.Errorf("it is drawn in %d lines, want 1 to 9", len(lines))
				}
			}
		})
	}
	for name, spec := range charttest.FixtureSpecs() {
		if err := spec.Validate(); err != nil {
			t.Errorf("Validate(%s) = %v, want nil", name, err)
		}
	}
}

// seriesSpec returns a line chart with nothing but its axes.
func seriesSpec(times []time.Time, values ...float64) chart.Spec {
	return chart.Spec{Kind: chart.KindLine, Series: []chart.Series{{Times: times, Values: values}}}
}
