package importer

import (
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// deltaTransaction is what a line stands for.
func deltaTransaction(t Table, row Row, zone *time.Location) (portfolio.Transaction, error) {
	l, err := parseDeltaRow(t, row, zone)
	if err != nil {
		return portfolio.Transaction{}, err
	}
	switch l.way {
	case "BUY":
		return l.trade(portfolio.KindBuy)
	case "SELL":
		return l.trade(portfolio.KindSell)
	case "DIVIDEND":
		return l.dividend()
	case "DEPOSIT":
		return l.transferIn()
	case "WITHDRAW":
		return l.transferOut()
	case "TRANSFER":
		if l.fee.IsPositive() {
			return portfolio.Transaction{}, fmt.Errorf("a move between your own wallets that cost %s %s; enter the fee by hand", l.fee, Shorten(l.fees.code))
		}
		return portfolio.Transaction{}, IgnoreReason("a move between your own wallets")
	default:
		return portfolio.Transaction{}, fmt.Errorf("%q is no way that is known; enter it by hand", Shorten(l.way))
	}
}

// trade is something for money. Money for money is an exchange of currencies.
func (l deltaRow) trade(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	if !l.amount.IsPositive() || !l.price.IsPositive() {
		return t, errors.New("the base or quote amount is missing; enter it by hand")
	}
	if !IsFiat(l.quote.code) {
		return t, fmt.Errorf("it is priced in %s, which is no money: enter by hand what it was worth, as a sale of the one and a purchase of the other", Shorten(l.quote.code))
	}
	fee, err := l.feeIn(l.quote.code)
	if err != nil {
		return t, err
	}
	t.Fee = fee
	if l.class == "FIAT" {
		return l.exchange(t)
	}
	t.Currency, t.Amount, t.Quantity = l.quote.code, l.price, l.amount
	return t, l.setSecurity(&t)
}

// exchange is money for money: a purchase gives the quote away and gets the base.
func (l deltaRow) exchange(t portfolio.Transaction) (portfolio.Transaction, error) {
	if !IsFiat(l.base.code) {
		return t, fmt.Errorf("%q is no money that is known; enter it by hand", Shorten(l.base.code))
	}
	if t.Kind == portfolio.KindBuy {
		t.Currency, t.Amount, t.ToCurrency, t.ToAmount = l.quote.code, l.price, l.base.code, l.amount
	} else {
		t.Currency, t.Amount, t.ToCurrency, t.ToAmount = l.base.code, l.amount, l.quote.code, l.price
		if t.Fee.IsPositive() {
			return t, errors.New("a fee in the currency that was bought; enter it by hand")
		}
	}
	t.Kind = portfolio.KindExchange
	return t, nil
}

func (l deltaRow) dividend() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindDividend)
	if !IsFiat(l.quote.code) || !l.price.IsPositive() {
		return t, errors.New("the dividend has no amount in money; enter it by hand")
	}
	var err error
	if t.Fee, err = l.feeIn(l.quote.code); err != nil {
		return t, err
	}
	t.Currency, t.Amount = l.quote.code, l.price
	return t, l.setSecurity(&t)
}

// transferIn is what came from outside. What coins cost before is not known; those that were
// paid for holding need a value that the file has not.
func (l deltaRow) transferIn() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindTransferIn)
	if !l.amount.IsPositive() {
		return t, errors.New("the base amount is missing; enter it by hand")
	}
	switch l.from {
	case "DIVIDENDS", "DIVIDEND", "STAKING", "MINING", "AIRDROP", "FORK", "INTEREST", "REWARD", "REWARDS":
		return t, fmt.Errorf("a reward of %s %s whose value is not in the file; enter it by hand as a reinvested dividend with what it was worth", l.amount, Shorten(l.base.code))
	}
	if l.fee.IsPositive() {
		return t, errors.New("a fee on what came in, of which the file does not say who paid it; enter it by hand")
	}
	if l.class == "FIAT" {
		return l.cashMove(portfolio.KindDeposit)
	}
	t.Quantity, t.CostUnknown = l.amount, true
	return t, l.setSecurity(&t)
}

// transferOut is what left. A fee in the coin itself left with it.
func (l deltaRow) transferOut() (portfolio.Transaction, error) {
	t := l.newTransaction(portfolio.KindTransferOut)
	switch {
	case !l.amount.IsPositive():
		return t, errors.New("the base amount is missing; enter it by hand")
	case l.class == "FIAT":
		return l.cashMove(portfolio.KindWithdrawal)
	case l.fee.IsPositive() && l.fees.code != l.base.code:
		return t, fmt.Errorf("a fee of %s %s on %s; enter both by hand", l.fee, Shorten(l.fees.code), Shorten(l.base.code))
	}
	t.Quantity = l.amount.Add(l.fee)
	return t, l.setSecurity(&t)
}

func (l deltaRow) cashMove(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	if !IsFiat(l.base.code) {
		return t, fmt.Errorf("%q is no money that is known; enter it by hand", Shorten(l.base.code))
	}
	var err error
	t.Currency, t.Amount = l.base.code, l.amount
	t.Fee, err = l.feeIn(l.base.code)
	return t, err
}

// feeIn is the fee, where it is in the currency of the booking.
func (l deltaRow) feeIn(currency string) (decimal.Decimal, error) {
	if l.fee.IsPositive() && l.fees.code != currency {
		return decimal.Decimal{}, fmt.Errorf("a fee of %s %s on sums in %s; enter it by hand", l.fee, Shorten(l.fees.code), currency)
	}
	return l.fee, nil
}

// setSecurity puts what a line is of into t.
func (l deltaRow) setSecurity(t *portfolio.Transaction) error {
	t.Name = l.base.name
	var err error
	switch l.class {
	case "CRYPTO":
		t.Symbol, err = CoinSymbol(l.base.code)
	case "STOCK", "FUND":
		t.Symbol, err = ParseTicker(l.base.code)
	default:
		err = fmt.Errorf("%q is no type of asset that the book keeps; enter it by hand", Shorten(l.class))
	}
	return err
}
