package chart_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/charttest"
)

func TestDescribe_AComparisonWithoutValuesIsNoZero(t *testing.T) {
	a := chart.Series{Name: "A", Times: charttest.FixtureWeekdays(2), Values: chart.Values{100, 110}}
	for name, other := range map[string]chart.Series{
		"no point":     {Name: "B"},
		"none known":   {Name: "B", Times: charttest.FixtureWeekdays(2), Values: chart.Values{math.NaN(), math.NaN()}},
		"no moment":    {Name: "B", Values: chart.Values{1}},
		"not drawable": {Name: "B", Times: charttest.FixtureWeekdays(1), Values: chart.Values{math.Inf(1)}},
	} {
		spec := chart.Spec{Kind: chart.KindCompare, Rebased: true, Series: []chart.Series{a, other}}
		if got, want := chart.Describe(spec), "rebased to 100: from 100 on 2024-01-02 to A 110 on 2024-01-03."; got != want {
			t.Errorf("%s: Describe = %q, want %q", name, got, want)
		}
		spec.Series = spec.Series[1:]
		if got := chart.Describe(spec); !strings.HasSuffix(got, "no data.") {
			t.Errorf("%s alone: Describe = %q, want no data", name, got)
		}
	}
}

func TestDescribe_PutsPointsInOrderAndKeepsWhatIsMissing(t *testing.T) {
	days := charttest.FixtureWeekdays(2)
	spec := chart.Spec{Kind: chart.KindLine, Series: []chart.Series{{Missing: 3, Times: []time.Time{days[1], days[0]}, Values: chart.Values{1, 2}}}}
	want := "2 on 2024-01-02 to 1 on 2024-01-03, low 1 on 2024-01-03, high 2 on 2024-01-02, 3 values missing."
	if got := chart.Describe(spec); got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
}

// The format of a value depends on its unit and size.
func TestDescribe_WritesFiguresAsTheyAreRead(t *testing.T) {
	for _, row := range []struct {
		value float64
		unit  string
		want  string
	}{
		{185.2, "USD", "185.2"},
		{119.676, "USD", "119.68"},
		{1.08341, "USD per EUR", "1.0834"},
		{0.0123456, "", "0.012346"},
		{9.99999, "", "10"},
		{99999.994, "EUR", "99,999.99"},
		{123456.78, "EUR", "123,457"},
		{-1234567.8, "EUR", "-1.2346M"},
		{2.5e9, "USD", "2.5B"},
		{3.05e12, "USD", "3.05T"},
		{7e15, "USD", "7e15"},
		{-5e-9, "", "-5e-9"},
		{1.23456e-7, "", "1.2346e-7"},
		{12.345, "%", "12.35%"},
		{0.0512, "%", "0.051%"},
		{-0.00034, "%", "-0.00034%"},
		{0, "%", "0%"},
		{math.Copysign(0, -1), "", "0"},
	} {
		spec := seriesSpec(charttest.FixtureWeekdays(1), row.value)
		spec.Title, spec.Unit = "x", row.unit
		got := chart.Describe(spec)
		_, got, _ = strings.Cut(got, ": ")
		if want := row.want + " on 2024-01-02."; got != want {
			t.Errorf("Describe of %g %s = %q, want %q", row.value, row.unit, got, want)
		}
	}
}

func TestDescribe_IsOneSentence(t *testing.T) {
	nan := math.NaN()
	series := func(name string, values ...float64) chart.Series {
		return chart.Series{Name: name, Times: charttest.FixtureWeekdays(len(values)), Values: values}
	}
	for _, row := range []struct {
		name string
		spec chart.Spec
		want string
	}{
		{"a line", chart.Spec{Kind: chart.KindLine, Title: "AAPL close", Unit: "USD", Series: []chart.Series{series("", 120.1, 118, 190, 185.2)}},
			"AAPL close, USD: 120.1 on 2024-01-02 to 185.2 on 2024-01-05, low 118 on 2024-01-03, high 190 on 2024-01-04."},
		{"named by its series", chart.Spec{Kind: chart.KindLine, Unit: "EUR", Series: []chart.Series{series("EURUSD", 1.0834, 1.09)}},
			"EURUSD, EUR: 1.0834 on 2024-01-02 to 1.09 on 2024-01-03, low 1.0834 on 2024-01-02, high 1.09 on 2024-01-03."},
		{"missing ends", chart.Spec{Kind: chart.KindLine, Title: "x", Series: []chart.Series{series("", nan, 5, nan)}},
			"x: 5 on 2024-01-03, 2 values missing."},
		{"two lines", chart.Spec{Kind: chart.KindLine, Title: "x", Unit: "%", Series: []chart.Series{series("A", 4.5), series("", -0.051)}},
			"x, %: A 4.5% on 2024-01-02; series 2 -0.051% on 2024-01-02."},
		{"text of others", chart.Spec{Kind: chart.KindLine, Title: "a\x1b[2J\nb\u202e", Series: []chart.Series{series("", 1)}},
			"a[2J b: 1 on 2024-01-02."},
	} {
		if got := chart.Describe(row.spec); got != row.want {
			t.Errorf("%s: Describe = %q, want %q", row.name, got, row.want)
		}
	}
}
