package chart

import (
	"math"
	"slices"
	"time"
)

func candleStyle(s Candle) Style {
	if s.Rose() {
		return StyleUp
	}
	return StyleDown
}

const minRowsWithVolume = 7

// candles sets up candlesticks, evenly spaced: days without trade take no space.
func (p *plot) candles(s Spec) bool {
	candles := s.Candles.Sorted()
	var values, volumes ValueRange
	var last *Candle
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
	p.marks = []mark{{p.y.Position(last.Close), p.g.pointer + FormatFigure(last.Close, p.unit), candleStyle(*last)}}
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
		shown := MergeCandles(candles, c.cols)
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

// candleColumn is the column of the i-th of n candles.
func candleColumn(i, n, cols int) int {
	pitch := max(cols/max(n, 1), 1)
	return min(i*min(pitch, 4)+(min(pitch, 4)-1)/2, cols-1)
}

// drawCandle draws a candle in halves of cells.
func (c *canvas) drawCandle(col, rows int, y Scale, s Candle) {
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
		c.set(col, row, c.g.candle(glyph(2*row), glyph(2*row+1), s.Rose()), candleStyle(s))
	}
}

// drawVolumes draws what was traded in the rows below the scale.
func (c *canvas) drawVolumes(candles []Candle, from int) {
	var most ValueRange
	for _, s := range candles {
		most.Add(s.AverageVolume())
	}
	if from >= c.rows || !most.NonEmpty || most.High <= 0 {
		return
	}
	for i, s := range candles {
		if IsDrawable(s.Volume) && s.Volume > 0 {
			c.fillColumn(candleColumn(i, len(candles), c.cols), c.rows-1, c.rows-from, s.AverageVolume()/most.High, candleStyle(s))
		}
	}
}

// fillColumn fills a share of the rows above and with bottom. What is above zero is never
// invisible.
func (c *canvas) fillColumn(col, bottom, rows int, share float64, style Style) {
	steps := len(c.g.columns)
	height := max(int(math.Round(share*float64(rows*steps))), 1)
	for row := bottom; height > 0; row-- {
		c.set(col, row, c.g.columns[min(height, steps)-1], style)
		height -= steps
	}
}

// candleDates labels the first candle at or after a tick with the candle's own date, because the
// day of the tick may have had no trade. A date that is there already is not repeated.
func candleDates(candles []Candle, cols int) []columnLabel {
	times := make([]time.Time, len(candles))
	for i := range candles {
		times[i] = candles[i].At
	}
	var timeRange Period
	timeRange.Add(times)
	shown := MergeCandles(candles, cols)
	var out []columnLabel
	for _, t := range timeRange.Ticks(cols) {
		i, _ := slices.BinarySearchFunc(shown, t.At, func(s Candle, at time.Time) int { return s.At.Compare(at) })
		i = min(i, len(shown)-1)
		latest := shown[i].At
		at := columnLabel{col: candleColumn(i, len(shown), cols), label: latest.Format(t.Layout), context: latest.Format(t.ContextLayout)}
		if n := len(out); n == 0 || out[n-1].label != at.label || at.context != "" && out[n-1].context != at.context {
			out = append(out, at)
		}
	}
	return out
}
