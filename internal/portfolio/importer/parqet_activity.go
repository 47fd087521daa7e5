package importer

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// transactions are what a line stands for: what its type says, and beside it the tax
// that was given back with it.
func (l *parqetRow) transactions() ([]portfolio.Transaction, error) {
	if !l.tax.IsNegative() {
		t, err := l.transaction()
		return []portfolio.Transaction{t}, err
	}
	back := l.tax.Neg()
	l.tax = decimal.Zero
	t, err := l.transaction()
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case portfolio.KindSell, portfolio.KindDividend, portfolio.KindInterest:
	default:
		return nil, fmt.Errorf("a tax of %s below zero with a %s; enter both by hand", back, t.Kind)
	}
	return []portfolio.Transaction{t, {
		Date: t.Date, Time: t.Time, Kind: portfolio.KindTaxRefund, Symbol: t.Symbol, ISIN: t.ISIN, Name: t.Name,
		Currency: t.Currency, Amount: back, SourceID: "/tax",
	}}, nil
}

func (l *parqetRow) transaction() (portfolio.Transaction, error) {
	t := portfolio.Transaction{Date: l.date, Time: l.time, Currency: l.currency, Amount: l.amount.Abs(), Fee: l.fee, Tax: l.tax, Name: l.name}
	if l.fee.IsNegative() || l.shares.IsNegative() {
		return t, errors.New("shares or a fee below zero; enter it by hand")
	}
	if l.amount.IsNegative() {
		return t, errors.New("an amount below zero, which may take another line back: remove that one, or enter this by hand")
	}
	switch {
	case l.asset == "cash":
		return l.cash(t)
	case l.kind == "buy" || l.kind == "sell":
		return l.trade(t)
	case l.kind == "dividend":
		t.Kind = portfolio.KindDividend
	case l.kind == "interest":
		t.Kind = portfolio.KindInterest
	case l.kind == "cost" || l.kind == "costs" || l.kind == "fee" || l.kind == "fees":
		return l.feeTransaction(t)
	case l.kind == "transferin" || l.kind == "transferout":
		return l.transfer(t)
	default:
		return t, fmt.Errorf("%q is no type that is known; enter it by hand", Shorten(l.kind))
	}
	return t, l.setSecurity(&t)
}

// trade checks shares times price.
func (l *parqetRow) trade(t portfolio.Transaction) (portfolio.Transaction, error) {
	t.Kind, t.Quantity, t.Price = portfolio.KindBuy, l.shares, l.price
	if l.kind == "sell" {
		t.Kind = portfolio.KindSell
	}
	if !l.price.Valid || !parqetAmountAgrees(l.shares, l.price.Decimal, l.amount) {
		return t, fmt.Errorf("%s shares at %s are not %s; enter it by hand", l.shares, l.price.Decimal, l.amount)
	}
	return t, l.setSecurity(&t)
}

// parqetAmountAgrees allows for the rounding of the price, of at least two digits after the
// point, of the shares and of the amount.
func parqetAmountAgrees(shares, price, amount decimal.Decimal) bool {
	half := func(d decimal.Decimal, least int32) decimal.Decimal {
		return decimal.New(5, -max(-d.Exponent(), least)-1)
	}
	slack := shares.Mul(half(price, 2)).Add(price.Mul(half(shares, 3))).Add(decimal.New(1, -2))
	return shares.Mul(price).Sub(amount).Abs().LessThanOrEqual(slack)
}

// cash is what came to an account of money, or left it.
func (l *parqetRow) cash(t portfolio.Transaction) (portfolio.Transaction, error) {
	t.Name = ""
	switch l.kind {
	case "transferin", "deposit", "buy":
		t.Kind = portfolio.KindDeposit
	case "transferout", "withdrawal", "sell":
		t.Kind = portfolio.KindWithdrawal
	case "interest":
		t.Kind = portfolio.KindInterest
	case "cost", "costs", "fee", "fees":
		return l.feeTransaction(t)
	default:
		return t, fmt.Errorf("%q is no type of an account of money that is known; enter it by hand", Shorten(l.kind))
	}
	return t, nil
}

// feeTransaction is a fee of its own. Some have it in the amount and some in the column of
// fees.
func (l *parqetRow) feeTransaction(t portfolio.Transaction) (portfolio.Transaction, error) {
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
	return t, l.setSecurity(&t)
}

// transfer is shares from elsewhere or to it. The amount is what they were worth or
// had cost, which Parqet does not say: the cost is not known.
func (l *parqetRow) transfer(t portfolio.Transaction) (portfolio.Transaction, error) {
	t.Kind, t.Quantity, t.Amount = portfolio.KindTransferOut, l.shares, decimal.Zero
	if l.kind == "transferin" {
		t.Kind, t.CostUnknown, t.Price = portfolio.KindTransferIn, true, l.price
	}
	return t, l.setSecurity(&t)
}

// setSecurity puts the security of a line into t: its ISIN, and for a coin its pair with the
// dollar, as everywhere in nfa.
func (l *parqetRow) setSecurity(t *portfolio.Transaction) error {
	var err error
	if l.asset == "crypto" {
		t.Symbol, err = CoinSymbol(l.identifier)
		return err
	}
	t.Symbol, t.ISIN, err = ParseSecurity("", l.identifier)
	return err
}
