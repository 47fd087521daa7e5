package sizing

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"
)

// ErrInput marks what makes no position; the message says why.
var ErrInput = errors.New("impossible input")

// Position is how much to buy, or where Short is set to sell short.
type Position struct {
	Units    decimal.Decimal // of the instrument, rounded down to the lot
	Value    decimal.Decimal // units * price
	Fraction decimal.Decimal // of the capital, after rounding
	AtRisk   decimal.Decimal // lost at the stop; zero where there is no stop
	Short    bool
	// Bound says which limit made the position smaller than the rule would, or "".
	Bound string
}

// Account is what a position is sized for.
type Account struct {
	Capital decimal.Decimal
	Price   decimal.Decimal // of one unit
	// Largest is the largest position as a fraction of the capital; one where it
	// is zero, so that nothing is borrowed unasked.
	Largest decimal.Decimal
	Lot     decimal.Decimal // smallest number of units; one where zero
}

const places = 12 // of quotients that are told

// Bounds of what is a fraction: above, per cents were given.
const (
	largestRiskPercent = 50 // a risk of one would be everything, or 1 %
	highestVolatility  = 5
	smallestLot        = -12 // power of ten
	largestSum         = 18
)

func tenTo(power int32) decimal.Decimal { return decimal.New(1, power) }

func (a *Account) check() error {
	one := decimal.NewFromInt(1)
	if a.Largest.IsZero() {
		a.Largest = one
	}
	if a.Lot.IsZero() {
		a.Lot = one
	}
	switch {
	case !a.Capital.IsPositive() || a.Capital.GreaterThan(tenTo(largestSum)):
		return fmt.Errorf("%w: the capital must be positive, and a sum of money", ErrInput)
	case a.Price.LessThan(tenTo(smallestLot)) || a.Price.GreaterThan(tenTo(largestSum)):
		return fmt.Errorf("%w: the price must be positive, and one of the market", ErrInput)
	case a.Largest.IsNegative() || a.Largest.GreaterThan(decimal.NewFromInt(10)):
		return fmt.Errorf("%w: the largest position is a fraction of the capital; give 20 %% as 0.2", ErrInput)
	case a.Lot.LessThan(tenTo(smallestLot)) || a.Lot.GreaterThan(tenTo(largestSum)):
		return fmt.Errorf("%w: the lot must be positive, and at least %s", ErrInput, tenTo(smallestLot))
	}
	return nil
}

// position takes a share of the capital over what a unit costs of it, down to the
// lot, within the largest position. Both come as they are, so that there is one
// division and its rest is dropped: rounding on the way would give a unit too many,
// or take one from a quotient that is whole.
func (a Account) position(share, perUnit decimal.Decimal, bound string) Position {
	lots := wholeLots(share, perUnit, a.Lot)
	switch most := wholeLots(a.Capital.Mul(a.Largest), a.Price, a.Lot); {
	case lots.GreaterThan(most):
		lots, bound = most, "the largest position allowed"
		if lots.IsZero() {
			bound = "one lot is worth more than the largest position allowed"
		}
	case lots.IsZero() && bound == "":
		bound = "one lot is more than the rule allows"
	}
	units := lots.Mul(a.Lot)
	value := units.Mul(a.Price)
	return Position{Units: units, Value: value, Fraction: value.DivRound(a.Capital, places), Bound: bound}
}

// wholeLots is floor(share / (perUnit * lot)), exactly.
func wholeLots(share, perUnit, lot decimal.Decimal) decimal.Decimal {
	whole, _ := share.QuoRem(perUnit.Mul(lot), 0)
	return whole
}

// ByRisk loses no more than a fraction of the capital when the stop is met:
// units = capital * risk / |price - stop|. Costs and gaps beyond the stop are not
// in it. A stop above the price is one of a short position.
func ByRisk(a Account, risk, stop decimal.Decimal) (Position, error) {
	if err := a.check(); err != nil {
		return Position{}, err
	}
	distance := a.Price.Sub(stop).Abs()
	switch {
	case !risk.IsPositive() || risk.GreaterThan(decimal.New(largestRiskPercent, -2)):
		return Position{}, fmt.Errorf("%w: the risk is a fraction of the capital; give 1 %% as 0.01", ErrInput)
	case !stop.IsPositive() || stop.GreaterThan(tenTo(largestSum)) || distance.IsZero():
		return Position{}, fmt.Errorf("%w: the stop must be positive and not at the price", ErrInput)
	}
	p := a.position(a.Capital.Mul(risk), distance, "")
	p.AtRisk, p.Short = p.Units.Mul(distance), stop.GreaterThan(a.Price)
	return p, nil
}

// ByVolatility holds so much that the position alone moves the capital by the
// target volatility a year: value = capital * target / volatility.
func ByVolatility(a Account, target, volatility decimal.Decimal) (Position, error) {
	if err := a.check(); err != nil {
		return Position{}, err
	}
	if !target.IsPositive() || !volatility.IsPositive() || target.GreaterThan(decimal.NewFromInt(highestVolatility)) || volatility.GreaterThan(decimal.NewFromInt(highestVolatility)) {
		return Position{}, fmt.Errorf("%w: target and volatility are positive fractions a year; give 20 %% as 0.2", ErrInput)
	}
	return a.position(a.Capital.Mul(target), volatility.Mul(a.Price), ""), nil
}

// Bet is a repeated wager with two outcomes.
type Bet struct {
	Win    decimal.Decimal // probability of winning
	Payoff decimal.Decimal // won for each unit staked; an average win over an average loss
	// Part of the full criterion that is staked; one half is usual, because
	// probabilities are guesses. Zero is one half.
	Part decimal.Decimal
}

// Kelly is the fraction of the capital that makes it grow fastest in the long run,
// f = p - (1 - p)/b, and never below zero: a bet that loses on average is not made.
//
// Source: Kelly, A New Interpretation of Information Rate (1956).
func (b Bet) Kelly() (decimal.Decimal, error) {
	one := decimal.NewFromInt(1)
	switch {
	case !b.Win.IsPositive() || b.Win.GreaterThan(one):
		return decimal.Zero, fmt.Errorf("%w: the probability of winning is above 0, and 1 at the most", ErrInput)
	case b.Payoff.LessThan(tenTo(smallestLot)) || b.Payoff.GreaterThan(tenTo(largestSum)):
		return decimal.Zero, fmt.Errorf("%w: the payoff must be positive: an average win over an average loss", ErrInput)
	}
	return decimal.Max(b.edge(), decimal.Zero).DivRound(b.Payoff, places), nil
}

// edge is p b - (1 - p), what a unit staked brings on average: f times the payoff.
func (b Bet) edge() decimal.Decimal {
	return b.Win.Mul(b.Payoff).Sub(decimal.NewFromInt(1).Sub(b.Win))
}

// ByKelly stakes a part of what the criterion says.
func ByKelly(a Account, b Bet) (Position, error) {
	if err := a.check(); err != nil {
		return Position{}, err
	}
	full, err := b.Kelly()
	if err != nil {
		return Position{}, err
	}
	if b.Part.IsZero() {
		b.Part = decimal.New(5, -1)
	}
	if b.Part.IsNegative() || b.Part.GreaterThan(decimal.NewFromInt(1)) {
		return Position{}, fmt.Errorf("%w: the part of Kelly is between 0 and 1", ErrInput)
	}
	bound := ""
	if !full.IsPositive() {
		bound = "a bet that loses on average is not made"
	}
	edge := decimal.Max(b.edge(), decimal.Zero)
	return a.position(a.Capital.Mul(b.Part).Mul(edge), b.Payoff.Mul(a.Price), bound), nil
}
