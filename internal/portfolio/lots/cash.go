package lots

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// postIncome books what holding brought or cost, and what of the costs came back.
func (b *Engine) postIncome(t *portfolio.Transaction) {
	switch t.Kind {
	case portfolio.KindDividend, portfolio.KindInterest:
		b.addIncome(t, t.Amount)
		b.postCash(t, t.Amount, portfolio.CategoryIncome)
		b.postCosts(t)
	case portfolio.KindFeeRefund:
		b.addIncome(t, t.Amount)
		b.postCash(t, t.Amount, portfolio.CategoryFee)
	case portfolio.KindTaxRefund:
		b.addIncome(t, t.Amount)
		b.postCash(t, t.Amount, portfolio.CategoryTax)
	case portfolio.KindTax:
		b.addIncome(t, t.Amount.Neg())
		b.postCash(t, t.Amount.Neg(), portfolio.CategoryTax)
	default:
		b.addIncome(t, t.Amount.Neg())
		b.postCash(t, t.Amount.Neg(), portfolio.CategoryFee)
	}
}

func (b *Engine) addIncome(t *portfolio.Transaction, amount decimal.Decimal) {
	b.incomes = append(b.incomes, portfolio.Income{
		Transaction: t.ID, Kind: t.Kind, Account: t.Account, Symbol: t.Symbol,
		Date: t.Date, Amount: amount, Tax: t.Tax, Currency: t.Currency,
	})
}

// postCashMove books cash that comes, goes or becomes another currency.
func (b *Engine) postCashMove(t *portfolio.Transaction) {
	switch t.Kind {
	case portfolio.KindDeposit:
		b.postCash(t, t.Amount, portfolio.CategoryExternal)
	case portfolio.KindWithdrawal:
		b.postCash(t, t.Amount.Neg(), portfolio.CategoryExternal)
	default:
		b.postCash(t, t.Amount.Neg(), portfolio.CategoryInternal)
		b.postCashTo(t, cashKey{t.Account, t.ToCurrency}, t.ToAmount, portfolio.CategoryInternal)
	}
	b.postCosts(t)
}
