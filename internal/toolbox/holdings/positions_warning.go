package holdings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// positionWarnings are what nobody may miss, the worst first.
func (d Deps) positionWarnings(o book.Opened, v book.Valuation, a *positionsAnswer) []string {
	warnings, unchecked := o.Disputes(v)
	if len(unchecked) > 0 {
		a.Notes = append(a.Notes, "splits since the purchase could not be checked, since no source tells them as they were: "+book.Listed(unchecked))
	}
	if !v.Whole {
		warnings = append(warnings, fmt.Sprintf("the total and all weights are of a part: %d of %d have no value", len(a.Unvalued), len(v.Lines)+len(v.Cash)))
	}
	return append(slices.Insert(warnings, 0, o.Ahead...), v.PriceWarnings()...)
}

// untracked says of which accounts the book has no cash.
func untracked(o book.Opened, accounts []string) []string {
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
