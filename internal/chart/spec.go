package chart

import "time"

// Kind says how a [Spec] is drawn, and which of its fields are read.
type Kind string

const (
	// KindLine draws Series over time.
	KindLine Kind = "line"
	// KindCandles draws Candles, evenly spaced, with the volume below where it is known.
	KindCandles Kind = "candles"
	// KindBars draws Parts as horizontal bars with their shares of the whole.
	KindBars Kind = "bars"
	// KindHistogram draws how often the values of the first of Series occur, with their
	// mean and median; its times are not needed.
	KindHistogram Kind = "histogram"
	// KindFan draws Fan: bands between percentiles, and a line for the one in the middle.
	KindFan Kind = "fan"
	// KindDrawdown draws the first of Series, values of zero or less, as an area below
	// a zero line.
	KindDrawdown Kind = "drawdown"
	// KindCompare draws Series, each rebased to 100 on the first day on which all of them
	// have begun.
	KindCompare Kind = "compare"
)

// Spec is what a chart shows. Which fields are read is said at each [Kind].
type Spec struct {
	Kind  Kind   `json:"kind"`
	Title string `json:"title,omitempty"`
	// Unit of the values: a currency, "%" (values are then per cents, not fractions),
	// "index points".
	Unit string `json:"unit,omitempty"`
	// Log draws the values of lines, candles, fans and comparisons on a logarithmic
	// scale. All have to be above zero.
	Log bool `json:"log,omitempty"`
	// Rebased says that the series of a comparison are 100 at its beginning already.
	Rebased bool     `json:"rebased,omitempty"`
	Series  []Series `json:"series,omitempty"`
	Candles Candles  `json:"candles,omitzero"`
	Fan     Fan      `json:"fan,omitzero"`
	Parts   []Part   `json:"parts,omitempty"`
	// Distribution is what there is of a histogram whose values are not kept; Series is not
	// read where it is given.
	Distribution Distribution `json:"counted,omitzero"`
}

// Series is values over time: Values[i] was true at Times[i]. Times do not go
// backwards.
type Series struct {
	Name   string      `json:"name,omitempty"`
	Times  []time.Time `json:"times,omitempty"`
	Values Values      `json:"values"`
	// Missing is how many values are missing beside those that Values shows.
	Missing int `json:"missing,omitempty"`
}

// Candles is candles by column: the i-th elements of all are one candle. Volume is
// empty where it is not known.
type Candles struct {
	Times  []time.Time `json:"times"`
	Open   Values      `json:"open"`
	High   Values      `json:"high"`
	Low    Values      `json:"low"`
	Close  Values      `json:"close"`
	Volume Values      `json:"volume,omitempty"`
	// Bars is how many bars these candles were made of, where that is more than one
	// each. A candle of several stands at the time of the first.
	Bars int `json:"bars,omitempty"`
}

// Fan is what may be, over time. Percentiles are in rising order of At, and of an odd
// number, so that one is in the middle.
type Fan struct {
	Times       []time.Time  `json:"times"`
	Percentiles []Percentile `json:"percentiles"`
}

// Percentile is one line of a fan: at Times[i], At per cent of the outcomes are below
// Values[i].
type Percentile struct {
	Rank   float64 `json:"at"`
	Values Values  `json:"values"`
}

// Distribution is how often values occur: Counts[i] of them lie from Start + i*Step on, in a
// class as wide as Step. A Step of zero is one class of values that are all alike.
type Distribution struct {
	Start  float64 `json:"start"`
	Step   float64 `json:"step"`
	Counts []int   `json:"counts,omitempty"`
	// Of the values themselves: the lowest, the highest, their mean and median, and how
	// many were missing.
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Mean    float64 `json:"mean"`
	Median  float64 `json:"median"`
	Missing int     `json:"missing,omitempty"`
}

// Part is one bar. A value below zero, such as one of a short position, is drawn to
// the left of zero.
type Part struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
	// MergedCount is how many parts this one is the sum of, where that is more than one. When
	// parts are taken together it is one of the first, and its label is written anew.
	MergedCount int `json:"of,omitempty"`
}

// Values are figures in the unit of the [Spec]. NaN is a missing one, which is null
// in JSON.
type Values []float64

// Bounds of what is drawn. Beyond most no chart can be read.
const (
	maxSeries = 6
	maxPoints = 50_000
	maxParts  = 200
	maxBands  = 9
	maxText   = 200 // bytes of a title, name, label or unit
)
