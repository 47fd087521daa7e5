package replay

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// buy closes a short position first; what remains is a new lot. The fee and the
// tax of the purchase are part of its cost.
func (b *Book) buy(t *portfolio.Transaction) {
	h := b.holding(t.Account, t.Symbol)
	cost := allotment{sum: withCosts(t), whole: t.Quantity}
	left := t.Quantity
	if h.short {
		closes := smaller(t.Quantity, h.quantity)
		b.parts = h.take(b.parts[:0], closes, nil)
		for i := range b.parts {
			b.cover(t, &b.parts[i], cost.next(b.parts[i].quantity))
		}
		left = sub(left, closes)
	}
	if left.IsPositive() {
		h.add(b.newLot(t, left, decimal.NewNullDecimal(cost.left())))
	}
	b.security(t, t.Account, t.Symbol, t.Quantity, portfolio.PartTrade)
	b.cash(t, neg(t.Amount), portfolio.PartTrade)
	b.costs(t)
}

// sell gives lots away; what exceeds them begins or enlarges a short position.
func (b *Book) sell(t *portfolio.Transaction) error {
	h := b.holding(t.Account, t.Symbol)
	quantity, picks := h.settled(t)
	takes := smaller(quantity, h.held())
	if less(takes, quantity) && (!t.Short || len(picks) > 0) {
		return b.notHeld(t, h)
	}
	if err := h.choosable(t, takes, picks); err != nil {
		return err
	}
	proceeds := allotment{sum: lessCosts(t), whole: quantity}
	if takes.IsPositive() {
		b.parts = h.take(b.parts[:0], takes, picks)
		for i := range b.parts {
			b.dispose(t, &b.parts[i], b.parts[i].quantity, proceeds.next(b.parts[i].quantity))
		}
	}
	if less(takes, quantity) {
		h.sellShort(b.newLot(t, quantity.Sub(takes), decimal.NewNullDecimal(proceeds.left())))
	}
	b.security(t, t.Account, t.Symbol, neg(quantity), portfolio.PartTrade)
	b.cash(t, t.Amount, portfolio.PartTrade)
	b.costs(t)
	return nil
}

// reinvest is a dividend and a purchase of the same moment: the shares cost what
// was left of the dividend after tax, the fee of buying among it.
func (b *Book) reinvest(t *portfolio.Transaction) error {
	h := b.holding(t.Account, t.Symbol)
	if err := h.receives(); err != nil {
		return err
	}
	h.add(b.newLot(t, t.Quantity, decimal.NewNullDecimal(t.Amount.Sub(t.Tax))))
	b.earn(t, t.Amount)
	b.security(t, t.Account, t.Symbol, t.Quantity, portfolio.PartTrade)
	b.cash(t, t.Amount, portfolio.PartIncome)
	b.costs(t)
	b.cash(t, t.Amount.Sub(t.Tax).Sub(t.Fee).Neg(), portfolio.PartTrade)
	return nil
}

// withCosts is what was paid for a purchase, lessCosts what remained of a sale.
func withCosts(t *portfolio.Transaction) decimal.Decimal { return add(t.Amount, costs(t)) }

func lessCosts(t *portfolio.Transaction) decimal.Decimal { return sub(t.Amount, costs(t)) }

// costs spares an addition of zero: there are as many of them as trades.
func costs(t *portfolio.Transaction) decimal.Decimal {
	if t.Tax.IsZero() {
		return t.Fee
	}
	return t.Fee.Add(t.Tax)
}

func (b *Book) newLot(t *portfolio.Transaction, quantity decimal.Decimal, cost decimal.NullDecimal) lot {
	return lot{
		id: t.ID, acquired: t.Date, since: dayOf(t.Date), line: int32(b.next),
		quantity: quantity, cost: cost, currency: t.Currency,
	}
}

// dispose records what came of a part of a lot.
func (b *Book) dispose(t *portfolio.Transaction, part *lot, quantity, proceeds decimal.Decimal) {
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
func (b *Book) cover(t *portfolio.Transaction, part *lot, paid decimal.Decimal) {
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
