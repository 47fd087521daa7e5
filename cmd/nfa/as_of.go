package main

import (
	"time"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/usage"
)

// validateAsOf refuses a day that is none, or of which nothing is known yet.
func (g *globals) validateAsOf() error {
	if g.asOf == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, g.asOf)
	switch {
	case err != nil:
		return usage.Errorf("--as-of %q is no date; write it as 2024-06-30", g.asOf)
	case day.After(clock()):
		return usage.Errorf("--as-of %s is in the future, of which nothing is known", g.asOf)
	}
	return nil
}

// dataClock is the clock of the tools: with --as-of it stands at the last moment
// of that day, so that nothing later is known. Conversations keep the real time.
func (g *globals) dataClock() func() time.Time {
	day, err := time.Parse(time.DateOnly, g.asOf)
	if err != nil {
		return clock // no day was given: one that is none was refused
	}
	last := day.AddDate(0, 0, 1).Add(-time.Second)
	return func() time.Time { return last }
}

// marketView is how this run looks at the markets.
func (p *program) marketView() feed.DataMode {
	return feed.DataMode{SampleOnly: p.sampleOnly(), AsOf: p.asOf}
}

// sampleOnly reports whether no source but the embedded sample is asked.
func (p *program) sampleOnly() bool { return sampleOnly(p.cfg) }

func sampleOnly(cfg *config.Config) bool { return cfg.Offline || cfg.Data.Mode == "sample" }
