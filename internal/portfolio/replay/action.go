package replay

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// split restates the lots. A quantity that does not come out even is rounded once,
// for all lots together.
func (b *Book) split(t *portfolio.Transaction) error {
	h := b.holding(t.Account, t.Symbol)
	if !h.quantity.IsPositive() {
		return b.notHeld(t, h)
	}
	became, err := h.restated(t)
	if err := cmp.Or(err, b.bearable(t), h.splittable()); err != nil {
		return err
	}
	before := h.signed()
	h.spread()
	for _, l := range h.ordered() {
		l.quantity = became.next(l.quantity)
		h.ragged = h.ragged || ragged(l.quantity)
	}
	h.quantity, h.splits = became.sum, h.splits+1
	h.gather()
	b.restated += len(h.queue.lots)
	b.security(t, t.Account, t.Symbol, h.signed().Sub(before), portfolio.PartAction)
	return nil
}

// restated hands out what a holding becomes at New for Old.
func (h *holding) restated(t *portfolio.Transaction) (allotment, error) {
	fine := max(places, -h.quantity.Exponent())
	total := h.quantity.Mul(t.New).DivRound(t.Old, fine)
	became := "a number out of bounds" // written out it could fill a screen
	if portfolio.Bounded("quantity", total) == nil {
		if total.IsPositive() {
			return allotment{sum: total, whole: h.quantity, fine: fine}, nil
		}
		became = total.String()
	}
	return allotment{}, fmt.Errorf("%w: %s %s at %s new for %s old would be %s: check new and old",
		portfolio.ErrInvalid, h.quantity, h.symbol, t.New, t.Old, became)
}

// spinOff hands out new shares in proportion to the lots, and CostPart of the cost
// of each with them. Without CostPart neither cost is known any more.
func (b *Book) spinOff(t *portfolio.Transaction) error {
	from, to := b.holding(t.Account, t.Symbol), b.holding(t.Account, t.ToSymbol)
	if !from.held().IsPositive() {
		return b.notHeld(t, from)
	}
	if err := cmp.Or(to.receives(), b.bearable(t)); err != nil {
		return err
	}
	quantity := allotment{sum: t.Quantity, whole: from.quantity, fine: -t.Quantity.Exponent()}
	from.spread()
	for _, l := range from.ordered() {
		child := *l
		child.quantity = quantity.next(l.quantity)
		child.cost = part(l.cost, t.CostPart)
		l.cost = minus(l.cost, child.cost)
		to.join(child)
	}
	from.gather()
	b.restated += made * len(from.queue.lots)
	b.security(t, t.Account, t.ToSymbol, t.Quantity, portfolio.PartAction)
	return nil
}

// part is a fraction of a cost.
func part(cost, fraction decimal.NullDecimal) decimal.NullDecimal {
	if !cost.Valid || !fraction.Valid {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(cost.Decimal.Mul(fraction.Decimal).Round(places))
}

// merge makes lots of ToSymbol of those of Symbol, with their dates, and disposes
// of them as far as cash was paid: of the shares where all became cash, and else of
// no share but of CostPart of the cost.
func (b *Book) merge(t *portfolio.Transaction) error {
	h := b.holding(t.Account, t.Symbol)
	if !h.held().IsPositive() {
		return b.notHeld(t, h)
	}
	was := h.quantity
	if t.ToSymbol != "" {
		if err := b.convert(t, h); err != nil {
			return err
		}
	} else {
		proceeds := allotment{sum: lessCosts(t), whole: was}
		b.parts = h.take(b.parts[:0], was, nil)
		for i := range b.parts {
			b.dispose(t, &b.parts[i], b.parts[i].quantity, proceeds.next(b.parts[i].quantity))
		}
	}
	b.security(t, t.Account, t.Symbol, was.Neg(), portfolio.PartAction)
	if t.ToSymbol != "" {
		b.security(t, t.Account, t.ToSymbol, b.received(), portfolio.PartAction)
	}
	b.cash(t, t.Amount, portfolio.PartAction)
	b.costs(t)
	return nil
}

func (b *Book) convert(t *portfolio.Transaction, h *holding) error {
	to := b.holding(t.Account, t.ToSymbol)
	became, err := h.restated(t)
	if err := cmp.Or(to.receives(), err, b.bearable(t)); err != nil {
		return err
	}
	paid := t.Amount.IsPositive()
	proceeds := allotment{sum: lessCosts(t), whole: h.quantity}
	b.parts = h.take(b.parts[:0], h.quantity, nil)
	for i := range b.parts {
		l := &b.parts[i]
		share := proceeds.next(l.quantity)
		l.quantity = became.next(l.quantity)
		if paid {
			gone := *l
			gone.cost = part(l.cost, t.CostPart)
			l.cost = minus(l.cost, gone.cost)
			b.dispose(t, &gone, decimal.Zero, share)
		}
		to.join(*l)
		to.ragged = to.ragged || ragged(l.quantity)
	}
	b.restated += made * len(b.parts)
	return nil
}

// received is the quantity of the parts at hand.
func (b *Book) received() decimal.Decimal {
	var sum decimal.Decimal
	for i := range b.parts {
		sum = add(sum, b.parts[i].quantity)
	}
	return sum
}

// payBack lowers the cost of each lot, in proportion to its quantity. What exceeds
// the cost of a lot is a gain: a disposal of no shares at no cost. A cost that is
// not known, or that was paid in another currency, is not known afterwards either.
func (b *Book) payBack(t *portfolio.Transaction) error {
	h := b.holding(t.Account, t.Symbol)
	if !h.held().IsPositive() {
		return b.notHeld(t, h)
	}
	if err := b.bearable(t); err != nil {
		return err
	}
	paid, before := allotment{sum: t.Amount, whole: h.quantity}, len(b.disposals)
	h.spread()
	for _, l := range h.ordered() {
		share := paid.next(l.quantity)
		switch {
		case l.currency != t.Currency:
			l.cost = decimal.NullDecimal{}
		case l.cost.Valid:
			b.lower(t, l, share)
		}
	}
	h.gather()
	b.restated += len(h.queue.lots) + made*(len(b.disposals)-before)
	b.cash(t, t.Amount, portfolio.PartAction)
	b.costs(t)
	return nil
}

func (b *Book) lower(t *portfolio.Transaction, l *lot, by decimal.Decimal) {
	after := sub(l.cost.Decimal, by)
	if after.IsNegative() {
		gain := *l
		gain.cost = decimal.NewNullDecimal(decimal.Zero)
		b.dispose(t, &gain, decimal.Zero, after.Neg())
		after = decimal.Zero
	}
	l.cost = decimal.NewNullDecimal(after)
}
