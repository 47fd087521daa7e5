package importer

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

// findSwissquoteExchanges finds the two lines of each exchange of currencies, both ways: those of
// one order and moment, one of which gives and the other gets.
func findSwissquoteExchanges(lines []swissquoteRow) map[int]swissquoteRow {
	type order struct {
		number string
		date   time.Time
		at     string
	}
	groups := map[order][]swissquoteRow{}
	for _, l := range lines {
		if l.action == swissquoteExchanged {
			key := order{l.order, l.date, l.row.Cells[0]}
			groups[key] = append(groups[key], l)
		}
	}
	others := map[int]swissquoteRow{}
	for _, g := range groups {
		if len(g) != 2 || g[0].net.Sign()*g[1].net.Sign() >= 0 || g[0].currency == g[1].currency {
			continue
		}
		if g[0].account != g[0].currency || g[1].account != g[1].currency {
			continue
		}
		others[g[0].row.Line], others[g[1].row.Line] = g[1], g[0]
	}
	return others
}

// swissquoteBalanceGap is a line whose balance does not follow from the one before in its account.
type swissquoteBalanceGap struct {
	before, line swissquoteRow
	off          decimal.Decimal
}

// checkBalances follows the balance of each account. The file has the newest line first; one
// that somebody turned around fits better the other way, whatever its dates are.
func (r *swissquoteReader) checkBalances(lines []swissquoteRow) {
	turned := slices.Clone(lines)
	slices.Reverse(turned)
	found := swissquoteBalanceGaps(turned)
	if up := swissquoteBalanceGaps(lines); len(up) < len(found) {
		found = up
	}
	for _, j := range found {
		r.collector.Problem(j.line.row,
			"between line %d and this one the cash in %s changed by %s that no line says, so lines are missing: export all transactions of the time",
			j.before.row.Line, j.line.account, j.off)
	}
}

// swissquoteBalanceGaps follows lines from the oldest to the newest.
func swissquoteBalanceGaps(lines []swissquoteRow) []swissquoteBalanceGap {
	var found []swissquoteBalanceGap
	last := map[string]swissquoteRow{}
	for _, l := range lines {
		if !l.balance.Valid {
			continue
		}
		before, known := last[l.account]
		last[l.account] = l
		if !known {
			continue
		}
		off := l.balance.Decimal.Sub(before.balance.Decimal).Sub(l.cash)
		if !off.IsZero() {
			found = append(found, swissquoteBalanceGap{before, l, off})
		}
	}
	return found
}
