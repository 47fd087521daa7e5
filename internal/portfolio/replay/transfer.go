package replay

import (
	"cmp"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// bringIn makes a lot of what came from outside, at the cost and of the day that
// it had there.
func (b *Book) bringIn(t *portfolio.Transaction) error {
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
	b.security(t, t.Account, t.Symbol, t.Quantity, portfolio.PartExternal)
	b.costs(t)
	return nil
}

// takeOut moves cash, or lots with their cost and dates, to another account, or
// lots out of the book.
func (b *Book) takeOut(t *portfolio.Transaction) error {
	if t.Symbol == "" {
		b.cash(t, t.Amount.Neg(), portfolio.PartInternal)
		b.cashIn(t, purse{t.ToAccount, t.Currency}, t.Amount, portfolio.PartInternal)
		b.costs(t)
		return nil
	}
	h := b.holding(t.Account, t.Symbol)
	quantity, picks := h.settled(t)
	if h.held().LessThan(quantity) {
		return b.notHeld(t, h)
	}
	if err := h.choosable(t, quantity, picks); err != nil {
		return err
	}
	if t.ToAccount != "" {
		return b.move(t, h, quantity, picks)
	}
	b.parts = h.take(b.parts[:0], quantity, picks)
	for i := range b.parts {
		l := &b.parts[i]
		b.departures = append(b.departures, portfolio.Departure{
			Transaction: t.ID, Lot: l.id, Account: t.Account, Symbol: t.Symbol, Acquired: l.acquired, Date: t.Date, Quantity: l.quantity,
		})
	}
	b.security(t, t.Account, t.Symbol, quantity.Neg(), portfolio.PartExternal)
	b.costs(t)
	return nil
}

// move brings lots to another account; what is known of their name comes along.
func (b *Book) move(t *portfolio.Transaction, h *holding, quantity decimal.Decimal, picks []portfolio.LotPick) error {
	to := b.holding(t.ToAccount, t.Symbol)
	if err := cmp.Or(to.receives(), b.bearable(t)); err != nil {
		return err
	}
	to.name, to.isin, to.ragged = cmp.Or(to.name, h.name), cmp.Or(to.isin, h.isin), to.ragged || h.ragged
	b.parts = h.take(b.parts[:0], quantity, picks)
	for _, part := range b.parts {
		to.join(part)
	}
	b.restated += len(b.parts)
	b.security(t, t.Account, t.Symbol, quantity.Neg(), portfolio.PartInternal)
	b.security(t, t.ToAccount, t.Symbol, quantity, portfolio.PartInternal)
	b.costs(t)
	return nil
}
