package lots

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// lot is an open one, or a part of it that was taken.
type lot struct {
	id       string
	acquired market.Date
	// sortDay and sortIndex give the order of lots: the day of acquisition, or where that
	// is not known the day on which the lot came, and then the order of transactions.
	sortDay    market.Date
	sortIndex  int
	quantity   decimal.Decimal // never below zero: holding.short gives the sign
	cost       decimal.NullDecimal
	currency   string
	unitCost   decimal.Decimal // cost a unit, for the method of highest cost
	queueIndex int             // in the queue
}

func (l *lot) older(than *lot) int {
	return cmp.Or(l.sortDay.Compare(than.sortDay), cmp.Compare(l.sortIndex, than.sortIndex))
}

// position is all of one security in one account. It is long or short, never both.
type position struct {
	account       *portfolio.Account
	symbol        market.Symbol
	name, isin    string
	short         bool
	quantity      decimal.Decimal
	queue         lotQueue
	byID          map[string]*lot // made by lot
	averageCost   averageCost     // of a long holding at average cost
	splits        int
	needsRounding bool // see settled
}

// averageCost is the cost of all lots at average cost. Lots in several currencies have no
// average, and neither have lots one of which has no known cost.
type averageCost struct {
	cost     decimal.NullDecimal
	currency string
}

func newPosition(account *portfolio.Account, sym market.Symbol) *position {
	h := &position{account: account, symbol: sym}
	h.queue.method = account.Method
	return h
}

func (h *position) usesAverageCost() bool {
	return h.account.Method == portfolio.MethodAverage && !h.short
}

// signed is the quantity as it is shown: below zero for a short position.
func (h *position) signed() decimal.Decimal {
	if h.short {
		return h.quantity.Neg()
	}
	return h.quantity
}

// available is what can be given away.
func (h *position) available() decimal.Decimal {
	if h.short {
		return decimal.Zero
	}
	return h.quantity
}

// add takes a new lot in.
func (h *position) add(l lot) {
	if h.usesAverageCost() {
		h.averageCost.add(l, len(h.queue.lots) == 0)
	}
	h.quantity = h.quantity.Add(l.quantity)
	l.setUnitCost(h.queue.method)
	if h.byID != nil {
		h.byID[l.id] = &l
	}
	heap.Push(&h.queue, &l)
}

// mergeLot takes in a lot that was made elsewhere. Parts of one lot that came by
// different ways become one again.
func (h *position) mergeLot(l lot) {
	same := h.lot(l.id)
	if same == nil {
		h.add(l)
		return
	}
	if h.usesAverageCost() {
		h.averageCost.add(l, false)
	}
	h.quantity = h.quantity.Add(l.quantity)
	same.quantity, same.cost = same.quantity.Add(l.quantity), addNull(same.cost, l.cost)
	same.setUnitCost(h.queue.method)
	heap.Fix(&h.queue, same.queueIndex)
}

// lot finds an open one by its ID; nil where there is none. Few books ask, so the
// index is made when one does.
func (h *position) lot(id string) *lot {
	if h.byID == nil {
		h.byID = make(map[string]*lot, len(h.queue.lots))
		for _, l := range h.queue.lots {
			h.byID[l.id] = l
		}
	}
	return h.byID[id]
}

func (p *averageCost) add(l lot, first bool) {
	switch {
	case first:
		p.cost, p.currency = l.cost, l.currency
	case l.currency != p.currency:
		p.cost, p.currency = decimal.NullDecimal{}, ""
	default:
		p.cost = addNull(p.cost, l.cost)
	}
}

// sellShort begins or enlarges a short position; nothing is held when it is called.
func (h *position) sellShort(l lot) {
	h.short, h.queue.short = true, true
	h.add(l)
}

// take gives away so much, which is held: the lots that are picked, or those that
// the method chooses. The parts are appended to parts.
func (h *position) take(parts []lot, quantity decimal.Decimal, picks []portfolio.LotPick) []lot {
	for _, p := range picks {
		parts = append(parts, h.takeFrom(h.lot(p.Lot), p.Quantity))
		quantity = quantity.Sub(p.Quantity)
	}
	// A reverse split can leave a lot with a cost and no quantity: it goes with the
	// last shares.
	all := quantity.Equal(h.quantity)
	for quantity.IsPositive() || all && len(h.queue.lots) > 0 {
		first := h.queue.lots[0]
		n := decimal.Min(first.quantity, quantity)
		parts = append(parts, h.takeFrom(first, n))
		quantity = quantity.Sub(n)
	}
	if len(h.queue.lots) == 0 {
		h.short, h.queue.short, h.needsRounding = false, false, false
	}
	return parts
}

func (h *position) takeFrom(l *lot, quantity decimal.Decimal) lot {
	part := *l
	part.quantity = quantity
	if h.usesAverageCost() {
		part.cost = proportionalCost(h.averageCost.cost, quantity, h.quantity)
		h.averageCost.cost = subNull(h.averageCost.cost, part.cost)
	} else {
		part.cost = proportionalCost(l.cost, quantity, l.quantity)
	}
	h.quantity = h.quantity.Sub(quantity)
	if quantity.Equal(l.quantity) {
		heap.Remove(&h.queue, l.queueIndex)
		delete(h.byID, l.id)
		return part
	}
	l.quantity, l.cost = l.quantity.Sub(quantity), subNull(l.cost, part.cost)
	return part
}

// lotsOldestFirst are the lots, oldest first.
func (h *position) lotsOldestFirst() []*lot {
	lots := slices.Clone(h.queue.lots)
	slices.SortFunc(lots, (*lot).older)
	return lots
}

// writeAverageCosts writes the average cost to each lot, before something looks at lots.
func (h *position) writeAverageCosts() {
	if !h.usesAverageCost() {
		return
	}
	costs := allocation{sum: h.averageCost.cost.Decimal, whole: h.quantity}
	for _, l := range h.lotsOldestFirst() {
		l.cost = decimal.NullDecimal{}
		if h.averageCost.cost.Valid {
			l.cost = decimal.NewNullDecimal(costs.next(l.quantity))
		}
	}
}

// rebuild follows whatever changed the lots of a whole holding.
func (h *position) rebuild() {
	if h.usesAverageCost() {
		for i, l := range h.queue.lots {
			h.averageCost.add(*l, i == 0)
		}
	}
	for _, l := range h.queue.lots {
		l.setUnitCost(h.queue.method)
	}
	heap.Init(&h.queue)
}

// setUnitCost notes the cost a unit where the method asks for it: division is dear.
func (l *lot) setUnitCost(m portfolio.Method) {
	if m == portfolio.MethodHighestCost && l.cost.Valid && l.quantity.IsPositive() {
		l.unitCost = l.cost.Decimal.DivRound(l.quantity, 2*costPlaces)
	}
}
