package chart_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/chart"
)

func TestSparkline_DrawsFromTheLowestToTheHighest(t *testing.T) {
	nan := math.NaN()
	for _, row := range []struct {
		name    string
		values  []float64
		width   int
		charset chart.Charset
		want    string
	}{
		{"steps", []float64{1, 2, 3, 4, 5, 6, 7, 8}, 20, chart.CharsetBraille, "▁▂▃▄▅▆▇█"},
		{"ascii", []float64{1, 2, 3, 4, 5, 6, 7, 8}, 20, chart.CharsetASCII, ".:-=+*%#"},
		{"negative", []float64{-1, -8}, 20, chart.CharsetBlock, "█▁"},
		{"gap", []float64{1, nan, math.Inf(1), 8}, 20, chart.CharsetBlock, "▁  █"},
		{"constant", []float64{3, 3, 3}, 20, chart.CharsetBlock, "▅▅▅"},
		{"one", []float64{3}, 20, chart.CharsetBlock, "▅"},
		{"missing", []float64{nan, nan}, 20, chart.CharsetBlock, ""},
		{"none", nil, 20, chart.CharsetBlock, ""},
		{"no room", []float64{1, 2}, 0, chart.CharsetBlock, ""},
		{"a charset that there is not", []float64{1, 2}, 9, chart.CharsetASCII + 7, ".#"},
	} {
		if got := chart.Sparkline(row.values, row.width, row.charset); got != row.want {
			t.Errorf("%s: Sparkline(%v, %d) = %q, want %q", row.name, row.values, row.width, got, row.want)
		}
	}
}

func TestSparkline_KeepsThePeakOfManyValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		values := make([]float64, 100+r.IntN(5000))
		for i := range values {
			values[i] = r.Float64()
		}
		values[r.IntN(len(values))] = 100
		width := 1 + r.IntN(60)
		got := chart.Sparkline(values, width, chart.CharsetBlock)
		if n := strings.Count(got, "█"); n != 1 || utf8.RuneCountInString(got) != width {
			t.Fatalf("Sparkline of %d values with one peak in %d cells = %q, want one peak", len(values), width, got)
		}
	}
}
