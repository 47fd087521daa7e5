package tax

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// sameMoveDays is how far apart two brokers may date one purchase, of which one tells
// the day of the trade and the other that of its settlement, and how much earlier than
// it left the one a move may have come to the other.
const sameMoveDays = 7

// origin tells which shares a transfer out and one in can have in common: of one
// household, of one security, and acquired on one day.
type origin struct {
	shelfKey
	symbol   market.Symbol
	acquired market.Date
}

// pairing looks for the transfer in of each transfer out.
type pairing struct {
	*ledger
	open map[origin][]int // of what is leaving, by position, what was not brought back
}

// arrival is what a transfer brought, and how much of it is not known to have left
// the book before.
type arrival struct {
	portfolio.Transaction
	position int
	rest     decimal.Decimal
}

func (p pairing) add(d portfolio.Departure) {
	from := p.origin(d.Account, d.Symbol, d.Acquired)
	p.open[from] = append(p.open[from], len(p.leaving))
	p.leaving = append(p.leaving, leaving{Departure: d, before: p.position[d.Transaction] + 1})
}

func (p pairing) origin(account string, symbol market.Symbol, acquired market.Date) origin {
	return origin{p.key(p.accounts[account].Owner, symbol), symbol, acquired}
}

// match has what left come back with the transfers in: first all that were acquired
// on the very day, then those of a day apart, and so on.
func (p pairing) match(transactions []portfolio.Transaction) {
	var in []arrival
	for i, t := range transactions {
		if t.Kind == portfolio.KindTransferIn && !t.Acquired.IsZero() && !t.Date.After(p.options.AsOf) {
			in = append(in, arrival{t, i, t.Quantity})
		}
	}
	for apart := 0; apart <= sameMoveDays; apart++ {
		for i := range in {
			p.pair(&in[i], in[i].Acquired.AddDate(0, 0, -apart))
			if apart > 0 {
				p.pair(&in[i], in[i].Acquired.AddDate(0, 0, apart))
			}
		}
	}
}

// pair takes what a transfer brought for that which left and was acquired on a day.
func (p pairing) pair(t *arrival, acquired market.Date) {
	from := p.origin(t.Account, t.Symbol, acquired)
	for !t.rest.LessThan(dust()) {
		k := p.nearest(p.open[from], t)
		if k < 0 {
			return
		}
		l := &p.leaving[p.open[from][k]]
		left, came := moment{l.Account, p.position[l.Transaction]}, moment{t.Account, t.position}
		days := between(l.Date, t.Date)
		back, part := p.splits.restate(t.Symbol, t.rest, came, left, days), t.rest
		rest := *l
		if rest.Quantity = l.Quantity.Sub(back); rest.Quantity.LessThan(dust()) {
			back, part = l.Quantity, decimal.Min(t.rest, p.splits.restate(t.Symbol, l.Quantity, left, came, days))
			p.open[from] = slices.Delete(p.open[from], k, k+1)
		} else {
			p.open[from][k] = len(p.leaving)
		}
		t.rest = t.rest.Sub(part)
		l.Quantity, l.before = back, t.position
		if h := p.lots[t.ID]; p.leaves(*l) != nil {
			l.to, l.came = h, part
			h.expect(part)
		}
		if !rest.Quantity.LessThan(dust()) {
			p.leaving = append(p.leaving, rest)
		}
	}
}

// nearest is the place of that which left nearest to the day of a transfer, below zero
// where none can be meant: no share came back before it was bought.
func (p pairing) nearest(open []int, t *arrival) int {
	hi, _ := slices.BinarySearchFunc(open, t.Date.AddDate(0, 0, 1), func(n int, day market.Date) int { return p.leaving[n].Date.Compare(day) })
	lo := hi - 1
	for lo >= 0 || hi < len(open) {
		k := lo
		if hi < len(open) {
			late := daysBetween(t.Date, p.leaving[open[hi]].Date)
			switch {
			case late > sameMoveDays:
				hi = len(open)
				continue
			case lo < 0 || late < daysBetween(p.leaving[open[lo]].Date, t.Date):
				k = hi
			}
		}
		if h := purchase(p.lots, p.leaving[open[k]].Lot); h == nil || h.bought.index < t.position {
			return k
		}
		if k == hi {
			hi++
		} else {
			lo--
		}
	}
	return -1
}

// expect notes that so much of what a transfer brought is to come from another holding.
func (h *holding) expect(part decimal.Decimal) {
	h.coming++
	if h.free = h.free.Sub(part); h.free.LessThan(dust()) {
		h.free = decimal.Zero
	}
}
