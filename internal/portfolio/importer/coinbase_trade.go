package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// coinbaseWithinCent reports whether two sums differ by at most a cent, as sums that were
// rounded apart may.
func coinbaseWithinCent(a, b decimal.Decimal) bool {
	return a.Sub(b).Abs().LessThanOrEqual(decimal.New(1, -2))
}

// trade is a coin for money, or for another coin that the note names: then two
// transactions, of the coin and of what it was paid with or for, at one value.
func (l coinbaseRow) trade(kind portfolio.Kind) ([]portfolio.Transaction, error) {
	t, err := l.checkedTrade(kind)
	if err != nil {
		return nil, err
	}
	if t.Symbol, err = coinbaseCoin(l.asset); err != nil {
		return nil, err
	}
	quote, amount, err := l.paidWith()
	if err != nil {
		return nil, err
	}
	if quote == "" || quote == l.currency {
		return []portfolio.Transaction{t}, nil
	}
	if (coinbaseRow{asset: quote, currency: l.currency}).isFiat() {
		return nil, fmt.Errorf("it was paid in %s and is valued in %s; enter it by hand with what was paid", quote, l.currency)
	}
	other := l.newTransaction(portfolio.KindSell)
	other.Amount, other.SourceID = t.Amount.Add(t.Fee), "/"+quote
	if kind == portfolio.KindSell {
		other.Kind, other.Amount = portfolio.KindBuy, t.Amount.Sub(t.Fee)
	}
	other.Quantity, other.Name = amount, Shorten(coinbaseUnstakedCode(quote))
	if other.Symbol, err = coinbaseCoin(quote); err != nil {
		return nil, err
	}
	if kind == portfolio.KindBuy {
		return []portfolio.Transaction{other, t}, nil
	}
	return []portfolio.Transaction{t, other}, nil
}

// checkedTrade is a trade with its sums, which have to agree with each other.
func (l coinbaseRow) checkedTrade(kind portfolio.Kind) (portfolio.Transaction, error) {
	t := l.newTransaction(kind)
	if kind == portfolio.KindBuy && l.quantity.IsNegative() {
		return t, errors.New("a purchase of less than nothing; enter it by hand")
	}
	t.Quantity = l.quantity.Abs()
	if !l.subtotal.Valid || !l.total.Valid {
		return t, errors.New("the subtotal or total is missing; enter it by hand")
	}
	cost := l.total.Decimal.Sub(l.subtotal.Decimal)
	if kind == portfolio.KindSell {
		cost = cost.Neg()
	}
	fee := cost
	if l.fee.Valid {
		fee = l.fee.Decimal
	}
	if !coinbaseWithinCent(cost, fee) || fee.IsNegative() {
		return t, fmt.Errorf("subtotal %s, fee %s and total %s do not agree; enter it by hand", l.subtotal.Decimal, fee, l.total.Decimal)
	}
	// The total is what was paid; rounding is the subtotal's.
	t.Amount, t.Fee, t.Price = l.total.Decimal.Sub(fee), fee, l.price
	if kind == portfolio.KindSell {
		t.Amount = l.total.Decimal.Add(fee)
	}
	return t, l.checkPrice(t.Amount)
}

// checkPrice catches a comma in the wrong place. The price in the file is that of the
// market at the time, and may be some per cent off what was paid.
func (l coinbaseRow) checkPrice(amount decimal.Decimal) error {
	if !l.price.Valid || l.price.Decimal.IsZero() {
		return nil
	}
	value := l.quantity.Abs().Mul(l.price.Decimal)
	slack := value.Shift(-1).Add(decimal.New(5, -2))
	if value.Sub(amount).Abs().GreaterThan(slack) {
		return fmt.Errorf("%s at %s is not %s; compare the line with Coinbase and enter it by hand", l.quantity.Abs(), l.price.Decimal, amount)
	}
	return nil
}

// paidWith reads the note of a trade, "Bought 0.01 BTC for 250.5 USDC on BTC-USDC at
// 25000 USDC/BTC". A note that says nothing of it yields no quote.
func (l coinbaseRow) paidWith() (quote string, amount decimal.Decimal, err error) {
	_, tail, ok := strings.Cut(l.note, " for ")
	if !ok || !strings.HasPrefix(l.note, "Bought ") && !strings.HasPrefix(l.note, "Sold ") {
		return "", decimal.Decimal{}, nil
	}
	fields := strings.Fields(tail)
	if len(fields) < 2 || len(fields[1]) > 10 {
		return "", decimal.Decimal{}, nil
	}
	amount, _, err = ParseMoney(fields[0], DecimalPoint)
	if err != nil || !amount.IsPositive() {
		return "", decimal.Decimal{}, nil
	}
	return strings.ToUpper(strings.TrimRight(fields[1], ".,")), amount, nil
}
