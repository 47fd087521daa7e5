package lots

import (
	"cmp"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// transferIn adds a lot from outside the ledger, with its original cost and date.
func (e *Engine) transferIn(t *portfolio.Transaction) error {
	h := e.position(t.Account, t.Symbol)
	if err := h.checkReceives(); err != nil {
		return err
	}
	l := e.newLot(t, t.Quantity, decimal.NullDecimal{})
	if !t.CostUnknown {
		l.cost = decimal.NewNullDecimal(t.Amount)
	}
	l.acquired = t.Acquired
	if !t.Acquired.IsZero() {
		l.sortDay = t.Acquired
	}
	h.add(l)
	e.postSecurity(t, t.Account, t.Symbol, t.Quantity, portfolio.CategoryExternal)
	e.postCosts(t)
	return nil
}

// transferOut moves cash, or lots with their cost and dates, to another account, or moves lots out
// of the ledger.
func (e *Engine) transferOut(t *portfolio.Transaction) error {
	if t.Symbol == "" {
		e.postCash(t, t.Amount.Neg(), portfolio.CategoryInternal)
		e.postCashTo(t, cashKey{t.ToAccount, t.Currency}, t.Amount, portfolio.CategoryInternal)
		e.postCosts(t)
		return nil
	}
	h := e.position(t.Account, t.Symbol)
	quantity, picks := h.actualQuantity(t)
	if h.available().LessThan(quantity) {
		return e.notHeldError(t, h)
	}
	if err := h.checkPicks(t, quantity, picks); err != nil {
		return err
	}
	if t.ToAccount != "" {
		return e.moveLots(t, h, quantity, picks)
	}
	e.parts = h.take(e.parts[:0], quantity, picks)
	for i := range e.parts {
		l := &e.parts[i]
		e.transferredLots = append(e.transferredLots, portfolio.TransferredLot{
			Transaction: t.ID, Lot: l.id, Account: t.Account, Symbol: t.Symbol, Acquired: l.acquired, Date: t.Date, Quantity: l.quantity,
		})
	}
	e.postSecurity(t, t.Account, t.Symbol, quantity.Neg(), portfolio.CategoryExternal)
	e.postCosts(t)
	return nil
}

// moveLots moves lots to another account, together with the known name and ISIN.
func (e *Engine) moveLots(t *portfolio.Transaction, h *position, quantity decimal.Decimal, picks []portfolio.LotPick) error {
	to := e.position(t.ToAccount, t.Symbol)
	if err := cmp.Or(to.checkReceives(), e.checkActionLimit(t)); err != nil {
		return err
	}
	to.name, to.isin, to.needsRounding = cmp.Or(to.name, h.name), cmp.Or(to.isin, h.isin), to.needsRounding || h.needsRounding
	e.parts = h.take(e.parts[:0], quantity, picks)
	for _, part := range e.parts {
		to.mergeLot(part)
	}
	e.lotChanges += len(e.parts)
	e.postSecurity(t, t.Account, t.Symbol, quantity.Neg(), portfolio.CategoryInternal)
	e.postSecurity(t, t.ToAccount, t.Symbol, quantity, portfolio.CategoryInternal)
	e.postCosts(t)
	return nil
}
