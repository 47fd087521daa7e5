package feed

import (
	"strings"
)

// DataMode is how a run of the program looks at the markets.
type DataMode struct {
	SampleOnly bool   // no source but the embedded sample is asked
	AsOf       string // the day that it looks from, or "" for now
}

// PromptNote tells the model where its numbers come from.
func (v DataMode) PromptNote() string {
	note := "Market data come from live public sources, each number with its source, time, delay and flags, which you pass on; where no source answers, from an embedded historical SAMPLE (" + SampleCoverage + "), which must be called sample data with its date."
	if v.SampleOnly {
		note = "Market data in this program is embedded historical SAMPLE data (" + SampleCoverage + "); it is not today's market, and every figure from it must be called sample data with its date."
	}
	if v.AsOf != "" {
		note += " The user looks at the world as of " + v.AsOf + ": treat that day as today. The tools know nothing later, and nothing that you know of later may enter an answer."
	}
	return note
}

// StatusText is what the status line says of the numbers on the screen: nothing as long
// as no source has answered, unless it is known which one alone is asked.
func (v DataMode) StatusText(tracker *StateTracker) string {
	state := tracker.Worst()
	switch {
	case v.SampleOnly:
		state = StateSample
	case v.AsOf != "" && state != "" && state != StateSample:
		state = "data" // of a day that is past, none is live
	}
	if v.AsOf != "" {
		state = strings.TrimSpace(state + " as of " + v.AsOf)
	}
	return state
}

// Banner is the same for a fresh chat.
func (v DataMode) Banner() string {
	banner := "Market data is live where a source answers, else sample data (" + SampleCoverage + ")."
	if v.SampleOnly {
		banner = "Market data is sample data (" + SampleCoverage + ")."
	}
	if v.AsOf != "" {
		banner += " Everything is as it was known on " + v.AsOf + "."
	}
	return banner
}
