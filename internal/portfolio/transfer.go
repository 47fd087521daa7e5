package portfolio

import (
	"github.com/shopspring/decimal"
)

// bringIn makes a lot of what came from outside, at the cost and of the day that
// it had there.
func (b *Book) bringIn(t *Transaction) error {
	h := b.holding(t.Account, t.Symbol)
	if err := h.receives(); err != nil {
		return err
	}
	l := b.newLot(t, t.Quantity, decimal.NullDecimal{})
	if !t.CostUnknown {
		l.cost = decimal.NewNullDecimal(t.Amount)
	}
	l.acquired = t.Acquired
	if !t.Acquired.IsZero() {
		l.since = dayOf(t.Acquired)
	}
	h.add(l)
	b.security(t, t.Account, t.Symbol, t.Quantity, PartExternal)
	b.costs(t)
	return nil
}

// takeOut moves cash, or lots with their cost and dates, to another account, or
// lots out of the book.
func (b *Book) takeOut(t *Transaction) error {
	if t.Symbol == "" {
		b.cash(t, t.Amount.Neg(), PartInternal)
		b.cashIn(t, purse{t.ToAccount, t.Currency}, t.Amount, PartInternal)
		b.costs(t)
		return nil
	}
	h := b.holding(t.Account, t.Symbol)
	if h.held().LessThan(t.Quantity) {
		return b.notHeld(t, h)
	}
	if err := h.choosable(t, t.Quantity); err != nil {
		return err
	}
	if t.ToAccount == "" {
		b.parts = h.take(b.parts[:0], t.Quantity, t.Lots)
		b.security(t, t.Account, t.Symbol, t.Quantity.Neg(), PartExternal)
		b.costs(t)
		return nil
	}
	to := b.holding(t.ToAccount, t.Symbol)
	if err := to.receives(); err != nil {
		return err
	}
	b.parts = h.take(b.parts[:0], t.Quantity, t.Lots)
	for _, part := range b.parts {
		to.join(part)
	}
	b.security(t, t.Account, t.Symbol, t.Quantity.Neg(), PartInternal)
	b.security(t, t.ToAccount, t.Symbol, t.Quantity, PartInternal)
	b.costs(t)
	return nil
}
