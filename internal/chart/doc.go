// Package chart draws figures in a terminal: lines, candles, shares, the
// distribution of values, futures with their percentiles, falls from a peak and
// series against each other. A [Spec] says what is to be seen, and travels as JSON;
// [Render] turns it into lines of text with a style for each part, which the
// screen colours; [Describe] says the same in a sentence.
//
// A chart must not lie. A value that is missing is a gap and is never drawn as zero
// or bridged; where there are more values than columns, each column spans from the
// lowest to the highest of its values, so that no peak is lost; scales are fitted
// to the data and always labelled.
package chart
