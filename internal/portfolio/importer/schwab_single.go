package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// recordSingle records a line that stands for itself.
func (r *schwabReader) recordSingle(l schwabRow) {
	t, err := l.transaction()
	if err != nil {
		r.collector.Skip(err, l.row)
		return
	}
	r.add(t, l)
}

// schwabUnpaid means that a line changes nothing.
const schwabUnpaid IgnoreReason = "nothing was paid and nothing moved"

func (l schwabRow) transaction() (portfolio.Transaction, error) {
	switch c := schwabClassOf(l.action); c {
	case schwabPurchase, schwabSale, schwabShortSale:
		return l.trade(c)
	case schwabDividend:
		return l.securityIncome(portfolio.KindDividend)
	case schwabReturnOfCapital:
		return l.securityIncome(portfolio.KindReturnOfCapital)
	case schwabInterest:
		return l.interest()
	case schwabFee:
		return l.charge(portfolio.KindFee, portfolio.KindFeeRefund)
	case schwabTax:
		return l.charge(portfolio.KindTax, portfolio.KindTaxRefund)
	case schwabCash, schwabShares, schwabAward:
		return l.transfer()
	default:
		return portfolio.Transaction{}, l.missingDetails(c)
	}
}

// securityIncome is money that a security paid.
func (l schwabRow) securityIncome(kind portfolio.Kind) (portfolio.Transaction, error) {
	amount, err := l.requiredAmount()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	if amount.IsNegative() {
		return portfolio.Transaction{}, fmt.Errorf("%s dollars were taken back: remove the dividend that this takes back, or lower it, by hand", amount.Abs())
	}
	t, err := l.newSecurityTransaction(kind)
	t.Currency, t.Amount = schwabCurrency, amount
	return t, err
}

func (l schwabRow) interest() (portfolio.Transaction, error) {
	amount, err := l.requiredAmount()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	kind := portfolio.KindInterest
	if amount.IsNegative() {
		kind = portfolio.KindInterestDue
	}
	return l.cashMove(kind, amount)
}

// charge is a fee or tax, or what was given back of one, of a security where one is
// named.
func (l schwabRow) charge(kind, back portfolio.Kind) (portfolio.Transaction, error) {
	amount, err := l.requiredAmount()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	if amount.IsPositive() {
		kind = back
	}
	return l.cashMove(kind, amount)
}

// cashMove is a payment with what it was for as a note.
func (l schwabRow) cashMove(kind portfolio.Kind, amount decimal.Decimal) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	if l.ticker != "" {
		var err error
		if t, err = l.newSecurityTransaction(kind); err != nil {
			return t, err
		}
	} else {
		t.Note = l.note()
	}
	t.Currency, t.Amount = schwabCurrency, amount.Abs()
	return t, nil
}

// transfer is cash or securities that came from outside of the account or left it.
func (l schwabRow) transfer() (portfolio.Transaction, error) {
	if l.quantity.Valid && !l.quantity.Decimal.IsZero() {
		return l.shareTransfer()
	}
	if schwabClassOf(l.action) == schwabAward {
		return portfolio.Transaction{}, fmt.Errorf("the number of shares is missing: record the shares by hand")
	}
	amount, err := l.requiredAmount()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	kind := portfolio.KindDeposit
	if amount.IsNegative() {
		kind = portfolio.KindWithdrawal
	}
	t := l.newTransaction(kind)
	t.Currency, t.Amount, t.Note = schwabCurrency, amount.Abs(), l.note()
	return t, nil
}

// shareTransfer does not take the price for what the shares cost: it is that of the
// day on which they moved.
func (l schwabRow) shareTransfer() (portfolio.Transaction, error) {
	if l.amount.Valid && !l.amount.Decimal.IsZero() {
		return portfolio.Transaction{}, fmt.Errorf("cash and shares in one line: record each by hand")
	}
	kind := portfolio.KindTransferIn
	if l.quantity.Decimal.IsNegative() {
		kind = portfolio.KindTransferOut
	}
	t, err := l.newSecurityTransaction(kind)
	t.Quantity, t.CostUnknown = l.quantity.Decimal.Abs(), kind == portfolio.KindTransferIn
	t.Note = l.note()
	return t, err
}

// requiredAmount is the amount, which has to be there. One of zero is unpaid.
func (l schwabRow) requiredAmount() (decimal.Decimal, error) {
	switch {
	case !l.amount.Valid:
		return decimal.Decimal{}, fmt.Errorf("the amount is missing: record the line by hand")
	case l.amount.Decimal.IsZero() && (!l.quantity.Valid || l.quantity.Decimal.IsZero()):
		return decimal.Decimal{}, schwabUnpaid
	}
	return l.amount.Decimal, nil
}
