package chart_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/chart"
)

// One value is told as it is read of its kind.
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
		spec := bare(weekdays(1), row.value)
		spec.Title, spec.Unit = "x", row.unit
		got := chart.Describe(spec)
		_, got, _ = strings.Cut(got, ": ")
		if want := row.want + " on 2024-01-02."; got != want {
			t.Errorf("Describe of %g %s = %q, want %q", row.value, row.unit, got, want)
		}
	}
}

func TestRender_MarksTheLastValueThatIsKnown(t *testing.T) {
	for name, spec := range map[string]chart.Spec{
		"line":     bare(weekdays(4), 10, 20, 15, math.NaN()),
		"drawdown": {Kind: chart.KindDrawdown, Series: []chart.Series{{Times: weekdays(3), Values: chart.Values{0, -20, -15}}}},
	} {
		got := strings.Join(text(t, spec, chart.Options{Width: 50, Height: 10, Charset: chart.ASCII}), "\n")
		want := "<15\n"
		if name == "drawdown" {
			want = "<-15\n"
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s has no mark %q:\n%s", name, want, got)
		}
	}
}

// The area hangs from zero: the highest row is full where there is a fall, and what
// is missing is not a fall of nothing.
func TestRender_DrawdownHangsFromZero(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindDrawdown, Unit: "%", Series: []chart.Series{{Times: weekdays(4), Values: chart.Values{-10, -10, math.NaN(), -10}}}}
	got := text(t, spec, chart.Options{Width: 28, Height: 8, Charset: chart.ASCII})
	if got[1] != "  0%+::::::::--------------:" || got[2] != "    |::::::::              :" {
		t.Errorf("drawdown is\n%s\nwant it filled from zero, and not where a value is missing", strings.Join(got, "\n"))
	}
}

func TestRender_AHistogramOfOneValueIsOneColumn(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindHistogram, Title: "x", Series: []chart.Series{{Values: chart.Values{4.2, 4.2, 4.2}}}}
	got := strings.Join(text(t, spec, chart.Options{Width: 30, Height: 10}), "\n")
	for _, want := range []string{"2┤████", "4.2", "mean 4.2", "n 3"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
