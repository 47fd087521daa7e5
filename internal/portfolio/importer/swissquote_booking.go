package importer

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

var errSwissquoteWrongSign = errors.New("the net amount goes the other way: remove what the line takes back, or enter it by hand")

// transactions are what a line stands for. Their SourceID is what tells them apart,
// where there is more than one.
func (r *swissquoteReader) transactions(l swissquoteRow) ([]portfolio.Transaction, error) {
	if l.action == swissquoteExchanged {
		other, ok := r.counterparts[l.row.Line]
		if !ok {
			return nil, errors.New("the other side of the exchange is not in the file, or is not clear; enter it by hand")
		}
		return swissquoteExchange(l, other)
	}
	t, err := l.booking()
	if err != nil {
		return nil, err
	}
	txs := []portfolio.Transaction{t}
	if t.Kind == portfolio.KindBuy && l.accrued.IsPositive() || t.Kind == portfolio.KindSell && l.accrued.IsPositive() {
		txs = append(txs, l.accruedInterest(t))
	}
	if l.account == l.currency {
		return txs, nil
	}
	return l.withExchange(txs)
}

func (l swissquoteRow) booking() (portfolio.Transaction, error) {
	switch l.action {
	case swissquotePurchase:
		return l.trade(portfolio.KindBuy)
	case swissquoteSale:
		return l.trade(portfolio.KindSell)
	case swissquoteDividend, swissquoteGain:
		return l.income()
	case swissquoteInterest:
		return l.interest()
	case swissquoteCustody:
		return l.fee()
	case swissquoteCredit, swissquoteDebit, swissquotePayment:
		return l.transfer()
	}
	return portfolio.Transaction{}, fmt.Errorf("%q is no transaction that is known; enter it by hand", Shorten(l.rawAction))
}

// trade checks that quantity times price, costs and interest are the net amount.
func (l swissquoteRow) trade(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	t.Quantity, t.Price, t.Fee = l.quantity, decimal.NewNullDecimal(l.price), l.costs
	if kind == portfolio.KindBuy {
		t.Amount = l.net.Neg().Sub(l.costs).Sub(l.accrued)
	} else {
		t.Amount = l.net.Add(l.costs).Sub(l.accrued)
	}
	if !t.Amount.IsPositive() || !l.quantity.IsPositive() {
		return t, errSwissquoteWrongSign
	}
	product := l.quantity.Mul(l.price)
	slack := l.quantity.Mul(decimal.New(5, min(l.price.Exponent(), -2)-1)).Add(decimal.New(1, -2))
	if product.Sub(t.Amount).Abs().GreaterThan(slack) {
		return t, fmt.Errorf("%s at %s are not %s, the net amount without costs; enter it by hand", l.quantity, l.price, t.Amount)
	}
	return t, l.setSecurity(&t)
}

// accruedInterest is what was paid, or got, for the interest of a bond up to the day.
func (l swissquoteRow) accruedInterest(trade portfolio.Transaction) portfolio.Transaction {
	t := trade
	t.Kind, t.Amount, t.Fee, t.Quantity, t.Price = portfolio.KindInterestDue, l.accrued, decimal.Zero, decimal.Zero, decimal.NullDecimal{}
	if trade.Kind == portfolio.KindSell {
		t.Kind = portfolio.KindInterest
	}
	t.SourceID = "/interest"
	return t
}

// income is a dividend, or a gain of a fund that was paid out. Its costs are tax.
func (l swissquoteRow) income() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindDividend)
	t.Amount, t.Tax = l.net.Add(l.costs), l.costs
	if l.action == swissquoteGain {
		t.Note = "capital gain"
	}
	if !l.net.IsPositive() {
		return t, errSwissquoteWrongSign
	}
	return t, l.setSecurity(&t)
}

// interest is what cash earned, after tax, or cost.
func (l swissquoteRow) interest() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindInterest)
	t.Amount, t.Tax = l.net.Add(l.costs), l.costs
	if l.net.IsNegative() {
		t.Kind, t.Amount, t.Tax = portfolio.KindInterestDue, l.net.Neg(), decimal.Zero
	}
	return t, nil
}

// fee is a fee, or one given back, with the value-added tax that is its costs.
func (l swissquoteRow) fee() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindFee)
	t.Amount, t.Note = l.net.Abs(), Shorten(l.rawAction)
	if l.net.IsPositive() {
		t.Kind = portfolio.KindFeeRefund
	}
	return t, nil
}

// transfer is money from a bank or to one.
func (l swissquoteRow) transfer() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindDeposit)
	t.Amount, t.Fee = l.net.Add(l.costs), l.costs
	if l.net.IsNegative() {
		t.Kind, t.Amount = portfolio.KindWithdrawal, l.net.Neg().Sub(l.costs)
	}
	if l.action == swissquoteCredit && l.net.IsNegative() || l.action == swissquoteDebit && l.net.IsPositive() {
		return t, errSwissquoteWrongSign
	}
	return t, nil
}

// withExchange puts an exchange beside what was booked in another currency than the
// account's: the cash of that currency comes out as it was.
func (l swissquoteRow) withExchange(txs []portfolio.Transaction) ([]portfolio.Transaction, error) {
	if l.cash.Sign() != l.net.Sign() {
		return nil, errSwissquoteWrongSign
	}
	t := l.newTransaction(portfolio.KindExchange)
	t.SourceID = "/exchange"
	if l.net.IsNegative() {
		t.Currency, t.Amount, t.ToCurrency, t.ToAmount = l.account, l.cash.Neg(), l.currency, l.net.Neg()
		return append([]portfolio.Transaction{t}, txs...), nil
	}
	t.Currency, t.Amount, t.ToCurrency, t.ToAmount = l.currency, l.net, l.account, l.cash
	return append(txs, t), nil
}

// swissquoteExchange is two lines that are one act: the money that was given and that was got.
func swissquoteExchange(a, b swissquoteRow) ([]portfolio.Transaction, error) {
	from, to := a, b
	if from.net.IsPositive() {
		from, to = to, from
	}
	t := from.newTransaction(portfolio.KindExchange)
	t.Amount, t.Fee = from.net.Neg().Sub(from.costs), from.costs
	t.ToCurrency, t.ToAmount = to.currency, to.net
	return []portfolio.Transaction{t}, nil
}
