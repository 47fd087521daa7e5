package chart

import (
	"math"
	"time"
	"unicode/utf8"
)

// Limits of Downsample. A screen has at most about 400 columns, and a chart is stored with each
// result that has one.
const (
	maxStoredBuckets = 400
	maxStoredPoints  = 600 // of a series, including gap markers
	maxStoredParts   = 40
	maxStoredClasses = 60
)

// Downsample returns s reduced to what a screen can show, to be stored: at most 400 candles, 600
// points of each series, 400 points of a fan, 60 classes of a histogram, 40 parts, and none of the
// fields that its kind does not read. The result does not mislead:
//
//   - neighboring candles are merged, with the open of the first, the highest high, the lowest
//     low, the close of the last and the volume of all;
//   - a series keeps its first and last point and, of each section between them, the lowest and
//     the highest value at their own times; a section of which half is missing keeps its gap. The
//     series of a comparison are rebased to 100 first;
//   - each section of a fan keeps the lowest of the percentiles below the middle, the highest of
//     those above, and the last of the middle: bands become wider, never narrower;
//   - a histogram of more than 400 values keeps the counts of its classes, with the mean and the
//     median of all values;
//   - the smallest of many parts are merged into one, which records how many they were.
//
// A second Downsample changes nothing.
func Downsample(s Spec) Spec {
	out := Spec{Kind: s.Kind, Title: truncateText(s.Title), Unit: truncateText(s.Unit), Log: s.Log}
	switch s.Kind {
	case KindLine:
		out.Series = downsampleSeries(orderSeries(s.Series))
	case KindDrawdown:
		out.Series = downsampleSeries(orderSeries(s.Series[:min(len(s.Series), 1)]))
	case KindCompare:
		out.Series, out.Rebased = downsampleSeries(s.comparedSeries()), true
	case KindCandles:
		out.Candles = s.Candles.downsample()
	case KindFan:
		out.Fan = s.Fan.downsample()
	case KindHistogram:
		out.Series, out.Distribution = s.downsampleHistogram()
	case KindBars:
		out.Parts = downsampleParts(s.Parts)
	}
	return out
}

// truncateText cuts a text to at most maxText bytes, between two characters.
func truncateText(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func downsampleSeries(series []Series) []Series {
	out := make([]Series, 0, len(series))
	for _, one := range series {
		out = append(out, one.downsample())
	}
	return out
}

// downsample keeps the extremes of each section, at their times.
func (s Series) downsample() Series {
	n := min(len(s.Times), len(s.Values))
	out := Series{Name: truncateText(s.Name), Missing: s.Missing, Times: s.Times[:n], Values: s.Values[:n]}
	if n <= maxStoredPoints {
		return out
	}
	out.Times, out.Values = make([]time.Time, 0, maxStoredPoints), make(Values, 0, maxStoredPoints)
	keep := func(i int) {
		out.Times, out.Values = append(out.Times, s.Times[i]), append(out.Values, s.Values[i])
	}
	const stretches = maxStoredBuckets/2 - 1
	keep(0)
	for b := range stretches {
		from, to := 1+b*(n-2)/stretches, 1+(b+1)*(n-2)/stretches
		for _, i := range s.extremes(from, to) {
			keep(i)
		}
	}
	keep(n - 1)
	out.Missing += s.Values[:n].countMissing() - out.Values.countMissing()
	return out
}

// extremes returns the indexes of the lowest and the highest value of a section, and of a missing
// one if at least half are missing, in order of time.
func (s Series) extremes(from, to int) []int {
	low, high, gap, missing := -1, -1, -1, 0
	for i := from; i < to; i++ {
		v := s.Values[i]
		if !isDrawable(v) {
			if gap < 0 {
				gap = i
			}
			missing++
			continue
		}
		if low < 0 || v < s.Values[low] {
			low = i
		}
		if high < 0 || v > s.Values[high] {
			high = i
		}
	}
	if 2*missing < to-from {
		gap = -1
	}
	var out []int
	for i := from; i < to; i++ {
		if i == low || i == high || i == gap {
			out = append(out, i)
		}
	}
	return out
}

// countMissing returns the number of unknown values.
func (v Values) countMissing() int {
	n := 0
	for _, x := range v {
		if !isDrawable(x) {
			n++
		}
	}
	return n
}

// downsample merges candles into at most 400 and records how many there were.
func (b Candles) downsample() Candles {
	candles := b.Sorted()
	kept := mergeCandlesEvenly(candles, maxStoredBuckets)
	out := Candles{Bars: b.Bars}
	if len(kept) < len(candles) {
		out.Bars = max(b.Bars, len(candles))
	}
	traded := false
	for _, s := range kept {
		if !s.Known {
			s.Open, s.High, s.Low, s.Close = math.NaN(), math.NaN(), math.NaN(), math.NaN()
		}
		traded = traded || isDrawable(s.Volume)
		out.Times = append(out.Times, s.At)
		out.Open, out.High = append(out.Open, s.Open), append(out.High, s.High)
		out.Low, out.Close = append(out.Low, s.Low), append(out.Close, s.Close)
		out.Volume = append(out.Volume, s.Volume)
	}
	if !traded {
		out.Volume = nil
	}
	return out
}

// downsample widens the bands in each section to include all their values there. The first and the last point
// stay as they are.
func (f Fan) downsample() Fan {
	bands := f.Percentiles[:min(len(f.Percentiles), maxBands)]
	n := min(len(f.Times), maxPoints)
	for _, b := range bands {
		n = min(n, len(b.Values))
	}
	out := Fan{Times: f.Times[:n], Percentiles: make([]Percentile, len(bands))}
	thin := n > maxStoredBuckets
	if thin {
		out.Times = nil
	}
	for i, b := range bands {
		out.Percentiles[i] = Percentile{Rank: b.Rank, Values: b.Values[:n]}
		if thin {
			out.Percentiles[i].Values = nil
		}
	}
	if !thin {
		return out
	}
	keep := func(from, to int) {
		out.Times = append(out.Times, f.Times[to-1])
		for i, b := range bands {
			out.Percentiles[i].Values = append(out.Percentiles[i].Values, outermost(b.Values[from:to], i-len(bands)/2))
		}
		out.restoreOrder(len(out.Times) - 1)
	}
	keep(0, 1)
	for b := range maxStoredBuckets - 2 {
		keep(1+b*(n-2)/(maxStoredBuckets-2), 1+(b+1)*(n-2)/(maxStoredBuckets-2))
	}
	keep(n-1, n)
	return out
}

// restoreOrder restores the order of the percentiles of a point after some were missing in its
// section: each is at least as far out as the next inner one.
func (f Fan) restoreOrder(at int) {
	middle := len(f.Percentiles) / 2
	if len(f.Percentiles) == 0 {
		return
	}
	low := f.Percentiles[middle].Values[at]
	high := low
	for i := 1; i <= middle; i++ {
		if below := &f.Percentiles[middle-i].Values[at]; *below > low {
			*below = low
		} else if isDrawable(*below) {
			low = *below
		}
		if middle+i >= len(f.Percentiles) {
			continue
		}
		if above := &f.Percentiles[middle+i].Values[at]; *above < high {
			*above = high
		} else if isDrawable(*above) {
			high = *above
		}
	}
}

// outermost returns the lowest value for a percentile below the middle (side < 0), the highest for one above
// it, and the last known value for the middle one.
func outermost(values Values, side int) float64 {
	var e ValueRange
	e.Add(values...)
	switch {
	case !e.NonEmpty:
		return math.NaN()
	case side == 0:
		return values.lastKnown()
	case side < 0:
		return e.Low
	}
	return e.High
}

// lastKnown returns the last known value, or NaN.
func (v Values) lastKnown() float64 {
	for i := len(v) - 1; i >= 0; i-- {
		if isDrawable(v[i]) {
			return v[i]
		}
	}
	return math.NaN()
}

// downsampleHistogram replaces many values by the counts of their classes.
func (s Spec) downsampleHistogram() ([]Series, Distribution) {
	if len(s.Distribution.Counts) > 0 || len(s.Series) == 0 {
		return nil, s.Distribution.limited()
	}
	one := s.Series[0]
	sorted := one.Values.sorted()
	if len(one.Values) <= maxStoredBuckets || len(sorted) == 0 {
		return []Series{{Name: truncateText(one.Name), Missing: one.Missing, Values: one.Values[:min(len(one.Values), maxStoredBuckets)]}}, Distribution{}
	}
	return nil, newDistribution(sorted, one.Missing+one.Values.countMissing())
}

// downsampleParts merges the smallest parts if there are many.
func downsampleParts(parts []Part) []Part {
	out := knownParts(parts)
	if len(out) > maxStoredParts {
		out = mergeSmallest(out, maxStoredParts)
	}
	for i := range out {
		out[i].Label = truncateText(out[i].Label)
	}
	return out
}
