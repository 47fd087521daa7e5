package lots

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// buy closes a short position first; the remainder becomes a new lot. The fee and tax of the
// purchase are part of its cost.
func (e *Engine) buy(t *portfolio.Transaction) {
	h := e.position(t.Account, t.Symbol)
	cost := allocation{sum: t.Amount.Add(t.Fee).Add(t.Tax), whole: t.Quantity}
	left := t.Quantity
	if h.short {
		closes := decimal.Min(t.Quantity, h.quantity)
		e.parts = h.take(e.parts[:0], closes, nil)
		for i := range e.parts {
			e.cover(t, &e.parts[i], cost.next(e.parts[i].quantity))
		}
		left = left.Sub(closes)
	}
	if left.IsPositive() {
		h.add(e.newLot(t, left, decimal.NewNullDecimal(cost.remainder())))
	}
	e.postSecurity(t, t.Account, t.Symbol, t.Quantity, portfolio.CategoryTrade)
	e.postCash(t, t.Amount.Neg(), portfolio.CategoryTrade)
	e.postCosts(t)
}

// sell removes lots; a quantity beyond them opens or enlarges a short position.
func (e *Engine) sell(t *portfolio.Transaction) error {
	h := e.position(t.Account, t.Symbol)
	quantity, picks := h.actualQuantity(t)
	available := decimal.Min(quantity, h.available())
	if available.LessThan(quantity) && (!t.Short || len(picks) > 0) {
		return e.notHeldError(t, h)
	}
	if err := h.checkPicks(t, available, picks); err != nil {
		return err
	}
	proceeds, withheld := newProceeds(t, quantity)
	if available.IsPositive() {
		e.parts = h.take(e.parts[:0], available, picks)
		for i := range e.parts {
			e.dispose(t, &e.parts[i], e.parts[i].quantity, proceeds.next(e.parts[i].quantity), withheld.next(e.parts[i].quantity))
		}
	}
	if available.LessThan(quantity) {
		h.sellShort(e.newLot(t, quantity.Sub(available), decimal.NewNullDecimal(proceeds.remainder())))
	}
	e.postSecurity(t, t.Account, t.Symbol, quantity.Neg(), portfolio.CategoryTrade)
	e.postCash(t, t.Amount, portfolio.CategoryTrade)
	e.postCosts(t)
	return nil
}

// reinvest records a dividend and a purchase at the same time. The cost of the shares is the
// dividend after tax, including the purchase fee.
func (e *Engine) reinvest(t *portfolio.Transaction) error {
	h := e.position(t.Account, t.Symbol)
	if err := h.checkReceives(); err != nil {
		return err
	}
	h.add(e.newLot(t, t.Quantity, decimal.NewNullDecimal(t.Amount.Sub(t.Tax))))
	e.addIncome(t, t.Amount)
	e.postSecurity(t, t.Account, t.Symbol, t.Quantity, portfolio.CategoryTrade)
	e.postCash(t, t.Amount, portfolio.CategoryIncome)
	e.postCosts(t)
	e.postCash(t, t.Amount.Sub(t.Tax).Sub(t.Fee).Neg(), portfolio.CategoryTrade)
	return nil
}

// newProceeds divides the proceeds after the fee, and the tax withheld, among the parts of a
// disposal. Withheld tax is a payment towards the tax on the gain, not a cost of the sale.
func newProceeds(t *portfolio.Transaction, whole decimal.Decimal) (proceeds, withheld allocation) {
	return allocation{sum: t.Amount.Sub(t.Fee), whole: whole}, allocation{sum: t.Tax, whole: whole}
}

func (e *Engine) newLot(t *portfolio.Transaction, quantity decimal.Decimal, cost decimal.NullDecimal) lot {
	return lot{
		id: t.ID, acquired: t.Date, sortDay: t.Date, sortIndex: e.next,
		quantity: quantity, cost: cost, currency: t.Currency,
	}
}

// dispose records the disposal of a part of a lot.
func (e *Engine) dispose(t *portfolio.Transaction, part *lot, quantity, proceeds, withheld decimal.Decimal) {
	d := portfolio.Disposal{
		Transaction: t.ID, Kind: t.Kind, Lot: part.id, Account: t.Account, Symbol: t.Symbol,
		Acquired: part.acquired, Date: t.Date, Quantity: quantity,
		Proceeds: proceeds, Withheld: withheld, Cost: part.cost, Currency: t.Currency,
	}
	if part.currency != t.Currency {
		d.CostCurrency = part.currency
	}
	e.disposals = append(e.disposals, d)
}

// cover records the purchase that closes a part of a short position: proceeds are those of the
// opening sale, the cost is what was paid now.
func (e *Engine) cover(t *portfolio.Transaction, part *lot, paid decimal.Decimal) {
	d := portfolio.Disposal{
		Transaction: t.ID, Kind: t.Kind, Lot: part.id, Account: t.Account, Symbol: t.Symbol,
		Acquired: part.acquired, Date: t.Date, Quantity: part.quantity.Neg(),
		Proceeds: part.cost.Decimal, Cost: decimal.NewNullDecimal(paid), Currency: part.currency,
	}
	if part.currency != t.Currency {
		d.CostCurrency = t.Currency
	}
	e.disposals = append(e.disposals, d)
}

// postIncome records dividends, interest, fees, taxes and their refunds.
func (e *Engine) postIncome(t *portfolio.Transaction) {
	switch t.Kind {
	case portfolio.KindDividend, portfolio.KindInterest:
		e.addIncome(t, t.Amount)
		e.postCash(t, t.Amount, portfolio.CategoryIncome)
		e.postCosts(t)
	case portfolio.KindFeeRefund:
		e.addIncome(t, t.Amount)
		e.postCash(t, t.Amount, portfolio.CategoryFee)
	case portfolio.KindTaxRefund:
		e.addIncome(t, t.Amount)
		e.postCash(t, t.Amount, portfolio.CategoryTax)
	case portfolio.KindTax:
		e.addIncome(t, t.Amount.Neg())
		e.postCash(t, t.Amount.Neg(), portfolio.CategoryTax)
	default:
		e.addIncome(t, t.Amount.Neg())
		e.postCash(t, t.Amount.Neg(), portfolio.CategoryFee)
	}
}

func (e *Engine) addIncome(t *portfolio.Transaction, amount decimal.Decimal) {
	e.incomes = append(e.incomes, portfolio.Income{
		Transaction: t.ID, Kind: t.Kind, Account: t.Account, Symbol: t.Symbol,
		Date: t.Date, Amount: amount, Tax: t.Tax, Currency: t.Currency,
	})
}

// postCashMove records deposits, withdrawals and currency exchanges.
func (e *Engine) postCashMove(t *portfolio.Transaction) {
	switch t.Kind {
	case portfolio.KindDeposit:
		e.postCash(t, t.Amount, portfolio.CategoryExternal)
	case portfolio.KindWithdrawal:
		e.postCash(t, t.Amount.Neg(), portfolio.CategoryExternal)
	default:
		e.postCash(t, t.Amount.Neg(), portfolio.CategoryInternal)
		e.postCashTo(t, cashKey{t.Account, t.ToCurrency}, t.ToAmount, portfolio.CategoryInternal)
	}
	e.postCosts(t)
}
