package chart

import (
	"math"
	"slices"
	"time"
)

// stick is one candle, or several that stand in one column.
type stick struct {
	at                             time.Time
	open, high, low, close, volume float64
	known                          bool // else a gap
	traded                         int  // of how many the volume is known
}

// sticks reads candles in order of time. A high below the open or the close does not
// cut it off.
func (b Candles) sticks() []stick {
	n := min(len(b.Times), len(b.Open), len(b.High), len(b.Low), len(b.Close), maxPoints)
	out := make([]stick, 0, n)
	for i := range n {
		if !datable(b.Times[i]) {
			continue
		}
		s := stick{at: b.Times[i], open: b.Open[i], close: b.Close[i], volume: math.NaN()}
		s.high = max(b.Open[i], b.High[i], b.Low[i], b.Close[i])
		s.low = min(b.Open[i], b.High[i], b.Low[i], b.Close[i])
		// Of a number that is none, max and min are none.
		s.known = known(s.high) && known(s.low)
		if i < len(b.Volume) && known(b.Volume[i]) && b.Volume[i] >= 0 {
			s.volume, s.traded = b.Volume[i], 1
		}
		out = append(out, s)
	}
	byTime := func(a, b stick) int { return a.at.Compare(b.at) }
	if !slices.IsSortedFunc(out, byTime) {
		slices.SortStableFunc(out, byTime)
	}
	return out
}

// merged are at most n sticks: neighbours become one, from the open of the first to
// the close of the last, with their highest, their lowest, and their volume as far
// as it is known.
func merged(sticks []stick, n int) []stick {
	if len(sticks) <= n {
		return sticks
	}
	out := make([]stick, n)
	for i := range out {
		out[i] = mergedOne(sticks[i*len(sticks)/n : (i+1)*len(sticks)/n])
	}
	return out
}

// mergedAlike are at most n sticks, each of as many as the others, so that their
// volumes can be compared. Only the first may be of fewer.
func mergedAlike(sticks []stick, n int) []stick {
	if len(sticks) <= n {
		return sticks
	}
	size := (len(sticks) + n - 1) / n
	out := make([]stick, 0, n)
	for from, to := 0, (len(sticks)-1)%size+1; from < len(sticks); from, to = to, to+size {
		out = append(out, mergedOne(sticks[from:to]))
	}
	return out
}

func mergedOne(sticks []stick) stick {
	m := stick{at: sticks[0].at, volume: math.NaN()}
	for i := range sticks {
		m.take(&sticks[i])
	}
	return m
}

// take makes one candle of s and of next, which follows it.
func (s *stick) take(next *stick) {
	if !math.IsNaN(next.volume) {
		s.volume, s.traded = next.volume+zeroIfUnknown(s.volume), s.traded+next.traded
	}
	switch {
	case !next.known:
	case !s.known:
		s.open, s.high, s.low, s.close, s.known = next.open, next.high, next.low, next.close, true
	default:
		s.high, s.low, s.close = max(s.high, next.high), min(s.low, next.low), next.close
	}
}

// zeroIfUnknown begins a sum.
func zeroIfUnknown(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

func (s stick) rose() bool { return s.close >= s.open }

func (s stick) style() Style {
	if s.rose() {
		return Up
	}
	return Down
}

const leastRowsWithVolume = 7

// candles sets up candlesticks, evenly spaced: days without trade take no room.
func (p *plot) candles(s Spec) bool {
	sticks := s.Candles.sticks()
	var values, volumes extent
	var last *stick
	for i := range sticks {
		if one := &sticks[i]; one.known {
			values.add(one.high, one.low)
			last = one
		}
		volumes.add(sticks[i].volume)
	}
	if last == nil {
		return false
	}
	p.setScale(values, s.Log)
	p.marks = []mark{{p.y.position(last.close), p.g.pointer + figure(last.close, p.unit), last.style()}}
	if volumes.any && volumes.high > 0 {
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
		shown := merged(sticks, c.cols)
		for i, one := range shown {
			col := columnFor(i, len(shown), c.cols)
			if one.known {
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
func (c *canvas) stick(col, rows int, y scale, s stick) {
	half := func(v float64) int { return rowOf(y.position(v), rows*2) }
	high, low := half(s.high), half(s.low)
	from, to := half(max(s.open, s.close)), half(min(s.open, s.close))
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
		c.set(col, row, c.g.candle(what(2*row), what(2*row+1), s.rose()), s.style())
	}
}

// pace is what was traded by each of the bars of a stick: columns of two bars and of
// three stand beside each other, and their sums would tell of more trade in the latter.
func (s stick) pace() float64 { return s.volume / float64(max(s.traded, 1)) }

// volumes draws what was traded in the rows below the scale.
func (c *canvas) volumes(sticks []stick, from int) {
	var most extent
	for _, s := range sticks {
		most.add(s.pace())
	}
	if from >= c.rows || !most.any || most.high <= 0 {
		return
	}
	for i, s := range sticks {
		if known(s.volume) && s.volume > 0 {
			c.pillar(columnFor(i, len(sticks), c.cols), c.rows-1, c.rows-from, s.pace()/most.high, s.style())
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
func candleDates(sticks []stick, cols int) []place {
	times := make([]time.Time, len(sticks))
	for i := range sticks {
		times[i] = sticks[i].at
	}
	var when period
	when.add(times)
	shown := merged(sticks, cols)
	var out []place
	for _, t := range dateTicks(when, cols) {
		i, _ := slices.BinarySearchFunc(shown, t.at, func(s stick, at time.Time) int { return s.at.Compare(at) })
		i = min(i, len(shown)-1)
		label := shown[i].at.Format(t.layout)
		if n := len(out); n == 0 || out[n-1].label != label {
			out = append(out, place{columnFor(i, len(shown), cols), label})
		}
	}
	return out
}
