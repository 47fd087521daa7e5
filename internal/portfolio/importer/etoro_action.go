package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// recordSingle records a line that stands for itself.
func (r *etoroReader) recordSingle(l etoroRow) {
	t, err := r.transaction(l)
	if err != nil {
		r.collector.Skip(err, l.row)
		return
	}
	r.add(t, l)
}

func (r *etoroReader) transaction(l etoroRow) (portfolio.Transaction, error) {
	switch l.action {
	case "open position":
		return r.trade(l, portfolio.KindBuy)
	case "position closed":
		return r.trade(l, portfolio.KindSell)
	case "corp action: split":
		return r.shareSplit(l)
	case "dividend":
		return r.dividend(l)
	case "interest payment", "interest":
		return r.newReceipt(l, portfolio.KindInterest, "")
	case "overnight refund":
		return r.newReceipt(l, portfolio.KindInterest, "Overnight refund")
	case "overnight fee":
		return r.newPayment(l, portfolio.KindInterestDue, "Overnight fee")
	case "rollover fee":
		return r.rollover(l)
	case "deposit":
		return r.newReceipt(l, portfolio.KindDeposit, "")
	case "withdraw request":
		return r.newPayment(l, portfolio.KindWithdrawal, "")
	case "withdraw fee", "withdraw fee charged", "withdrawal conversion fee", "deposit conversion fee", "fee", "commission":
		return r.fee(l)
	case "sdrt", "sdrt charge", "stamp duty":
		return r.charge(l, portfolio.KindTax)
	case "start copy", "stop copy", "pause copy", "account balance to mirror", "mirror balance to account", "edit stop loss", "add funds", "remove funds":
		return portfolio.Transaction{}, IgnoreReason("moves within the account, between its own and its copied positions")
	}
	return portfolio.Transaction{}, fmt.Errorf("the type %q is not known: record the line by hand", Shorten(l.rawAction))
}

// symbol returns what stands before the slash of "NKE/USD"; the currency behind it is that of
// the quote. A coin is named as a pair, as everywhere in nfa, because its letters alone are
// often those of a share.
func (l etoroRow) symbol() (market.Symbol, error) {
	ticker, _, ok := strings.Cut(l.details, "/")
	if !ok {
		return "", fmt.Errorf("the details %q do not name a security: record the line by hand", Shorten(l.details))
	}
	if l.asset == "crypto" {
		return CoinSymbol(ticker)
	}
	return ParseTicker(ticker)
}

func (r *etoroReader) dividend(l etoroRow) (portfolio.Transaction, error) {
	t, err := r.newReceipt(l, portfolio.KindDividend, "")
	if err != nil {
		return t, err
	}
	t.Symbol, err = l.symbol()
	t.Note = "after tax withheld, which the file does not tell"
	return t, err
}

// rollover was the word for what holding a position overnight costs, and for the
// dividends that positions were paid.
func (r *etoroReader) rollover(l etoroRow) (portfolio.Transaction, error) {
	if !strings.Contains(strings.ToLower(l.details), "dividend") {
		return r.newPayment(l, portfolio.KindInterestDue, "Rollover fee")
	}
	if l.details = r.positions[l.position]; l.details == "" {
		return portfolio.Transaction{}, fmt.Errorf("a dividend of position %s, whose security is not in the file: record it by hand", Shorten(l.position))
	}
	return r.dividend(l)
}

// newReceipt is money that came in.
func (r *etoroReader) newReceipt(l etoroRow, kind portfolio.Kind, note string) (portfolio.Transaction, error) {
	amount, err := l.requiredAmount()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	if amount.IsNegative() {
		return portfolio.Transaction{}, fmt.Errorf("%s of %s is below zero: remove what it takes back, or lower it, by hand", l.rawAction, amount)
	}
	return r.newCashTransaction(l, kind, amount, note), nil
}

// newPayment is money that went out, whichever sign the export gives it: the equity tells
// what came back.
func (r *etoroReader) newPayment(l etoroRow, kind portfolio.Kind, note string) (portfolio.Transaction, error) {
	amount, err := l.requiredAmount()
	if err != nil {
		return portfolio.Transaction{}, err
	}
	if l.change.Decimal.IsPositive() {
		switch kind {
		case portfolio.KindFee:
			kind = portfolio.KindFeeRefund
		case portfolio.KindTax:
			kind = portfolio.KindTaxRefund
		case portfolio.KindInterestDue:
			kind = portfolio.KindInterest
		default:
			return portfolio.Transaction{}, fmt.Errorf("%s of %s came back: remove what it takes back, or record a deposit, by hand", l.rawAction, amount.Abs())
		}
	}
	return r.newCashTransaction(l, kind, amount.Abs(), note), nil
}

// fee leaves out those that are a part of the withdrawal beside them: they do not
// change the account's equity.
func (r *etoroReader) fee(l etoroRow) (portfolio.Transaction, error) {
	if l.change.Valid && l.change.Decimal.IsZero() && !l.amount.Decimal.IsZero() {
		return portfolio.Transaction{}, IgnoreReason("part of the payment beside it: the equity does not change by it")
	}
	return r.charge(l, portfolio.KindFee)
}

// charge is a fee or tax, of a security where the line names one.
func (r *etoroReader) charge(l etoroRow, kind portfolio.Kind) (portfolio.Transaction, error) {
	t, err := r.newPayment(l, kind, l.rawAction)
	if err != nil || !strings.Contains(l.details, "/") {
		return t, err
	}
	t.Symbol, err = l.symbol()
	return t, err
}

func (r *etoroReader) newCashTransaction(l etoroRow, kind portfolio.Kind, amount decimal.Decimal, note string) portfolio.Transaction {
	t := l.newTransaction(kind)
	t.Currency, t.Amount, t.Note = r.currency, amount, Shorten(note)
	return t
}

// requiredAmount is the amount, which has to be there.
func (l etoroRow) requiredAmount() (decimal.Decimal, error) {
	switch {
	case !l.amount.Valid:
		return decimal.Decimal{}, fmt.Errorf("the amount is missing: record the line by hand")
	case l.amount.Decimal.IsZero():
		return decimal.Decimal{}, IgnoreReason("nothing was paid")
	}
	return l.amount.Decimal, nil
}
