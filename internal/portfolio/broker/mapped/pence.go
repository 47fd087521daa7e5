package mapped

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// inWhole brings sums in pence to pounds, where the line proves that all of them are in
// pence: many tables give the price in pence, and their column says so, beside amounts
// and fees in pounds.
func (r *reader) inWhole(n figures, currency string) (figures, string, error) {
	whole, places := market.Minor(currency)
	if whole == "" {
		return n, currency, nil
	}
	product, reckoned := product(n)
	sums, costs := []*decimal.NullDecimal{&n.price, &n.amount, &n.tax}, n.tax.Decimal.Abs()
	// A fee that says its currency is in that, and proves nothing of the others.
	if n.feeCurrency == "" || n.feeCurrency == currency {
		sums, costs = append(sums, &n.fee), costs.Add(n.fee.Decimal.Abs())
	}
	proven := reckoned && (costs.IsZero() || n.amount.Valid && r.Totals == Net)
	if n.amount.Valid && costs.IsZero() {
		proven = proven && n.amount.Decimal.Abs().Sub(product).Abs().LessThanOrEqual(slack(n))
	}
	if !proven {
		return n, currency, fmt.Errorf("a line in %s, of which nothing proves that its amount and costs are in %s too: record it by hand in %s", sheet.Shorten(currency), sheet.Shorten(currency), whole)
	}
	for _, sum := range sums {
		sum.Decimal = sum.Decimal.Shift(-places)
	}
	if n.feeCurrency == currency {
		n.feeCurrency = whole
	}
	return n, whole, nil
}
