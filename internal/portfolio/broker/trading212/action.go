package trading212

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// transaction reads a line that stands for itself.
func (l line) transaction() (portfolio.Transaction, error) {
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
		return l.moved(portfolio.KindTransferIn)
	case "transfer out":
		return l.moved(portfolio.KindTransferOut)
	}
	if of, ok := strings.CutPrefix(l.action, "dividend"); ok {
		return l.distribution(of)
	}
	return portfolio.Transaction{}, l.untold()
}

// distribution is what a security paid, by the words in parentheses.
func (l line) distribution(of string) (portfolio.Transaction, error) {
	kind := portfolio.KindDividend
	switch {
	case strings.Contains(of, "return of capital"):
		kind = portfolio.KindReturnOfCapital
	case strings.Contains(of, "demerger"):
		return portfolio.Transaction{}, fmt.Errorf("a demerger; the file does not say what part of the cost went with it: record a spin-off, or a dividend of %s %s", l.total.Decimal, l.currency)
	case strings.Contains(of, "interest"):
		kind = portfolio.KindInterest
	}
	t, err := l.forSymbol(kind)
	if err != nil {
		return t, err
	}
	if t.Currency, t.Amount, err = l.sum(); err != nil {
		return t, err
	}
	if t.Amount.IsNegative() {
		return t, fmt.Errorf("%s %s were taken back: remove the dividend that this takes back, or lower it, by hand", t.Amount.Abs(), t.Currency)
	}
	t.Amount, t.Tax, t.Note = t.Amount.Add(l.withheld), l.withheld, l.aside()
	return t, nil
}

func (l line) interest() (portfolio.Transaction, error) {
	t := l.of(portfolio.KindInterest)
	var err error
	if t.Currency, t.Amount, err = l.sum(); err != nil {
		return t, err
	}
	t.Note = sheet.Shorten(l.word)
	if t.Amount.IsNegative() {
		t.Kind, t.Amount = portfolio.KindInterestDue, t.Amount.Abs()
		return t, nil
	}
	t.Amount, t.Tax = t.Amount.Add(l.withheld), l.withheld
	return t, nil
}

// cash is of the kind that its word says, whichever sign the export gives it.
func (l line) cash(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.of(kind)
	currency, amount, err := l.sum()
	if kind == portfolio.KindDeposit && amount.IsNegative() {
		return t, fmt.Errorf("%s below zero: record it by hand", l.word)
	}
	t.Currency, t.Amount, t.Note = currency, amount.Abs(), l.noted()
	return t, err
}

// exchange takes the amounts as they moved; the fee is within the first.
func (l line) exchange() (portfolio.Transaction, error) {
	t := l.of(portfolio.KindExchange)
	if !l.from.Valid || !l.to.Valid || l.fromMoney == "" || l.toMoney == "" {
		return t, fmt.Errorf("the file does not have both amounts of the conversion: record a currency exchange by hand")
	}
	t.Currency, t.Amount = l.fromMoney, l.from.Decimal.Abs()
	t.ToCurrency, t.ToAmount = l.toMoney, l.to.Decimal.Abs()
	if l.fee.IsPositive() {
		t.Note = fmt.Sprintf("of which %s %s was the fee", l.fee, l.currency)
	}
	return t, nil
}

// moved is shares that came from another broker or went there. Their price in the
// file is of the day, not what they cost.
func (l line) moved(kind portfolio.Kind) (portfolio.Transaction, error) {
	t, err := l.forSymbol(kind)
	if err == nil && !l.shares.Valid {
		err = fmt.Errorf("the number of shares is missing: record the transfer by hand")
	}
	t.Quantity, t.CostUnknown = l.shares.Decimal.Abs(), kind == portfolio.KindTransferIn
	return t, err
}

// sum is the total, which has to be there with its currency.
func (l line) sum() (string, decimal.Decimal, error) {
	switch {
	case !l.total.Valid:
		return "", decimal.Decimal{}, fmt.Errorf("the total is missing: record the line by hand")
	case l.currency == "":
		return "", decimal.Decimal{}, fmt.Errorf("the currency of the total is not in the file: say the account's currency")
	}
	return l.currency, l.total.Decimal, nil
}

// noted is what the broker says of a payment.
func (l line) noted() string {
	if l.note == "" {
		return sheet.Shorten(l.word)
	}
	return sheet.Shorten(l.word + ": " + l.note)
}

// aside is what of costs the amounts cannot show.
func (l line) aside() string {
	if len(l.foreign) == 0 {
		return ""
	}
	return sheet.Shorten("after " + strings.Join(l.foreign, ", "))
}

// untold says what Trading 212 leaves out of a line, and what to record instead.
func (l line) untold() error {
	switch l.action {
	case "stock distribution", "spin off":
		return fmt.Errorf("%s shares of %s were handed out; the file does not say for which shares, nor what part of their cost went with them: record a spin-off or split",
			l.shares.Decimal, l.ticker)
	case "stock split", "stock split open", "stock split close":
		return fmt.Errorf("a split of %s of which one half is missing: record new shares for old ones by hand", l.ticker)
	case "result adjustment":
		return fmt.Errorf("a correction whose cause is not in the file: record a deposit or a fee of %s %s by hand", l.total.Decimal, l.currency)
	}
	return fmt.Errorf("the action %q is not known: record the line by hand", sheet.Shorten(l.word))
}
