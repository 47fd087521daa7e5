package lots

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// lot is an open lot, or a part taken from one.
type lot struct {
	id       string
	acquired market.Date
	// sortDay and sortIndex define the order of lots: by date of acquisition, or the date the lot
	// entered the ledger if that is unknown, and then by order of transactions.
	sortDay    market.Date
	sortIndex  int
	quantity   decimal.Decimal // never negative; position.short gives the sign
	cost       decimal.NullDecimal
	currency   string
	unitCost   decimal.Decimal // cost per unit, for MethodHighestCost
	queueIndex int             // index in the queue
}

func (l *lot) older(than *lot) int {
	return cmp.Or(l.sortDay.Compare(than.sortDay), cmp.Compare(l.sortIndex, than.sortIndex))
}

// position is one security in one account, all lots together. It is long or short, never both.
type position struct {
	account       *portfolio.Account
	symbol        market.Symbol
	name, isin    string
	short         bool
	quantity      decimal.Decimal
	queue         lotQueue
	byID          map[string]*lot // created by the method lot
	averageCost   averageCost     // of a long position at average cost
	splits        int
	needsRounding bool // see actualQuantity
}

// averageCost is the total cost of all lots at average cost. It is unknown if the lots have several
// currencies or one of them has an unknown cost.
type averageCost struct {
	cost     decimal.NullDecimal
	currency string
}

func (h *position) usesAverageCost() bool {
	return h.account.Method == portfolio.MethodAverage && !h.short
}

// signed returns the quantity, negative for a short position.
func (h *position) signed() decimal.Decimal {
	if h.short {
		return h.quantity.Neg()
	}
	return h.quantity
}

// available returns the quantity that can be sold or moved.
func (h *position) available() decimal.Decimal {
	if h.short {
		return decimal.Zero
	}
	return h.quantity
}

// add adds a new lot.
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

// mergeLot adds a lot from another position. Parts of one lot that arrive separately are joined
// again.
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

// lot returns an open lot by its ID, or nil. The index is built on first use, because few ledgers
// name lots.
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

// sellShort opens or enlarges a short position. The position must not be long.
func (h *position) sellShort(l lot) {
	h.short, h.queue.short = true, true
	h.add(l)
}

// take removes quantity, which must be available, from the picked lots or from those that the
// method chooses. It appends the removed parts to parts.
func (h *position) take(parts []lot, quantity decimal.Decimal, picks []portfolio.LotPick) []lot {
	for _, p := range picks {
		parts = append(parts, h.takeFrom(h.lot(p.Lot), p.Quantity))
		quantity = quantity.Sub(p.Quantity)
	}
	// A reverse split can leave a lot with a cost and no quantity. It is removed together with the
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

// lotsOldestFirst returns the open lots, oldest first.
func (h *position) lotsOldestFirst() []*lot {
	lots := slices.Clone(h.queue.lots)
	slices.SortFunc(lots, (*lot).older)
	return lots
}

// writeAverageCosts stores the average cost in each lot, before the lots are read.
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

// rebuild restores the queue and totals after all lots of a position were changed.
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

// setUnitCost computes the cost per unit only if the method needs it, because division is slow.
func (l *lot) setUnitCost(m portfolio.Method) {
	if m == portfolio.MethodHighestCost && l.cost.Valid && l.quantity.IsPositive() {
		l.unitCost = l.cost.Decimal.DivRound(l.quantity, 2*costPlaces)
	}
}
