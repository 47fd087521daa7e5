package chart_test

import (
	"math"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/chart"
)

func TestRender_MarksTheLastValueThatIsKnown(t *testing.T) {
	for name, spec := range map[string]chart.Spec{
		"line":     timeSeriesSpec(weekdays(4), 10, 20, 15, math.NaN()),
		"drawdown": {Kind: chart.KindDrawdown, Series: []chart.Series{{Times: weekdays(3), Values: chart.Values{0, -20, -15}}}},
	} {
		got := strings.Join(text(t, spec, chart.RenderOptions{Width: 50, Height: 10, Charset: chart.CharsetASCII}), "\n")
		want := "<15\n"
		if name == "drawdown" {
			want = "<-15\n"
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s has no mark %q:\n%s", name, want, got)
		}
	}
}

// The area hangs from zero: the highest row is full during a drawdown, and a missing value is not
// a drawdown of zero.
func TestRender_DrawdownHangsFromZero(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindDrawdown, Unit: "%", Series: []chart.Series{{Times: weekdays(4), Values: chart.Values{-10, -10, math.NaN(), -10}}}}
	got := text(t, spec, chart.RenderOptions{Width: 28, Height: 8, Charset: chart.CharsetASCII})
	if got[1] != "  0%+::::::::--------------:" || got[2] != "    |::::::::              :" {
		t.Errorf("drawdown is\n%s\nwant it filled from zero, and not where a value is missing", strings.Join(got, "\n"))
	}
}

func TestRender_AHistogramOfOneValueIsOneColumn(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindHistogram, Title: "x", Series: []chart.Series{{Values: chart.Values{4.2, 4.2, 4.2}}}}
	got := strings.Join(text(t, spec, chart.RenderOptions{Width: 30, Height: 10}), "\n")
	for _, want := range []string{"2┤████", "4.2", "mean 4.2", "n 3"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
