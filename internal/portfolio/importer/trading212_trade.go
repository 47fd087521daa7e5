package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// trade is a purchase or sale. Its total is what moved in cash, with all costs in it;
// those in its currency are taken out again.
func (l trading212Row) trade(kind portfolio.Kind) (portfolio.Transaction, error) {
	t, err := l.newSecurityTransaction(kind)
	if err != nil {
		return t, err
	}
	if !l.shares.Decimal.IsPositive() {
		return t, fmt.Errorf("the number of shares is missing or not above zero: record the trade by hand")
	}
	currency, total, err := l.requiredTotal()
	if err != nil {
		return t, err
	}
	t.Quantity, t.Currency, t.Fee, t.Tax = l.shares.Decimal, currency, l.fee, l.tax
	costs := t.Fee.Add(t.Tax)
	if t.Amount = total.Abs().Add(costs); kind == portfolio.KindBuy {
		t.Amount = total.Abs().Sub(costs)
	}
	t.Price, t.Note = l.quote()
	return t, l.checkTotal(t)
}

// totalShift is by how many places the point of a sum in a currency moves to be in that of
// the total, where the one is a part of the other: pence of pounds.
func (l trading212Row) totalShift(currency string) (places int32, ok bool) {
	whole, places := market.MinorUnit(currency)
	return places, whole != "" && whole == l.currency
}

// quote is the price in the currency of the total, or else a note of it.
func (l trading212Row) quote() (decimal.NullDecimal, string) {
	places, minor := l.totalShift(l.priceCurrency)
	switch {
	case !l.price.Valid:
		return l.price, l.foreignCostsNote()
	case l.priceCurrency == l.currency:
		return l.price, l.foreignCostsNote()
	case minor:
		return decimal.NewNullDecimal(l.price.Decimal.Shift(-places)), l.foreignCostsNote()
	}
	note := fmt.Sprintf("%s %s a share", l.price.Decimal, l.priceCurrency)
	if l.rate.Valid {
		note += fmt.Sprintf(" at %s", l.rate.Decimal)
	}
	if aside := l.foreignCostsNote(); aside != "" {
		note += ", " + aside
	}
	return decimal.NullDecimal{}, note
}

// checkTotal finds a sum that is off by far more than costs in other currencies and the
// rounding of the rate would make it: pence taken for pounds, or a cell that belongs
// to another column.
func (l trading212Row) checkTotal(t portfolio.Transaction) error {
	if !l.price.Valid {
		return nil
	}
	product := t.Quantity.Mul(l.price.Decimal)
	places, minor := l.totalShift(l.priceCurrency)
	switch {
	// The rate of a price in pence is for one pound, or for pence as they are.
	case minor:
		product = product.Shift(-places)
	case l.rate.Decimal.IsPositive():
		product = product.DivRound(l.rate.Decimal, 8)
	case l.priceCurrency != l.currency:
		return nil
	}
	slack := t.Amount.Mul(decimal.New(2, -2)).Add(decimal.New(2, -2))
	if product.Sub(t.Amount).Abs().GreaterThan(slack) {
		return fmt.Errorf("%s shares at %s %s are %s %s and not %s: record the trade by hand",
			t.Quantity, l.price.Decimal, l.priceCurrency, product.Round(2), t.Currency, t.Amount)
	}
	return nil
}
