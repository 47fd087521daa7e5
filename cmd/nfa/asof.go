package main

import (
	"strings"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/sample"
)

// checkAsOf refuses a day that is none, or of which nothing is known yet.
func (g *globals) checkAsOf() error {
	if g.asOf == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, g.asOf)
	switch {
	case err != nil:
		return usagef("--as-of %q is no date; write it as 2024-06-30", g.asOf)
	case day.After(clock()):
		return usagef("--as-of %s is in the future, of which nothing is known", g.asOf)
	}
	return nil
}

// clockOfData is the clock of the tools: with --as-of it stands at the last moment
// of that day, so that nothing later is known. Conversations keep the real time.
func (g *globals) clockOfData() func() time.Time {
	day, err := time.Parse(time.DateOnly, g.asOf)
	if err != nil {
		return clock // no day was given: one that is none was refused
	}
	last := day.AddDate(0, 0, 1).Add(-time.Second)
	return func() time.Time { return last }
}

// dataNote tells the model where its numbers come from.
func (h *house) dataNote() string {
	note := "Market data come from live public sources, each number with its source, time, delay and flags, which you pass on; where no source answers, from an embedded historical SAMPLE (" + sample.Coverage + "), which must be called sample data with its date."
	if h.onSample() {
		note = "Market data in this program is embedded historical SAMPLE data (" + sample.Coverage + "); it is not today's market, and every figure from it must be called sample data with its date."
	}
	if h.asOf != "" {
		note += " The user looks at the world as of " + h.asOf + ": treat that day as today. The tools know nothing later, and nothing that you know of later may enter an answer."
	}
	return note
}

// onSample reports whether no source but the embedded sample is asked.
func (h *house) onSample() bool { return h.cfg.Offline || h.cfg.Data.Mode == "sample" }

// dataState is what the status line says of the numbers on the screen: nothing as long
// as no source has answered, unless it is known which one alone is asked.
func (h *house) dataState() string {
	state := h.data.state()
	switch {
	case h.onSample():
		state = sampleData
	case h.asOf != "" && state != "" && state != sampleData:
		state = "data" // of a day that is past, none is live
	}
	if h.asOf != "" {
		state = strings.TrimSpace(state + " as of " + h.asOf)
	}
	return state
}

// States of data, the better first.
const (
	liveData    = "live data"
	delayedData = "delayed data"
	staleData   = "stale data"
	sampleData  = "SAMPLE DATA"
)

// dataSeen is what the numbers were that sources have given in a conversation. Its
// zero value has seen none.
type dataSeen struct {
	mu        sync.Mutex
	now, last int // places in the states, counted from 1: the worst of this turn, and of the latest before it that had any
}

// turn begins a turn.
func (d *dataSeen) turn() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now > 0 {
		d.last, d.now = d.now, 0
	}
}

// forget begins a conversation.
func (d *dataSeen) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now, d.last = 0, 0
}

// note takes the origin of an answer.
func (d *dataSeen) note(p market.Provenance) {
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

// state is the worst of what came in this turn. Where nothing did it is what it was:
// an answer without new numbers speaks of those before. "" means that none ever came.
func (d *dataSeen) state() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	place := d.now
	if place == 0 {
		place = d.last
	}
	return []string{"", liveData, delayedData, staleData, sampleData}[place]
}

// dataBanner is the same for a fresh chat.
func (h *house) dataBanner() string {
	from := "Market data is live where a source answers, else sample data (" + sample.Coverage + ")."
	if h.onSample() {
		from = "Market data is sample data (" + sample.Coverage + ")."
	}
	if h.asOf != "" {
		from += " Everything is as it was known on " + h.asOf + "."
	}
	return from
}
