package personal

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// changePlan says what would be written, a line for each thing; none where nothing
// is new.
func changePlan(before, after journal.Watch, there bool) []string {
	var plan []string
	if !there {
		plan = append(plan, fmt.Sprintf("watches %s from %s on", after.Symbol, present.Dated(after.Added)))
	}
	for _, side := range []journal.Side{journal.Above, journal.Below} {
		was, now := targetsOf(before, side), targetsOf(after, side)
		if was != now {
			plan = append(plan, fmt.Sprintf("%s: target %s: %s (was %s)", after.Symbol, side, orNothing(now), orNothing(was)))
		}
	}
	if before.Note != after.Note {
		plan = append(plan, fmt.Sprintf("%s: note: %s (was %s)", after.Symbol, present.Abridged(after.Note), orNothing(present.Abridged(before.Note))))
	}
	return plan
}

func targetsOf(w journal.Watch, side journal.Side) (text string) {
	for _, t := range w.Targets {
		if t.Side == side {
			text = item(text, t.Price.String()+" "+unitOfTarget(t.Currency))
		}
	}
	return text
}

// unitOfTarget is what a target is counted in; without a currency it is of an index.
func unitOfTarget(currency string) string {
	if currency == "" {
		return "points"
	}
	return currency
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// reached says which targets the price has reached before they are kept: they may be
// meant the other way round.
func (w *watchlist) reached(after journal.Watch, q market.Quote) []string {
	checks, err := journal.Triggered(after, q)
	if err != nil {
		return nil // the price is of another symbol, and says nothing of this one
	}
	plan := []string{fmt.Sprintf("  it costs %s %s, %s", q.Price, unitOf(q.Provenance), present.Dated(q.Provenance.AsOf))}
	for _, c := range checks {
		if c.Reached {
			plan = append(plan, fmt.Sprintf("  %s is reached already", c.Words()))
		}
	}
	return plan
}
