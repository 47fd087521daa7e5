package tax

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// holding is what one purchase, or one transfer from outside of the book, brought and
// what became of it.
type holding struct {
	id   string
	date market.Date // of the purchase
	// came is the day on which it came into the book: date, or that of the transfer.
	came   market.Date
	symbol market.Symbol
	at     moment // to which free and the parcels' quantities refer
	// brought: a transfer brought it.
	brought bool
	// untaxed: replacing there loses the loss for good.
	untaxed bool
	bought  moment
	// free are the shares that were neither sold nor replaced others.
	free decimal.Decimal
	// coming is how many parts of it are still to come from other holdings of the book,
	// which count until then and are not in free.
	coming int
	// of is the purchase of which all of it came; nil where it is one.
	of *holding
	// parcels are those that replaced others, in the order in which they did.
	parcels []parcel
}

// parcel is a number of shares that replaced others, with what they inherited.
type parcel struct {
	quantity decimal.Decimal
	added    decimal.Decimal
	currency string
	heldFrom market.Date // zero is not known
}

// restate brings all quantities to the shares of a moment.
func (h *holding) restate(all splits, to moment, day market.Date) {
	days := h.until(day)
	h.free = all.restate(h.symbol, h.free, h.at, to, days)
	for i := range h.parcels {
		h.parcels[i].quantity = all.restate(h.symbol, h.parcels[i].quantity, h.at, to, days)
	}
	h.at = to
}

// until is the days in which splits may lie between the holding and another day.
func (h *holding) until(day market.Date) span {
	days := between(h.date, day)
	if days.last.Before(h.came) {
		days.last = h.came
	}
	return days
}

// take takes a disposal off the holding: what replaced others goes first, for its
// holding period is the longer one. It returns a sale for each part that has a basis
// of its own.
func (h *holding) take(d portfolio.Disposal) []Sale {
	var out []Sale
	for len(h.parcels) > 0 && d.Quantity.IsPositive() {
		p := &h.parcels[0]
		quantity := decimal.Min(p.quantity, d.Quantity)
		part, rest := cut(d, quantity)
		added := share(p.added, quantity, p.quantity)
		sale := Sale{Disposal: part, HeldFrom: p.heldFrom, Added: added}
		if added.IsPositive() && p.currency != d.Currency {
			sale.AddedCurrency = p.currency
		}
		p.quantity, p.added = p.quantity.Sub(quantity), p.added.Sub(added)
		if p.quantity.LessThan(dust()) {
			h.parcels = h.parcels[1:]
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

// part takes shares off the holding as take does, and returns those of them that had
// replaced others.
func (h *holding) part(quantity decimal.Decimal) []parcel {
	var out []parcel
	for len(h.parcels) > 0 && !quantity.LessThan(dust()) {
		one := h.parcels[0]
		if rest := one.quantity.Sub(quantity); rest.LessThan(dust()) {
			h.parcels = h.parcels[1:]
		} else {
			one.quantity, one.added = quantity, share(one.added, quantity, one.quantity)
			h.parcels[0].quantity, h.parcels[0].added = rest, h.parcels[0].added.Sub(one.added)
		}
		out, quantity = append(out, one), quantity.Sub(one.quantity)
	}
	if h.free = h.free.Sub(decimal.Max(quantity, decimal.Zero)); h.free.LessThan(dust()) {
		h.free = decimal.Zero
	}
	return out
}

// purchase is what the holding is of: itself, unless all of it came from another.
func (h *holding) purchase() *holding {
	if h == nil || h.of == nil {
		return h
	}
	return h.of
}

// dust is less than any share that can be held: what rounding of splits leaves.
func dust() decimal.Decimal { return decimal.New(1, -9) }

// shelf are the holdings that may replace one another's shares, in the order of
// purchase, with those that cannot any more skipped.
type shelf struct {
	holdings []*holding
	next     []int // next[i] is at or before the first usable one from i on
}

func (s *shelf) add(h *holding) {
	s.next = append(s.next, len(s.holdings))
	s.holdings = append(s.holdings, h)
}

// arrange puts what transfers brought among the purchases of its time.
func (s *shelf) arrange() {
	slices.SortStableFunc(s.holdings, func(a, b *holding) int { return a.date.Compare(b.date) })
}

// from is the first position at or after i whose holding has free shares, or gets some. Paths are
// shortened as they are walked: thousands of day trades are passed over at once.
func (s *shelf) from(i int) int {
	j := i
	for j < len(s.holdings) {
		if s.next[j] > j {
			j = s.next[j]
			continue
		}
		// What is to come from another holding is not free yet, and will be.
		if s.holdings[j].free.IsPositive() || s.holdings[j].coming > 0 {
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

// since is the position of the first purchase on a day or after it.
func (s *shelf) since(day market.Date) int {
	i, _ := slices.BinarySearchFunc(s.holdings, day, func(h *holding, d market.Date) int { return h.date.Compare(d) })
	return i
}

// purchase finds what a lot is of: its ID is that of the transaction, or that and a
// number after a dash.
func purchase(lots map[string]*holding, id string) *holding {
	if h, ok := lots[id]; ok {
		return h
	}
	dash := strings.LastIndexByte(id, '-')
	if dash < 0 || strings.Trim(id[dash+1:], "0123456789") != "" {
		return nil
	}
	return lots[id[:dash]]
}
