package schwab

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
)

// single records a line that stands for itself.
func (r *reader) single(l line) {
	t, err := l.transaction()
	if err != nil {
		r.out.Leave(err, l.row)
		return
	}
	r.add(t, l)
}

// unpaid means that a line changes nothing.
const unpaid broker.LeftOut = "nothing was paid and nothing moved"

func (l line) transaction() (portfolio.Transaction, error) {
	switch c := classOf(l.action); c {
	case purchase, sale, shortSale:
		return l.trade(c)
	case dividend:
		return l.received(portfolio.KindDividend)
	case repaid:
		return l.received(portfolio.KindReturnOfCapital)
	case interest:
		return l.interest()
	case fee:
		return l.paid(portfolio.KindFee, portfolio.KindFeeRefund)
	case tax:
		return l.paid(portfolio.KindTax, portfolio.KindTaxRefund)
	case cash, shares, award:
		return l.moved()
	default:
		return portfolio.Transaction{}, l.untold(c)
	}
}

// received is money that a security paid.
func (l line) received(kind portfolio.Kind) (portfolio.Transaction, error) {
	amount, err := l.sum()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	if amount.IsNegative() {
		return portfolio.Transaction{}, fmt.Errorf("%s dollars were taken back: remove the dividend that this takes back, or lower it, by hand", amount.Abs())
	}
	t, err := l.forSymbol(kind)
	t.Currency, t.Amount = currency, amount
	return t, err
}

func (l line) interest() (portfolio.Transaction, error) {
	amount, err := l.sum()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	kind := portfolio.KindInterest
	if amount.IsNegative() {
		kind = portfolio.KindInterestDue
	}
	return l.money(kind, amount)
}

// paid is a fee or tax, or what was given back of one, of a security where one is
// named.
func (l line) paid(kind, back portfolio.Kind) (portfolio.Transaction, error) {
	amount, err := l.sum()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	if amount.IsPositive() {
		kind = back
	}
	return l.money(kind, amount)
}

// money is a payment with what it was for as a note.
func (l line) money(kind portfolio.Kind, amount decimal.Decimal) (portfolio.Transaction, error) {
	t := l.of(kind)
	if l.ticker != "" {
		var err error
		if t, err = l.forSymbol(kind); err != nil {
			return t, err
		}
	} else {
		t.Note = l.note()
	}
	t.Currency, t.Amount = currency, amount.Abs()
	return t, nil
}

// moved is cash or securities that came from outside of the account or left it.
func (l line) moved() (portfolio.Transaction, error) {
	if l.quantity.Valid && !l.quantity.Decimal.IsZero() {
		return l.movedShares()
	}
	if classOf(l.action) == award {
		return portfolio.Transaction{}, fmt.Errorf("the number of shares is missing: record the shares by hand")
	}
	amount, err := l.sum()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	kind := portfolio.KindDeposit
	if amount.IsNegative() {
		kind = portfolio.KindWithdrawal
	}
	t := l.of(kind)
	t.Currency, t.Amount, t.Note = currency, amount.Abs(), l.note()
	return t, nil
}

// movedShares does not take the price for what the shares cost: it is that of the
// day on which they moved.
func (l line) movedShares() (portfolio.Transaction, error) {
	if l.amount.Valid && !l.amount.Decimal.IsZero() {
		return portfolio.Transaction{}, fmt.Errorf("cash and shares in one line: record each by hand")
	}
	kind := portfolio.KindTransferIn
	if l.quantity.Decimal.IsNegative() {
		kind = portfolio.KindTransferOut
	}
	t, err := l.forSymbol(kind)
	t.Quantity, t.CostUnknown = l.quantity.Decimal.Abs(), kind == portfolio.KindTransferIn
	t.Note = l.note()
	return t, err
}

// sum is the amount, which has to be there. One of zero is unpaid.
func (l line) sum() (decimal.Decimal, error) {
	switch {
	case !l.amount.Valid:
		return decimal.Decimal{}, fmt.Errorf("the amount is missing: record the line by hand")
	case l.amount.Decimal.IsZero() && (!l.quantity.Valid || l.quantity.Decimal.IsZero()):
		return decimal.Decimal{}, unpaid
	}
	return l.amount.Decimal, nil
}
