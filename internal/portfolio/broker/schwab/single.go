package schwab

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// single records a line that stands for itself.
func (r *reader) single(l line) {
	t, err := l.transaction()
	switch {
	case errors.Is(err, errNothing):
		r.out.Ignore(l.row, err.Error())
	case err != nil:
		r.out.Problem(l.row, "%v", err)
	default:
		r.add(t, l)
	}
}

// errNothing means that a line changes nothing.
var errNothing = errors.New("nothing was paid and nothing moved")

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
		return l.paid(portfolio.KindFee)
	case tax:
		return l.paid(portfolio.KindTax)
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
		return portfolio.Transaction{}, fmt.Errorf("%s dollars were taken back: lower the dividend that this corrects by hand", amount.Abs())
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

// paid is a fee or tax, of a security where one is named.
func (l line) paid(kind portfolio.Kind) (portfolio.Transaction, error) {
	amount, err := l.sum()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	if amount.IsPositive() {
		return portfolio.Transaction{}, fmt.Errorf("%s dollars of %s were given back: lower the one that this corrects, or record a deposit, by hand", amount, kind)
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

// sum is the amount, which has to be there. One of zero is errNothing.
func (l line) sum() (decimal.Decimal, error) {
	switch {
	case !l.amount.Valid:
		return decimal.Decimal{}, fmt.Errorf("the amount is missing: record the line by hand")
	case l.amount.Decimal.IsZero() && (!l.quantity.Valid || l.quantity.Decimal.IsZero()):
		return decimal.Decimal{}, errNothing
	}
	return l.amount.Decimal, nil
}
