package calendar

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
)

// Missing lists the sessions between the first and the last of the dates that are
// not among them. Dates may come in any order; none leaves nothing to miss.
func (e *Exchange) Missing(dates []market.Date) ([]market.Date, error) {
	if len(dates) == 0 {
		return nil, nil
	}
	have := make([]market.Date, len(dates))
	for i, d := range dates {
		have[i] = day(d)
	}
	slices.SortFunc(have, market.Date.Compare)
	sessions, err := e.Sessions(market.Range{From: have[0], To: have[len(have)-1]})
	if err != nil {
		return nil, fmt.Errorf("looking for missing sessions: %w", err)
	}
	return slices.DeleteFunc(sessions, func(d market.Date) bool {
		_, found := slices.BinarySearchFunc(have, d, market.Date.Compare)
		return found
	}), nil
}

// Strays lists those of the dates on which the exchange did not trade, in their
// order: a bar of such a day is not what it says.
func (e *Exchange) Strays(dates []market.Date) ([]market.Date, error) {
	var out []market.Date
	for _, d := range dates {
		open, err := e.IsSession(d)
		if err != nil {
			return nil, fmt.Errorf("looking for days without trading: %w", err)
		}
		if !open {
			out = append(out, day(d))
		}
	}
	return out, nil
}
