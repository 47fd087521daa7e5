package fixedincome

import (
	"fmt"
	"math"
	"time"
)

// BondValuation is a bond at a yield, with what its price does when that changes.
type BondValuation struct {
	Clean, Accrued, Dirty float64 // per 100 of face value
	Yield                 float64 // a year, compounded Frequency times
	// Macaulay is the mean time to the payments in years, weighted by their
	// present values.
	Macaulay float64
	// Modified is Macaulay / (1 + y/f): the price falls by about that many per
	// cent when the yield rises by one percentage point.
	Modified float64
	// Convexity is the second derivative of the price by the yield, over the
	// price, in years squared.
	Convexity float64
	// BasisPointValue is how much the dirty price falls when the yield rises by one
	// basis point: Modified * Dirty / 10,000.
	BasisPointValue float64

	Coupons                    int       // still to come
	PreviousCoupon, NextCoupon time.Time // around the settlement
	AccruedDays, PeriodDays    float64   // by the day count
}

// Value works a bond out at a yield. The last period is compounded here, where
// Price discounts it simply: durations are defined so.
func (b Bond) Value(yield float64) (BondValuation, error) {
	clean, err := b.Price(yield)
	if err != nil {
		return BondValuation{}, err
	}
	s := b.schedule()
	f := float64(b.Frequency)
	v := BondValuation{
		Clean: clean, Accrued: b.accrued(s), Yield: yield, Coupons: s.coupons,
		PreviousCoupon: s.previous, NextCoupon: s.next, AccruedDays: s.accrued, PeriodDays: s.length,
	}
	v.Dirty = v.Clean + v.Accrued
	var worth, first, second float64
	for _, p := range b.payments(s) {
		present := p.amount * math.Pow(1+yield/f, -p.periods)
		worth += present
		first += present * p.periods
		second += present * p.periods * (p.periods + 1)
	}
	v.Macaulay = first / worth / f
	v.Modified = v.Macaulay / (1 + yield/f)
	v.Convexity = second / worth / (f * f) / math.Pow(1+yield/f, 2)
	v.BasisPointValue = v.Modified * v.Dirty / 1e4
	for _, x := range []float64{v.Macaulay, v.Modified, v.Convexity, v.BasisPointValue} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return BondValuation{}, fmt.Errorf("%w: at a yield of %v no number can hold the duration", ErrInvalidBond, yield)
		}
	}
	return v, nil
}
