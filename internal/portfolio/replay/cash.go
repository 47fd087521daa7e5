package replay

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// receive books what holding brought or cost, and what of the costs came back.
func (b *Book) receive(t *portfolio.Transaction) {
	switch t.Kind {
	case portfolio.KindDividend, portfolio.KindInterest:
		b.earn(t, t.Amount)
		b.cash(t, t.Amount, portfolio.PartIncome)
		b.costs(t)
	case portfolio.KindFeeRefund:
		b.earn(t, t.Amount)
		b.cash(t, t.Amount, portfolio.PartFee)
	case portfolio.KindTaxRefund:
		b.earn(t, t.Amount)
		b.cash(t, t.Amount, portfolio.PartTax)
	case portfolio.KindTax:
		b.earn(t, t.Amount.Neg())
		b.cash(t, t.Amount.Neg(), portfolio.PartTax)
	default:
		b.earn(t, t.Amount.Neg())
		b.cash(t, t.Amount.Neg(), portfolio.PartFee)
	}
}

func (b *Book) earn(t *portfolio.Transaction, amount decimal.Decimal) {
	b.incomes = append(b.incomes, portfolio.Income{
		Transaction: t.ID, Kind: t.Kind, Account: t.Account, Symbol: t.Symbol,
		Date: t.Date, Amount: amount, Tax: t.Tax, Currency: t.Currency,
	})
}

// carry books cash that comes, goes or becomes another currency.
func (b *Book) carry(t *portfolio.Transaction) {
	switch t.Kind {
	case portfolio.KindDeposit:
		b.cash(t, t.Amount, portfolio.PartExternal)
	case portfolio.KindWithdrawal:
		b.cash(t, t.Amount.Neg(), portfolio.PartExternal)
	default:
		b.cash(t, t.Amount.Neg(), portfolio.PartInternal)
		b.cashIn(t, purse{t.Account, t.ToCurrency}, t.ToAmount, portfolio.PartInternal)
	}
	b.costs(t)
}
