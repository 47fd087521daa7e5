package chart_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart"
)

// The drawing comes first; its explanations are added if there are lines for them.
func TestRender_FewLinesHoldWhatExplainsMost(t *testing.T) {
	a, b := walk(1, 30, 100), walk(2, 30, 100)
	a.Name, b.Name = "first", "second"
	spec := chart.Spec{Kind: chart.KindLine, Title: "Heading", Series: []chart.Series{a, b}}
	for height, want := range map[int]string{
		3: "dates", 4: "title dates", 5: "title rule dates", 7: "title rule dates", 8: "title rule dates legend", 20: "title rule dates legend",
	} {
		lines := text(t, spec, chart.RenderOptions{Width: 60, Height: height})
		all, got := strings.Join(lines, "\n"), []string{}
		for _, part := range []struct{ name, sign string }{{"title", "Heading"}, {"rule", "└"}, {"dates", "Jan 22"}, {"legend", "━ first"}} {
			if strings.Contains(all, part.sign) {
				got = append(got, part.name)
			}
		}
		if len(lines) != height || strings.Join(got, " ") != want {
			t.Errorf("%d lines hold %v, want %s:\n%s", height, got, want, all)
		}
	}
}

func TestRender_TooSmallForAFrameItIsASparkline(t *testing.T) {
	for name, spec := range samples() {
		if name == "gap" {
			continue
		}
		for _, o := range []chart.RenderOptions{{Width: 9, Height: 20}, {Width: 80, Height: 2}} {
			lines := text(t, spec, o)
			if len(lines) != 2 || !strings.ContainsAny(lines[1], "▁▂▃▄▅▆▇█") || strings.ContainsAny(lines[1], "│┤") {
				t.Errorf("%s at %dx%d is %q, want the title and a sparkline", name, o.Width, o.Height, lines)
			}
		}
		if got := text(t, spec, chart.RenderOptions{Width: 30, Height: 1}); len(got) != 1 || !strings.ContainsAny(got[0], "▁█") {
			t.Errorf("%s in one line is %q, want a sparkline", name, got)
		}
	}
}

// A truncated figure is a wrong figure: names and titles may be truncated, and columns left out, but no digit
// is followed by an ellipsis.
func TestRender_NoFigureIsCut(t *testing.T) {
	cut := regexp.MustCompile(`\d[\d.,%]*(…|~)`)
	for name, spec := range samples() {
		spec.Title = "A heading without digits that is longer than most lines are"
		for width := 10; width <= 120; width += 1 + width/16 {
			for _, height := range []int{3, 6, 12, 30} {
				for _, line := range text(t, spec, chart.RenderOptions{Width: width, Height: height}) {
					if cut.MatchString(line) {
						t.Fatalf("%s at %dx%d cuts a figure: %q", name, width, height, line)
					}
				}
			}
		}
	}
}

func TestRender_MarksInOneRowMoveApart(t *testing.T) {
	spec := chart.Spec{Kind: chart.KindLine}
	for i, name := range []string{"one", "two", "three"} {
		spec.Series = append(spec.Series, chart.Series{Name: name, Times: weekdays(2), Values: chart.Values{0, 50 + float64(i)*0.001}})
	}
	spec.Series = append(spec.Series, chart.Series{Name: "high", Times: weekdays(2), Values: chart.Values{0, 100}})
	var got []string
	for _, line := range text(t, spec, chart.RenderOptions{Width: 50, Height: 14}) {
		if _, mark, ok := strings.Cut(line, "◂"); ok {
			got = append(got, mark)
		}
	}
	if diff := cmp.Diff([]string{"high", "two", "one", "three"}, got); diff != "" {
		t.Errorf("marks from the top (-want +got):\n%s", diff)
	}
}

// Days start at midnight in the time zone of the data, even if one has 23 hours: New York, 2024-03-10.
func TestRender_DaysBeginWhereTheTimesAre(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Skip("no time zones:", err)
	}
	start := time.Date(2024, 3, 8, 0, 0, 0, 0, newYork)
	spec := timeSeriesSpec(every(start, time.Hour, 24*5), make([]float64, 24*5)...)
	lines := text(t, spec, chart.RenderOptions{Width: 70, Height: 8})
	if got := strings.Join(strings.Fields(lines[len(lines)-1]), " "); got != "2024 Mar 8 Mar 9 Mar 10 Mar 11 Mar 12 Mar 13" {
		t.Errorf("five days from March 8 are labelled %q, want every day", got)
	}
}

// Labels of dates do not touch and stay within the line, and each has its tick above.
func TestRender_DatesHaveTheirTicks(t *testing.T) {
	for width := 12; width < 160; width++ {
		spec := chart.Spec{Kind: chart.KindLine, Series: []chart.Series{walk(1, 20+width*width%900, 100)}}
		lines := text(t, spec, chart.RenderOptions{Width: width, Height: 10})
		rule, dates := lines[len(lines)-2], lines[len(lines)-1]
		labels := regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(dates), -1)
		if ticks := strings.Count(rule, "┬"); ticks != len(labels) {
			t.Errorf("width %d has %d ticks for %q", width, ticks, labels)
		}
		for _, label := range labels {
			if !regexp.MustCompile(`^(\d{4}(-\d\d){0,2}|(\d{4} )?[A-Z][a-z]{2} \d{1,2})$`).MatchString(label) {
				t.Errorf("width %d has the label %q, want one date", width, label)
			}
		}
	}
}

func TestRender_BarsGiveUpFiguresBeforeBars(t *testing.T) {
	spec := samples()["bars"]
	for width, want := range map[int]string{12: "^US … ", 24: "^US equi… .*62.5%$", 60: "US equity .*62.5%  61,234.5$"} {
		lines := text(t, spec, chart.RenderOptions{Width: width, Height: 10})
		if len(lines) != 6 || !regexp.MustCompile(want).MatchString(lines[1]) || !strings.Contains(lines[1], "█") {
			t.Errorf("bars of %d cells are\n%s\nwant a bar in the first, as in %s", width, strings.Join(lines, "\n"), want)
		}
	}
}

// Bars of equal parts are equally long, and one of half the value is half as long.
func TestRender_BarsAreInProportion(t *testing.T) {
	for _, c := range charsets {
		spec := chart.Spec{Kind: chart.KindBars, Parts: []chart.Part{{Label: "a", Value: 4}, {Label: "b", Value: 4}, {Label: "c", Value: 2}, {Label: "d", Value: -4}}}
		var got []int
		for _, line := range chart.Render(spec, chart.RenderOptions{Width: 44, Height: 10, Charset: c.set}) {
			for _, span := range line {
				if span.Style == chart.StyleSeries1 || span.Style == chart.StyleDown {
					got = append(got, chart.TextLine{span}.Width())
				}
			}
		}
		if len(got) != 4 || got[0] != got[1] || got[3] != got[0] || got[2] != (got[0]+1)/2 {
			t.Errorf("%s: bars of 4, 4, 2 and -4 are %v cells long", c.name, got)
		}
	}
}
