package advice

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// watchPlan says what would be written, a line for each thing; none where nothing
// is new.
func watchPlan(before, after investor.WatchedSymbol, exists bool) []string {
	var plan []string
	if !exists {
		plan = append(plan, fmt.Sprintf("watches %s from %s on", after.Symbol, toolkit.FormatDate(after.Added)))
	}
	for _, side := range []investor.TargetSide{investor.Above, investor.Below} {
		previous, current := targetsText(before, side), targetsText(after, side)
		if previous != current {
			plan = append(plan, fmt.Sprintf("%s: target %s: %s (was %s)", after.Symbol, side, textOrNothing(current), textOrNothing(previous)))
		}
	}
	if before.Note != after.Note {
		plan = append(plan, fmt.Sprintf("%s: note: %s (was %s)", after.Symbol, toolkit.Abbreviate(after.Note), textOrNothing(toolkit.Abbreviate(before.Note))))
	}
	return plan
}

func targetsText(w investor.WatchedSymbol, side investor.TargetSide) (text string) {
	for _, t := range w.Targets {
		if t.Side == side {
			text = joinParts(text, t.Price.String()+" "+targetUnit(t.Currency))
		}
	}
	return text
}

// targetUnit is what a target is counted in; without a currency it is of an index.
func targetUnit(currency string) string {
	if currency == "" {
		return "points"
	}
	return currency
}

func textOrNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

// reachedWarnings says which targets the price has reached before they are kept: they may be
// meant the other way round.
func (w *watchlistTool) reachedWarnings(after investor.WatchedSymbol, q market.Quote) []string {
	checks, err := investor.CheckTargets(after, q)
	if err != nil {
		return nil // the price is of another symbol, and says nothing of this one
	}
	plan := []string{fmt.Sprintf("  it costs %s %s, %s", q.Price, priceUnit(q.Provenance), toolkit.FormatDate(q.Provenance.AsOf))}
	for _, c := range checks {
		if c.Reached {
			plan = append(plan, fmt.Sprintf("  %s is reached already", c.Describe()))
		}
	}
	return plan
}
