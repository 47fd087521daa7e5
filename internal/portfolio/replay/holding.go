package replay

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// lot is an open one, or a part of it that was taken.
type lot struct {
	id       string
	acquired market.Date
	// since and line give the order of lots: the day of acquisition, or where that
	// is not known the day on which the lot came, and then the order of transactions.
	since, line int32
	quantity    decimal.Decimal // never below zero: holding.short gives the sign
	cost        decimal.NullDecimal
	currency    string
	unit        decimal.Decimal // cost a unit, for the method of highest cost
	at          int             // in the queue
}

func (l *lot) older(than *lot) int {
	if l.since != than.since {
		return cmp.Compare(l.since, than.since)
	}
	return cmp.Compare(l.line, than.line)
}

// holding is all of one security in one account. It is long or short, never both.
type holding struct {
	account    *portfolio.Account
	symbol     market.Symbol
	name, isin string
	short      bool
	quantity   decimal.Decimal
	queue      queue
	byID       map[string]*lot // made by lot
	pool       pool            // of a long holding at average cost
	splits     int
	ragged     bool // see settled
}

// pool is the cost of all lots at average cost. Lots in several currencies have no
// average, and neither have lots one of which has no known cost.
type pool struct {
	cost     decimal.NullDecimal
	currency string
}

func newHolding(account *portfolio.Account, sym market.Symbol) *holding {
	h := &holding{account: account, symbol: sym}
	h.queue.method = account.Method
	return h
}

func (h *holding) pooled() bool { return h.account.Method == portfolio.MethodAverage && !h.short }

// signed is the quantity as it is shown: below zero for a short position.
func (h *holding) signed() decimal.Decimal {
	if h.short {
		return h.quantity.Neg()
	}
	return h.quantity
}

// held is what can be given away.
func (h *holding) held() decimal.Decimal {
	if h.short {
		return decimal.Zero
	}
	return h.quantity
}

// add takes a new lot in.
func (h *holding) add(l lot) {
	if h.pooled() {
		h.pool.add(l, len(h.queue.lots) == 0)
	}
	h.quantity = add(h.quantity, l.quantity)
	l.price(h.queue.method)
	if h.byID != nil {
		h.byID[l.id] = &l
	}
	h.queue.push(&l)
}

// join takes in a lot that was made elsewhere. Parts of one lot that came by
// different ways become one again.
func (h *holding) join(l lot) {
	same := h.lot(l.id)
	if same == nil {
		h.add(l)
		return
	}
	if h.pooled() {
		h.pool.add(l, false)
	}
	h.quantity = add(h.quantity, l.quantity)
	same.quantity, same.cost = add(same.quantity, l.quantity), plus(same.cost, l.cost)
	same.price(h.queue.method)
	h.queue.fix(same.at)
}

// lot finds an open one by its ID; nil where there is none. Few books ask, so the
// index is made when one does.
func (h *holding) lot(id string) *lot {
	if h.byID == nil {
		h.byID = make(map[string]*lot, len(h.queue.lots))
		for _, l := range h.queue.lots {
			h.byID[l.id] = l
		}
	}
	return h.byID[id]
}

func (p *pool) add(l lot, first bool) {
	switch {
	case first:
		p.cost, p.currency = l.cost, l.currency
	case l.currency != p.currency:
		p.cost, p.currency = decimal.NullDecimal{}, ""
	default:
		p.cost = plus(p.cost, l.cost)
	}
}

// sellShort begins or enlarges a short position; nothing is held when it is called.
func (h *holding) sellShort(l lot) {
	h.short, h.queue.short = true, true
	h.add(l)
}

// take gives away so much, which is held: the lots that are picked, or those that
// the method chooses. The parts are appended to parts.
func (h *holding) take(parts []lot, quantity decimal.Decimal, picks []portfolio.LotPick) []lot {
	for _, p := range picks {
		parts = append(parts, h.takeFrom(h.lot(p.Lot), p.Quantity))
		quantity = sub(quantity, p.Quantity)
	}
	// A reverse split can leave a lot with a cost and no quantity: it goes with the
	// last shares.
	all := equal(quantity, h.quantity)
	for quantity.IsPositive() || all && len(h.queue.lots) > 0 {
		first := h.queue.lots[0]
		n := smaller(first.quantity, quantity)
		parts = append(parts, h.takeFrom(first, n))
		quantity = sub(quantity, n)
	}
	if len(h.queue.lots) == 0 {
		h.short, h.queue.short, h.ragged = false, false, false
	}
	return parts
}

func (h *holding) takeFrom(l *lot, quantity decimal.Decimal) lot {
	part := *l
	part.quantity = quantity
	if h.pooled() {
		part.cost = portion(h.pool.cost, quantity, h.quantity)
		h.pool.cost = minus(h.pool.cost, part.cost)
	} else {
		part.cost = portion(l.cost, quantity, l.quantity)
	}
	h.quantity = sub(h.quantity, quantity)
	if equal(quantity, l.quantity) {
		h.queue.remove(l.at)
		delete(h.byID, l.id)
		return part
	}
	l.quantity, l.cost = sub(l.quantity, quantity), minus(l.cost, part.cost)
	return part
}

// ordered are the lots, oldest first.
func (h *holding) ordered() []*lot {
	lots := slices.Clone(h.queue.lots)
	slices.SortFunc(lots, (*lot).older)
	return lots
}

// spread writes the average cost to each lot, before something looks at lots.
func (h *holding) spread() {
	if !h.pooled() {
		return
	}
	costs := allotment{sum: h.pool.cost.Decimal, whole: h.quantity}
	for _, l := range h.ordered() {
		l.cost = decimal.NullDecimal{}
		if h.pool.cost.Valid {
			l.cost = decimal.NewNullDecimal(costs.next(l.quantity))
		}
	}
}

// gather follows whatever changed the lots of a whole holding.
func (h *holding) gather() {
	if h.pooled() {
		for i, l := range h.queue.lots {
			h.pool.add(*l, i == 0)
		}
	}
	for _, l := range h.queue.lots {
		l.price(h.queue.method)
	}
	h.queue.arrange()
}

// price notes the cost a unit where the method asks for it: division is dear.
func (l *lot) price(m portfolio.Method) {
	if m == portfolio.MethodHighestCost && l.cost.Valid && l.quantity.IsPositive() {
		l.unit = l.cost.Decimal.DivRound(l.quantity, 2*places)
	}
}
