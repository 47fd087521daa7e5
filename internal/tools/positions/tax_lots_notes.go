package positions

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// addSaleNotes names the sales whose wash sales the user has to check.
func (a *lotsAnswer) addSaleNotes(sales []tax.Sale) {
	a.addShortNotes()
	brought := false
	for _, w := range a.assessed.WashSales {
		brought = brought || w.Transferred && a.filter.matchesSale(w.Account, w.Symbol, w.Date)
	}
	if brought {
		a.Notes.Add("transfer_in", "Shares from a transfer count as bought on the day of their acquisition. Shares that were a gift or inherited replace nothing.")
	}
	var transferred []string
	for _, s := range sales {
		if lost := s.EconomicGain(); lost.Valid && lost.Decimal.IsNegative() && s.Quantity.IsPositive() {
			transferred = a.transferredOut(transferred, s.Symbol, s.Account, s.Lot, s.Date)
		}
	}
	a.noteTransferredOut(transferred)
}

// addShortNotes names the losses of closed short positions that a sale around their closing may
// disallow, and until when a later sale would.
func (a *lotsAnswer) addShortNotes() {
	n, reached, open := 0, []string{}, []string{}
	for _, s := range a.assessed.ShortLosses {
		if !a.filter.matchesSale(s.Account, s.Symbol, s.Date) {
			continue
		}
		n++
		switch closed := fmt.Sprintf("%s closed on %s", s.Symbol, toolkit.FormatDate(s.Date)); {
		case len(s.NearbySales) > 0:
			reached = append(reached, closed)
		case !s.Until.Before(a.day):
			open = append(open, fmt.Sprintf("%s until %s", closed, toolkit.FormatDate(s.Until)))
		}
	}
	if n == 0 {
		return
	}
	note := "1 loss of a closed short position is counted whole: it has a rule of its own"
	if n > 1 {
		note = fmt.Sprintf("%d losses of closed short positions are counted whole: they have a rule of their own", n)
	}
	note += " (26 U.S.C. 1091(e)), which is not applied. It disallows a loss if the security was sold again within 30 days before or after."
	if len(reached) > 0 {
		note += " That holds for " + toolkit.JoinFew(reached) + "."
	}
	if len(open) > 0 {
		note += " Selling again can still disallow the loss of " + toolkit.JoinFew(open) + "."
	}
	a.Notes.Add("short_losses", "%s", note)
}

// transferredOut adds a symbol to others if purchases that would replace what is sold of a lot
// on a day were transferred out of the portfolio.
func (a *lotsAnswer) transferredOut(symbols []string, symbol market.Symbol, account, lot string, day market.Date) []string {
	if slices.Contains(symbols, string(symbol)) || len(a.assessed.TransferredOutFor(symbol, account, lot, day)) == 0 {
		return symbols
	}
	return append(symbols, string(symbol))
}

// noteTransferredOut notes that purchases were transferred out of the portfolio and are not
// seen any more.
func (a *lotsAnswer) noteTransferredOut(symbols []string) {
	if len(symbols) > 0 {
		a.Notes.Add("transfer_out", "Shares of %s left the portfolio soon after their purchase. If the user still owns them, they replace shares sold at a loss around that purchase; from the day they left this is not counted.", toolkit.JoinFew(symbols))
	}
}
