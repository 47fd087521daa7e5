package lots

import "github.com/nfa-cli/nfa/internal/market"

// LotChanges is the count that bounds what actions do to lots.
func (e *Engine) LotChanges() *int { return &e.lotChanges }

// Days are those with transactions, oldest first, also those that are not applied yet.
func (e *Engine) Days() []market.Date {
	var days []market.Date
	for i, t := range e.ordered {
		if i == 0 || !t.Date.Equal(e.ordered[i-1].Date) {
			days = append(days, t.Date)
		}
	}
	return days
}
