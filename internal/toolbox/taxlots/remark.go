package taxlots

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// remarks say of the sales that are shown what the rule on wash sales makes of them
// that a reader has to look at again.
func (a *lotsAnswer) remarks(sales []tax.Sale) {
	a.shorts()
	brought := false
	for _, w := range a.assessed.Washes {
		brought = brought || w.Brought && a.filter.sold(w.Account, w.Symbol, w.Date)
	}
	if brought {
		a.Notes = append(a.Notes, "what a transfer brought counts as bought on the day on which it was acquired; shares that were a gift or inherited replace nothing")
	}
	if len(sales) > 0 {
		a.left()
	}
}

// shorts says of losses of closed short positions which of them a sale around their
// closing may reach.
func (a *lotsAnswer) shorts() {
	n, reached := 0, []string{}
	for _, s := range a.assessed.ShortLosses {
		if !a.filter.sold(s.Account, s.Symbol, s.Date) {
			continue
		}
		if n++; len(s.Again) > 0 {
			reached = append(reached, fmt.Sprintf("%s closed on %s", s.Symbol, present.Dated(s.Date)))
		}
	}
	if n == 0 {
		return
	}
	note := fmt.Sprintf("%d losses of closed short positions are counted whole: they have a rule of their own (26 U.S.C. 1091(e)), which is not applied", n)
	if len(reached) > 0 {
		note += "; it disallows losses whose security was sold again within 30 days before or after, as was that of " + present.Few(reached)
	}
	a.Notes = append(a.Notes, note)
}

// left says that purchases went out of the book, and with them out of sight.
func (a *lotsAnswer) left() {
	var symbols []string
	for _, d := range a.assessed.Left {
		if s := string(d.Symbol); a.filter.of(d.Symbol) && !slices.Contains(symbols, s) {
			symbols = append(symbols, s)
		}
	}
	if len(symbols) > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("shares of %s were transferred out of the book soon after they were bought: where they are still the user's they replace what is sold at a loss in the days around their purchase, which is not counted here", present.Few(symbols)))
	}
}
