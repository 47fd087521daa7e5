package tax

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// acquisition is what one purchase, or one transfer from outside of the ledger, brought and
// what became of it.
type acquisition struct {
	id   string
	date market.Date // of the purchase
	// entered is the day on which it came into the ledger: date, or that of the transfer.
	entered market.Date
	symbol  market.Symbol
	at      ledgerPoint // to which free and the parcels' quantities refer
	// transferred: a transfer brought it.
	transferred bool
	// untaxed: replacing there loses the loss for good.
	untaxed     bool
	purchasedAt ledgerPoint
	// free are the shares that were neither sold nor replaced others.
	free decimal.Decimal
	// pendingParts is how many parts of it are still to come from other acquisitions. They
	// count there until then and are not in free.
	pendingParts int
	// source is the purchase of which all of it came; nil where it is one.
	source *acquisition
	// replacements are those that replaced others, in the order in which they did.
	replacements []replacementShares
}

// replacementShares is a number of shares that replaced others, with what they inherited.
type replacementShares struct {
	quantity decimal.Decimal
	added    decimal.Decimal
	currency string
	heldFrom market.Date // zero is not known
}

// restate brings all quantities to the shares of a moment.
func (h *acquisition) restate(all splitHistory, to ledgerPoint, day market.Date) {
	days := h.splitRange(day)
	h.free = all.restate(h.symbol, h.free, h.at, to, days)
	for i := range h.replacements {
		h.replacements[i].quantity = all.restate(h.symbol, h.replacements[i].quantity, h.at, to, days)
	}
	h.at = to
}

// splitRange is the days in which splits may lie between the holding and another day.
func (h *acquisition) splitRange(day market.Date) dateRange {
	days := newDateRange(h.date, day)
	if days.last.Before(h.entered) {
		days.last = h.entered
	}
	return days
}

// take takes a disposal off the holding: what replaced others goes first, for its
// holding period is the longer one. It returns a sale for each part that has a basis
// of its own.
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

// takeReplacements takes shares off the holding as take does, and returns those of them that had
// replaced others.
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

// original is what the holding is of: itself, unless all of it came from another.
func (h *acquisition) original() *acquisition {
	if h == nil || h.source == nil {
		return h
	}
	return h.source
}

// dust is less than any share that can be held: what rounding of splits leaves.
func dust() decimal.Decimal { return decimal.New(1, -9) }

// replacementPool are the holdings that may replace one another's shares, in the order of
// purchase, with those that cannot any more skipped.
type replacementPool struct {
	acquisitions []*acquisition
	next         []int // next[i] is at or before the first usable one from i on
}

func (s *replacementPool) add(h *acquisition) {
	s.next = append(s.next, len(s.acquisitions))
	s.acquisitions = append(s.acquisitions, h)
}

// nextUsable is the first position at or after i whose holding has free shares, or gets some. Paths are
// shortened as they are walked: thousands of day trades are passed over at once.
func (s *replacementPool) nextUsable(i int) int {
	j := i
	for j < len(s.acquisitions) {
		if s.next[j] > j {
			j = s.next[j]
			continue
		}
		// What is to come from another holding is not free yet, and will be.
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

// firstOnOrAfter is the position of the first purchase on a day or after it.
func (s *replacementPool) firstOnOrAfter(day market.Date) int {
	i, _ := slices.BinarySearchFunc(s.acquisitions, day, func(h *acquisition, d market.Date) int { return h.date.Compare(d) })
	return i
}

// findAcquisition finds what a lot is of: its ID is that of the transaction, or that and a
// number after a dash.
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
