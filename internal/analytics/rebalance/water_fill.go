package rebalance

import (
	"slices"

	"github.com/shopspring/decimal"
)

// fillLargestFirst divides an amount among capacities. The largest are filled until what remains of them
// equals the next one, and so on, never beyond their capacity. The parts never add up to more than the
// amount.
func fillLargestFirst(capacities []decimal.Decimal, amount decimal.Decimal) []decimal.Decimal {
	parts := make([]decimal.Decimal, len(capacities))
	sum := decimal.Zero
	sorted := make([]decimal.Decimal, 0, len(capacities))
	for _, r := range capacities {
		if r.IsPositive() {
			sum = sum.Add(r)
			sorted = append(sorted, r)
		}
	}
	if !amount.IsPositive() {
		return parts
	}
	left := decimal.Zero // remainder of every capacity that is not filled
	if amount.LessThan(sum) {
		left = remaining(sorted, amount)
	}
	for i, r := range capacities {
		parts[i] = decimal.Max(r.Sub(left), decimal.Zero)
	}
	return parts
}

// remaining solves sum of max(capacity - x, 0) = amount for x, rounded up.
func remaining(capacities []decimal.Decimal, amount decimal.Decimal) decimal.Decimal {
	slices.SortFunc(capacities, func(a, b decimal.Decimal) int { return b.Cmp(a) })
	sum, x := decimal.Zero, decimal.Zero
	for i, r := range capacities {
		sum = sum.Add(r)
		x = divideUp(sum.Sub(amount), int64(i+1))
		if i+1 == len(capacities) || !capacities[i+1].GreaterThan(x) {
			break
		}
	}
	return decimal.Max(x, decimal.Zero)
}

func divideUp(a decimal.Decimal, n int64) decimal.Decimal {
	q, rest := a.QuoRem(decimal.NewFromInt(n), decimalPlaces)
	if rest.IsPositive() {
		q = q.Add(decimal.New(1, -decimalPlaces))
	}
	return q
}
