package lots

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// buy closes a short position first; what remains is a new lot. The fee and the
// tax of the purchase are part of its cost.
func (b *Engine) buy(t *portfolio.Transaction) {
	h := b.position(t.Account, t.Symbol)
	cost := allocation{sum: purchaseCost(t), whole: t.Quantity}
	left := t.Quantity
	if h.short {
		closes := minDecimal(t.Quantity, h.quantity)
		b.parts = h.take(b.parts[:0], closes, nil)
		for i := range b.parts {
			b.cover(t, &b.parts[i], cost.next(b.parts[i].quantity))
		}
		left = sub(left, closes)
	}
	if left.IsPositive() {
		h.add(b.newLot(t, left, decimal.NewNullDecimal(cost.remainder())))
	}
	b.postSecurity(t, t.Account, t.Symbol, t.Quantity, portfolio.CategoryTrade)
	b.postCash(t, neg(t.Amount), portfolio.CategoryTrade)
	b.postCosts(t)
}

// sell gives lots away; what exceeds them begins or enlarges a short position.
func (b *Engine) sell(t *portfolio.Transaction) error {
	h := b.position(t.Account, t.Symbol)
	quantity, picks := h.actualQuantity(t)
	available := minDecimal(quantity, h.available())
	if less(available, quantity) && (!t.Short || len(picks) > 0) {
		return b.notHeldError(t, h)
	}
	if err := h.checkPicks(t, available, picks); err != nil {
		return err
	}
	proceeds := allocation{sum: netProceeds(t), whole: quantity}
	if available.IsPositive() {
		b.parts = h.take(b.parts[:0], available, picks)
		for i := range b.parts {
			b.dispose(t, &b.parts[i], b.parts[i].quantity, proceeds.next(b.parts[i].quantity))
		}
	}
	if less(available, quantity) {
		h.sellShort(b.newLot(t, quantity.Sub(available), decimal.NewNullDecimal(proceeds.remainder())))
	}
	b.postSecurity(t, t.Account, t.Symbol, neg(quantity), portfolio.CategoryTrade)
	b.postCash(t, t.Amount, portfolio.CategoryTrade)
	b.postCosts(t)
	return nil
}

// reinvest is a dividend and a purchase of the same moment: the shares cost what
// was left of the dividend after tax, the fee of buying among it.
func (b *Engine) reinvest(t *portfolio.Transaction) error {
	h := b.position(t.Account, t.Symbol)
	if err := h.checkReceives(); err != nil {
		return err
	}
	h.add(b.newLot(t, t.Quantity, decimal.NewNullDecimal(t.Amount.Sub(t.Tax))))
	b.addIncome(t, t.Amount)
	b.postSecurity(t, t.Account, t.Symbol, t.Quantity, portfolio.CategoryTrade)
	b.postCash(t, t.Amount, portfolio.CategoryIncome)
	b.postCosts(t)
	b.postCash(t, t.Amount.Sub(t.Tax).Sub(t.Fee).Neg(), portfolio.CategoryTrade)
	return nil
}

// purchaseCost is what was paid for a purchase, netProceeds what remained of a sale.
func purchaseCost(t *portfolio.Transaction) decimal.Decimal { return add(t.Amount, feeAndTax(t)) }

func netProceeds(t *portfolio.Transaction) decimal.Decimal { return sub(t.Amount, feeAndTax(t)) }

// feeAndTax spares an addition of zero: there are as many of them as trades.
func feeAndTax(t *portfolio.Transaction) decimal.Decimal {
	if t.Tax.IsZero() {
		return t.Fee
	}
	return t.Fee.Add(t.Tax)
}

func (b *Engine) newLot(t *portfolio.Transaction, quantity decimal.Decimal, cost decimal.NullDecimal) lot {
	return lot{
		id: t.ID, acquired: t.Date, sortDay: dayOf(t.Date), sortIndex: int32(b.next),
		quantity: quantity, cost: cost, currency: t.Currency,
	}
}

// dispose records what came of a part of a lot.
func (b *Engine) dispose(t *portfolio.Transaction, part *lot, quantity, proceeds decimal.Decimal) {
	d := portfolio.Disposal{
		Transaction: t.ID, Kind: t.Kind, Lot: part.id, Account: t.Account, Symbol: t.Symbol,
		Acquired: part.acquired, Date: t.Date, Quantity: quantity,
		Proceeds: proceeds, Cost: part.cost, Currency: t.Currency,
	}
	if part.currency != t.Currency {
		d.CostCurrency = part.currency
	}
	b.disposals = append(b.disposals, d)
}

// cover records the purchase that closes a part of a short position: proceeds are
// what was received when it was opened, the cost is what was paid now.
func (b *Engine) cover(t *portfolio.Transaction, part *lot, paid decimal.Decimal) {
	d := portfolio.Disposal{
		Transaction: t.ID, Kind: t.Kind, Lot: part.id, Account: t.Account, Symbol: t.Symbol,
		Acquired: part.acquired, Date: t.Date, Quantity: part.quantity.Neg(),
		Proceeds: part.cost.Decimal, Cost: decimal.NewNullDecimal(paid), Currency: part.currency,
	}
	if part.currency != t.Currency {
		d.CostCurrency = t.Currency
	}
	b.disposals = append(b.disposals, d)
}
