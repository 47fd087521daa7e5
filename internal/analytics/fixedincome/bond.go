package fixedincome

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrInvalidBond marks what cannot be a bond or a price of one; the message says why.
var ErrInvalidBond = errors.New("impossible input")

// Bond is a bond with fixed coupons on a day of settlement.
type Bond struct {
	Settlement, Maturity time.Time
	Coupon               float64 // a year, a fraction of face value; zero is a zero-coupon bond
	Frequency            int     // coupons a year: 1, 2, 4 or 12
	Redemption           float64 // per 100 of face value, mostly 100
	Basis                DayCount
}

// couponSchedule is where the settlement lies between coupons.
type couponSchedule struct {
	previous, next time.Time
	coupons        int     // still to come
	accrued        float64 // days since the previous coupon
	length         float64 // days of the period
}

// fraction is the part of the period that is still to come, all of it less what
// has accrued, as spreadsheets have it. By act/360 a period has more days than its
// definition, and on its last days nothing is left: less than nothing would
// discount the next coupon backwards, and turn yields around.
func (s couponSchedule) fraction() float64 { return math.Max((s.length-s.accrued)/s.length, 0) }

// Bounds of what is taken for a bond: rates above are per cents given as fractions,
// a redemption above is one of 1000 of face value.
const (
	maxBondYears      = 200
	highestCoupon     = 1
	highestRedemption = 500
)

func (b Bond) check() error {
	switch {
	case !b.Maturity.After(b.Settlement):
		return fmt.Errorf("%w: the bond matures on %s, not after the settlement on %s", ErrInvalidBond, b.Maturity.Format(time.DateOnly), b.Settlement.Format(time.DateOnly))
	case b.Maturity.Year()-b.Settlement.Year() > maxBondYears:
		return fmt.Errorf("%w: a maturity of more than %d years", ErrInvalidBond, maxBondYears)
	case b.Frequency != 1 && b.Frequency != 2 && b.Frequency != 4 && b.Frequency != 12:
		return fmt.Errorf("%w: coupons are paid 1, 2, 4 or 12 times a year", ErrInvalidBond)
	case !(b.Coupon >= 0) || b.Coupon > highestCoupon:
		return fmt.Errorf("%w: a coupon of %v; give 5 %% as 0.05", ErrInvalidBond, b.Coupon)
	case !(b.Redemption > 0) || b.Redemption > highestRedemption:
		return fmt.Errorf("%w: a redemption of %v; it is per 100 of face value and positive", ErrInvalidBond, b.Redemption)
	}
	return b.Basis.check()
}

// schedule counts the coupons back from the maturity; a maturity at the end of a
// month has its coupons there.
func (b Bond) schedule() couponSchedule {
	months := 12 / b.Frequency
	s := couponSchedule{next: b.Maturity}
	for n := 1; ; n++ {
		date := monthsBefore(b.Maturity, n*months)
		s.coupons, s.previous = n, date
		if !date.After(b.Settlement) {
			break
		}
		s.next = date
	}
	s.accrued = b.Basis.Days(s.previous, b.Settlement)
	s.length = b.Basis.period(s.previous, s.next, b.Frequency)
	return s
}

// monthsBefore keeps the end of a month at the end of a month.
func monthsBefore(d time.Time, n int) time.Time {
	first := time.Date(d.Year(), d.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	if d.AddDate(0, 0, 1).Day() == 1 {
		return first.AddDate(0, 0, last-1)
	}
	return first.AddDate(0, 0, min(d.Day(), last)-1)
}

func (b Bond) accrued(s couponSchedule) float64 { return b.couponAmount() * s.accrued / s.length }

// couponAmount is one coupon.
func (b Bond) couponAmount() float64 { return 100 * b.Coupon / float64(b.Frequency) }

// dirtyPrice is the value of all payments at a yield: with v = 1/(1 + y/f) and w the
// part of the period to the next coupon, sum(c v^(w+k)) + redemption v^(w+n-1). The
// last period of a bond is discounted with simple interest, as the market does.
func (b Bond) dirtyPrice(s couponSchedule, yield float64) float64 {
	f, w := float64(b.Frequency), s.fraction()
	if s.coupons == 1 {
		return (b.Redemption + b.couponAmount()) / (1 + w*yield/f)
	}
	total := 0.0
	for _, p := range b.payments(s) {
		total += p.amount * math.Pow(1+yield/f, -p.periods)
	}
	return total
}

type bondPayment struct{ periods, amount float64 }

func (b Bond) payments(s couponSchedule) []bondPayment {
	out := make([]bondPayment, s.coupons)
	for k := range out {
		out[k] = bondPayment{s.fraction() + float64(k), b.couponAmount()}
	}
	out[s.coupons-1].amount += b.Redemption
	return out
}

// Price is the clean price per 100 of face value at a yield to maturity that is
// compounded as often as coupons are paid.
func (b Bond) Price(yield float64) (float64, error) {
	if err := b.check(); err != nil {
		return 0, err
	}
	if err := checkYield(yield); err != nil {
		return 0, err
	}
	s := b.schedule()
	price := b.dirtyPrice(s, yield) - b.accrued(s)
	if math.IsNaN(price) || math.IsInf(price, 0) {
		return 0, fmt.Errorf("%w: at a yield of %v no number can hold the price", ErrInvalidBond, yield)
	}
	return price, nil
}

func checkYield(yield float64) error {
	if !(yield >= lowestYield) || yield > highestYield {
		return fmt.Errorf("%w: a yield of %v; give 5 %% as 0.05", ErrInvalidBond, yield)
	}
	return nil
}

// Bounds of a yield.
const (
	lowestYield    = -0.99
	highestYield   = 100 // ten thousand per cent
	priceTolerance = 1e-13
)

// Yield is the yield to maturity at which the bond has a clean price. The price
// falls as the yield rises, so there is one at most; a price that none gives is
// ErrInvalidBond, and so is any on the last day, when no time is left to earn in.
func (b Bond) Yield(clean float64) (float64, error) {
	if err := b.check(); err != nil {
		return 0, err
	}
	s := b.schedule()
	target := clean + b.accrued(s)
	low, high := float64(lowestYield), float64(highestYield)
	if most := b.dirtyPrice(s, low); !(clean > 0) || most < target || b.dirtyPrice(s, high) > target || most == b.dirtyPrice(s, high) {
		return 0, fmt.Errorf("%w: no yield gives a price of %v; prices are per 100 of face value, without accrued interest", ErrInvalidBond, clean)
	}
	for high-low > priceTolerance*math.Max(1, math.Abs(high)) {
		middle := low + (high-low)/2
		if middle == low || middle == high {
			break
		}
		if b.dirtyPrice(s, middle) > target {
			low = middle
		} else {
			high = middle
		}
	}
	return low + (high-low)/2, nil
}
