package lots

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// split converts the lots. A quantity that does not divide evenly is rounded once, for all lots
// together.
func (e *Engine) split(t *portfolio.Transaction) error {
	h := e.position(t.Account, t.Symbol)
	if !h.quantity.IsPositive() {
		return e.notHeldError(t, h)
	}
	newQuantities, err := h.restatedQuantity(t)
	if err := cmp.Or(err, e.checkActionLimit(t), h.checkSplitLimit()); err != nil {
		return err
	}
	before := h.signed()
	h.writeAverageCosts()
	for _, l := range h.lotsOldestFirst() {
		l.quantity = newQuantities.next(l.quantity)
		h.needsRounding = h.needsRounding || hasExcessDigits(l.quantity)
	}
	h.quantity, h.splits = newQuantities.sum, h.splits+1
	h.rebuild()
	e.lotChanges += len(h.queue.lots)
	e.postSecurity(t, t.Account, t.Symbol, h.signed().Sub(before), portfolio.CategoryAction)
	return nil
}

// restatedQuantity returns the allocation of the position's quantity after exchanging New shares
// for Old.
func (h *position) restatedQuantity(t *portfolio.Transaction) (allocation, error) {
	fine := max(costPlaces, -h.quantity.Exponent())
	total := h.quantity.Mul(t.New).DivRound(t.Old, fine)
	became := "number out of range" // shown in place of a number that could fill the screen
	if portfolio.CheckMagnitude("quantity", total) == nil {
		if total.IsPositive() {
			return allocation{sum: total, whole: h.quantity, extraPlaces: fine}, nil
		}
		became = total.String()
	}
	return allocation{}, fmt.Errorf("%w: %s %s at %s new for %s old would be %s: check new and old",
		portfolio.ErrInvalid, h.quantity, h.symbol, t.New, t.Old, became)
}

// spinOff distributes new shares in proportion to the lots, together with the fraction CostPart of
// the cost of each. Without CostPart both costs become unknown.
func (e *Engine) spinOff(t *portfolio.Transaction) error {
	from, to := e.position(t.Account, t.Symbol), e.position(t.Account, t.ToSymbol)
	if !from.available().IsPositive() {
		return e.notHeldError(t, from)
	}
	if err := cmp.Or(to.checkReceives(), e.checkActionLimit(t)); err != nil {
		return err
	}
	quantity := allocation{sum: t.Quantity, whole: from.quantity, extraPlaces: -t.Quantity.Exponent()}
	from.writeAverageCosts()
	for _, l := range from.lotsOldestFirst() {
		child := *l
		child.quantity = quantity.next(l.quantity)
		child.cost = fractionOfCost(l.cost, t.CostPart)
		l.cost = subNull(l.cost, child.cost)
		to.mergeLot(child)
	}
	from.rebuild()
	e.lotChanges += newRecordWeight * len(from.queue.lots)
	e.postSecurity(t, t.Account, t.ToSymbol, t.Quantity, portfolio.CategoryAction)
	return nil
}

// fractionOfCost returns cost times fraction; invalid if either is unknown.
func fractionOfCost(cost, fraction decimal.NullDecimal) decimal.NullDecimal {
	if !cost.Valid || !fraction.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(cost.Decimal.Mul(fraction.Decimal).Round(costPlaces))
}

// merge converts lots of Symbol to lots of ToSymbol, with their dates. For cash it records
// disposals: of the shares if all became cash, otherwise of zero shares with the fraction CostPart
// of the cost.
func (e *Engine) merge(t *portfolio.Transaction) error {
	h := e.position(t.Account, t.Symbol)
	if !h.available().IsPositive() {
		return e.notHeldError(t, h)
	}
	quantityBefore := h.quantity
	if t.ToSymbol != "" {
		if err := e.convert(t, h); err != nil {
			return err
		}
	} else {
		proceeds, withheld := newProceeds(t, quantityBefore)
		e.parts = h.take(e.parts[:0], quantityBefore, nil)
		for i := range e.parts {
			e.dispose(t, &e.parts[i], e.parts[i].quantity, proceeds.next(e.parts[i].quantity), withheld.next(e.parts[i].quantity))
		}
	}
	e.postSecurity(t, t.Account, t.Symbol, quantityBefore.Neg(), portfolio.CategoryAction)
	if t.ToSymbol != "" {
		e.postSecurity(t, t.Account, t.ToSymbol, e.partsQuantity(), portfolio.CategoryAction)
	}
	e.postCash(t, t.Amount, portfolio.CategoryAction)
	e.postCosts(t)
	return nil
}

func (e *Engine) convert(t *portfolio.Transaction, h *position) error {
	to := e.position(t.Account, t.ToSymbol)
	newQuantities, err := h.restatedQuantity(t)
	if err := cmp.Or(to.checkReceives(), err, e.checkActionLimit(t)); err != nil {
		return err
	}
	paid := t.Amount.IsPositive()
	proceeds, withheld := newProceeds(t, h.quantity)
	e.parts = h.take(e.parts[:0], h.quantity, nil)
	for i := range e.parts {
		l := &e.parts[i]
		share, shareWithheld := proceeds.next(l.quantity), withheld.next(l.quantity)
		l.quantity = newQuantities.next(l.quantity)
		if paid {
			disposed := *l
			disposed.cost = fractionOfCost(l.cost, t.CostPart)
			l.cost = subNull(l.cost, disposed.cost)
			e.dispose(t, &disposed, decimal.Zero, share, shareWithheld)
		}
		to.mergeLot(*l)
		to.needsRounding = to.needsRounding || hasExcessDigits(l.quantity)
	}
	e.lotChanges += newRecordWeight * len(e.parts)
	return nil
}

// partsQuantity returns the total quantity of e.parts.
func (e *Engine) partsQuantity() decimal.Decimal {
	var sum decimal.Decimal
	for i := range e.parts {
		sum = sum.Add(e.parts[i].quantity)
	}
	return sum
}

// returnCapital lowers the cost of each lot, in proportion to its quantity. What exceeds the cost
// of a lot is a gain: a disposal of zero shares at zero cost. A cost that is unknown, or in another
// currency, is unknown afterwards.
func (e *Engine) returnCapital(t *portfolio.Transaction) error {
	h := e.position(t.Account, t.Symbol)
	if !h.available().IsPositive() {
		return e.notHeldError(t, h)
	}
	if err := e.checkActionLimit(t); err != nil {
		return err
	}
	paid, before := allocation{sum: t.Amount, whole: h.quantity}, len(e.disposals)
	h.writeAverageCosts()
	for _, l := range h.lotsOldestFirst() {
		share := paid.next(l.quantity)
		switch {
		case l.currency != t.Currency:
			l.cost = decimal.NullDecimal{}
		case l.cost.Valid:
			e.lowerCost(t, l, share)
		}
	}
	h.rebuild()
	e.lotChanges += len(h.queue.lots) + newRecordWeight*(len(e.disposals)-before)
	e.postCash(t, t.Amount, portfolio.CategoryAction)
	e.postCosts(t)
	return nil
}

func (e *Engine) lowerCost(t *portfolio.Transaction, l *lot, amount decimal.Decimal) {
	after := l.cost.Decimal.Sub(amount)
	if after.IsNegative() {
		gain := *l
		gain.cost = decimal.NewNullDecimal(decimal.Zero)
		e.dispose(t, &gain, decimal.Zero, after.Neg(), decimal.Zero)
		after = decimal.Zero
	}
	l.cost = decimal.NewNullDecimal(after)
}

// Limits of corporate actions. Each split, spin-off, merger, move or return of capital goes through
// all lots of a position, so a forged ledger with 100,000 of them over 10,000 lots would take
// hours. Real ledgers stay far below: weekly purchases and monthly returns of capital for thirty
// years make 280,000 changes.
const (
	maxLotChanges = 10_000_000
	// newRecordWeight is the weight of a lot or disposal that an action creates, because it takes
	// memory as well as time.
	newRecordWeight = 5
	// maxSplits is the limit for one security in one account.
	maxSplits = 500
)

// checkActionLimit returns an error if earlier actions changed too many lots.
func (e *Engine) checkActionLimit(t *portfolio.Transaction) error {
	if e.lotChanges < maxLotChanges {
		return nil
	}
	return fmt.Errorf("%w: splits, spin-offs, mergers, moves and returns of capital changed %d lots before this %s; a ledger may have at most %d such changes",
		portfolio.ErrInvalid, e.lotChanges, t.Kind, maxLotChanges)
}

func (h *position) checkSplitLimit() error {
	if h.splits < maxSplits {
		return nil
	}
	return fmt.Errorf("%w: %s in %q has more than %d splits; look for duplicates", portfolio.ErrInvalid, h.symbol, h.account.Name, maxSplits)
}
