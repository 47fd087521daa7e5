package chart_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart"
)

// text returns the drawn lines as text.
func text(t *testing.T, spec chart.Spec, o chart.RenderOptions) []string {
	t.Helper()
	var out []string
	for _, line := range check(t, spec, o) {
		out = append(out, line.String())
	}
	return out
}

// Rounding thirds leaves a remainder of 0.1, which goes to one of them: 33.4, 33.3, 33.3.
func TestRender_SharesSumToTheWhole(t *testing.T) {
	share := regexp.MustCompile(`(-?[\d,]+\.\d)%`)
	sum := func(spec chart.Spec) (total int, all []float64) {
		for _, line := range text(t, spec, chart.RenderOptions{Width: 80, Height: 200}) {
			for _, found := range share.FindAllStringSubmatch(line, -1) {
				v, err := strconv.ParseFloat(strings.ReplaceAll(found[1], ",", ""), 64)
				if err != nil {
					t.Fatal(err)
				}
				all, total = append(all, v), total+int(math.Round(v*10))
			}
		}
		return total, all
	}
	thirds := chart.Spec{Kind: chart.KindBars, Unit: "USD", Parts: []chart.Part{{Label: "a", Value: 1}, {Label: "b", Value: 1}, {Label: "c", Value: 1}}}
	if _, got := sum(thirds); !cmp.Equal(got, []float64{33.4, 33.3, 33.3}) {
		t.Errorf("shares of thirds = %v, want 33.4, 33.3, 33.3", got)
	}
	given := chart.Spec{Kind: chart.KindBars, Unit: "%", Parts: []chart.Part{{Label: "a", Value: 33.15}, {Label: "b", Value: 33.15}, {Label: "c", Value: 30.1}}}
	if total, got := sum(given); total != 964 {
		t.Errorf("per cents that sum to 96.4 are shown as %v, want the same sum", got)
	}
	r := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		spec, whole := chart.Spec{Kind: chart.KindBars, Unit: "EUR"}, 0.0
		for i := range 1 + r.IntN(30) {
			v := math.Round(r.ExpFloat64()*1e6) / 100
			spec.Parts, whole = append(spec.Parts, chart.Part{Label: fmt.Sprint("part ", i), Value: v}), whole+v
		}
		total, got := sum(spec)
		if total != 1000 {
			t.Fatalf("shares of %v sum to %d tenths, want 1000", spec.Parts, total)
		}
		for i, v := range got {
			if exact := spec.Parts[i].Value / whole * 100; math.Abs(v-exact) >= 0.1 {
				t.Fatalf("share %d = %g, want %g within a tenth", i, v, exact)
			}
		}
	}
}

func TestRender_BarsWithoutALineAreTakenTogether(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindBars, Unit: "%", Parts: []chart.Part{{Label: "a", Value: 5}, {Label: "b", Value: 40}, {Label: "c", Value: 3}, {Label: "d", Value: 45}, {Label: "e", Value: 7}}}
	got := text(t, spec, chart.RenderOptions{Width: 40, Height: 4})
	for i, want := range []string{"^%$", "^b .*40.0%$", "^d .*45.0%$", "^3 others .*15.0%$"} {
		if len(got) != 4 || !regexp.MustCompile(want).MatchString(got[i]) {
			t.Fatalf("bars are\n%s\nwant the largest two in their order, then the sum of the others", strings.Join(got, "\n"))
		}
	}
}

func TestRender_BarsWithoutAWholeHaveNoShares(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindBars, Unit: "USD", Parts: []chart.Part{{Label: "long", Value: 100}, {Label: "short", Value: -200}}}
	got := strings.Join(text(t, spec, chart.RenderOptions{Width: 40, Height: 5}), "\n")
	if strings.Contains(got, "%") || !strings.Contains(got, "-200") {
		t.Errorf("bars that sum to -100 are\n%s\nwant their values and no shares", got)
	}
}

// 1, 2, 2, 3, 3, 3, 4, 4, 5 in classes of one: mode, mean and median are 3.
func TestRender_HistogramCountsValues(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindHistogram, Series: []chart.Series{{Values: chart.Values{3, 1, 2, 4, 3, math.NaN(), 2, 5, 4, 3}}}}
	got := text(t, spec, chart.RenderOptions{Width: 17, Height: 7, Charset: chart.CharsetBlock})
	// Heights are thirds of four rows: 1.33, 2.67 and 4 of them.
	want := []string{
		" │      ███",
		"2┤   ▅▅▅███▅▅▅",
		" │▃▃▃█████████▃▃▃",
		"0┤███████████████",
	}
	if diff := cmp.Diff(want, got[:min(4, len(got))]); diff != "" {
		t.Errorf("histogram (-want +got):\n%s", diff)
	}
	wide := strings.Join(text(t, spec, chart.RenderOptions{Width: 60, Height: 12, Charset: chart.CharsetASCII}), "\n")
	if !strings.Contains(wide, "^ mean 3  v median 3  n 9") {
		t.Errorf("histogram\n%s\nwant the mean, the median and 9 values named", wide)
	}
}

// A hand calculation: A is 50 and B 200 on the first day of both; A ends at 75, B at
// 150.
func TestRender_CompareRebasesOnTheFirstDayInCommon(t *testing.T) {
	days := weekdays(5)
	spec := chart.Spec{Kind: chart.KindCompare, Series: []chart.Series{
		{Name: "A", Times: days, Values: chart.Values{10, 25, 50, 60, 75}},
		{Name: "B", Times: days[1:], Values: chart.Values{math.NaN(), 200, 180, 150}},
	}}
	got := text(t, spec, chart.RenderOptions{Width: 60, Height: 12})
	if last := got[len(got)-1]; last != "━ A 150  ━ B 75" {
		t.Errorf("legend = %q, want A 150 and B 75", last)
	}
	want := "rebased to 100: from 100 on 2024-01-04 to A 150 on 2024-01-08, B 75 on 2024-01-08."
	if got := chart.Describe(spec); got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
}

func TestRender_LegendNamesAllThatFit(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindLine}
	for i := range 6 {
		s := walk(uint64(i), 50, 100)
		s.Name = fmt.Sprintf("Fund number %d", i+1)
		spec.Series = append(spec.Series, s)
	}
	got := strings.Join(text(t, spec, chart.RenderOptions{Width: 60, Height: 20, Charset: chart.CharsetASCII}), "\n")
	for i, sign := range "*o+x#@" {
		if name := fmt.Sprintf("%c Fund number %d", sign, i+1); !strings.Contains(got, name) {
			t.Errorf("no %q in\n%s", name, got)
		}
	}
}

func TestRender_LogScaleHasDecades(t *testing.T) {
	spec := timeSeriesSpec(weekdays(3), 1, 100, 10_000)
	spec.Log, spec.Title = true, "Growth"
	got := strings.Join(text(t, spec, chart.RenderOptions{Width: 40, Height: 12}), "\n")
	for _, label := range []string{"Growth, log scale", "10,000┤", " 1,000┤", "   100┤", "    10┤", "     1┤"} {
		if !strings.Contains(got, label) {
			t.Errorf("no %q in\n%s", label, got)
		}
	}
	spec.Series[0].Values[0] = 0
	if got := text(t, spec, chart.RenderOptions{Width: 40, Height: 12}); got[0] != "Growth" {
		t.Errorf("title with a value of zero = %q, want no claim of a log scale", got[0])
	}
}

// Labels are evenly spaced at 1, 2, 2.5 or 5 times a power of ten.
func TestRender_ScalesHaveRoundNumbers(t *testing.T) {
	label := regexp.MustCompile(`^ *(-?[\d,.]+)([MBT]?)[+]`)
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		low := r.NormFloat64() * math.Pow(10, float64(r.IntN(8)))
		high := low + math.Abs(low)*(0.01+r.Float64())
		var found []float64
		for _, line := range text(t, timeSeriesSpec(weekdays(2), low, high), chart.RenderOptions{Width: 60, Height: 6 + r.IntN(30), Charset: chart.CharsetASCII}) {
			if m := label.FindStringSubmatch(line); m != nil {
				v, err := strconv.ParseFloat(strings.ReplaceAll(m[1], ",", ""), 64)
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, v)
			}
		}
		if len(found) < 2 {
			t.Fatalf("scale from %g to %g has labels %v, want two at least", low, high, found)
		}
		for i := 1; i < len(found); i++ {
			step := found[i-1] - found[i]
			if first := found[0] - found[1]; math.Abs(step-first) > first*1e-6 {
				t.Fatalf("labels %v from %g to %g are not evenly spaced", found, low, high)
			}
			mantissa := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9))
			if !slices.ContainsFunc([]float64{1, 2, 2.5, 5}, func(one float64) bool { return math.Abs(mantissa-one) < 1e-6 }) {
				t.Fatalf("labels %v from %g to %g have a step of %g", found, low, high, step)
			}
		}
	}
}

func TestRender_DatesAreWrittenByTheLengthOfThePeriod(t *testing.T) {
	start := time.Date(2023, 11, 6, 9, 30, 0, 0, time.UTC)
	for _, row := range []struct {
		name string
		step time.Duration
		want string
	}{
		{"a minute", time.Second, "2023-11-06 09:30 09:31"},
		{"an hour", time.Minute, "2023-11-06 09:30 09:50 10:00 10:10 10:20 10:30"},
		{"five hours", 5 * time.Minute, "2023-11-06 10:00 12:00 13:00 14:00"},
		{"a day", 20 * time.Minute, "2023-11-06 12:00 18:00 21:00 00:00 03:00"},
		{"a week", 3 * time.Hour, "2023 Nov 7 Nov 9 Nov 11 Nov 13"},
		{"two months", 24 * time.Hour, "2023 Nov 13 Nov 27 Dec 11 Dec 25"},
		{"a year", 6 * 24 * time.Hour, "2024-01 2024-04 2024-07 2024-10"},
		{"five years", 30 * 24 * time.Hour, "2024 2025 2026 2027 2028"},
		{"fifty years", 300 * 24 * time.Hour, "2030 2040 2050 2060 2070"},
	} {
		t.Run(row.name, func(t *testing.T) {
			values := make([]float64, 61)
			lines := text(t, timeSeriesSpec(every(start, row.step, 61), values...), chart.RenderOptions{Width: 60, Height: 8})
			if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); got != row.want {
				t.Errorf("61 steps of %s are labelled %q, want %q", row.step, got, row.want)
			}
		})
	}
}

func TestRender_StylesSayWhatAPartIs(t *testing.T) {
	all := samples()
	for name, want := range map[string][]chart.Style{
		"line":      {chart.StyleLabel, chart.StyleAxis, chart.StyleSeries1},
		"compare":   {chart.StyleLabel, chart.StyleAxis, chart.StyleSeries1, chart.StyleSeries2},
		"candles":   {chart.StyleLabel, chart.StyleAxis, chart.StyleUp, chart.StyleDown},
		"fan":       {chart.StyleLabel, chart.StyleAxis, chart.StyleBand, chart.StyleInnerBand, chart.StyleSeries1},
		"drawdown":  {chart.StyleLabel, chart.StyleAxis, chart.StyleDown},
		"short":     {chart.StyleLabel, chart.StyleDown, chart.StyleSeries1},
		"histogram": {chart.StyleLabel, chart.StyleAxis, chart.StyleSeries1},
	} {
		seen := map[chart.Style]bool{}
		for _, line := range check(t, all[name], chart.RenderOptions{}) {
			for i, span := range line {
				if seen[span.Style] = true; span.Text == "" || i > 0 && line[i-1].Style == span.Style {
					t.Errorf("%s: spans %+v hold an empty one or two of one style", name, line)
				}
			}
		}
		delete(seen, chart.StyleBlank)
		for _, style := range want {
			if !seen[style] {
				t.Errorf("%s has nothing in style %d", name, style)
			}
			delete(seen, style)
		}
		if len(seen) > 0 {
			t.Errorf("%s has other styles than %v: %v", name, want, seen)
		}
	}
}

// Without color and without Braille, rising candles still differ from falling ones.
func TestRender_CandlesRiseAndFallWithoutColour(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindCandles, Candles: chart.Candles{
		Times: weekdays(3), Open: chart.Values{10, 20, math.NaN()}, High: chart.Values{22, 22, 15}, Low: chart.Values{8, 8, 9}, Close: chart.Values{20, 10, 11},
	}}
	got := text(t, spec, chart.RenderOptions{Width: 20, Height: 10, Charset: chart.CharsetASCII})
	rose, fell := 0, 0
	for _, line := range got {
		if i := strings.Index(line, "o"); i >= 0 && i > strings.Index(line, "#") {
			t.Errorf("line %q has the candle that fell before the one that rose", line)
		}
		rose, fell = rose+strings.Count(line, "o"), fell+strings.Count(line, "#")
	}
	if rose != fell || rose < 3 {
		t.Errorf("candles are\n%s\nwant one that rose, one alike that fell, and a gap", strings.Join(got, "\n"))
	}
}

func TestRender_VolumeIsDrawnWhereItIsKnown(t *testing.T) {
	spec := samples()["candles"]
	if got := strings.Join(text(t, spec, chart.RenderOptions{}), "\n"); !strings.Contains(got, "vol│") {
		t.Errorf("candles with volume are\n%s\nwant a volume pane", got)
	}
	spec.Candles.Volume = nil
	if got := strings.Join(text(t, spec, chart.RenderOptions{}), "\n"); strings.Contains(got, "vol") {
		t.Errorf("candles without volume are\n%s\nwant no volume pane", got)
	}
}

func TestRender_TheFanNamesItsPercentiles(t *testing.T) {
	got := strings.Join(text(t, samples()["fan"], chart.RenderOptions{Charset: chart.CharsetASCII}), "\n")
	for _, label := range []string{"<p5 ", "<p25 ", "<p50 ", "<p75 ", "<p95 "} {
		if !strings.Contains(got, label) {
			t.Errorf("no %q in\n%s", label, got)
		}
	}
}

// Monday the 15th was a holiday: the candle of the 16th must not have its label.
func TestRender_ACandleIsLabelledWithItsOwnDate(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindCandles}
	c := &spec.Candles
	for _, day := range []int{8, 9, 10, 11, 12, 16, 17, 18, 19, 22, 23} {
		c.Times = append(c.Times, time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC))
		c.Open, c.High, c.Low, c.Close = append(c.Open, 1), append(c.High, 3), append(c.Low, 1), append(c.Close, 2)
	}
	lines := text(t, spec, chart.RenderOptions{Width: 43, Height: 8})
	if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); got != "2024 Jan 8 Jan 16 Jan 22" {
		t.Errorf("candles are labelled %q, want the days on which there was trade", got)
	}
}
