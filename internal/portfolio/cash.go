package portfolio

import "github.com/shopspring/decimal"

// receive books what holding brought or cost, and what of the costs came back.
func (b *Book) receive(t *Transaction) {
	switch t.Kind {
	case KindDividend, KindInterest:
		b.earn(t, t.Amount)
		b.cash(t, t.Amount, PartIncome)
		b.costs(t)
	case KindFeeRefund:
		b.earn(t, t.Amount)
		b.cash(t, t.Amount, PartFee)
	case KindTaxRefund:
		b.earn(t, t.Amount)
		b.cash(t, t.Amount, PartTax)
	case KindTax:
		b.earn(t, t.Amount.Neg())
		b.cash(t, t.Amount.Neg(), PartTax)
	default:
		b.earn(t, t.Amount.Neg())
		b.cash(t, t.Amount.Neg(), PartFee)
	}
}

func (b *Book) earn(t *Transaction, amount decimal.Decimal) {
	b.incomes = append(b.incomes, Income{
		Transaction: t.ID, Kind: t.Kind, Account: t.Account, Symbol: t.Symbol,
		Date: t.Date, Amount: amount, Tax: t.Tax, Currency: t.Currency,
	})
}

// carry books cash that comes, goes or becomes another currency.
func (b *Book) carry(t *Transaction) {
	switch t.Kind {
	case KindDeposit:
		b.cash(t, t.Amount, PartExternal)
	case KindWithdrawal:
		b.cash(t, t.Amount.Neg(), PartExternal)
	default:
		b.cash(t, t.Amount.Neg(), PartInternal)
		b.cashIn(t, purse{t.Account, t.ToCurrency}, t.ToAmount, PartInternal)
	}
	b.costs(t)
}
