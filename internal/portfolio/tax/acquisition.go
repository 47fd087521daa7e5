package tax

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// acquisition is a group of shares that came from one purchase, or from one transfer into the ledger.
type acquisition struct {
	id   string
	date market.Date // of the purchase
	// entered is the date on which it entered the ledger: date, or the date of the transfer.
	entered market.Date
	symbol  market.Symbol
	at      ledgerPoint // free and the quantities of replacements are in shares as of this point
	// transferred marks shares that came by a transfer.
	transferred bool
	// untaxed marks an untaxed account: a loss replaced there is lost permanently.
	untaxed     bool
	purchasedAt ledgerPoint
	// free is the number of shares that were neither sold nor used as a replacement.
	free decimal.Decimal
	// pendingParts is the number of parts that will still arrive from other acquisitions. Until
	// then they count there and are not in free.
	pendingParts int
	// source is the purchase that all of these shares come from; nil if this is a purchase.
	source *acquisition
	// replacements are the shares that replaced others, in order.
	replacements []replacementShares
}

// replacementShares is a number of shares that replaced others, with the loss and holding period
// they took over.
type replacementShares struct {
	quantity decimal.Decimal
	added    decimal.Decimal
	currency string
	heldFrom market.Date // zero if unknown
}

// restate converts all quantities for the splits up to a point.
func (h *acquisition) restate(all splitHistory, to ledgerPoint, day market.Date) {
	days := h.splitRange(day)
	h.free = all.restate(h.symbol, h.free, h.at, to, days)
	for i := range h.replacements {
		h.replacements[i].quantity = all.restate(h.symbol, h.replacements[i].quantity, h.at, to, days)
	}
	h.at = to
}

// splitRange returns the dates between the acquisition and day, in which splits matter.
func (h *acquisition) splitRange(day market.Date) dateRange {
	days := newDateRange(h.date, day)
	if days.last.Before(h.entered) {
		days.last = h.entered
	}
	return days
}

// take removes a disposal. Replacement shares go first, because their holding period is longer. It
// returns one Sale for each part with a separate basis.
func (h *acquisition) take(d portfolio.Disposal) []Sale {
	var out []Sale
	for len(h.replacements) > 0 && d.Quantity.IsPositive() {
		p := &h.replacements[0]
		quantity := decimal.Min(p.quantity, d.Quantity)
		part, rest := splitDisposal(d, quantity)
		added := prorate(p.added, quantity, p.quantity)
		sale := Sale{Disposal: part, HeldFrom: p.heldFrom, AddedBasis: added}
		if added.IsPositive() && p.currency != d.Currency {
			sale.AddedBasisCurrency = p.currency
		}
		p.quantity, p.added = p.quantity.Sub(quantity), p.added.Sub(added)
		if p.quantity.LessThan(dust()) {
			h.replacements = h.replacements[1:]
		}
		out, d = append(out, sale), rest
	}
	if d.Quantity.IsPositive() || len(out) == 0 {
		h.free = decimal.Max(h.free.Sub(d.Quantity), decimal.Zero)
		out = append(out, Sale{Disposal: d, HeldFrom: d.Acquired})
	}
	if h.free.LessThan(dust()) {
		h.free = decimal.Zero
	}
	return out
}

// takeReplacements removes shares as take does, and returns the replacement shares among them.
func (h *acquisition) takeReplacements(quantity decimal.Decimal) []replacementShares {
	var out []replacementShares
	for len(h.replacements) > 0 && !quantity.LessThan(dust()) {
		taken := h.replacements[0]
		if rest := taken.quantity.Sub(quantity); rest.LessThan(dust()) {
			h.replacements = h.replacements[1:]
		} else {
			taken.quantity, taken.added = quantity, prorate(taken.added, quantity, taken.quantity)
			h.replacements[0].quantity, h.replacements[0].added = rest, h.replacements[0].added.Sub(taken.added)
		}
		out, quantity = append(out, taken), quantity.Sub(taken.quantity)
	}
	if h.free = h.free.Sub(decimal.Max(quantity, decimal.Zero)); h.free.LessThan(dust()) {
		h.free = decimal.Zero
	}
	return out
}

// original returns the purchase that all shares come from, or h itself.
func (h *acquisition) original() *acquisition {
	if h == nil || h.source == nil {
		return h
	}
	return h.source
}

// dust returns a quantity smaller than any that can be held; it absorbs rounding of splits.
func dust() decimal.Decimal { return decimal.New(1, -9) }

// replacementPool is the set of acquisitions that can replace one another's shares, in order of
// purchase. Used-up ones are skipped.
type replacementPool struct {
	acquisitions []*acquisition
	next         []int // next[i] is at or before the first usable acquisition from i on
}

func (s *replacementPool) add(h *acquisition) {
	s.next = append(s.next, len(s.acquisitions))
	s.acquisitions = append(s.acquisitions, h)
}

// nextUsable returns the first index at or after i with free or expected shares. It shortens paths
// as it walks them, so thousands of day trades are skipped at once.
func (s *replacementPool) nextUsable(i int) int {
	j := i
	for j < len(s.acquisitions) {
		if s.next[j] > j {
			j = s.next[j]
			continue
		}
		// Shares expected from another acquisition are not free yet, but will be.
		if s.acquisitions[j].free.IsPositive() || s.acquisitions[j].pendingParts > 0 {
			break
		}
		s.next[j] = j + 1
		j++
	}
	for i < j {
		i, s.next[i] = s.next[i], j
	}
	return j
}

// firstOnOrAfter returns the index of the first purchase on or after a date.
func (s *replacementPool) firstOnOrAfter(day market.Date) int {
	i, _ := slices.BinarySearchFunc(s.acquisitions, day, func(h *acquisition, d market.Date) int { return h.date.Compare(d) })
	return i
}

// findAcquisition returns the acquisition of a lot. A lot ID is the ID of the transaction, with an
// optional dash and number.
func findAcquisition(lots map[string]*acquisition, id string) *acquisition {
	if h, ok := lots[id]; ok {
		return h
	}
	dash := strings.LastIndexByte(id, '-')
	if dash < 0 || strings.Trim(id[dash+1:], "0123456789") != "" {
		return nil
	}
	return lots[id[:dash]]
}
