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
	note := "Market data is live from public sources. If none responds, nfa uses built-in SAMPLE data (" + SampleCoverage + "): call it sample data, with its date."
	if v.SampleOnly {
		note = "All market data is built-in SAMPLE data (" + SampleCoverage + "), not today's market: call every figure sample data, with its date."
	}
	if v.AsOf != "" {
		note += " The user looks at the world as of " + v.AsOf + ": treat that day as today, and use nothing later."
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
