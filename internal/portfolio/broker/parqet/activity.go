package parqet

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// transaction is what a line stands for.
func (l *line) transaction() (portfolio.Transaction, error) {
	t := portfolio.Transaction{Date: l.date, Time: l.time, Currency: l.currency, Amount: l.amount.Abs(), Fee: l.fee, Tax: l.tax, Name: l.name}
	if l.fee.IsNegative() || l.shares.IsNegative() {
		return t, errors.New("shares or a fee below zero; enter it by hand")
	}
	if l.amount.IsNegative() {
		return t, errors.New("an amount below zero, which may take another line back; enter it by hand")
	}
	switch {
	case l.asset == "cash":
		return l.cash(t)
	case l.kind == "buy" || l.kind == "sell":
		return l.trade(t)
	case l.tax.IsNegative():
		return t, fmt.Errorf("%s %s of tax were given back, for which the book has no kind with this one; enter both by hand", l.tax.Neg(), l.currency)
	case l.kind == "dividend":
		t.Kind = portfolio.KindDividend
	case l.kind == "interest":
		t.Kind = portfolio.KindInterest
	case l.kind == "cost" || l.kind == "costs" || l.kind == "fee" || l.kind == "fees":
		return l.cost(t)
	case l.kind == "transferin" || l.kind == "transferout":
		return l.transfer(t)
	default:
		return t, fmt.Errorf("%q is no type that is known; enter it by hand", sheet.Shorten(l.kind))
	}
	return t, l.identify(&t)
}

// trade checks shares times price, and takes tax that was given back with a sale out
// of it: the sale is as large without.
func (l *line) trade(t portfolio.Transaction) (portfolio.Transaction, error) {
	t.Kind, t.Quantity, t.Price = portfolio.KindBuy, l.shares, l.price
	if l.kind == "sell" {
		t.Kind = portfolio.KindSell
		if t.Tax.IsNegative() {
			l.refund, t.Tax = t.Tax.Neg(), decimal.Zero
		}
	}
	if t.Tax.IsNegative() {
		return t, errors.New("a tax below zero on a purchase; enter it by hand")
	}
	if !l.price.Valid || !agrees(l.shares, l.price.Decimal, l.amount) {
		return t, fmt.Errorf("%s shares at %s are not %s; enter it by hand", l.shares, l.price.Decimal, l.amount)
	}
	return t, l.identify(&t)
}

// agrees allows for the rounding of the price, of at least two digits after the
// point, of the shares and of the amount.
func agrees(shares, price, amount decimal.Decimal) bool {
	half := func(d decimal.Decimal, least int32) decimal.Decimal {
		return decimal.New(5, -max(-d.Exponent(), least)-1)
	}
	slack := shares.Mul(half(price, 2)).Add(price.Mul(half(shares, 3))).Add(decimal.New(1, -2))
	return shares.Mul(price).Sub(amount).Abs().LessThanOrEqual(slack)
}

// cash is what came to an account of money, or left it.
func (l *line) cash(t portfolio.Transaction) (portfolio.Transaction, error) {
	t.Name = ""
	switch l.kind {
	case "transferin", "deposit", "buy":
		t.Kind = portfolio.KindDeposit
	case "transferout", "withdrawal", "sell":
		t.Kind = portfolio.KindWithdrawal
	case "interest":
		t.Kind = portfolio.KindInterest
	case "cost", "costs", "fee", "fees":
		return l.cost(t)
	default:
		return t, fmt.Errorf("%q is no type of an account of money that is known; enter it by hand", sheet.Shorten(l.kind))
	}
	return t, nil
}

// cost is a fee of its own. Some have it in the amount and some in the column of
// fees.
func (l *line) cost(t portfolio.Transaction) (portfolio.Transaction, error) {
	t.Kind = portfolio.KindFee
	switch {
	case !l.tax.IsZero() || l.amount.IsPositive() && l.fee.IsPositive() && !l.amount.Equal(l.fee):
		return t, errors.New("amount, fee and tax of a cost are different things; enter it by hand")
	case t.Amount.IsZero():
		t.Amount = l.fee
	}
	t.Fee, t.Tax = decimal.Zero, decimal.Zero
	if l.identifier == "" || l.asset == "cash" {
		t.Name = ""
		return t, nil
	}
	return t, l.identify(&t)
}

// transfer is shares from elsewhere or to it. The amount is what they were worth or
// had cost, which Parqet does not say: the cost is not known.
func (l *line) transfer(t portfolio.Transaction) (portfolio.Transaction, error) {
	t.Kind, t.Quantity, t.Amount = portfolio.KindTransferOut, l.shares, decimal.Zero
	if l.kind == "transferin" {
		t.Kind, t.CostUnknown, t.Price = portfolio.KindTransferIn, true, l.price
	}
	return t, l.identify(&t)
}

// identify puts the security of a line into t: its ISIN, and for a coin its pair
// with the dollar, as coins are called everywhere in the book.
func (l *line) identify(t *portfolio.Transaction) error {
	if l.asset != "crypto" {
		var err error
		t.Symbol, t.ISIN, err = broker.Security("", l.identifier)
		return err
	}
	symbol, err := market.ParseSymbol(l.identifier + "-USD")
	if _, pair := symbol.CoinPair(); err != nil || !pair {
		return fmt.Errorf("%q is no code of a coin; enter it by hand", sheet.Shorten(l.identifier))
	}
	t.Symbol = symbol
	return nil
}
