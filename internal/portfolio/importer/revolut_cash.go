package importer

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// trade is a purchase or sale. The total is what was booked.
func (r *revolutReader) trade(l revolutRow) (portfolio.Transaction, error) {
	t := l.newTransaction(l.trade)
	t.Quantity, t.Price, t.Amount = l.quantity.Decimal, l.price, l.total
	if t.Symbol == "" {
		return t, errors.New("no security is named; enter the trade by hand")
	}
	return t, nil
}

// payment is cash that came, where sign is 1, or went.
func (r *revolutReader) payment(l revolutRow, kind portfolio.Kind, sign int) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	t.Amount = l.total.Abs()
	if l.total.Sign() != sign {
		return t, fmt.Errorf("a %s of %s %s goes the wrong way: remove the line that it takes back, or enter it by hand", Shorten(l.kind), l.total, l.currency)
	}
	return t, nil
}

// chargeOrRefund is a fee or tax, and what was given back of one.
func (r *revolutReader) chargeOrRefund(l revolutRow, kind, back portfolio.Kind) (portfolio.Transaction, error) {
	if other, ok := r.partners[l.row.Line]; ok {
		return portfolio.Transaction{}, IgnoreReason(fmt.Sprintf("taken and given back on the same day, by the lines %d and %d",
			min(l.row.Line, other.row.Line), max(l.row.Line, other.row.Line)))
	}
	if l.total.IsPositive() {
		return r.payment(l, back, 1)
	}
	return r.payment(l, kind, -1)
}

// transfer is what went from one of Revolut's companies to another. Shares stay in the
// account; cash does where both sides are in the file.
func (r *revolutReader) transfer(l revolutRow) (portfolio.Transaction, error) {
	if l.total.IsZero() {
		return portfolio.Transaction{}, IgnoreReason("a move between Revolut's own companies: the shares stay in the account")
	}
	if _, ok := r.partners[l.row.Line]; ok {
		return portfolio.Transaction{}, IgnoreReason("cash that left one of Revolut's companies and came to another on the same day")
	}
	return portfolio.Transaction{}, fmt.Errorf(
		"%s %s moved between Revolut's companies and the other side is not in the file; enter it by hand as a deposit or withdrawal if the cash of the account changed",
		l.total, l.currency)
}
