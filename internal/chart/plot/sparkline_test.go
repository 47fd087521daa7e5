package plot_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/chart/plot"
)

func TestSparkline_DrawsFromTheLowestToTheHighest(t *testing.T) {
	nan := math.NaN()
	for _, row := range []struct {
		name    string
		values  []float64
		width   int
		charset plot.Charset
		want    string
	}{
		{"steps", []float64{1, 2, 3, 4, 5, 6, 7, 8}, 20, plot.Braille, "▁▂▃▄▅▆▇█"},
		{"ascii", []float64{1, 2, 3, 4, 5, 6, 7, 8}, 20, plot.ASCII, ".:-=+*%#"},
		{"negative", []float64{-1, -8}, 20, plot.Block, "█▁"},
		{"gap", []float64{1, nan, math.Inf(1), 8}, 20, plot.Block, "▁  █"},
		{"constant", []float64{3, 3, 3}, 20, plot.Block, "▅▅▅"},
		{"one", []float64{3}, 20, plot.Block, "▅"},
		{"missing", []float64{nan, nan}, 20, plot.Block, ""},
		{"none", nil, 20, plot.Block, ""},
		{"no room", []float64{1, 2}, 0, plot.Block, ""},
		{"a charset that there is not", []float64{1, 2}, 9, plot.ASCII + 7, ".#"},
	} {
		if got := plot.Sparkline(row.values, row.width, row.charset); got != row.want {
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
		got := plot.Sparkline(values, width, plot.Block)
		if n := strings.Count(got, "█"); n != 1 || utf8.RuneCountInString(got) != width {
			t.Fatalf("Sparkline of %d values with one peak in %d cells = %q, want one peak", len(values), width, got)
		}
	}
}
