package marketplace

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market/sample"
)

// View is how a run of the program looks at the markets.
type View struct {
	SampleAlone bool   // no source but the embedded sample is asked
	AsOf        string // the day that it looks from, or "" for now
}

// Note tells the model where its numbers come from.
func (v View) Note() string {
	note := "Market data come from live public sources, each number with its source, time, delay and flags, which you pass on; where no source answers, from an embedded historical SAMPLE (" + sample.Coverage + "), which must be called sample data with its date."
	if v.SampleAlone {
		note = "Market data in this program is embedded historical SAMPLE data (" + sample.Coverage + "); it is not today's market, and every figure from it must be called sample data with its date."
	}
	if v.AsOf != "" {
		note += " The user looks at the world as of " + v.AsOf + ": treat that day as today. The tools know nothing later, and nothing that you know of later may enter an answer."
	}
	return note
}

// State is what the status line says of the numbers on the screen: nothing as long
// as no source has answered, unless it is known which one alone is asked.
func (v View) State(seen *Seen) string {
	state := seen.State()
	switch {
	case v.SampleAlone:
		state = Sample
	case v.AsOf != "" && state != "" && state != Sample:
		state = "data" // of a day that is past, none is live
	}
	if v.AsOf != "" {
		state = strings.TrimSpace(state + " as of " + v.AsOf)
	}
	return state
}

// Banner is the same for a fresh chat.
func (v View) Banner() string {
	from := "Market data is live where a source answers, else sample data (" + sample.Coverage + ")."
	if v.SampleAlone {
		from = "Market data is sample data (" + sample.Coverage + ")."
	}
	if v.AsOf != "" {
		from += " Everything is as it was known on " + v.AsOf + "."
	}
	return from
}
