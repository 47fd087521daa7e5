package schwab

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// trade is a purchase or sale. Schwab's amount is what moved in cash, with the fee
// in it; the fee is taken out again.
func (l line) trade(c class) (portfolio.Transaction, error) {
	kind := portfolio.KindSell
	if c == purchase {
		kind = portfolio.KindBuy
	}
	t, err := l.forSymbol(kind)
	if err != nil {
		return t, err
	}
	if !l.quantity.Valid || l.quantity.Decimal.IsZero() || !l.amount.Valid {
		return t, fmt.Errorf("quantity or amount is missing: record the trade by hand")
	}
	if bought := kind == portfolio.KindBuy; bought == l.amount.Decimal.IsPositive() {
		return t, fmt.Errorf("the amount %s has the wrong sign for a %s: compare the line with Schwab's statement", l.amount.Decimal, kind)
	}
	t.Quantity, t.Price, t.Currency, t.Fee = l.quantity.Decimal.Abs(), l.price, currency, l.fee.Decimal
	if t.Amount = l.amount.Decimal.Abs().Add(t.Fee); kind == portfolio.KindBuy {
		t.Amount = l.amount.Decimal.Abs().Sub(t.Fee)
	}
	t.Short = c == shortSale
	return t, l.addsUp(t)
}

// addsUp compares the amount with quantity and price as far as they are exact:
// prices are rounded to cents or finer, quantities to four places, sums to cents.
func (l line) addsUp(t portfolio.Transaction) error {
	if !t.Price.Valid {
		return nil
	}
	price := t.Price.Decimal
	product := t.Quantity.Mul(price)
	slack := t.Quantity.Mul(half(price)).Add(price.Mul(decimal.New(5, -5))).Add(decimal.New(1, -2))
	if product.Sub(t.Amount).Abs().GreaterThan(slack) {
		return fmt.Errorf("%s times %s is %s and not %s: a bond, or a mistake; record the trade by hand", t.Quantity, price, product, t.Amount)
	}
	return nil
}

// half is half of the last place that a price is written with, at most of a cent.
func half(price decimal.Decimal) decimal.Decimal {
	return decimal.New(5, min(price.Exponent(), -2)-1)
}

// note is what the line was, in Schwab's words.
func (l line) note() string {
	return sheet.Shorten(l.word + ": " + l.description)
}
