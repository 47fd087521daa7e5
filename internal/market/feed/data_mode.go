package feed

import (
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

// DataMode states which market data a run uses, and as of which day.
type DataMode struct {
	SampleOnly bool   // only the built-in sample data is used
	AsOf       string // the date that replaces today, or ""
}

// PromptNote returns the part of the system prompt that tells the model where the data comes from.
func (v DataMode) PromptNote() string {
	note := "Market data is live from public sources. Results flagged sample are built-in SAMPLE data (" + SampleCoverage + "): call them sample data and state their date."
	if v.SampleOnly {
		note = "All market data is built-in SAMPLE data (" + SampleCoverage + "), not today's market: call every figure sample data and state its date."
	}
	if v.AsOf != "" {
		note += " The user has set the date to " + v.AsOf + ": treat that day as today and use nothing later."
	}
	return note
}

// StatusText returns the data state for the status line: "" until a source has delivered, unless there is
// only one possible state.
func (v DataMode) StatusText(tracker *StateTracker) string {
	state := tracker.Worst()
	switch {
	case v.SampleOnly:
		state = StateSample
	case v.AsOf != "" && state != "" && state != StateSample:
		state = "data" // data for a past day is never live
	}
	if v.AsOf != "" {
		state = strings.TrimSpace(state + " as of " + v.AsOf)
	}
	return state
}

// States of data, best first.
const (
	StateLive    = "live data"
	StateDelayed = "delayed data"
	StateStale   = "stale data"
	StateSample  = "SAMPLE DATA"
)

// StateTracker tracks the state of the data that sources have returned in a session. The zero value is ready
// to use; it is safe for concurrent use.
type StateTracker struct {
	mu                sync.Mutex
	current, previous int // severity from 1 to 4, 0 without data: the worst of this turn, and of the last earlier turn with data
}

// BeginTurn begins a turn.
func (d *StateTracker) BeginTurn() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current > 0 {
		d.previous, d.current = d.current, 0
	}
}

// Reset begins a session.
func (d *StateTracker) Reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.current, d.previous = 0, 0
}

// Record records the provenance of an answer.
func (d *StateTracker) Record(p market.Provenance) {
	severity := 1
	switch {
	case p.Has(market.FlagSample):
		severity = 4
	case p.Has(market.FlagStale) || p.Cache == market.CacheStale:
		severity = 3
	case p.Has(market.FlagDelayed) || p.DelayMinutes > 0:
		severity = 2
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.current = max(d.current, severity)
}

// Worst returns the worst state of this turn. If no data arrived, it returns the previous state; ""
// means that none ever arrived.
func (d *StateTracker) Worst() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	severity := d.current
	if severity == 0 {
		severity = d.previous
	}
	return []string{"", StateLive, StateDelayed, StateStale, StateSample}[severity]
}
