// Package chart says what is to be seen: lines, candles, shares, the distribution of
// values, futures with their percentiles, falls from a peak and series against each
// other. A [Spec] says it in numbers, and travels as JSON; [Spec.Validate] tells what
// keeps it from being drawn as it is meant, [Thin] leaves what a screen can show, and
// [Describe] says it in a sentence. Drawing is another matter: chart/plot.
//
// Whoever draws reads a Spec through [Spec.Heading], [Spec.Lines], [Candles.Sticks],
// [Spec.Classes] and [Spec.Bars], which are in order, clean, and of what can be drawn.
//
// A chart must not lie. A value that is missing is a gap and is never told as zero;
// where many values become few, the lowest and the highest of them stay.
package chart
