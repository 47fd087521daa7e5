package feed

import (
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

// States of data, the better first.
const (
	StateLive    = "live data"
	StateDelayed = "delayed data"
	StateStale   = "stale data"
	StateSample  = "SAMPLE DATA"
)

// StateTracker is what the numbers were that sources have given in a conversation. Its
// zero value has seen none; it is safe for concurrent use.
type StateTracker struct {
	mu                sync.Mutex
	current, previous int // places in the states, counted from 1: the worst of this turn, and of the latest before it that had any
}

// BeginTurn begins a turn.
func (d *StateTracker) BeginTurn() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current > 0 {
		d.previous, d.current = d.current, 0
	}
}

// Reset begins a conversation.
func (d *StateTracker) Reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.current, d.previous = 0, 0
}

// Record takes the origin of an answer.
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

// Worst is the worst of what came in this turn. Where nothing did it is what it was:
// an answer without new numbers speaks of those before. "" means that none ever came.
func (d *StateTracker) Worst() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	severity := d.current
	if severity == 0 {
		severity = d.previous
	}
	return []string{"", StateLive, StateDelayed, StateStale, StateSample}[severity]
}
