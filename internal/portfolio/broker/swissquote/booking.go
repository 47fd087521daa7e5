package swissquote

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

var errWrongWay = errors.New("the net amount goes the other way: remove what the line takes back, or enter it by hand")

// transactions are what a line stands for. Their SourceID is what tells them apart,
// where there is more than one.
func (r *reader) transactions(l line) ([]portfolio.Transaction, error) {
	if l.act == exchanged {
		other, ok := r.others[l.row.Line]
		if !ok {
			return nil, errors.New("the other side of the exchange is not in the file, or is not clear; enter it by hand")
		}
		return exchange(l, other)
	}
	t, err := l.booking()
	if err != nil {
		return nil, err
	}
	made := []portfolio.Transaction{t}
	if t.Kind == portfolio.KindBuy && l.accrued.IsPositive() || t.Kind == portfolio.KindSell && l.accrued.IsPositive() {
		made = append(made, l.accruedInterest(t))
	}
	if l.account == l.currency {
		return made, nil
	}
	return l.converted(made)
}

func (l line) booking() (portfolio.Transaction, error) {
	switch l.act {
	case purchase:
		return l.trade(portfolio.KindBuy)
	case sale:
		return l.trade(portfolio.KindSell)
	case dividend, gain:
		return l.income()
	case interest:
		return l.interest()
	case custody:
		return l.paid()
	case credit, debit, payment:
		return l.moved()
	}
	return portfolio.Transaction{}, fmt.Errorf("%q is no transaction that is known; enter it by hand", sheet.Shorten(l.word))
}

// trade checks that quantity times price, costs and interest are the net amount.
func (l line) trade(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.begin(kind)
	t.Quantity, t.Price, t.Fee = l.quantity, decimal.NewNullDecimal(l.price), l.costs
	if kind == portfolio.KindBuy {
		t.Amount = l.net.Neg().Sub(l.costs).Sub(l.accrued)
	} else {
		t.Amount = l.net.Add(l.costs).Sub(l.accrued)
	}
	if !t.Amount.IsPositive() || !l.quantity.IsPositive() {
		return t, errWrongWay
	}
	product := l.quantity.Mul(l.price)
	slack := l.quantity.Mul(decimal.New(5, min(l.price.Exponent(), -2)-1)).Add(decimal.New(1, -2))
	if product.Sub(t.Amount).Abs().GreaterThan(slack) {
		return t, fmt.Errorf("%s at %s are not %s, the net amount without costs; enter it by hand", l.quantity, l.price, t.Amount)
	}
	return t, l.identify(&t)
}

// accruedInterest is what was paid, or got, for the interest of a bond up to the day.
func (l line) accruedInterest(trade portfolio.Transaction) portfolio.Transaction {
	t := trade
	t.Kind, t.Amount, t.Fee, t.Quantity, t.Price = portfolio.KindInterestDue, l.accrued, decimal.Zero, decimal.Zero, decimal.NullDecimal{}
	if trade.Kind == portfolio.KindSell {
		t.Kind = portfolio.KindInterest
	}
	t.SourceID = "/interest"
	return t
}

// income is a dividend, or a gain of a fund that was paid out. Its costs are tax.
func (l line) income() (portfolio.Transaction, error) {
	t := l.begin(portfolio.KindDividend)
	t.Amount, t.Tax = l.net.Add(l.costs), l.costs
	if l.act == gain {
		t.Note = "capital gain"
	}
	if !l.net.IsPositive() {
		return t, errWrongWay
	}
	return t, l.identify(&t)
}

// interest is what cash earned, after tax, or cost.
func (l line) interest() (portfolio.Transaction, error) {
	t := l.begin(portfolio.KindInterest)
	t.Amount, t.Tax = l.net.Add(l.costs), l.costs
	if l.net.IsNegative() {
		t.Kind, t.Amount, t.Tax = portfolio.KindInterestDue, l.net.Neg(), decimal.Zero
	}
	return t, nil
}

// paid is a fee, or one given back, with the value-added tax that is its costs.
func (l line) paid() (portfolio.Transaction, error) {
	t := l.begin(portfolio.KindFee)
	t.Amount, t.Note = l.net.Abs(), sheet.Shorten(l.word)
	if l.net.IsPositive() {
		t.Kind = portfolio.KindFeeRefund
	}
	return t, nil
}

// moved is money from a bank or to one.
func (l line) moved() (portfolio.Transaction, error) {
	t := l.begin(portfolio.KindDeposit)
	t.Amount, t.Fee = l.net.Add(l.costs), l.costs
	if l.net.IsNegative() {
		t.Kind, t.Amount = portfolio.KindWithdrawal, l.net.Neg().Sub(l.costs)
	}
	if l.act == credit && l.net.IsNegative() || l.act == debit && l.net.IsPositive() {
		return t, errWrongWay
	}
	return t, nil
}

// converted puts an exchange beside what was booked in another currency than the
// account's: the cash of that currency comes out as it was.
func (l line) converted(made []portfolio.Transaction) ([]portfolio.Transaction, error) {
	if l.cash.Sign() != l.net.Sign() {
		return nil, errWrongWay
	}
	t := l.begin(portfolio.KindExchange)
	t.SourceID = "/exchange"
	if l.net.IsNegative() {
		t.Currency, t.Amount, t.ToCurrency, t.ToAmount = l.account, l.cash.Neg(), l.currency, l.net.Neg()
		return append([]portfolio.Transaction{t}, made...), nil
	}
	t.Currency, t.Amount, t.ToCurrency, t.ToAmount = l.currency, l.net, l.account, l.cash
	return append(made, t), nil
}

// exchange is two lines that are one act: the money that was given and that was got.
func exchange(a, b line) ([]portfolio.Transaction, error) {
	from, to := a, b
	if from.net.IsPositive() {
		from, to = to, from
	}
	t := from.begin(portfolio.KindExchange)
	t.Amount, t.Fee = from.net.Neg().Sub(from.costs), from.costs
	t.ToCurrency, t.ToAmount = to.currency, to.net
	return []portfolio.Transaction{t}, nil
}
