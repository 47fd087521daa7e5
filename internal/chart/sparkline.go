package chart

import (
	"math"
	"strings"
)

// Sparkline draws values in one line of at most width cells, one for each value: from ▁, the
// lowest, to █, or in ASCII from "." to "#". A missing value is a blank. If there are more values
// than cells, a cell shows the value that is farthest from the middle of the range, so that peaks
// are kept.
func Sparkline(values []float64, width int, c Charset) string {
	var e ValueRange
	e.Add(values...)
	width = min(width, maxWidth, len(values))
	if !e.NonEmpty || width < 1 {
		return ""
	}
	y, levels := e.Scale(false), glyphsOf(min(c, CharsetASCII)).spark
	var b strings.Builder
	for i := range width {
		from, to := i*len(values)/width, (i+1)*len(values)/width
		p := farthestFromMiddle(values[from:to], y)
		if math.IsNaN(p) {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(levels[int(math.Round(p*float64(len(levels)-1)))])
	}
	return b.String()
}

// farthestFromMiddle is the position farthest from the middle, of two alike the higher one; or
// NaN if none is known.
func farthestFromMiddle(values []float64, y Scale) float64 {
	found := math.NaN()
	for _, v := range values {
		p := y.Position(v)
		d, most := math.Abs(p-0.5), math.Abs(found-0.5)
		if math.IsNaN(found) || d > most || d == most && p > found {
			found = p
		}
	}
	return found
}
