package positions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// positionWarnings are what nobody may miss, the worst first.
func (d OverviewDeps) positionWarnings(o Portfolio, v Valuation, a *positionsAnswer) []string {
	warnings, unchecked := o.SplitWarnings(v)
	if len(unchecked) > 0 {
		a.Notes = append(a.Notes, "splits since the purchase could not be checked, since no source tells them as they were: "+JoinSymbols(unchecked))
	}
	if !v.Complete {
		warnings = append(warnings, fmt.Sprintf("the total and all weights are of a part: %d of %d have no value", len(a.Unvalued), len(v.Lines)+len(v.Cash)))
	}
	return append(slices.Insert(warnings, 0, o.LaterWarnings...), v.PriceWarnings()...)
}

// untrackedCashNotes names the accounts whose cash is not tracked.
func untrackedCashNotes(o Portfolio, accounts []string) []string {
	var names []string
	for _, a := range o.Ledger.Accounts {
		if a.Cash == portfolio.CashUntracked && slices.Contains(accounts, a.Name) {
			names = append(names, a.Name)
		}
	}
	if len(names) == 0 {
		return []string{}
	}
	return []string{"the book does not keep the cash of " + strings.Join(names, ", ") + ": it is not in the total"}
}
