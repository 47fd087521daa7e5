package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// costs puts commission and taxes of a trade where they belong: into it, or into a
// fee, or fee given back, of its own where the commission is in another currency. What
// the broker paid back in the same makes a trade so much cheaper, or its sale so much
// better.
func (t *ibkrTrade) costs() (fee portfolio.Transaction, apart bool, err error) {
	x := &t.transaction
	in := t.get("ibcommissioncurrency")
	switch {
	case t.commission.IsZero():
	case in == "" && t.isForex():
		return fee, false, fmt.Errorf("a commission of %s without its currency", t.commission)
	case in == "" || in == x.Currency:
		err = t.charge(&x.Fee, t.commission)
	case !ValidCurrency(in):
		err = fmt.Errorf("a commission in %q, which is no currency", Shorten(in))
	default:
		fee = portfolio.Transaction{
			Kind: portfolio.KindFee, Account: x.Account, Date: x.Date, Time: x.Time, Symbol: x.Symbol, ISIN: x.ISIN, Name: x.Name,
			Currency: in, Amount: t.commission.Abs(), Note: "commission", SourceID: "-fee",
		}
		if t.commission.IsPositive() {
			fee.Kind, fee.Note = portfolio.KindFeeRefund, "commission paid back"
		}
		apart = true
	}
	if err == nil && !t.taxes.IsZero() {
		err = t.charge(&x.Tax, t.taxes)
	}
	return fee, apart, err
}

// charge takes a cost as the broker signs it, below zero where it was paid.
func (t *ibkrTrade) charge(cost *decimal.Decimal, signed decimal.Decimal) error {
	x := &t.transaction
	switch {
	case signed.IsNegative():
		*cost = signed.Neg()
	case x.Kind == portfolio.KindBuy && x.Amount.GreaterThan(signed):
		x.Amount = x.Amount.Sub(signed)
		x.Note = "less " + signed.String() + " paid back"
	case x.Kind == portfolio.KindSell:
		x.Amount = x.Amount.Add(signed)
		x.Note = "with " + signed.String() + " paid back"
	default:
		return fmt.Errorf("a cost of %s that was paid back: record it by hand", signed)
	}
	return nil
}
