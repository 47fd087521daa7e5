package swissquote

import (
	"slices"
	"time"
)

// exchanges finds the two lines of each exchange of currencies, both ways: those of
// one order and moment, one of which gives and the other gets.
func exchanges(lines []line) map[int]line {
	type order struct {
		number string
		date   time.Time
		at     string
	}
	groups := map[order][]line{}
	for _, l := range lines {
		if l.act == exchanged {
			key := order{l.order, l.date, l.row.Cells[0]}
			groups[key] = append(groups[key], l)
		}
	}
	others := map[int]line{}
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

// check follows the balance of each account. The file has the newest line first,
// unless its dates say otherwise.
func (r *reader) check(lines []line) {
	ordered := slices.Clone(lines)
	if len(lines) > 1 && !lines[0].date.Before(lines[len(lines)-1].date) {
		slices.Reverse(ordered)
	}
	last := map[string]line{}
	for _, l := range ordered {
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
			r.collector.Problem(l.row,
				"between line %d and this one the cash in %s changed by %s that no line says, so lines are missing: export all transactions of the time",
				before.row.Line, l.account, off)
		}
	}
}
