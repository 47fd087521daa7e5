package tax

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// leaving is a part of a lot that a transfer takes out of the book, and the position
// of the transaction before which it counts.
type leaving struct {
	portfolio.Departure
	before int
}

// origin tells which shares a transfer out and one in can have in common: of one
// household, of one security, and acquired on one day.
type origin struct {
	shelfKey
	symbol   market.Symbol
	acquired market.Date
}

// depart notes what transfers took out of the book. What another transfer brought back
// counts where it was until then, and from then on as what that transfer brought: a
// book of two brokers has such a pair for each move between them.
func (a *Assessment) depart(transactions []portfolio.Transaction, departures []portfolio.Departure) {
	b := a.book
	open := map[origin][]int{} // of b.leaving, those that were not brought back
	for _, d := range departures {
		if d.Date.After(b.options.AsOf) {
			break
		}
		from := b.origin(d.Account, d.Symbol, d.Acquired)
		open[from] = append(open[from], len(b.leaving))
		b.leaving = append(b.leaving, leaving{d, b.position[d.Transaction] + 1})
	}
	if len(b.leaving) == 0 {
		return
	}
	for i, t := range transactions {
		if t.Kind != portfolio.KindTransferIn || t.Acquired.IsZero() || t.Date.After(b.options.AsOf) {
			continue
		}
		from := b.origin(t.Account, t.Symbol, t.Acquired)
		open[from] = b.bringBack(open[from], i, t)
	}
	for _, left := range open {
		for _, n := range left {
			if d := b.leaving[n].Departure; !d.Acquired.IsZero() && daysBetween(d.Acquired, d.Date) <= a.jurisdiction.washDays && a.jurisdiction.washDays > 0 {
				a.Left = append(a.Left, d)
			}
		}
	}
	slices.SortFunc(a.Left, func(x, y portfolio.Departure) int {
		return cmp.Or(cmp.Compare(b.position[x.Transaction], b.position[y.Transaction]), cmp.Compare(x.Lot, y.Lot))
	})
	slices.SortStableFunc(b.leaving, func(x, y leaving) int { return cmp.Compare(x.before, y.before) })
}

func (b *ledger) origin(account string, symbol market.Symbol, acquired market.Date) origin {
	return origin{b.key(b.accounts[account].Owner, symbol), symbol, acquired}
}

// bringBack has the first of what left come back with a transfer, and returns the rest.
func (b *ledger) bringBack(left []int, position int, t portfolio.Transaction) []int {
	quantity := t.Quantity
	for len(left) > 0 && quantity.IsPositive() && b.leaving[left[0]].before <= position {
		l := &b.leaving[left[0]]
		b.lots[t.ID].returned = true
		if back := quantity; back.LessThan(l.Quantity) {
			rest := *l
			l.Quantity, rest.Quantity = back, l.Quantity.Sub(back)
			l.before = position
			left[0] = len(b.leaving)
			b.leaving = append(b.leaving, rest)
			return left
		}
		quantity = quantity.Sub(l.Quantity)
		l.before = position
		left = left[1:]
	}
	return left
}

// leave takes off what had left before the transaction of a position.
func (b *ledger) leave(position int) {
	for len(b.leaving) > 0 && b.leaving[0].before <= position {
		d := b.leaving[0].Departure
		b.leaving = b.leaving[1:]
		h := purchase(b.lots, d.Lot)
		if h == nil || h.symbol != d.Symbol {
			continue
		}
		h.restate(b.splits, moment{d.Account, b.position[d.Transaction]}, d.Date)
		h.take(portfolio.Disposal{Quantity: d.Quantity, Cost: decimal.NullDecimal{}})
	}
}
