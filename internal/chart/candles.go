package chart

import (
	"math"
	"slices"
	"time"
)

// candle is one candle, or several merged into one column.
type candle struct {
	At                             time.Time
	Open, High, Low, Close, Volume float64
	Known                          bool // false for a gap
	volumeBars                     int  // how many bars have a known volume
}

// Sorted returns the candles in order of time. A high below the open or the close does not cut the
// body.
func (b Candles) Sorted() []candle {
	n := min(len(b.Times), len(b.Open), len(b.High), len(b.Low), len(b.Close), maxPoints)
	out := make([]candle, 0, n)
	for i := range n {
		if !hasPrintableYear(b.Times[i]) {
			continue
		}
		s := candle{At: b.Times[i], Open: b.Open[i], Close: b.Close[i], Volume: math.NaN()}
		s.High = max(b.Open[i], b.High[i], b.Low[i], b.Close[i])
		s.Low = min(b.Open[i], b.High[i], b.Low[i], b.Close[i])
		// max and min of NaN are NaN.
		s.Known = isDrawable(s.High) && isDrawable(s.Low)
		if i < len(b.Volume) && isDrawable(b.Volume[i]) && b.Volume[i] >= 0 {
			s.Volume, s.volumeBars = b.Volume[i], 1
		}
		out = append(out, s)
	}
	byTime := func(a, b candle) int { return a.At.Compare(b.At) }
	if !slices.IsSortedFunc(out, byTime) {
		slices.SortStableFunc(out, byTime)
	}
	return out
}

// mergeCandles merges neighboring candles until there are at most n: open of the first, close of
// the last, highest high, lowest low, and the sum of the known volumes.
func mergeCandles(candles []candle, n int) []candle {
	if len(candles) <= n {
		return candles
	}
	out := make([]candle, n)
	for i := range out {
		out[i] = combineCandles(candles[i*len(candles)/n : (i+1)*len(candles)/n])
	}
	return out
}

// mergeCandlesEvenly works like mergeCandles with the same number of bars in each candle, so that volumes
// can be compared. Only the first may have fewer.
func mergeCandlesEvenly(candles []candle, n int) []candle {
	if len(candles) <= n {
		return candles
	}
	size := (len(candles) + n - 1) / n
	out := make([]candle, 0, n)
	for from, to := 0, (len(candles)-1)%size+1; from < len(candles); from, to = to, to+size {
		out = append(out, combineCandles(candles[from:to]))
	}
	return out
}

func combineCandles(candles []candle) candle {
	m := candle{At: candles[0].At, Volume: math.NaN()}
	for i := range candles {
		m.extend(&candles[i])
	}
	return m
}

// extend merges next, which follows s, into s.
func (s *candle) extend(next *candle) {
	if !math.IsNaN(next.Volume) {
		s.Volume, s.volumeBars = next.Volume+zeroIfUnknown(s.Volume), s.volumeBars+next.volumeBars
	}
	switch {
	case !next.Known:
	case !s.Known:
		s.Open, s.High, s.Low, s.Close, s.Known = next.Open, next.High, next.Low, next.Close, true
	default:
		s.High, s.Low, s.Close = max(s.High, next.High), min(s.Low, next.Low), next.Close
	}
}

// zeroIfUnknown replaces NaN by zero, so that sums can start.
func zeroIfUnknown(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// rose reports whether the candle closed at or above its open.
func (s candle) rose() bool { return s.Close >= s.Open }

// averageVolume returns the volume per bar, because columns of two and of three bars are next to
// each other, and the sum would suggest more trade in the latter.
func (s candle) averageVolume() float64 { return s.Volume / float64(max(s.volumeBars, 1)) }

func candleStyle(s candle) Style {
	if s.rose() {
		return StyleUp
	}
	return StyleDown
}

const minRowsWithVolume = 7

// candles sets up candlesticks, evenly spaced: days without trade take no space.
func (p *plot) candles(s Spec) bool {
	candles := s.Candles.Sorted()
	var values, volumes ValueRange
	var last *candle
	for i := range candles {
		if one := &candles[i]; one.Known {
			values.Add(one.High, one.Low)
			last = one
		}
		volumes.Add(candles[i].Volume)
	}
	if last == nil {
		return false
	}
	p.setScale(values, s.Log)
	p.marks = []mark{{p.y.Position(last.Close), p.g.pointer + formatFigure(last.Close, p.unit), candleStyle(*last)}}
	if volumes.NonEmpty && volumes.High > 0 {
		p.volumeRows = func(rows int) int {
			if rows < minRowsWithVolume {
				return 0
			}
			return max(rows/5, 1)
		}
		p.volumeLabel = "vol"
	}
	p.columnLabels = func(cols int) []columnLabel { return candleDates(candles, cols) }
	p.draw = func(c *canvas, rows int) {
		shown := mergeCandles(candles, c.cols)
		for i, one := range shown {
			col := candleColumn(i, len(shown), c.cols)
			if one.Known {
				c.drawCandle(col, rows, p.y, one)
			}
		}
		c.drawVolumes(shown, rows)
	}
	return true
}

// candleColumn returns the column of the i-th of n candles.
func candleColumn(i, n, cols int) int {
	pitch := max(cols/max(n, 1), 1)
	return min(i*min(pitch, 4)+(min(pitch, 4)-1)/2, cols-1)
}

// drawCandle draws a candle with a resolution of half a cell.
func (c *canvas) drawCandle(col, rows int, y Scale, s candle) {
	half := func(v float64) int { return rowOf(y.Position(v), rows*2) }
	high, low := half(s.High), half(s.Low)
	from, to := half(max(s.Open, s.Close)), half(min(s.Open, s.Close))
	glyph := func(at int) candlePart {
		switch {
		case at >= from && at <= to:
			return candleBody
		case at >= high && at <= low:
			return candleWick
		}
		return candleNone
	}
	for row := high / 2; row <= low/2; row++ {
		c.set(col, row, c.g.candle(glyph(2*row), glyph(2*row+1), s.rose()), candleStyle(s))
	}
}

// drawVolumes draws the volume in the rows below the scale.
func (c *canvas) drawVolumes(candles []candle, from int) {
	var most ValueRange
	for _, s := range candles {
		most.Add(s.averageVolume())
	}
	if from >= c.rows || !most.NonEmpty || most.High <= 0 {
		return
	}
	for i, s := range candles {
		if isDrawable(s.Volume) && s.Volume > 0 {
			c.fillColumn(candleColumn(i, len(candles), c.cols), c.rows-1, c.rows-from, s.averageVolume()/most.High, candleStyle(s))
		}
	}
}

// fillColumn fills a share of rows, from row bottom upward. It always draws at least one step, so that small
// values stay visible.
func (c *canvas) fillColumn(col, bottom, rows int, share float64, style Style) {
	steps := len(c.g.columns)
	height := max(int(math.Round(share*float64(rows*steps))), 1)
	for row := bottom; height > 0; row-- {
		c.set(col, row, c.g.columns[min(height, steps)-1], style)
		height -= steps
	}
}

// candleDates labels the first candle at or after a tick with the candle's own date, because the day of the
// tick may have had no trade. A date that is already shown is not repeated.
func candleDates(candles []candle, cols int) []columnLabel {
	times := make([]time.Time, len(candles))
	for i := range candles {
		times[i] = candles[i].At
	}
	var timeRange Period
	timeRange.Add(times)
	shown := mergeCandles(candles, cols)
	var out []columnLabel
	for _, t := range timeRange.Ticks(cols) {
		i, _ := slices.BinarySearchFunc(shown, t.At, func(s candle, at time.Time) int { return s.At.Compare(at) })
		i = min(i, len(shown)-1)
		latest := shown[i].At
		at := columnLabel{col: candleColumn(i, len(shown), cols), label: latest.Format(t.Layout), context: latest.Format(t.ContextLayout)}
		if n := len(out); n == 0 || out[n-1].label != at.label || at.context != "" && out[n-1].context != at.context {
			out = append(out, at)
		}
	}
	return out
}
