package chart

import "time"

// Kind determines how a [Spec] is drawn and which fields are used.
type Kind string

const (
	// KindLine draws Series over time.
	KindLine Kind = "line"
	// KindCandles draws Candles, evenly spaced, with the volume below where it is known.
	KindCandles Kind = "candles"
	// KindBars draws Parts as horizontal bars with their shares of the total.
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

// Spec is the data of a chart. The [Kind] determines which fields are used.
type Spec struct {
	Kind  Kind   `json:"kind"`
	Title string `json:"title,omitempty"`
	// Unit of the values: a currency, "%" (values are then percentages, not fractions),
	// "index points".
	Unit string `json:"unit,omitempty"`
	// Log draws the values of lines, candles, fans and comparisons on a logarithmic
	// scale. All have to be above zero.
	Log bool `json:"log,omitempty"`
	// Rebased means that the series of a comparison already start at 100.
	Rebased bool     `json:"rebased,omitempty"`
	Series  []Series `json:"series,omitempty"`
	Candles Candles  `json:"candles,omitzero"`
	Fan     Fan      `json:"fan,omitzero"`
	Parts   []Part   `json:"parts,omitempty"`
	// Distribution is the data of a histogram whose values are not stored; if it is set, Series is
	// not read.
	Distribution Distribution `json:"counted,omitzero"`
}

// Series is values over time: Values[i] is the value at Times[i]. Times are sorted.
type Series struct {
	Name   string      `json:"name,omitempty"`
	Times  []time.Time `json:"times,omitempty"`
	Values Values      `json:"values"`
	// Missing is the number of missing values in addition to those in Values.
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
	// Bars is how many bars these candles were made of, if some have more than one. A merged
	// candle has the time of its first bar.
	Bars int `json:"bars,omitempty"`
}

// Fan is a range of possible outcomes over time. Percentiles are sorted by Rank, and their number is odd, so
// that one is in the middle.
type Fan struct {
	Times       []time.Time  `json:"times"`
	Percentiles []Percentile `json:"percentiles"`
}

// Percentile is one line of a fan: at Times[i], Rank percent of the outcomes are below Values[i].
type Percentile struct {
	Rank   float64 `json:"at"`
	Values Values  `json:"values"`
}

// Distribution counts how often values occur: Counts[i] values are in the class of width Step that
// starts at Start + i*Step. A Step of zero is one class of equal values.
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

// Part is one bar. A negative value, such as a short position, is drawn to the left of zero.
type Part struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
	// MergedCount is the number of parts that were merged into this one, if more than one. A later merge
	// always includes it and gives it a new label.
	MergedCount int `json:"of,omitempty"`
}

// Values are figures in the unit of the [Spec]. NaN is a missing one, which is null
// in JSON.
type Values []float64

// Limits of a chart. Beyond most of them it is unreadable.
const (
	maxSeries = 6
	maxPoints = 50_000
	maxParts  = 200
	maxBands  = 9
	maxText   = 200 // bytes of a title, name, label or unit
)
