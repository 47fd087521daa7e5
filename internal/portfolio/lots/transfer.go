package lots

import (
	"cmp"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// transferIn makes a lot of what came from outside, at the cost and of the day that
// it had there.
func (b *Engine) transferIn(t *portfolio.Transaction) error {
	h := b.position(t.Account, t.Symbol)
	if err := h.checkReceives(); err != nil {
		return err
	}
	l := b.newLot(t, t.Quantity, decimal.NullDecimal{})
	if !t.CostUnknown {
		l.cost = decimal.NewNullDecimal(t.Amount)
	}
	l.acquired = t.Acquired
	if !t.Acquired.IsZero() {
		l.sortDay = dayOf(t.Acquired)
	}
	h.add(l)
	b.postSecurity(t, t.Account, t.Symbol, t.Quantity, portfolio.CategoryExternal)
	b.postCosts(t)
	return nil
}

// transferOut moves cash, or lots with their cost and dates, to another account, or lots out of
// the ledger.
func (b *Engine) transferOut(t *portfolio.Transaction) error {
	if t.Symbol == "" {
		b.postCash(t, t.Amount.Neg(), portfolio.CategoryInternal)
		b.postCashTo(t, cashKey{t.ToAccount, t.Currency}, t.Amount, portfolio.CategoryInternal)
		b.postCosts(t)
		return nil
	}
	h := b.position(t.Account, t.Symbol)
	quantity, picks := h.actualQuantity(t)
	if h.available().LessThan(quantity) {
		return b.notHeldError(t, h)
	}
	if err := h.checkPicks(t, quantity, picks); err != nil {
		return err
	}
	if t.ToAccount != "" {
		return b.moveLots(t, h, quantity, picks)
	}
	b.parts = h.take(b.parts[:0], quantity, picks)
	for i := range b.parts {
		l := &b.parts[i]
		b.transferredLots = append(b.transferredLots, portfolio.TransferredLot{
			Transaction: t.ID, Lot: l.id, Account: t.Account, Symbol: t.Symbol, Acquired: l.acquired, Date: t.Date, Quantity: l.quantity,
		})
	}
	b.postSecurity(t, t.Account, t.Symbol, quantity.Neg(), portfolio.CategoryExternal)
	b.postCosts(t)
	return nil
}

// moveLots brings lots to another account; what is known of their name comes along.
func (b *Engine) moveLots(t *portfolio.Transaction, h *position, quantity decimal.Decimal, picks []portfolio.LotPick) error {
	to := b.position(t.ToAccount, t.Symbol)
	if err := cmp.Or(to.checkReceives(), b.checkActionLimit(t)); err != nil {
		return err
	}
	to.name, to.isin, to.needsRounding = cmp.Or(to.name, h.name), cmp.Or(to.isin, h.isin), to.needsRounding || h.needsRounding
	b.parts = h.take(b.parts[:0], quantity, picks)
	for _, part := range b.parts {
		to.mergeLot(part)
	}
	b.lotChanges += len(b.parts)
	b.postSecurity(t, t.Account, t.Symbol, quantity.Neg(), portfolio.CategoryInternal)
	b.postSecurity(t, t.ToAccount, t.Symbol, quantity, portfolio.CategoryInternal)
	b.postCosts(t)
	return nil
}
