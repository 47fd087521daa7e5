// Package plot draws charts in a terminal: [Render] turns a [chart.Spec] into lines of
// text with a [Style] for each part, which the screen colours; [Sparkline] draws values
// in one line.
//
// A chart must not lie. A value that is missing is a gap and is never drawn as zero
// or bridged; where there are more values than columns, each column spans from the
// lowest to the highest of its values, so that no peak is lost; scales are fitted
// to the data and always labelled.
package plot
