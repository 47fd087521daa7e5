package lots

import "github.com/nfa-cli/nfa/internal/market"

// LotChanges returns a pointer to the counter of lot changes.
func (e *Engine) LotChanges() *int { return &e.lotChanges }

// Days returns the dates with transactions, oldest first, including those not applied yet.
func (e *Engine) Days() []market.Date {
	var days []market.Date
	for i, t := range e.ordered {
		if i == 0 || !t.Date.Equal(e.ordered[i-1].Date) {
			days = append(days, t.Date)
		}
	}
	return days
}
