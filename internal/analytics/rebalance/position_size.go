package rebalance

import (
	"errors"
	"fmt"

	"github.com/shopspring/decimal"
)

// ErrInvalidSize means an invalid input; the message gives the reason.
var ErrInvalidSize = errors.New("invalid input")

// PositionSize is the size of a position to buy or, if Short is set, to sell short.
type PositionSize struct {
	Units    decimal.Decimal // of the instrument, rounded down to the lot
	Value    decimal.Decimal // units * price
	Fraction decimal.Decimal // of the capital, after rounding
	AtRisk   decimal.Decimal // loss at the stop; zero without a stop
	Short    bool
	// Bound is the limit that made the position smaller than the rule did, or "".
	Bound string
}

// SizingAccount is the account for which a position is sized.
type SizingAccount struct {
	Capital decimal.Decimal
	Price   decimal.Decimal // of one unit
	// Largest is the largest position as a fraction of the capital. Zero means 1, so that nothing is
	// borrowed unless requested.
	Largest decimal.Decimal
	Lot     decimal.Decimal // smallest number of units (default 1)
}

const quotientPlaces = 12 // of reported quotients

// Limits of fractions. Higher values are probably percentages.
const (
	largestRiskPercent = 50 // 1 would risk everything, or is meant as 1%
	highestVolatility  = 5
	smallestLot        = -12 // power of ten
	largestSum         = 18
)

func powerOfTen(power int32) decimal.Decimal { return decimal.New(1, power) }

func (a *SizingAccount) check() error {
	one := decimal.NewFromInt(1)
	if a.Largest.IsZero() {
		a.Largest = one
	}
	if a.Lot.IsZero() {
		a.Lot = one
	}
	switch {
	case !a.Capital.IsPositive() || a.Capital.GreaterThan(powerOfTen(largestSum)):
		return fmt.Errorf("%w: the capital must be a positive amount", ErrInvalidSize)
	case a.Price.LessThan(powerOfTen(smallestLot)) || a.Price.GreaterThan(powerOfTen(largestSum)):
		return fmt.Errorf("%w: the price must be a positive market price", ErrInvalidSize)
	case a.Largest.IsNegative() || a.Largest.GreaterThan(decimal.NewFromInt(10)):
		return fmt.Errorf("%w: the largest position is a fraction of the capital; write 20%% as 0.2", ErrInvalidSize)
	case a.Lot.LessThan(powerOfTen(smallestLot)) || a.Lot.GreaterThan(powerOfTen(largestSum)):
		return fmt.Errorf("%w: the lot must be at least %s", ErrInvalidSize, powerOfTen(smallestLot))
	}
	return nil
}

// positionSize divides share by perUnit, rounded down to the lot, within the largest position. Both must be
// unrounded, so that there is only one division: rounding earlier could add or drop a unit.
func (a SizingAccount) positionSize(share, perUnit decimal.Decimal, bound string) PositionSize {
	lots := floorLots(share, perUnit, a.Lot)
	switch most := floorLots(a.Capital.Mul(a.Largest), a.Price, a.Lot); {
	case lots.GreaterThan(most):
		lots, bound = most, "the maximum position size"
		if lots.IsZero() {
			bound = "one lot costs more than the maximum position size"
		}
	case lots.IsZero() && bound == "":
		bound = "one lot exceeds the limit"
	}
	units := lots.Mul(a.Lot)
	value := units.Mul(a.Price)
	return PositionSize{Units: units, Value: value, Fraction: value.DivRound(a.Capital, quotientPlaces), Bound: bound}
}

// floorLots returns share / (perUnit * lot) rounded down, exactly.
func floorLots(share, perUnit, lot decimal.Decimal) decimal.Decimal {
	whole, _ := share.QuoRem(perUnit.Mul(lot), 0)
	return whole
}

// SizeByRisk returns the position that loses at most a fraction of the capital if the stop is reached:
// units = capital * risk / |price - stop|. Costs and gaps beyond the stop are not included. A stop above
// the price means a short position.
func SizeByRisk(a SizingAccount, risk, stop decimal.Decimal) (PositionSize, error) {
	if err := a.check(); err != nil {
		return PositionSize{}, err
	}
	distance := a.Price.Sub(stop).Abs()
	switch {
	case !risk.IsPositive() || risk.GreaterThan(decimal.New(largestRiskPercent, -2)):
		return PositionSize{}, fmt.Errorf("%w: the risk is a fraction of the capital; write 1%% as 0.01", ErrInvalidSize)
	case !stop.IsPositive() || stop.GreaterThan(powerOfTen(largestSum)) || distance.IsZero():
		return PositionSize{}, fmt.Errorf("%w: the stop must be positive and different from the price", ErrInvalidSize)
	}
	p := a.positionSize(a.Capital.Mul(risk), distance, "")
	p.AtRisk, p.Short = p.Units.Mul(distance), stop.GreaterThan(a.Price)
	return p, nil
}

// SizeByVolatility returns the position that by itself gives the capital the target annual volatility:
// value = capital * target / volatility.
func SizeByVolatility(a SizingAccount, target, volatility decimal.Decimal) (PositionSize, error) {
	if err := a.check(); err != nil {
		return PositionSize{}, err
	}
	if !target.IsPositive() || !volatility.IsPositive() || target.GreaterThan(decimal.NewFromInt(highestVolatility)) || volatility.GreaterThan(decimal.NewFromInt(highestVolatility)) {
		return PositionSize{}, fmt.Errorf("%w: target and volatility are positive annual fractions; write 20%% as 0.2", ErrInvalidSize)
	}
	return a.positionSize(a.Capital.Mul(target), volatility.Mul(a.Price), ""), nil
}

// Bet is a repeated wager with two outcomes.
type Bet struct {
	Win    decimal.Decimal // probability of winning
	Payoff decimal.Decimal // gain per unit staked: average win / average loss
	// KellyShare is the fraction of the full Kelly stake to use. The default of one half is usual, because
	// probabilities are estimates.
	KellyShare decimal.Decimal
}

// Kelly returns the fraction of the capital that maximizes its long-term growth, f = p - (1 - p)/b, or zero
// for a bet that loses on average.
//
// Source: Kelly, A New Interpretation of Information Rate (1956).
func (b Bet) Kelly() (decimal.Decimal, error) {
	one := decimal.NewFromInt(1)
	switch {
	case !b.Win.IsPositive() || b.Win.GreaterThan(one):
		return decimal.Zero, fmt.Errorf("%w: the win probability must be above 0 and at most 1", ErrInvalidSize)
	case b.Payoff.LessThan(powerOfTen(smallestLot)) || b.Payoff.GreaterThan(powerOfTen(largestSum)):
		return decimal.Zero, fmt.Errorf("%w: the payoff (average win divided by average loss) must be positive and at most %s", ErrInvalidSize, powerOfTen(largestSum))
	}
	return decimal.Max(b.edge(), decimal.Zero).DivRound(b.Payoff, quotientPlaces), nil
}

// edge returns p b - (1 - p), the expected return per unit staked, which is f times the payoff.
func (b Bet) edge() decimal.Decimal {
	return b.Win.Mul(b.Payoff).Sub(decimal.NewFromInt(1).Sub(b.Win))
}

// SizeByKelly stakes a fraction of the Kelly criterion.
func SizeByKelly(a SizingAccount, b Bet) (PositionSize, error) {
	if err := a.check(); err != nil {
		return PositionSize{}, err
	}
	full, err := b.Kelly()
	if err != nil {
		return PositionSize{}, err
	}
	if b.KellyShare.IsZero() {
		b.KellyShare = decimal.New(5, -1)
	}
	if b.KellyShare.IsNegative() || b.KellyShare.GreaterThan(decimal.NewFromInt(1)) {
		return PositionSize{}, fmt.Errorf("%w: the Kelly fraction must be between 0 and 1", ErrInvalidSize)
	}
	bound := ""
	if !full.IsPositive() {
		bound = "a bet with a negative expected value gets no position"
	}
	edge := decimal.Max(b.edge(), decimal.Zero)
	return a.positionSize(a.Capital.Mul(b.KellyShare).Mul(edge), b.Payoff.Mul(a.Price), bound), nil
}
