package chart

import (
	"math"
	"slices"
	"time"
)

// Candle is one candle, or several merged into one column.
type Candle struct {
	At                             time.Time
	Open, High, Low, Close, Volume float64
	Known                          bool // false for a gap
	volumeBars                     int  // how many bars have a known volume
}

// Sorted returns the candles in order of time. A high below the open or the close does not cut the
// body.
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
		// max and min of NaN are NaN.
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

// MergeCandles merges neighboring candles until there are at most n: open of the first, close of
// the last, highest high, lowest low, and the sum of the known volumes.
func MergeCandles(candles []Candle, n int) []Candle {
	if len(candles) <= n {
		return candles
	}
	out := make([]Candle, n)
	for i := range out {
		out[i] = combineCandles(candles[i*len(candles)/n : (i+1)*len(candles)/n])
	}
	return out
}

// mergeCandlesEvenly is MergeCandles with the same number of bars in each candle, so that volumes
// can be compared. Only the first may have fewer.
func mergeCandlesEvenly(candles []Candle, n int) []Candle {
	if len(candles) <= n {
		return candles
	}
	size := (len(candles) + n - 1) / n
	out := make([]Candle, 0, n)
	for from, to := 0, (len(candles)-1)%size+1; from < len(candles); from, to = to, to+size {
		out = append(out, combineCandles(candles[from:to]))
	}
	return out
}

func combineCandles(candles []Candle) Candle {
	m := Candle{At: candles[0].At, Volume: math.NaN()}
	for i := range candles {
		m.extend(&candles[i])
	}
	return m
}

// extend merges next, which follows s, into s.
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

// zeroIfUnknown replaces NaN by zero, so that sums can start.
func zeroIfUnknown(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// Rose reports whether the candle closed at or above its open.
func (s Candle) Rose() bool { return s.Close >= s.Open }

// AverageVolume returns the volume per bar, because columns of two and of three bars are next to
// each other, and the sum would suggest more trade in the latter.
func (s Candle) AverageVolume() float64 { return s.Volume / float64(max(s.volumeBars, 1)) }
