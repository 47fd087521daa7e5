package lots

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// postIncome books what holding brought or cost, and what of the costs came back.
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

// postCashMove books cash that comes, goes or becomes another currency.
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
