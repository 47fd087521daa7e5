package chart_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/clipperhouse/displaywidth"

	"github.com/nfa-cli/nfa/internal/chart"
)

// check checks what every chart guarantees, for any spec and any options.
func check(t *testing.T, spec chart.Spec, o chart.RenderOptions) []chart.TextLine {
	t.Helper()
	lines := chart.Render(spec, o)
	if len(lines) > max(o.Height, 0) && o.Height != 0 {
		t.Fatalf("Render(%s, %+v) has %d lines, want at most %d", spec.Kind, o, len(lines), o.Height)
	}
	for i, line := range lines {
		text := line.String()
		if w := displaywidth.String(text); w > max(o.Width, 0) && o.Width != 0 || w != line.Width() {
			t.Fatalf("Render(%s, %+v) line %d takes %d cells, Width says %d: %q", spec.Kind, o, i, w, line.Width(), text)
		}
		if strings.TrimRight(text, " ") != text {
			t.Fatalf("Render(%s, %+v) line %d ends in blanks: %q", spec.Kind, o, i, text)
		}
		checkSafe(t, text, o.Charset == chart.CharsetASCII)
	}
	return lines
}

func checkSentence(t *testing.T, spec chart.Spec) {
	t.Helper()
	sentence := chart.Describe(spec)
	if !strings.HasSuffix(sentence, ".") {
		t.Fatalf("Describe(%s) = %q, want a sentence", spec.Kind, sentence)
	}
	checkSafe(t, sentence, false)
}

func checkSafe(t *testing.T, text string, ascii bool) {
	t.Helper()
	for _, r := range text {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || ascii && r >= 0x80 {
			t.Fatalf("%q holds %U", text, r)
		}
	}
}

func TestRender_FitsAnyWidthAndHeight(t *testing.T) {
	all := samples()
	all["hostile"] = chart.Spec{Kind: chart.KindCompare, Title: "\x1b[2J日本\u202e🏳️‍🌈\n\u0301☝️" + strings.Repeat("宽", 60), Series: []chart.Series{
		{Name: "\ufe0f👨‍👩‍👧\t\x00", Times: weekdays(9), Values: walk(1, 9, 5).Values}, {Name: "🇩🇪🇩", Times: weekdays(9), Values: walk(2, 9, 5).Values}}}
	all["hostile bars"] = chart.Spec{Kind: chart.KindBars, Unit: "☝️", Parts: []chart.Part{{Label: "\u200d\ufe0f日", Value: 1}, {Label: "é\x9b31m", Value: -2}, {Label: strings.Repeat("長", 99), Value: 1e12}}}
	all["empty"] = chart.Spec{}
	for name, spec := range all {
		checkSentence(t, spec)
		for width := 1; width <= 400; width += 1 + width/5 {
			for _, height := range []int{1, 2, 3, 5, 8, 40} {
				for _, c := range charsets {
					lines := check(t, spec, chart.RenderOptions{Width: width, Height: height, Charset: c.set})
					if len(lines) == 0 {
						t.Fatalf("%s at %dx%d has no line", name, width, height)
					}
				}
			}
		}
	}
}

func TestRender_OptionsOfZeroAreATerminal(t *testing.T) {
	lines := check(t, samples()["line"], chart.RenderOptions{})
	if len(lines) != 20 || lines[18].Width() != 73 {
		t.Errorf("Render(line, {}) is %d lines, the rule %d cells wide; want 20, and 73 beside the last value", len(lines), lines[18].Width())
	}
	if got := chart.Render(samples()["line"], chart.RenderOptions{Width: -1, Height: 5}); got != nil {
		t.Errorf("Render(line, width -1) = %v, want no lines", got)
	}
	if wide := chart.Render(samples()["line"], chart.RenderOptions{Width: 9999, Height: 9999}); len(wide) > 200 || wide[0].Width() > 400 {
		t.Errorf("Render(line, 9999x9999) is %d lines, want at most 200", len(wide))
	}
}

// glyphGrid returns the part of a chart without title to the right of its axis: rows from the top, padded
// with blanks.
func glyphGrid(lines []chart.TextLine) [][]rune {
	var out [][]rune
	for _, line := range lines {
		text := line.String()
		at := strings.IndexAny(text, "│┤")
		if at < 0 {
			break
		}
		_, size := rune(0), len("│")
		row := []rune(text[at+size:])
		for len(row) < 400 {
			row = append(row, ' ')
		}
		out = append(out, row)
	}
	return out
}

func dots(row []rune) int {
	n := 0
	for _, r := range row {
		if r > 0x2800 && r <= 0x28ff {
			n++
		}
	}
	return n
}

// timeSeriesSpec returns a line chart with nothing but its axes.
func timeSeriesSpec(times []time.Time, values ...float64) chart.Spec {
	return chart.Spec{Kind: chart.KindLine, Series: []chart.Series{{Times: times, Values: values}}}
}

// A single outlier in 10,000 values is visible, whatever column it falls into.
func TestRender_NoPeakIsLost(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	times := every(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), 24*time.Hour, 10_000)
	for range 200 {
		values := make([]float64, len(times))
		for i := range values {
			values[i] = 100 + r.Float64()
		}
		peak, trough := r.IntN(len(values)), r.IntN(len(values)-1)
		if trough >= peak {
			trough++
		}
		values[peak], values[trough] = 110, 90
		width := 20 + r.IntN(100)
		rows := glyphGrid(check(t, timeSeriesSpec(times, values...), chart.RenderOptions{Width: width, Height: 12}))
		// Two if the line from one value to the next crosses into the next cell.
		if top, bottom := dots(rows[0]), dots(rows[len(rows)-1]); top < 1 || top > 2 || bottom < 1 || bottom > 2 {
			t.Fatalf("width %d, peak at %d, trough at %d: %d and %d cells in the highest and lowest row, want one",
				width, peak, trough, dots(rows[0]), dots(rows[len(rows)-1]))
		}
	}
}

func TestRender_AMergedCandleReachesItsExtremes(t *testing.T) {
	c := candles(1, 5000, 100)
	for i := range c.Times {
		c.Open[i], c.Close[i], c.High[i], c.Low[i] = 100, 100.5, 101, 99.5
	}
	c.High[1234], c.Low[4321] = 120, 80
	c.Volume = nil
	rows := glyphGrid(check(t, chart.Spec{Kind: chart.KindCandles, Candles: c}, chart.RenderOptions{Width: 60, Height: 20}))
	for _, row := range []int{0, len(rows) - 1} {
		if strings.TrimSpace(string(rows[row])) == "" {
			t.Errorf("row %d of %d is empty, want the wick of the extreme", row, len(rows))
		}
	}
}

// The negative of a series is its mirror image.
func TestRender_IsSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		n := 5 + r.IntN(300)
		values, negative := make([]float64, n), make([]float64, n)
		for i := range values {
			values[i] = 1.8*r.Float64() - 0.9
		}
		values[r.IntN(n/2)], values[n/2+r.IntN(n/2)] = 1, -1
		for i, v := range values {
			negative[i] = -v
		}
		// Narrow enough to leave out the mark of the last value, which has a sign.
		o := chart.RenderOptions{Width: 28, Height: 14}
		up, down := glyphGrid(check(t, timeSeriesSpec(weekdays(n), values...), o)), glyphGrid(check(t, timeSeriesSpec(weekdays(n), negative...), o))
		for i := range up {
			for j, cell := range up[i] {
				if got := down[len(down)-1-i][j]; mirrored(got) != onlyDots(cell) {
					t.Fatalf("row %d, column %d of %v is %q, of its negative %q", i, j, values, cell, got)
				}
			}
		}
	}
}

func onlyDots(r rune) rune {
	if r < 0x2800 || r > 0x28ff {
		return 0x2800
	}
	return r
}

func mirrored(r rune) rune {
	bits, out := onlyDots(r)-0x2800, rune(0)
	for from, to := range map[rune]rune{0x01: 0x40, 0x02: 0x04, 0x04: 0x02, 0x40: 0x01, 0x08: 0x80, 0x10: 0x20, 0x20: 0x10, 0x80: 0x08} {
		if bits&from != 0 {
			out |= to
		}
	}
	return 0x2800 + out
}

func TestRender_AMissingValueIsAGap(t *testing.T) {
	values := make([]float64, 100)
	for i := range values {
		if values[i] = 50 + float64(i%2); i >= 30 && i < 70 {
			values[i] = math.NaN()
		}
	}
	rows := glyphGrid(check(t, timeSeriesSpec(weekdays(100), values...), chart.RenderOptions{Width: 103, Height: 10}))
	for i, row := range rows {
		for col := 34; col < 64; col++ {
			if row[col] != ' ' {
				t.Fatalf("row %d, column %d holds %q, want nothing where values are missing", i, col, row[col])
			}
		}
	}
	if n := dots(rows[0]); n < 40 {
		t.Errorf("%d cells are drawn beside the gap, want the other values", n)
	}
}

func TestRender_DrawsEveryOrdinarySeries(t *testing.T) {
	day := time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	nan, inf := math.NaN(), math.Inf(1)
	for _, row := range []struct {
		name  string
		spec  chart.Spec
		label string // on the scale
	}{
		{"constant", timeSeriesSpec(weekdays(5), 7, 7, 7, 7, 7), "7.0┤"},
		{"zeros", timeSeriesSpec(weekdays(3), 0, 0, 0), "0┤"},
		{"one point", timeSeriesSpec([]time.Time{day}, 42), "42┤"},
		{"one point among missing", timeSeriesSpec(weekdays(4), nan, 42, inf, nan), "42┤"},
		{"negative", timeSeriesSpec(weekdays(3), -3, -1, -2), "-3.0┤"},
		{"across zero", timeSeriesSpec(weekdays(3), -3, 1, 2), "0┤"},
		{"huge", timeSeriesSpec(weekdays(3), 1e140, 3e140, 2e140), "1e140┤"},
		{"trillions", timeSeriesSpec(weekdays(3), 1e12, 3e12, 2e12), "2.0T┤"},
		{"tiny", timeSeriesSpec(weekdays(3), 1e-9, 3e-9, 2e-9), "2e-9┤"},
		{"both", timeSeriesSpec(weekdays(3), 1e-140, 1e140, 1), " 0┤"},
		{"side by side", timeSeriesSpec(weekdays(3), 1e9, 1e9+1e-6, 1e9), "│"},
		{"equal times", timeSeriesSpec([]time.Time{day, day, day}, 1, 3, 2), "2.0┤"},
		{"backwards", timeSeriesSpec([]time.Time{day.AddDate(0, 0, 9), day}, 1, 3), "2.0┤"},
		{"a millennium", timeSeriesSpec([]time.Time{{}, day}, 1, 3), "2.0┤"},
	} {
		for _, o := range []chart.RenderOptions{{Width: 60, Height: 12}, {Width: 10, Height: 3}} {
			lines := check(t, row.spec, o)
			drawn, text := 0, ""
			for i, cells := range glyphGrid(lines) {
				drawn += dots(cells)
				text += lines[i].String() + "\n"
			}
			if drawn == 0 {
				t.Errorf("%s at %dx%d draws nothing:\n%s", row.name, o.Width, o.Height, text)
			}
			if o.Width == 60 && !strings.Contains(text, row.label) {
				t.Errorf("%s has no label %q:\n%s", row.name, row.label, text)
			}
		}
	}
}

func TestRender_SaysWhenThereIsNoData(t *testing.T) {
	nan := math.NaN()
	for name, spec := range map[string]chart.Spec{
		"unknown kind": {Kind: "pie", Series: []chart.Series{walk(1, 5, 1)}},
		"nothing":      {Kind: chart.KindLine},
		"missing":      timeSeriesSpec(weekdays(2), nan, math.Inf(-1)),
		"no times":     timeSeriesSpec(nil, 1, 2),
		"drawdown":     {Kind: chart.KindDrawdown},
		"compare":      {Kind: chart.KindCompare, Series: []chart.Series{{Times: weekdays(2), Values: chart.Values{0, 0}}}},
		"fan":          {Kind: chart.KindFan, Fan: chart.Fan{Times: weekdays(2), Percentiles: []chart.Percentile{{Rank: 50}}}},
		"candles":      {Kind: chart.KindCandles, Candles: chart.Candles{Times: weekdays(1), Open: chart.Values{nan}, High: chart.Values{1}, Low: chart.Values{1}, Close: chart.Values{1}}},
		"histogram":    {Kind: chart.KindHistogram, Series: []chart.Series{{Values: chart.Values{nan}}}},
		"bars":         {Kind: chart.KindBars, Parts: []chart.Part{{Label: "a", Value: nan}}},
	} {
		spec.Title = "What there is"
		lines := check(t, spec, chart.RenderOptions{Width: 40, Height: 8})
		if len(lines) != 2 || lines[1].String() != "no data" {
			t.Errorf("%s: Render = %v, want the title and no data", name, lines)
		}
		if got := chart.Describe(spec); !strings.HasPrefix(got, "What there is") || !strings.HasSuffix(got, ": no data.") {
			t.Errorf("%s: Describe = %q, want no data", name, got)
		}
		if spec.Validate() == nil {
			t.Errorf("%s: Validate() = nil, want ErrInvalid", name)
		}
	}
}
