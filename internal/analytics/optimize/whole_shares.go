package optimize

import (
	"fmt"

	"github.com/shopspring/decimal"
)

// Purchase is an amount invested in whole shares.
type Purchase struct {
	Shares  []decimal.Decimal // whole numbers, by asset
	Values  []decimal.Decimal // shares times price
	Spent   decimal.Decimal
	Unspent decimal.Decimal // remainder of the sum
}

// WholeShares converts weights to whole shares for an amount: first as many of each asset as its
// part pays for, then repeatedly one more of the affordable asset with the largest shortfall. The
// remainder is less than the price of any asset that is still short. It is the greedy method of
// PyPortfolioOpt's DiscreteAllocation, with shortfalls relative to the amount.
//
// Negative weights, a price or amount that is not positive, and inputs of different lengths are
// ErrMalformed.
func WholeShares(weights []float64, prices []decimal.Decimal, sum decimal.Decimal) (Purchase, error) {
	if len(weights) != len(prices) || !sum.IsPositive() {
		return Purchase{}, fmt.Errorf("%w: %d weights and %d prices for an amount of %s", ErrMalformed, len(weights), len(prices), sum)
	}
	p := Purchase{Shares: make([]decimal.Decimal, len(weights)), Values: make([]decimal.Decimal, len(weights)), Unspent: sum}
	lacks := make([]decimal.Decimal, len(weights))
	for i, w := range weights {
		if !(w >= 0 && w <= 1+weightTolerance) {
			return Purchase{}, fmt.Errorf("%w: weight %v of asset %d; whole shares need weights from 0 to 1", ErrMalformed, w, i)
		}
		if !prices[i].IsPositive() {
			return Purchase{}, fmt.Errorf("%w: price %s of asset %d", ErrMalformed, prices[i], i)
		}
		lacks[i] = decimal.NewFromFloat(w).Mul(sum)
		// Weights that sum to slightly more than one must not spend more than the amount.
		whole, _ := decimal.Min(lacks[i], p.Unspent).QuoRem(prices[i], 0)
		p.buy(i, whole, prices[i], lacks)
	}
	for i := p.nextPurchase(prices, lacks); i >= 0; i = p.nextPurchase(prices, lacks) {
		p.buy(i, decimal.NewFromInt(1), prices[i], lacks)
	}
	p.Spent = sum.Sub(p.Unspent)
	return p, nil
}

func (p *Purchase) buy(i int, shares, price decimal.Decimal, shortfalls []decimal.Decimal) {
	value := shares.Mul(price)
	p.Shares[i], p.Values[i] = p.Shares[i].Add(shares), p.Values[i].Add(value)
	p.Unspent, shortfalls[i] = p.Unspent.Sub(value), shortfalls[i].Sub(value)
}

// nextPurchase returns the affordable asset that is furthest below its weight, or -1. After the first round
// each asset lacks less than one share, so it is chosen at most once.
func (p *Purchase) nextPurchase(prices, shortfalls []decimal.Decimal) int {
	best := -1
	for i, lack := range shortfalls {
		if !lack.IsPositive() || prices[i].GreaterThan(p.Unspent) {
			continue
		}
		if best < 0 || lack.GreaterThan(shortfalls[best]) {
			best = i
		}
	}
	return best
}
