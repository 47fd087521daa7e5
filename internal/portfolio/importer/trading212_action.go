package importer

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// transaction reads a line that stands for itself.
func (l trading212Row) transaction() (portfolio.Transaction, error) {
	switch l.action {
	case "market buy", "limit buy", "stop buy", "stop limit buy":
		return l.trade(portfolio.KindBuy)
	case "market sell", "limit sell", "stop sell", "stop limit sell":
		return l.trade(portfolio.KindSell)
	case "interest on cash", "lending interest", "share lending interest":
		return l.interest()
	case "deposit", "card credit", "card refund", "spending cashback":
		return l.cash(portfolio.KindDeposit)
	case "withdrawal", "card debit":
		return l.cash(portfolio.KindWithdrawal)
	case "new card cost":
		return l.cash(portfolio.KindFee)
	case "currency conversion":
		return l.exchange()
	case "transfer in":
		return l.shareTransfer(portfolio.KindTransferIn)
	case "transfer out":
		return l.shareTransfer(portfolio.KindTransferOut)
	}
	if subtype, ok := strings.CutPrefix(l.action, "dividend"); ok {
		return l.distribution(subtype)
	}
	return portfolio.Transaction{}, l.missingDetails()
}

// distribution is what a security paid, by the words in parentheses.
func (l trading212Row) distribution(subtype string) (portfolio.Transaction, error) {
	kind := portfolio.KindDividend
	switch {
	case strings.Contains(subtype, "return of capital"):
		kind = portfolio.KindReturnOfCapital
	case strings.Contains(subtype, "demerger"):
		return portfolio.Transaction{}, fmt.Errorf("a demerger; the file does not say what part of the cost went with it: record a spin-off, or a dividend of %s %s", l.total.Decimal, l.currency)
	case strings.Contains(subtype, "interest"):
		kind = portfolio.KindInterest
	}
	t, err := l.newSecurityTransaction(kind)
	if err != nil {
		return t, err
	}
	if t.Currency, t.Amount, err = l.requiredTotal(); err != nil {
		return t, err
	}
	if t.Amount.IsNegative() {
		return t, fmt.Errorf("%s %s were taken back: remove the dividend that this takes back, or lower it, by hand", t.Amount.Abs(), t.Currency)
	}
	t.Amount, t.Tax, t.Note = t.Amount.Add(l.withheld), l.withheld, l.foreignCostsNote()
	return t, nil
}

func (l trading212Row) interest() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindInterest)
	var err error
	if t.Currency, t.Amount, err = l.requiredTotal(); err != nil {
		return t, err
	}
	t.Note = Shorten(l.rawAction)
	if t.Amount.IsNegative() {
		t.Kind, t.Amount = portfolio.KindInterestDue, t.Amount.Abs()
		return t, nil
	}
	t.Amount, t.Tax = t.Amount.Add(l.withheld), l.withheld
	return t, nil
}

// cash is of the kind that its word says, whichever sign the export gives it.
func (l trading212Row) cash(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	currency, amount, err := l.requiredTotal()
	if kind == portfolio.KindDeposit && amount.IsNegative() {
		return t, fmt.Errorf("%s below zero: record it by hand", l.rawAction)
	}
	t.Currency, t.Amount, t.Note = currency, amount.Abs(), l.cashNote()
	return t, err
}

// exchange takes the amounts as they moved; the fee is within the first.
func (l trading212Row) exchange() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindExchange)
	if !l.from.Valid || !l.to.Valid || l.fromCurrency == "" || l.toCurrency == "" {
		return t, fmt.Errorf("the file does not have both amounts of the conversion: record a currency exchange by hand")
	}
	t.Currency, t.Amount = l.fromCurrency, l.from.Decimal.Abs()
	t.ToCurrency, t.ToAmount = l.toCurrency, l.to.Decimal.Abs()
	if l.fee.IsPositive() {
		t.Note = fmt.Sprintf("of which %s %s was the fee", l.fee, l.currency)
	}
	return t, nil
}

// shareTransfer is shares that came from another broker or went there. Their price in the
// file is of the day, not what they cost.
func (l trading212Row) shareTransfer(kind portfolio.Kind) (portfolio.Transaction, error) {
	t, err := l.newSecurityTransaction(kind)
	if err == nil && !l.shares.Valid {
		err = fmt.Errorf("the number of shares is missing: record the transfer by hand")
	}
	t.Quantity, t.CostUnknown = l.shares.Decimal.Abs(), kind == portfolio.KindTransferIn
	return t, err
}

// requiredTotal is the total, which has to be there with its currency.
func (l trading212Row) requiredTotal() (string, decimal.Decimal, error) {
	switch {
	case !l.total.Valid:
		return "", decimal.Decimal{}, fmt.Errorf("the total is missing: record the line by hand")
	case l.currency == "":
		return "", decimal.Decimal{}, fmt.Errorf("the currency of the total is not in the file: say the account's currency")
	}
	return l.currency, l.total.Decimal, nil
}

// cashNote is what the broker says of a payment.
func (l trading212Row) cashNote() string {
	if l.note == "" {
		return Shorten(l.rawAction)
	}
	return Shorten(l.rawAction + ": " + l.note)
}

// foreignCostsNote is what of costs the amounts cannot show.
func (l trading212Row) foreignCostsNote() string {
	if len(l.foreignCosts) == 0 {
		return ""
	}
	return Shorten("after " + strings.Join(l.foreignCosts, ", "))
}

// missingDetails says what Trading 212 leaves out of a line, and what to record instead.
func (l trading212Row) missingDetails() error {
	switch l.action {
	case "stock distribution", "spin off":
		return fmt.Errorf("%s shares of %s were handed out; the file does not say for which shares, nor what part of their cost went with them: record a spin-off or split",
			l.shares.Decimal, l.ticker)
	case "stock split", "stock split open", "stock split close":
		return fmt.Errorf("a split of %s of which one half is missing: record new shares for old ones by hand", l.ticker)
	case "result adjustment":
		return fmt.Errorf("a correction whose cause is not in the file: record a deposit or a fee of %s %s by hand", l.total.Decimal, l.currency)
	}
	return fmt.Errorf("the action %q is not known: record the line by hand", Shorten(l.rawAction))
}
