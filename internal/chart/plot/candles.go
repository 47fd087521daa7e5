package plot

import (
	"math"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/chart/axis"
)

func styleOf(s chart.Stick) Style {
	if s.Rose() {
		return Up
	}
	return Down
}

const leastRowsWithVolume = 7

// candles sets up candlesticks, evenly spaced: days without trade take no room.
func (p *plot) candles(s chart.Spec) bool {
	sticks := s.Candles.Sticks()
	var values, volumes axis.Extent
	var last *chart.Stick
	for i := range sticks {
		if one := &sticks[i]; one.Known {
			values.Add(one.High, one.Low)
			last = one
		}
		volumes.Add(sticks[i].Volume)
	}
	if last == nil {
		return false
	}
	p.setScale(values, s.Log)
	p.marks = []mark{{p.y.Position(last.Close), p.g.pointer + axis.Figure(last.Close, p.unit), styleOf(*last)}}
	if volumes.Any && volumes.High > 0 {
		p.below = func(rows int) int {
			if rows < leastRowsWithVolume {
				return 0
			}
			return max(rows/5, 1)
		}
		p.belowLabel = "vol"
	}
	p.bottom = func(cols int) []place { return candleDates(sticks, cols) }
	p.draw = func(c *canvas, rows int) {
		shown := chart.Merged(sticks, c.cols)
		for i, one := range shown {
			col := columnFor(i, len(shown), c.cols)
			if one.Known {
				c.stick(col, rows, p.y, one)
			}
		}
		c.volumes(shown, rows)
	}
	return true
}

// columnFor is the column of the i-th of n sticks.
func columnFor(i, n, cols int) int {
	pitch := max(cols/max(n, 1), 1)
	return min(i*min(pitch, 4)+(min(pitch, 4)-1)/2, cols-1)
}

// stick draws a candle in halves of cells.
func (c *canvas) stick(col, rows int, y axis.Scale, s chart.Stick) {
	half := func(v float64) int { return rowOf(y.Position(v), rows*2) }
	high, low := half(s.High), half(s.Low)
	from, to := half(max(s.Open, s.Close)), half(min(s.Open, s.Close))
	what := func(at int) part {
		switch {
		case at >= from && at <= to:
			return body
		case at >= high && at <= low:
			return wick
		}
		return nothing
	}
	for row := high / 2; row <= low/2; row++ {
		c.set(col, row, c.g.candle(what(2*row), what(2*row+1), s.Rose()), styleOf(s))
	}
}

// volumes draws what was traded in the rows below the scale.
func (c *canvas) volumes(sticks []chart.Stick, from int) {
	var most axis.Extent
	for _, s := range sticks {
		most.Add(s.Pace())
	}
	if from >= c.rows || !most.Any || most.High <= 0 {
		return
	}
	for i, s := range sticks {
		if axis.Known(s.Volume) && s.Volume > 0 {
			c.pillar(columnFor(i, len(sticks), c.cols), c.rows-1, c.rows-from, s.Pace()/most.High, styleOf(s))
		}
	}
}

// pillar fills a share of the rows above and with bottom. What is above zero is never
// invisible.
func (c *canvas) pillar(col, bottom, rows int, share float64, style Style) {
	steps := len(c.g.columns)
	height := max(int(math.Round(share*float64(rows*steps))), 1)
	for row := bottom; height > 0; row-- {
		c.set(col, row, c.g.columns[min(height, steps)-1], style)
		height -= steps
	}
}

// candleDates labels the first candle that is not before a beginning, with its own
// date: the day itself may have had no trade. A date that stands already is not
// written again.
func candleDates(sticks []chart.Stick, cols int) []place {
	times := make([]time.Time, len(sticks))
	for i := range sticks {
		times[i] = sticks[i].At
	}
	var when axis.Period
	when.Add(times)
	shown := chart.Merged(sticks, cols)
	var out []place
	for _, t := range when.Ticks(cols) {
		i, _ := slices.BinarySearchFunc(shown, t.At, func(s chart.Stick, at time.Time) int { return s.At.Compare(at) })
		i = min(i, len(shown)-1)
		stands := shown[i].At
		at := place{col: columnFor(i, len(shown), cols), label: stands.Format(t.Layout), above: stands.Format(t.Above)}
		if n := len(out); n == 0 || out[n-1].label != at.label || at.above != "" && out[n-1].above != at.above {
			out = append(out, at)
		}
	}
	return out
}
