package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// trade is a purchase or sale. Schwab's amount is what moved in cash, with the fee
// in it; the fee is taken out again.
func (l schwabRow) trade(c schwabClass) (portfolio.Transaction, error) {
	kind := portfolio.KindSell
	if c == schwabPurchase {
		kind = portfolio.KindBuy
	}
	t, err := l.newSecurityTransaction(kind)
	if err != nil {
		return t, err
	}
	if !l.quantity.Valid || l.quantity.Decimal.IsZero() || !l.amount.Valid {
		return t, fmt.Errorf("quantity or amount is missing: record the trade by hand")
	}
	if bought := kind == portfolio.KindBuy; bought == l.amount.Decimal.IsPositive() {
		return t, fmt.Errorf("the amount %s has the wrong sign for a %s: compare the line with Schwab's statement", l.amount.Decimal, kind)
	}
	t.Quantity, t.Price, t.Currency, t.Fee = l.quantity.Decimal.Abs(), l.price, schwabCurrency, l.fee.Decimal
	if t.Amount = l.amount.Decimal.Abs().Add(t.Fee); kind == portfolio.KindBuy {
		t.Amount = l.amount.Decimal.Abs().Sub(t.Fee)
	}
	t.Short = c == schwabShortSale
	return t, l.checkAmount(t)
}

// checkAmount compares the amount with quantity and price as far as they are exact:
// prices are rounded to cents or finer, quantities to four places, sums to cents.
func (l schwabRow) checkAmount(t portfolio.Transaction) error {
	if !t.Price.Valid {
		return nil
	}
	price := t.Price.Decimal
	product := t.Quantity.Mul(price)
	slack := t.Quantity.Mul(schwabHalfOfLastPlace(price)).Add(price.Mul(decimal.New(5, -5))).Add(decimal.New(1, -2))
	if product.Sub(t.Amount).Abs().GreaterThan(slack) {
		return fmt.Errorf("%s times %s is %s and not %s: a bond, or a mistake; record the trade by hand", t.Quantity, price, product, t.Amount)
	}
	return nil
}

// schwabHalfOfLastPlace is half of the last place that a price is written with, at most of a cent.
func schwabHalfOfLastPlace(price decimal.Decimal) decimal.Decimal {
	return decimal.New(5, min(price.Exponent(), -2)-1)
}

// note is what the line was, in Schwab's words.
func (l schwabRow) note() string {
	return Shorten(l.rawAction + ": " + l.description)
}
