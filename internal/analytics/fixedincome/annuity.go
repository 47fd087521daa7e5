package fixedincome

import (
	"fmt"
	"math"
)

// Annuity is a present value, a level payment per period and a future value that balance at a rate:
//
//	pv (1+i)^n + payment (1 + i due) ((1+i)^n - 1)/i + fv = 0
//
// Payments are negative, receipts positive, and at rate zero the middle term is payment n. Due is 1
// for payments at the start of a period and 0 for the end. The convention is that of the
// spreadsheet functions PV, FV, PMT, NPER and RATE.
type Annuity struct {
	Rate        float64 // per period
	Periods     float64
	Present     float64
	Payment     float64
	Future      float64
	AtBeginning bool
}

func (a Annuity) paymentDueFactor() float64 {
	if a.AtBeginning {
		return 1
	}
	return 0
}

// factors returns the growth factor (1+i)^n as grown, and the future value of payments of one
// as annuity.
func (a Annuity) factors() (grown, annuity float64) {
	if a.Rate == 0 {
		return 1, a.Periods
	}
	grown = math.Exp(a.Periods * math.Log1p(a.Rate))
	return grown, (1 + a.Rate*a.paymentDueFactor()) * math.Expm1(a.Periods*math.Log1p(a.Rate)) / a.Rate
}

// balance returns the left side of the equation.
func (a Annuity) balance() float64 {
	grown, annuity := a.factors()
	return a.Present*grown + a.Payment*annuity + a.Future
}

func (a Annuity) check() error {
	if a.Rate <= -1 {
		return fmt.Errorf("%w: the rate must be above -100%%", ErrInvalidCashFlow)
	}
	if a.Periods < 0 {
		return fmt.Errorf("%w: the number of periods is negative", ErrInvalidCashFlow)
	}
	return nil
}

// SolveFuture returns the future value that follows from the other values.
func (a Annuity) SolveFuture() (float64, error) {
	if err := a.check(); err != nil {
		return 0, err
	}
	grown, annuity := a.factors()
	return checkFinite(-(a.Present*grown + a.Payment*annuity))
}

// SolvePresent returns the present value that follows from the other values.
func (a Annuity) SolvePresent() (float64, error) {
	if err := a.check(); err != nil {
		return 0, err
	}
	grown, annuity := a.factors()
	return checkFinite(-(a.Payment*annuity + a.Future) / grown)
}

// SolvePayment returns the level payment that follows from the other values.
func (a Annuity) SolvePayment() (float64, error) {
	if err := a.check(); err != nil {
		return 0, err
	}
	if a.Periods == 0 {
		return 0, fmt.Errorf("%w: the number of payment periods is zero", ErrInvalidCashFlow)
	}
	grown, annuity := a.factors()
	return checkFinite(-(a.Present*grown + a.Future) / annuity)
}

// SolvePeriods returns the number of periods that follows from the other values, whole or not:
// ln((p - fv i)/(pv i + p))/ln(1+i) with p = payment (1 + i due).
func (a Annuity) SolvePeriods() (float64, error) {
	a.Periods = 0
	if err := a.check(); err != nil {
		return 0, err
	}
	if a.Rate == 0 {
		if a.Payment == 0 {
			return 0, fmt.Errorf("%w: rate and payment are both zero", ErrNoRate)
		}
		return checkPositive(-(a.Present + a.Future) / a.Payment)
	}
	p := a.Payment * (1 + a.Rate*a.paymentDueFactor())
	ratio := (p - a.Future*a.Rate) / (a.Present*a.Rate + p)
	if !(ratio > 0) || math.IsInf(ratio, 0) {
		return 0, fmt.Errorf("%w: the payments never reach the target, for example because the interest is larger", ErrNoRate)
	}
	return checkPositive(math.Log(ratio) / math.Log1p(a.Rate))
}

// SolveRate returns all rates per period that solve the annuity, in ascending order; there may be
// several if payments have both signs. The error is ErrNoRate if no rate does, or if every rate does
// because the payments cancel out.
func (a Annuity) SolveRate() ([]float64, error) {
	a.Rate = 0
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.Periods == 0 {
		return nil, fmt.Errorf("%w: the number of growth periods is zero", ErrInvalidCashFlow)
	}
	var rates []float64
	for _, x := range roots(a.scaledAt, lowestLog, highestLog) {
		rates = append(rates, rateFromLog(x))
	}
	// Present value, payments and future value have at most two sign changes, so more roots mean that the
	// sum is always zero except for rounding.
	if len(rates) > 2 {
		return nil, fmt.Errorf("%w: the payments cancel out at every rate", ErrNoRate)
	}
	if len(rates) == 0 {
		return nil, fmt.Errorf("%w: check the signs: payments are negative, receipts positive", ErrNoRate)
	}
	return rates, nil
}

// scaledAt returns the balance at ln(1+i) = x, divided by (1+i)^n if that is large: the sign is the
// same, and nothing overflows.
func (a Annuity) scaledAt(x float64) float64 {
	a.Rate = math.Expm1(x)
	if x <= 0 {
		return a.balance()
	}
	shrunk := math.Exp(-a.Periods * x)
	annuity := (1 + a.Rate*a.paymentDueFactor()) * -math.Expm1(-a.Periods*x) / a.Rate
	return a.Present + a.Payment*annuity + a.Future*shrunk
}

func checkFinite(v float64) (float64, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%w: the numbers are too large", ErrInvalidCashFlow)
	}
	return v + 0, nil // turns -0 into 0
}

func checkPositive(v float64) (float64, error) {
	if v < 0 {
		return 0, fmt.Errorf("%w: the number of periods would be negative; check the signs", ErrNoRate)
	}
	return checkFinite(v)
}
