package chart

import (
	"math"
	"slices"
	"time"
)

// seconds since 1970, for distances of any length: a time.Duration ends after 292
// years.
func seconds(t time.Time) float64 {
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9
}

// ordered is s with as many times as values, in the order of time, without points
// that have no date that can be written.
func ordered(s Series) Series {
	n := min(len(s.Times), len(s.Values), maxPoints)
	s.Times, s.Values = s.Times[:n], s.Values[:n]
	sorted := slices.IsSortedFunc(s.Times, time.Time.Compare)
	if n == 0 || sorted && datable(s.Times[0]) && datable(s.Times[n-1]) {
		return s
	}
	var index []int
	for i, t := range s.Times {
		if datable(t) {
			index = append(index, i)
		}
	}
	slices.SortStableFunc(index, func(a, b int) int { return s.Times[a].Compare(s.Times[b]) })
	out := Series{Name: s.Name, Missing: s.Missing}
	for _, i := range index {
		out.Times, out.Values = append(out.Times, s.Times[i]), append(out.Values, s.Values[i])
	}
	return out
}

// period is what is seen of time.
type period struct {
	from, to time.Time
	any      bool
	// hourly says that there are several points on one day, so that the time of day
	// tells them apart.
	hourly bool
}

func (p *period) add(times []time.Time) {
	if len(times) == 0 {
		return
	}
	first, last := times[0], times[len(times)-1]
	if !p.any || first.Before(p.from) {
		p.from = first
	}
	if !p.any || last.After(p.to) {
		p.to = last
	}
	p.any, p.hourly = true, p.hourly || intraday(times)
}

// position is from 0, the beginning, to 1; a period of one moment stands in the
// middle.
func (p period) position(t time.Time) float64 {
	length := seconds(p.to) - seconds(p.from)
	if length <= 0 {
		return 0.5
	}
	return min(max((seconds(t)-seconds(p.from))/length, 0), 1)
}

func columnOf(position float64, n int) int { return int(math.Round(position * float64(n-1))) }

// bucket is what a series does in one column, in positions on the scale.
type bucket struct {
	first, last, low, high float64
	filled                 bool
	joined                 bool // to the column before
}

// trace reduces a series to n columns. What falls into one column spans from the
// lowest to the highest of it; columns between two points lie on the line that joins
// them; a missing value joins nothing.
func trace(s Series, p period, y scale, n int) []bucket {
	out := make([]bucket, n)
	before, broken := 0, true
	for i, t := range s.Times {
		v := y.position(s.Values[i])
		if math.IsNaN(v) {
			broken = true
			continue
		}
		x := columnOf(p.position(t), n)
		b := &out[x]
		if b.filled {
			b.last, b.low, b.high = v, min(b.low, v), max(b.high, v)
		} else {
			*b = bucket{v, v, v, v, true, !broken}
			if !broken {
				join(out, before, x)
			}
		}
		before, broken = x, false
	}
	return out
}

// join fills the columns between from and to.
func join(out []bucket, from, to int) {
	start, end := out[from].last, out[to].first
	for x := from + 1; x < to; x++ {
		v := start + (end-start)*float64(x-from)/float64(to-from)
		out[x] = bucket{v, v, v, v, true, true}
	}
}
