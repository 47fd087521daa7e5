package rebalance

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// lotQueue is a position, with its lots in order of sale.
type lotQueue struct {
	quantity decimal.Decimal
	lots     []saleLot
	price    decimal.Decimal
}

// saleLot is a Lot with the effect of selling one unit of it.
type saleLot struct {
	Lot
	term  tax.Term
	gain  decimal.NullDecimal // per unit, before fees
	tax   decimal.NullDecimal // per unit
	taxed bool
	// keepLoss marks a lot that must not be sold, because its loss would not be deductible (wash sale).
	keepLoss bool
}

// lotQueues builds the queues of all accounts.
func (r *Request) lotQueues() []map[market.Symbol]*lotQueue {
	out := make([]map[market.Symbol]*lotQueue, len(r.Accounts))
	for i := range r.Accounts {
		a := &r.Accounts[i]
		out[i] = make(map[market.Symbol]*lotQueue, len(a.Positions))
		for _, h := range a.Positions {
			if !r.Excluded[h.Symbol] {
				out[i][h.Symbol] = r.newLotQueue(a, h)
			}
		}
	}
	return out
}

func (s *lotQueue) clone() *lotQueue { return &lotQueue{s.quantity, slices.Clone(s.lots), s.price} }

// newLotQueue builds the queue of a position. Lots without quantity are dropped. A position without lots
// becomes one lot with unknown cost and date.
func (r *Request) newLotQueue(a *Account, h Position) *lotQueue {
	s := &lotQueue{quantity: h.Quantity, price: r.Prices[h.Symbol]}
	lots := h.Lots
	if len(lots) == 0 {
		lots = []Lot{{Quantity: h.Quantity}}
	}
	average := decimal.NullDecimal{}
	if a.Method == portfolio.MethodAverage {
		average = averageUnit(lots)
	}
	for _, l := range lots {
		if !l.Quantity.IsPositive() {
			continue
		}
		if a.Method == portfolio.MethodAverage {
			l.Cost = amountOf(average, l.Quantity)
		}
		s.lots = append(s.lots, r.newSaleLot(a, h.Symbol, l, s.price))
	}
	slices.SortStableFunc(s.lots, lotOrder(a.Method))
	if choosesLeastTax(a.Method) {
		// If lots can be chosen, protected ones are skipped; in a fixed order they block the rest.
		slices.SortStableFunc(s.lots, func(x, y saleLot) int { return compareFlags(x.keepLoss, y.keepLoss) })
	}
	return s
}

func (r *Request) newSaleLot(a *Account, sym market.Symbol, l Lot, price decimal.Decimal) saleLot {
	out := saleLot{Lot: l, term: r.Jurisdiction.HoldingTerm(l.Acquired, r.Day), taxed: !a.Untaxed}
	if l.Cost.Valid {
		out.gain = decimal.NewNullDecimal(price.Sub(l.Cost.Decimal.DivRound(l.Quantity, 2*decimalPlaces)))
	}
	if rate := r.Rates.of(out.term); rate.Valid && out.gain.Valid {
		out.tax = decimal.NewNullDecimal(out.gain.Decimal.Mul(rate.Decimal))
	}
	out.keepLoss = out.taxed && r.KeepLosses[sym] && (!out.gain.Valid || out.gain.Decimal.IsNegative())
	return out
}

// averageUnit returns the average cost per unit of all lots; invalid if a cost is unknown.
func averageUnit(lots []Lot) decimal.NullDecimal {
	cost, quantity := decimal.Zero, decimal.Zero
	for _, l := range lots {
		if !l.Cost.Valid {
			return decimal.NullDecimal{}
		}
		cost, quantity = cost.Add(l.Cost.Decimal), quantity.Add(l.Quantity)
	}
	if !quantity.IsPositive() {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(cost.DivRound(quantity, 2*decimalPlaces))
}

func amountOf(unit decimal.NullDecimal, quantity decimal.Decimal) decimal.NullDecimal {
	if unit.Valid {
		unit.Decimal = unit.Decimal.Mul(quantity).Round(decimalPlaces)
	}
	return unit
}

func choosesLeastTax(m portfolio.Method) bool { return m == "" || m == portfolio.MethodSpecific }

// lotOrder returns the order in which an account's lots are sold.
func lotOrder(m portfolio.Method) func(a, b saleLot) int {
	oldest := func(a, b saleLot) int { return cmp.Or(a.Acquired.Compare(b.Acquired), cmp.Compare(a.ID, b.ID)) }
	switch m {
	case portfolio.MethodFIFO, portfolio.MethodAverage:
		return oldest
	case portfolio.MethodLIFO:
		return func(a, b saleLot) int { return oldest(b, a) }
	case portfolio.MethodHighestCost:
		return func(a, b saleLot) int { return cmp.Or(compareUnits(a.gain, b.gain), oldest(a, b)) }
	}
	return func(a, b saleLot) int { return cmp.Or(a.compareTax(b), oldest(a, b)) }
}

// compareTax compares by tax per unit if rates are known. Without rates, losses come first (largest
// first), then long-term gains, then short-term ones, smallest first. Unknown gains come last.
func (l saleLot) compareTax(than saleLot) int {
	if l.tax.Valid && than.tax.Valid {
		return cmp.Or(l.tax.Decimal.Cmp(than.tax.Decimal), compareUnits(l.gain, than.gain))
	}
	return cmp.Or(cmp.Compare(l.taxClass(), than.taxClass()), compareUnits(l.gain, than.gain))
}

func (l saleLot) taxClass() int {
	switch {
	case !l.gain.Valid:
		return 3
	case l.gain.Decimal.IsNegative():
		return 0
	case l.term == tax.TermLong || l.term == tax.TermNone:
		return 1
	}
	return 2
}

// compareUnits sorts unknown values last.
func compareUnits(a, b decimal.NullDecimal) int {
	if a.Valid != b.Valid {
		return compareFlags(b.Valid, a.Valid)
	}
	return a.Decimal.Cmp(b.Decimal)
}

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// nextLot returns the next lot to sell, or nil if none may be sold.
func (s *lotQueue) nextLot() *saleLot {
	if s == nil || len(s.lots) == 0 || s.lots[0].keepLoss {
		return nil
	}
	return &s.lots[0]
}

// sellable returns the quantity that may be sold.
func (s *lotQueue) sellable() decimal.Decimal {
	sum := decimal.Zero
	if s == nil {
		return sum
	}
	for _, l := range s.lots {
		if l.keepLoss {
			break
		}
		sum = sum.Add(l.Quantity)
	}
	return sum
}

// remove removes a quantity that may be sold.
func (s *lotQueue) remove(quantity decimal.Decimal) []saleLot {
	var taken []saleLot
	s.quantity = s.quantity.Sub(quantity)
	for quantity.IsPositive() && len(s.lots) > 0 {
		l := s.lots[0]
		if l.Quantity.GreaterThan(quantity) {
			rest := l
			if l.Cost.Valid {
				l.Cost.Decimal = l.Cost.Decimal.Mul(quantity).DivRound(rest.Quantity, decimalPlaces)
				rest.Cost.Decimal = rest.Cost.Decimal.Sub(l.Cost.Decimal)
			}
			l.Quantity, rest.Quantity = quantity, rest.Quantity.Sub(quantity)
			s.lots[0] = rest
		} else {
			s.lots = s.lots[1:]
		}
		taken, quantity = append(taken, l), quantity.Sub(l.Quantity)
	}
	return taken
}

// joinLots merges parts of one lot that a sale used in several steps.
func joinLots(taken []saleLot) []saleLot {
	var out []saleLot
	for _, l := range taken {
		i := slices.IndexFunc(out, func(o saleLot) bool {
			return o.ID == l.ID && l.ID != "" && o.term == l.term && compareUnits(o.gain, l.gain) == 0
		})
		if i < 0 {
			out = append(out, l)
			continue
		}
		out[i].Quantity = out[i].Quantity.Add(l.Quantity)
		if out[i].Cost.Valid {
			out[i].Cost.Decimal = out[i].Cost.Decimal.Add(l.Cost.Decimal)
		}
	}
	return out
}
