package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// toMajorUnits brings sums in pence to pounds, where the line proves that all of them are in
// pence: many tables give the price in pence, and their column says so, beside amounts
// and fees in pounds.
func (r *mappedReader) toMajorUnits(n mappedNumbers, currency string) (mappedNumbers, string, error) {
	whole, places := market.MinorUnit(currency)
	if whole == "" {
		return n, currency, nil
	}
	product, reckoned := mappedProduct(n)
	sums, costs := []*decimal.NullDecimal{&n.price, &n.amount, &n.tax}, n.tax.Decimal.Abs()
	// A fee that says its currency is in that, and proves nothing of the others.
	if n.feeCurrency == "" || n.feeCurrency == currency {
		sums, costs = append(sums, &n.fee), costs.Add(n.fee.Decimal.Abs())
	}
	proven := reckoned && (costs.IsZero() || n.amount.Valid && r.Totals == TotalsNet)
	if n.amount.Valid && costs.IsZero() {
		proven = proven && n.amount.Decimal.Abs().Sub(product).Abs().LessThanOrEqual(mappedRoundingSlack(n))
	}
	if !proven {
		return n, currency, fmt.Errorf("a line in %s, of which nothing proves that its amount and costs are in %s too: record it by hand in %s", Shorten(currency), Shorten(currency), whole)
	}
	for _, sum := range sums {
		sum.Decimal = sum.Decimal.Shift(-places)
	}
	if n.feeCurrency == currency {
		n.feeCurrency = whole
	}
	return n, whole, nil
}
