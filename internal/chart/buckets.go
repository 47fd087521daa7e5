package chart

import (
	"math"
)

func columnOf(position float64, n int) int { return int(math.Round(position * float64(n-1))) }

// bucket is what a series does in one column, in positions on the scale.
type bucket struct {
	first, last, low, high float64
	filled                 bool
	connected              bool // to the column before
}

// bucketSeries reduces a series to n columns. What falls into one column spans from the
// lowest to the highest of it; columns between two points lie on the line that joins
// them; a missing value joins nothing.
func bucketSeries(s Series, p Period, y Scale, n int) []bucket {
	out := make([]bucket, n)
	before, broken := 0, true
	for i, t := range s.Times {
		v := y.Position(s.Values[i])
		if math.IsNaN(v) {
			broken = true
			continue
		}
		x := columnOf(p.Position(t), n)
		b := &out[x]
		if b.filled {
			b.last, b.low, b.high = v, min(b.low, v), max(b.high, v)
		} else {
			*b = bucket{v, v, v, v, true, !broken}
			if !broken {
				connectBuckets(out, before, x)
			}
		}
		before, broken = x, false
	}
	return out
}

// connectBuckets fills the columns between from and to.
func connectBuckets(out []bucket, from, to int) {
	start, end := out[from].last, out[to].first
	for x := from + 1; x < to; x++ {
		v := start + (end-start)*float64(x-from)/float64(to-from)
		out[x] = bucket{v, v, v, v, true, true}
	}
}
