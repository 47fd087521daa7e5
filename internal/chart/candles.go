package chart

import (
	"math"
	"slices"
	"time"
)

// Candle is one candle, or several that stand in one column.
type Candle struct {
	At                             time.Time
	Open, High, Low, Close, Volume float64
	Known                          bool // else a gap
	volumeBars                     int  // of how many the volume is known
}

// Sorted reads candles in order of time. A high below the open or the close does not
// cut it off.
func (b Candles) Sorted() []Candle {
	n := min(len(b.Times), len(b.Open), len(b.High), len(b.Low), len(b.Close), maxPoints)
	out := make([]Candle, 0, n)
	for i := range n {
		if !HasPrintableYear(b.Times[i]) {
			continue
		}
		s := Candle{At: b.Times[i], Open: b.Open[i], Close: b.Close[i], Volume: math.NaN()}
		s.High = max(b.Open[i], b.High[i], b.Low[i], b.Close[i])
		s.Low = min(b.Open[i], b.High[i], b.Low[i], b.Close[i])
		// Of a number that is none, max and min are none.
		s.Known = IsDrawable(s.High) && IsDrawable(s.Low)
		if i < len(b.Volume) && IsDrawable(b.Volume[i]) && b.Volume[i] >= 0 {
			s.Volume, s.volumeBars = b.Volume[i], 1
		}
		out = append(out, s)
	}
	byTime := func(a, b Candle) int { return a.At.Compare(b.At) }
	if !slices.IsSortedFunc(out, byTime) {
		slices.SortStableFunc(out, byTime)
	}
	return out
}

// MergeCandles are at most n sticks: neighbours become one, from the open of the first to
// the close of the last, with their highest, their lowest, and their volume as far
// as it is known.
func MergeCandles(sticks []Candle, n int) []Candle {
	if len(sticks) <= n {
		return sticks
	}
	out := make([]Candle, n)
	for i := range out {
		out[i] = combineCandles(sticks[i*len(sticks)/n : (i+1)*len(sticks)/n])
	}
	return out
}

// mergeCandlesEvenly are at most n sticks, each of as many as the others, so that their
// volumes can be compared. Only the first may be of fewer.
func mergeCandlesEvenly(sticks []Candle, n int) []Candle {
	if len(sticks) <= n {
		return sticks
	}
	size := (len(sticks) + n - 1) / n
	out := make([]Candle, 0, n)
	for from, to := 0, (len(sticks)-1)%size+1; from < len(sticks); from, to = to, to+size {
		out = append(out, combineCandles(sticks[from:to]))
	}
	return out
}

func combineCandles(sticks []Candle) Candle {
	m := Candle{At: sticks[0].At, Volume: math.NaN()}
	for i := range sticks {
		m.extend(&sticks[i])
	}
	return m
}

// extend makes one candle of s and of next, which follows it.
func (s *Candle) extend(next *Candle) {
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

// zeroIfUnknown begins a sum.
func zeroIfUnknown(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// Rose reports a candle that closed no lower than it opened.
func (s Candle) Rose() bool { return s.Close >= s.Open }

// AverageVolume is what was traded by each of the bars of a stick: columns of two bars and of
// three stand beside each other, and their sums would tell of more trade in the latter.
func (s Candle) AverageVolume() float64 { return s.Volume / float64(max(s.volumeBars, 1)) }
