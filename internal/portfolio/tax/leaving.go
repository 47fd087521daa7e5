package tax

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// leaving is a part of a lot that a transfer takes out of the book, or that a pair of
// transfers moves to another lot of it, and the position of the transaction before
// which that counts.
type leaving struct {
	portfolio.Departure
	before int
	to     *holding        // of what brought it back; nil where nothing did
	came   decimal.Decimal // to it, in its shares
}

// depart notes what transfers took out of the book. What another transfer brought back
// counts where it was until then, and from then on as what that transfer brought: a
// book of two brokers has such a pair for each move between them.
func (a *Assessment) depart(transactions []portfolio.Transaction, departures []portfolio.Departure) {
	b := a.book
	open := pairing{ledger: b, open: map[origin][]int{}}
	for _, d := range departures {
		if d.Date.After(b.options.AsOf) {
			break
		}
		open.add(d)
	}
	if len(b.leaving) == 0 {
		return
	}
	open.match(transactions)
	a.lost(open.open)
	slices.SortStableFunc(b.leaving, func(x, y leaving) int {
		return cmp.Or(cmp.Compare(x.before, y.before), cmp.Compare(b.position[x.Transaction], b.position[y.Transaction]))
	})
	b.trace()
}

// lost keeps of what did not come back what had been bought within the days of the rule.
func (a *Assessment) lost(open map[origin][]int) {
	b := a.book
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
	a.left = map[shelfKey][]portfolio.Departure{}
	for _, d := range a.Left {
		k := b.key(b.accounts[d.Account].Owner, d.Symbol)
		a.left[k] = append(a.left[k], d)
	}
	for _, all := range a.left {
		slices.SortStableFunc(all, func(x, y portfolio.Departure) int { return x.Acquired.Compare(y.Acquired) })
	}
}

// trace has what came back whole count as of the purchase that it had left, from the
// day of that.
func (b *ledger) trace() {
	moved := false
	for _, l := range b.leaving {
		if l.to == nil || l.to.free.IsPositive() {
			continue
		}
		h := b.leaves(l)
		if h == nil {
			continue
		}
		moved = true
		switch from := h.purchase(); {
		case l.to.of == nil:
			l.to.of, l.to.date = from, h.date
		case l.to.of != from:
			l.to.of = l.to
			if h.date.After(l.to.date) {
				l.to.date = h.date
			}
		}
	}
	if moved {
		b.arrange()
	}
}

// leaves is the holding that something left, nil where it is not one that counts.
func (b *ledger) leaves(l leaving) *holding {
	if h := purchase(b.lots, l.Lot); h != nil && h.symbol == l.Symbol {
		return h
	}
	return nil
}

// leave takes off what had left before the transaction of a position, and puts it to
// what brought it back.
func (b *ledger) leave(position int) {
	for len(b.leaving) > 0 && b.leaving[0].before <= position {
		l := b.leaving[0]
		b.leaving = b.leaving[1:]
		h := b.leaves(l)
		if h == nil {
			continue
		}
		at, day, quantity := moment{l.Account, b.position[l.Transaction]}, l.Date, l.Quantity
		if l.to != nil {
			came := moment{l.Account, l.before}
			quantity = b.splits.restate(l.Symbol, quantity, at, came, between(day, l.to.came))
			at, day = came, l.to.came
		}
		h.restate(b.splits, at, day)
		parcels := h.part(quantity)
		if l.to != nil {
			l.to.join(b.splits, parcels, at, l.came)
		}
	}
}

// join puts shares to a holding that came from another: those that had replaced others
// with what they inherited.
func (h *holding) join(all splits, parcels []parcel, at moment, came decimal.Decimal) {
	for _, p := range parcels {
		p.quantity = all.restate(h.symbol, p.quantity, at, h.at, h.until(h.came))
		h.parcels = append(h.parcels, p)
		came = came.Sub(p.quantity)
	}
	if !came.LessThan(dust()) {
		h.free = h.free.Add(came)
	}
	h.coming--
}

// LeftFor are those of Left that would replace what is sold of a lot on a day, were
// they still the user's: of the same household and security, of another purchase, and
// bought within the days of the rule.
func (a *Assessment) LeftFor(symbol market.Symbol, account, lot string, day market.Date) []portfolio.Departure {
	seller := a.book.accounts[account]
	if len(a.Left) == 0 || seller.Untaxed || a.book.options.Exempt[symbol] {
		return nil
	}
	all := a.left[a.book.key(seller.Owner, symbol)]
	own := purchase(a.book.lots, lot).purchase()
	first, last := day.AddDate(0, 0, -a.jurisdiction.washDays), day.AddDate(0, 0, a.jurisdiction.washDays)
	from, _ := slices.BinarySearchFunc(all, first, func(d portfolio.Departure, day market.Date) int { return d.Acquired.Compare(day) })
	var out []portfolio.Departure
	for _, d := range all[from:] {
		if d.Acquired.After(last) {
			break
		}
		if of := purchase(a.book.lots, d.Lot).purchase(); own == nil || of != own {
			out = append(out, d)
		}
	}
	return out
}
