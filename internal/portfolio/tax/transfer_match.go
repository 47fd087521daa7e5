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

// shareKey tells which shares a transfer out and one in can have in common: of one
// owner, of one security, and acquired on one day.
type shareKey struct {
	poolKey
	acquired market.Date
}

// transferMatcher looks for the transfer in of each transfer out.
type transferMatcher struct {
	*state
	unmatched map[shareKey][]int // of what is leaving, by position, what was not brought back
}

// transferIn is what a transfer brought, and how much of it is not known to have left the
// ledger before.
type transferIn struct {
	portfolio.Transaction
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

// match has what left come back with the transfers in: first all that were acquired
// on the very day, then those of a day apart, and so on.
func (p transferMatcher) match(transactions []portfolio.Transaction) {
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

// pair takes what a transfer brought for that which left and was acquired on a day.
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

// nearest is the place of that which left nearest to the day of a transfer, below zero
// where none can be meant: no share came back before it was bought.
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

// expectShares notes that so much of what a transfer brought is to come from another holding.
func (h *acquisition) expectShares(part decimal.Decimal) {
	h.pendingParts++
	if h.free = h.free.Sub(part); h.free.LessThan(dust()) {
		h.free = decimal.Zero
	}
}
