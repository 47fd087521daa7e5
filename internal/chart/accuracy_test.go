package chart_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart"
)

// scaleLabels returns the labels to the left of the axis, from the top.
func scaleLabels(lines []string) (labels []string) {
	for _, line := range lines {
		if label, _, ok := strings.Cut(line, "┤"); ok {
			labels = append(labels, strings.TrimSpace(label))
		}
	}
	return labels
}

// datesBelow returns the labels below the axis.
func datesBelow(lines []string) []string {
	return regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(lines[len(lines)-1]), -1)
}

func TestRender_TheScaleOfAHistogramCountsInWholeNumbers(t *testing.T) {
	for most := 1; most <= 60; most++ {
		counted := chart.Distribution{Step: 1, Counts: []int{1, most, 1}, High: 3, Mean: 1, Median: 1}
		spec := chart.Spec{Kind: chart.KindHistogram, Unit: "%", Distribution: counted}
		for _, height := range []int{6, 9, 11, 20, 40} {
			labels := scaleLabels(text(t, spec, chart.RenderOptions{Width: 40, Height: height}))
			if len(labels) < 2 || labels[len(labels)-1] != "0" {
				t.Fatalf("counts up to %d in %d lines are labelled %q, want a scale from 0", most, height, labels)
			}
			for _, label := range labels {
				if strings.ContainsAny(label, ".%") {
					t.Fatalf("counts up to %d in %d lines are labelled %q, want whole numbers", most, height, labels)
				}
			}
		}
	}
}

func TestRender_LabelsOfAScaleDiffer(t *testing.T) {
	for _, size := range []float64{1e15, 1e40, 1e-7, 1e-30, 1, 1e6, 1e9} {
		spec := timeSeriesSpec(weekdays(3), 1.12341*size, 1.12349*size, 1.12345*size)
		labels := scaleLabels(text(t, spec, chart.RenderOptions{Width: 60, Height: 14}))
		if distinct := slices.Compact(slices.Clone(labels)); len(labels) < 2 || len(distinct) != len(labels) {
			t.Errorf("values beside %g are labelled %q, want labels that differ", size, labels)
		}
	}
}

// 0.1 + 0.2 and 0.3 are the same amount.
func TestRender_ValuesThatDifferOnlyByRoundingAreOneLine(t *testing.T) {
	values := make([]float64, 40)
	for i := range values {
		if values[i] = 0.3; i%2 == 0 {
			values[i] = 0.1 + 0.2*float64(1+i/1000)
		}
	}
	spec := timeSeriesSpec(weekdays(40), values...)
	drawn := 0
	for _, row := range glyphGrid(check(t, spec, chart.RenderOptions{Width: 60, Height: 12})) {
		drawn += min(dots(row), 1)
	}
	if drawn != 1 {
		t.Errorf("values that differ by rounding alone are drawn in %d rows, want one", drawn)
	}
	if labels := scaleLabels(text(t, spec, chart.RenderOptions{Width: 60, Height: 12})); len(labels) < 2 {
		t.Errorf("their scale is labelled %q, want at least two labels", labels)
	}
	if got := chart.Sparkline(values, 4, chart.CharsetBlock); got != "▅▅▅▅" {
		t.Errorf("Sparkline = %q, want one height", got)
	}
}

// A chart may be read long after it was drawn, and may show past years, so its dates must name the year.
func TestRender_TheFirstDateNamesItsYearAndSoDoesTheFirstOfEachOther(t *testing.T) {
	year := regexp.MustCompile(`^\d{4}`)
	shortDate := regexp.MustCompile(`^[A-Z][a-z]{2} \d+$`)
	for _, start := range []time.Time{
		time.Date(2023, 11, 6, 0, 0, 0, 0, time.UTC), time.Date(2021, 12, 20, 0, 0, 0, 0, time.UTC), time.Date(2019, 3, 1, 0, 0, 0, 0, time.UTC),
	} {
		for _, days := range []int{2, 9, 20, 45, 61, 92, 130} {
			values := make([]float64, days)
			for i := range values {
				values[i] = 100 + float64(i%7)
			}
			spec := timeSeriesSpec(every(start, 24*time.Hour, days), values...)
			for width := 11; width <= 130; width++ {
				dates := datesBelow(text(t, spec, chart.RenderOptions{Width: width, Height: 8}))
				if !year.MatchString(dates[0]) {
					t.Fatalf("%d days from %s in %d columns are labelled %q, want a year first", days, start.Format(time.DateOnly), width, dates)
				}
				before := time.January
				for _, date := range dates {
					at, err := time.Parse("Jan 2", date)
					if !shortDate.MatchString(date) || err != nil {
						before = time.January
						continue
					}
					if at.Month() < before {
						t.Fatalf("%d days from %s in %d columns are labelled %q, want the year at its turn", days, start.Format(time.DateOnly), width, dates)
					}
					before = at.Month()
				}
			}
		}
	}
}

func TestRender_ADateThatNamesItsYearGoesBeforeOneThatDoesNot(t *testing.T) {
	days := every(time.Date(2023, 11, 29, 0, 0, 0, 0, time.UTC), 24*time.Hour, 61)
	for width, want := range map[int][]string{
		60: {"2023 Dec 11", "Dec 25", "2024 Jan 8", "Jan 22"},
		50: {"2023 Dec 11", "2024 Jan 8", "Jan 22"},
	} {
		if got := datesBelow(text(t, timeSeriesSpec(days, make([]float64, 61)...), chart.RenderOptions{Width: width, Height: 8})); !slices.Equal(got, want) {
			t.Errorf("two months in %d columns are labelled %q, want %q", width, got, want)
		}
	}
}

func TestRender_TheFirstTimeOfDayNamesItsDay(t *testing.T) {
	start := time.Date(2023, 12, 31, 18, 0, 0, 0, time.UTC)
	dates := datesBelow(text(t, timeSeriesSpec(every(start, 10*time.Minute, 72), make([]float64, 72)...), chart.RenderOptions{Width: 80, Height: 8}))
	if want := []string{"2023-12-31 18:00", "22:00", "00:00", "02:00", "04:00"}; !slices.Equal(dates, want) {
		t.Errorf("twelve hours over midnight are labelled %q, want %q", dates, want)
	}
}

// Where clocks go forward at midnight, the day starts at one.
func TestRender_EachDayIsLabelledOnceWhereItHasNoMidnight(t *testing.T) {
	for _, row := range []struct {
		zone  string
		first [3]int
		want  []string
	}{
		{"America/Sao_Paulo", [3]int{2018, 11, 2}, []string{"2018 Nov 2", "Nov 3", "Nov 4", "Nov 5", "Nov 6", "Nov 7"}},
		{"America/Santiago", [3]int{2024, 9, 6}, []string{"2024 Sep 6", "Sep 7", "Sep 8", "Sep 9", "Sep 10", "Sep 11"}},
		{"Africa/Cairo", [3]int{2024, 4, 24}, []string{"2024 Apr 24", "Apr 25", "Apr 26", "Apr 27", "Apr 28", "Apr 29"}},
	} {
		zone, err := time.LoadLocation(row.zone)
		if err != nil {
			t.Skip("no time zones:", err)
		}
		start := time.Date(row.first[0], time.Month(row.first[1]), row.first[2], 0, 0, 0, 0, zone)
		lines := text(t, timeSeriesSpec(every(start, time.Hour, 24*6-2), make([]float64, 24*6-2)...), chart.RenderOptions{Width: 80, Height: 8})
		if diff := cmp.Diff(row.want, datesBelow(lines)); diff != "" {
			t.Errorf("six days in %s (-want +got):\n%s", row.zone, diff)
		}
	}
}

func TestRender_ValuesByTheDayHaveNoTimeOfDay(t *testing.T) {
	lines := text(t, timeSeriesSpec(weekdays(2), 1, 2), chart.RenderOptions{Width: 60, Height: 8})
	if diff := cmp.Diff([]string{"2024 Jan 2", "Jan 3"}, datesBelow(lines)); diff != "" {
		t.Errorf("two days (-want +got):\n%s", diff)
	}
	two := chart.Spec{Kind: chart.KindCandles, Candles: candles(1, 2, 100)}
	if got := datesBelow(text(t, two, chart.RenderOptions{Width: 60, Height: 8})); got[0] != "2024 Jan 2" {
		t.Errorf("candles of two days are labelled %q, want days", got)
	}
}

// A candle from the previous year that also contains the start of a year must not repeat the label of that
// year.
func TestRender_NoDateIsWrittenTwiceBelowCandles(t *testing.T) {
	for n := 30; n < 1500; n += 37 {
		for width := 14; width < 90; width += 5 {
			lines := text(t, chart.Spec{Kind: chart.KindCandles, Candles: candles(1, n, 100)}, chart.RenderOptions{Width: width, Height: 9})
			dates := datesBelow(lines)
			if distinct := slices.Compact(slices.Clone(dates)); len(distinct) != len(dates) {
				t.Fatalf("%d candles in %d columns are labelled %q", n, width, dates)
			}
		}
	}
}

// 90 days of the same volume in 61 columns: some columns cover two days, some one, but none shows
// more trade.
func TestRender_EqualVolumesAreEquallyHighHoweverManyBarsAColumnHolds(t *testing.T) {
	c := candles(1, 90, 100)
	for i := range c.Volume {
		c.Volume[i] = 1e15
	}
	for _, spec := range []chart.Spec{{Kind: chart.KindCandles, Candles: c}, chart.Downsample(chart.Spec{Kind: chart.KindCandles, Candles: c})} {
		for width := 30; width < 120; width += 7 {
			_, after, ok := strings.Cut(strings.Join(text(t, spec, chart.RenderOptions{Width: width, Height: 20}), "\n"), "vol│")
			pane, _, _ := strings.Cut(after, "└")
			if heights := strings.Trim(pane, " │█\n"); !ok || heights != "" {
				t.Fatalf("in %d columns equal volumes are drawn as\n%s", width, pane)
			}
		}
	}
}

// Parts are merged when they are stored, and again when they are drawn.
func TestRender_OthersAreCountedOnce(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindBars, Unit: "EUR"}
	for i := range 250 {
		spec.Parts = append(spec.Parts, chart.Part{Label: fmt.Sprint("holding ", i), Value: 100})
	}
	for _, kept := range []chart.Spec{spec, chart.Downsample(spec), chart.Downsample(chart.Downsample(spec))} {
		got := text(t, kept, chart.RenderOptions{Width: 60, Height: 11})
		if all := strings.Join(got, "\n"); strings.Count(all, "others") != 1 || !strings.HasPrefix(got[len(got)-1], "241 others") || !strings.Contains(all, "96.4%") {
			t.Errorf("250 parts in 10 lines are\n%s\nwant nine of them and 241 others, 96.4%% of the whole", all)
		}
	}
}
