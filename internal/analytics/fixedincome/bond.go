package fixedincome

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrInvalidBond means an invalid bond or price; the message gives the reason.
var ErrInvalidBond = errors.New("invalid input")

// Bond is a fixed-coupon bond as of a settlement date.
type Bond struct {
	Settlement, Maturity time.Time
	Coupon               float64 // annual, as a fraction of face value; zero for a zero-coupon bond
	Frequency            int     // coupons a year: 1, 2, 4 or 12
	Redemption           float64 // per 100 of face value, mostly 100
	Basis                DayCount
}

// couponSchedule is the position of the settlement date between two coupons.
type couponSchedule struct {
	previous, next time.Time
	coupons        int     // still to come
	accrued        float64 // days since the previous coupon
	length         float64 // days of the period
}

// fraction returns the part of the coupon period that remains after settlement: the whole less what has
// accrued, as in spreadsheets. With act/360 a period can have more days than its nominal length. Its last
// days then count as zero, because a negative fraction would discount the next coupon backwards and invert
// yields.
func (s couponSchedule) fraction() float64 { return math.Max((s.length-s.accrued)/s.length, 0) }

// Plausibility limits: a higher coupon is a percentage passed as a fraction, and a higher redemption is per
// 1000 of face value.
const (
	maxBondYears      = 200
	highestCoupon     = 1
	highestRedemption = 500
)

func (b Bond) check() error {
	switch {
	case !b.Maturity.After(b.Settlement):
		return fmt.Errorf("%w: the maturity %s is not after the settlement %s", ErrInvalidBond, b.Maturity.Format(time.DateOnly), b.Settlement.Format(time.DateOnly))
	case b.Maturity.Year()-b.Settlement.Year() > maxBondYears:
		return fmt.Errorf("%w: the maturity is more than %d years away", ErrInvalidBond, maxBondYears)
	case b.Frequency != 1 && b.Frequency != 2 && b.Frequency != 4 && b.Frequency != 12:
		return fmt.Errorf("%w: the number of coupons per year must be 1, 2, 4 or 12", ErrInvalidBond)
	case !(b.Coupon >= 0) || b.Coupon > highestCoupon:
		return fmt.Errorf("%w: invalid coupon %v; write 5%% as 0.05", ErrInvalidBond, b.Coupon)
	case !(b.Redemption > 0) || b.Redemption > highestRedemption:
		return fmt.Errorf("%w: invalid redemption %v; it must be positive, per 100 of face value", ErrInvalidBond, b.Redemption)
	}
	return b.Basis.check()
}

// schedule counts coupons back from maturity. If the bond matures at the end of a month, all its coupons
// are at month ends.
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

// monthsBefore returns the date n months before d. The end of a month stays the end of a month.
func monthsBefore(d time.Time, n int) time.Time {
	first := time.Date(d.Year(), d.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	if d.AddDate(0, 0, 1).Day() == 1 {
		return first.AddDate(0, 0, last-1)
	}
	return first.AddDate(0, 0, min(d.Day(), last)-1)
}

func (b Bond) accrued(s couponSchedule) float64 { return b.couponAmount() * s.accrued / s.length }

// couponAmount returns one coupon per 100 of face value.
func (b Bond) couponAmount() float64 { return 100 * b.Coupon / float64(b.Frequency) }

// dirtyPrice returns the present value of all payments at a yield: with v = 1/(1 + y/f) and w the fraction
// of a period until the next coupon, sum(c v^(w+k)) + redemption v^(w+n-1). The last coupon period uses
// simple interest, as is market practice.
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

// Price returns the clean price per 100 of face value at a yield to maturity, which is compounded as often
// as coupons are paid.
func (b Bond) Price(yield float64) (float64, error) {
	if err := b.check(); err != nil {
		return 0, err
	}
	if !(yield >= lowestYield) || yield > highestYield {
		return 0, fmt.Errorf("%w: invalid yield %v; write 5%% as 0.05", ErrInvalidBond, yield)
	}
	s := b.schedule()
	price := b.dirtyPrice(s, yield) - b.accrued(s)
	if math.IsNaN(price) || math.IsInf(price, 0) {
		return 0, fmt.Errorf("%w: the price is out of range at a yield of %v", ErrInvalidBond, yield)
	}
	return price, nil
}

// Bounds of a yield.
const (
	lowestYield    = -0.99
	highestYield   = 100 // 10,000%
	basisPoint     = 1e-4
	priceTolerance = 1e-13
)

// Yield returns the yield to maturity for a clean price. The price falls as the yield rises, so there is at
// most one. A price without a yield is ErrInvalidBond, and so is any price on the last day, when no time is
// left.
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

// BondValuation is the price of a bond at a yield, with its sensitivities.
type BondValuation struct {
	Clean, Accrued, Dirty float64 // per 100 of face value
	Yield                 float64 // annual, compounded Frequency times
	// Macaulay is the mean time to the payments in years, weighted by their present values.
	Macaulay float64
	// Modified is Macaulay / (1 + y/f): about how many percent the price falls when the yield rises by one
	// percentage point.
	Modified float64
	// Convexity is the second derivative of the price with respect to the yield, divided by the price, in
	// years squared.
	Convexity float64
	// BasisPointValue is how much the price falls when the yield rises by one basis point. In the last
	// coupon period it is not Modified * Dirty / 10,000, because the price uses simple interest there.
	BasisPointValue float64

	Coupons                    int       // still to come
	PreviousCoupon, NextCoupon time.Time // around the settlement
}

// Value computes a bond at a yield. Its durations compound the last coupon period, as they are defined,
// although Price uses simple interest there.
func (b Bond) Value(yield float64) (BondValuation, error) {
	clean, err := b.Price(yield)
	if err != nil {
		return BondValuation{}, err
	}
	s := b.schedule()
	f := float64(b.Frequency)
	v := BondValuation{
		Clean: clean, Accrued: b.accrued(s), Yield: yield, Coupons: s.coupons,
		PreviousCoupon: s.previous, NextCoupon: s.next,
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
	v.BasisPointValue = v.Dirty - b.dirtyPrice(s, yield+basisPoint)
	for _, x := range []float64{v.Macaulay, v.Modified, v.Convexity, v.BasisPointValue} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return BondValuation{}, fmt.Errorf("%w: the duration is out of range at a yield of %v", ErrInvalidBond, yield)
		}
	}
	return v, nil
}

// DayCount is a convention for the days between two dates and the days of a year.
type DayCount string

// Day count conventions.
const (
	Thirty360   DayCount = "30/360"  // US (NASD): corporate and municipal bonds
	ThirtyE360  DayCount = "30E/360" // European
	ActAct      DayCount = "act/act" // ICMA: government bonds
	Actual360   DayCount = "act/360" // money market
	Actual365   DayCount = "act/365" // fixed
	daysOf360            = 360.0
	daysOf365            = 365.0
	hoursPerDay          = 24
)

// DayCounts returns all day count conventions.
func DayCounts() []DayCount {
	return []DayCount{Thirty360, ThirtyE360, ActAct, Actual360, Actual365}
}

// Days counts the days from a to b.
func (c DayCount) Days(a, b time.Time) float64 {
	switch c {
	case Thirty360:
		return days360(a, b, usDays360)
	case ThirtyE360:
		return days360(a, b, europeanDays360)
	}
	return b.Sub(a).Hours() / hoursPerDay
}

// period returns the days of a coupon period from a to b: by definition a fraction of a year,
// except for act/act, which uses the calendar.
func (c DayCount) period(a, b time.Time, frequency int) float64 {
	switch c {
	case ActAct:
		return c.Days(a, b)
	case Actual365:
		return daysOf365 / float64(frequency)
	}
	return daysOf360 / float64(frequency)
}

func (c DayCount) check() error {
	for _, known := range DayCounts() {
		if c == known {
			return nil
		}
	}
	return fmt.Errorf("%w: day count %q; use one of %v", ErrInvalidBond, c, DayCounts())
}

func days360(a, b time.Time, days func(a, b time.Time) (int, int)) float64 {
	first, last := days(a, b)
	return float64(360*(b.Year()-a.Year()) + 30*(int(b.Month())-int(a.Month())) + last - first)
}

func usDays360(a, b time.Time) (first, last int) {
	first, last = a.Day(), b.Day()
	if endOfFebruary(a) && endOfFebruary(b) {
		last = 30
	}
	if endOfFebruary(a) {
		first = 30
	}
	if last == 31 && first >= 30 {
		last = 30
	}
	return min(first, 30), last
}

func europeanDays360(a, b time.Time) (first, last int) { return min(a.Day(), 30), min(b.Day(), 30) }

func endOfFebruary(d time.Time) bool {
	return d.Month() == time.February && d.AddDate(0, 0, 1).Month() == time.March
}
