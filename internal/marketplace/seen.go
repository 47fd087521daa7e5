package marketplace

import (
	"sync"

	"github.com/nfa-cli/nfa/internal/market"
)

// States of data, the better first.
const (
	Live    = "live data"
	Delayed = "delayed data"
	Stale   = "stale data"
	Sample  = "SAMPLE DATA"
)

// Seen is what the numbers were that sources have given in a conversation. Its
// zero value has seen none; it is safe for concurrent use.
type Seen struct {
	mu        sync.Mutex
	now, last int // places in the states, counted from 1: the worst of this turn, and of the latest before it that had any
}

// Turn begins a turn.
func (d *Seen) Turn() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now > 0 {
		d.last, d.now = d.now, 0
	}
}

// Forget begins a conversation.
func (d *Seen) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now, d.last = 0, 0
}

// Note takes the origin of an answer.
func (d *Seen) Note(p market.Provenance) {
	place := 1
	switch {
	case p.Has(market.FlagSample):
		place = 4
	case p.Has(market.FlagStale) || p.Cache == market.CacheStale:
		place = 3
	case p.Has(market.FlagDelayed) || p.DelayMinutes > 0:
		place = 2
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = max(d.now, place)
}

// State is the worst of what came in this turn. Where nothing did it is what it was:
// an answer without new numbers speaks of those before. "" means that none ever came.
func (d *Seen) State() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	place := d.now
	if place == 0 {
		place = d.last
	}
	return []string{"", Live, Delayed, Stale, Sample}[place]
}
