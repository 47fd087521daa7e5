package tax

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// outgoingShares is a part of a lot that a transfer moves out of the ledger, or that a matched pair
// of transfers moves to another lot, with the index of the transaction before which it takes
// effect.
type outgoingShares struct {
	portfolio.TransferredLot
	countsFrom       int
	to               *acquisition    // the acquisition that received them; nil if none did
	quantityReceived decimal.Decimal // in shares of the receiving acquisition
}

// matchTransfers records the shares that transfers moved out of the ledger. Shares that another
// transfer brought back count in their old acquisition until then, and in the new one afterwards. A
// ledger of two brokers has such a pair for each move between them.
func (a *Assessment) matchTransfers(transactions []*portfolio.Transaction, departures []portfolio.TransferredLot) {
	b := a.state
	matcher := transferMatcher{state: b, unmatched: map[shareKey][]int{}}
	for _, d := range departures {
		if d.Date.After(b.options.AsOf) {
			break
		}
		matcher.add(d)
	}
	if len(b.outgoing) == 0 {
		return
	}
	matcher.match(transactions)
	a.collectUnmatched(matcher.unmatched)
	slices.SortStableFunc(b.outgoing, func(x, y outgoingShares) int {
		return cmp.Or(cmp.Compare(x.countsFrom, y.countsFrom), cmp.Compare(b.transactionIndex[x.Transaction], b.transactionIndex[y.Transaction]))
	})
	b.linkOriginals()
}

// collectUnmatched lists shares that did not come back and were bought within the wash sale period.
func (a *Assessment) collectUnmatched(open map[shareKey][]int) {
	b := a.state
	for _, left := range open {
		for _, n := range left {
			if d := b.outgoing[n].TransferredLot; !d.Acquired.IsZero() && daysBetween(d.Acquired, d.Date) <= a.jurisdiction.washDays && a.jurisdiction.washDays > 0 {
				a.TransferredOut = append(a.TransferredOut, d)
			}
		}
	}
	slices.SortFunc(a.TransferredOut, func(x, y portfolio.TransferredLot) int {
		return cmp.Or(cmp.Compare(b.transactionIndex[x.Transaction], b.transactionIndex[y.Transaction]), cmp.Compare(x.Lot, y.Lot))
	})
	a.transferredOut = map[poolKey][]portfolio.TransferredLot{}
	for _, d := range a.TransferredOut {
		k := poolKey{b.accounts[d.Account].Owner, d.Symbol}
		a.transferredOut[k] = append(a.transferredOut[k], d)
	}
	for _, all := range a.transferredOut {
		slices.SortStableFunc(all, func(x, y portfolio.TransferredLot) int { return x.Acquired.Compare(y.Acquired) })
	}
}

// linkOriginals makes fully returned shares count as the purchase that they came from, from its
// date.
func (b *state) linkOriginals() {
	moved := false
	for _, l := range b.outgoing {
		if l.to == nil || l.to.free.IsPositive() {
			continue
		}
		h := b.outgoingAcquisition(l)
		if h == nil {
			continue
		}
		moved = true
		switch from := h.original(); {
		case l.to.source == nil:
			l.to.source, l.to.date = from, h.date
		case l.to.source != from:
			l.to.source = l.to
			if h.date.After(l.to.date) {
				l.to.date = h.date
			}
		}
	}
	if moved {
		b.sortPools()
	}
}

// outgoingAcquisition returns the acquisition that the shares left, or nil if it is unknown.
func (b *state) outgoingAcquisition(l outgoingShares) *acquisition {
	if h := findAcquisition(b.acquisitions, l.Lot); h != nil && h.symbol == l.Symbol {
		return h
	}
	return nil
}

// applyTransfers moves the shares that left before the transaction at position to the acquisition
// that received them.
func (b *state) applyTransfers(position int) {
	for len(b.outgoing) > 0 && b.outgoing[0].countsFrom <= position {
		l := b.outgoing[0]
		b.outgoing = b.outgoing[1:]
		h := b.outgoingAcquisition(l)
		if h == nil {
			continue
		}
		at, day, quantity := ledgerPoint{l.Account, b.transactionIndex[l.Transaction]}, l.Date, l.Quantity
		if l.to != nil {
			arrivalPoint := ledgerPoint{l.Account, l.countsFrom}
			quantity = b.splits.restate(l.Symbol, quantity, at, arrivalPoint, newDateRange(day, l.to.entered))
			at, day = arrivalPoint, l.to.entered
		}
		h.restate(b.splits, at, day)
		parcels := h.takeReplacements(quantity)
		if l.to != nil {
			l.to.receiveShares(b.splits, parcels, at, l.quantityReceived)
		}
	}
}

// receiveShares adds shares from another acquisition; replacement shares keep the loss and holding
// period they took over.
func (h *acquisition) receiveShares(all splitHistory, parcels []replacementShares, at ledgerPoint, received decimal.Decimal) {
	for _, p := range parcels {
		p.quantity = all.restate(h.symbol, p.quantity, at, h.at, h.splitRange(h.entered))
		h.replacements = append(h.replacements, p)
		received = received.Sub(p.quantity)
	}
	if !received.LessThan(dust()) {
		h.free = h.free.Add(received)
	}
	h.pendingParts--
}

// TransferredOutFor returns the elements of TransferredOut that could replace shares of a lot sold
// at a loss on a date.
func (a *Assessment) TransferredOutFor(symbol market.Symbol, account, lot string, day market.Date) []portfolio.TransferredLot {
	seller := a.state.accounts[account]
	if len(a.TransferredOut) == 0 || seller.Untaxed || a.state.options.Exempt[symbol] {
		return nil
	}
	all := a.transferredOut[poolKey{seller.Owner, symbol}]
	original := findAcquisition(a.state.acquisitions, lot).original()
	first, last := day.AddDate(0, 0, -a.jurisdiction.washDays), day.AddDate(0, 0, a.jurisdiction.washDays)
	from, _ := slices.BinarySearchFunc(all, first, func(d portfolio.TransferredLot, day market.Date) int { return d.Acquired.Compare(day) })
	var out []portfolio.TransferredLot
	for _, d := range all[from:] {
		if d.Acquired.After(last) {
			break
		}
		if source := findAcquisition(a.state.acquisitions, d.Lot).original(); original == nil || source != original {
			out = append(out, d)
		}
	}
	return out
}

// sameMoveDays is the maximum difference between two brokers' dates of one purchase, because one
// reports the trade date and the other the settlement date. It is also how many days a transfer in
// may precede the matching transfer out.
const sameMoveDays = 7

// shareKey identifies shares that a transfer out and a transfer in can have in common: same owner,
// security and date of acquisition.
type shareKey struct {
	poolKey
	acquired market.Date
}

// transferMatcher finds the transfer in for each transfer out.
type transferMatcher struct {
	*state
	unmatched map[shareKey][]int // outgoing shares not matched yet, by position
}

// transferIn is a transfer in, with the quantity not yet matched with a transfer out.
type transferIn struct {
	*portfolio.Transaction
	index     int
	unmatched decimal.Decimal
}

func (p transferMatcher) add(d portfolio.TransferredLot) {
	from := p.shareKey(d.Account, d.Symbol, d.Acquired)
	p.unmatched[from] = append(p.unmatched[from], len(p.outgoing))
	p.outgoing = append(p.outgoing, outgoingShares{TransferredLot: d, countsFrom: p.transactionIndex[d.Transaction] + 1})
}

func (p transferMatcher) shareKey(account string, symbol market.Symbol, acquired market.Date) shareKey {
	return shareKey{poolKey{p.accounts[account].Owner, symbol}, acquired}
}

// match pairs outgoing shares with transfers in: first those with the same date of acquisition,
// then those one day apart, and so on.
func (p transferMatcher) match(transactions []*portfolio.Transaction) {
	var transfersIn []transferIn
	for i, t := range transactions {
		if t.Kind == portfolio.KindTransferIn && !t.Acquired.IsZero() && !t.Date.After(p.options.AsOf) {
			transfersIn = append(transfersIn, transferIn{t, i, t.Quantity})
		}
	}
	for apart := 0; apart <= sameMoveDays; apart++ {
		for i := range transfersIn {
			p.pair(&transfersIn[i], transfersIn[i].Acquired.AddDate(0, 0, -apart))
			if apart > 0 {
				p.pair(&transfersIn[i], transfersIn[i].Acquired.AddDate(0, 0, apart))
			}
		}
	}
}

// pair matches a transfer in with outgoing shares acquired on a date.
func (p transferMatcher) pair(t *transferIn, acquired market.Date) {
	from := p.shareKey(t.Account, t.Symbol, acquired)
	for !t.unmatched.LessThan(dust()) {
		k := p.nearest(p.unmatched[from], t)
		if k < 0 {
			return
		}
		l := &p.outgoing[p.unmatched[from][k]]
		departure, arrivalPoint := ledgerPoint{l.Account, p.transactionIndex[l.Transaction]}, ledgerPoint{t.Account, t.index}
		days := newDateRange(l.Date, t.Date)
		back, part := p.splits.restate(t.Symbol, t.unmatched, arrivalPoint, departure, days), t.unmatched
		rest := *l
		if rest.Quantity = l.Quantity.Sub(back); rest.Quantity.LessThan(dust()) {
			back, part = l.Quantity, decimal.Min(t.unmatched, p.splits.restate(t.Symbol, l.Quantity, departure, arrivalPoint, days))
			p.unmatched[from] = slices.Delete(p.unmatched[from], k, k+1)
		} else {
			p.unmatched[from][k] = len(p.outgoing)
		}
		t.unmatched = t.unmatched.Sub(part)
		l.Quantity, l.countsFrom = back, t.index
		if h := p.acquisitions[t.ID]; p.outgoingAcquisition(*l) != nil {
			l.to, l.quantityReceived = h, part
			h.expectShares(part)
		}
		if !rest.Quantity.LessThan(dust()) {
			p.outgoing = append(p.outgoing, rest)
		}
	}
}

// nearest returns the index of the outgoing shares closest to the date of a transfer, or a negative
// number if none fits. Shares cannot come back before they were bought.
func (p transferMatcher) nearest(open []int, t *transferIn) int {
	hi, _ := slices.BinarySearchFunc(open, t.Date.AddDate(0, 0, 1), func(n int, day market.Date) int { return p.outgoing[n].Date.Compare(day) })
	lo := hi - 1
	for lo >= 0 || hi < len(open) {
		k := lo
		if hi < len(open) {
			late := daysBetween(t.Date, p.outgoing[open[hi]].Date)
			switch {
			case late > sameMoveDays:
				hi = len(open)
				continue
			case lo < 0 || late < daysBetween(p.outgoing[open[lo]].Date, t.Date):
				k = hi
			}
		}
		if h := findAcquisition(p.acquisitions, p.outgoing[open[k]].Lot); h == nil || h.purchasedAt.index < t.index {
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

// expectShares records that part of a transfer will arrive from another acquisition.
func (h *acquisition) expectShares(part decimal.Decimal) {
	h.pendingParts++
	if h.free = h.free.Sub(part); h.free.LessThan(dust()) {
		h.free = decimal.Zero
	}
}
