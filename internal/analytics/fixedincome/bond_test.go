package fixedincome_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
)

func bondDay(t testing.TB, s string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func nearPrice(got, want, within float64) bool { return math.Abs(got-want) <= within }

func semiannual(t testing.TB, settlement, maturity string, coupon float64, basis fixedincome.DayCount) fixedincome.Bond {
	t.Helper()
	return fixedincome.Bond{Settlement: bondDay(t, settlement), Maturity: bondDay(t, maturity), Coupon: coupon, Frequency: 2, Redemption: 100, Basis: basis}
}

// Examples of Microsoft's documentation of PRICE, YIELD, DURATION and MDURATION.
func TestBond_IsThatOfSpreadsheets(t *testing.T) {
	if got, err := semiannual(t, "2008-02-15", "2017-11-15", 0.0575, fixedincome.Thirty360).Price(0.065); err != nil || !nearPrice(got, 94.63436, 1e-5) {
		t.Errorf("PRICE = %v, %v; want 94.63436", got, err)
	}
	if got, err := semiannual(t, "2008-02-15", "2016-11-15", 0.0575, fixedincome.Thirty360).Yield(95.04287); err != nil || !nearPrice(got, 0.065, 1e-7) {
		t.Errorf("YIELD = %v, %v; want 0.065", got, err)
	}
	if got, err := semiannual(t, "2018-07-01", "2048-01-01", 0.08, fixedincome.ActAct).Value(0.09); err != nil || !nearPrice(got.Macaulay, 10.9191453, 1e-6) {
		t.Errorf("DURATION = %v, %v; want 10.9191453", got.Macaulay, err)
	}
	if got, err := semiannual(t, "2008-01-01", "2016-01-01", 0.08, fixedincome.ActAct).Value(0.09); err != nil || !nearPrice(got.Modified, 5.73567, 1e-5) {
		t.Errorf("MDURATION = %v, %v; want 5.73567", got.Modified, err)
	}
}

// On a coupon day at a yield equal to the coupon a bond is worth its face value.
func TestBond_AtItsCouponItIsWorthPar(t *testing.T) {
	for _, basis := range fixedincome.DayCounts() {
		b := semiannual(t, "2024-05-15", "2034-05-15", 0.04, basis)
		got, err := b.Value(0.04)
		if err != nil || !nearPrice(got.Clean, 100, 1e-9) || got.Accrued != 0 || got.Coupons != 20 {
			t.Errorf("%s: %+v, %v; want 100 clean, nothing accrued, 20 coupons", basis, got, err)
		}
	}
}

// The duration of a zero-coupon bond of whole years is its time to maturity.
func TestBond_AZerosDurationIsItsTime(t *testing.T) {
	b := fixedincome.Bond{Settlement: bondDay(t, "2024-01-01"), Maturity: bondDay(t, "2034-01-01"), Frequency: 1, Redemption: 100, Basis: fixedincome.ActAct}
	got, err := b.Value(0.05)
	if err != nil || !nearPrice(got.Clean, 100/math.Pow(1.05, 10), 1e-9) || !nearPrice(got.Macaulay, 10, 1e-9) || !nearPrice(got.Convexity, 110/math.Pow(1.05, 2), 1e-9) {
		t.Errorf("zero = %+v, %v", got, err)
	}
}

// A 6% bond settled 2024-03-01 on 30/360: 106 of 180 days since November 15.
func TestBond_AccruesByItsDayCount(t *testing.T) {
	for basis, want := range map[fixedincome.DayCount]float64{
		fixedincome.Thirty360: 3 * 106.0 / 180, fixedincome.ActAct: 3 * 107.0 / 182, fixedincome.Actual360: 3 * 107.0 / 180, fixedincome.Actual365: 3 * 107.0 / 182.5,
	} {
		if got, err := semiannual(t, "2024-03-01", "2030-05-15", 0.06, basis).Value(0.05); err != nil || !nearPrice(got.Accrued, want, 1e-9) {
			t.Errorf("%s: accrued = %v, %v; want %v", basis, got.Accrued, err, want)
		}
	}
}

func TestDayCount_EndsOfMonths(t *testing.T) {
	for _, tc := range []struct {
		basis    fixedincome.DayCount
		from, to string
		want     float64
	}{
		{fixedincome.Thirty360, "2024-01-30", "2024-03-31", 60}, {fixedincome.ThirtyE360, "2024-01-31", "2024-03-31", 60},
		{fixedincome.Thirty360, "2024-01-15", "2024-03-31", 76}, {fixedincome.ThirtyE360, "2024-01-15", "2024-03-31", 75},
		{fixedincome.Thirty360, "2023-02-28", "2024-02-29", 360}, {fixedincome.Thirty360, "2023-02-28", "2023-08-31", 180},
		{fixedincome.ActAct, "2024-02-28", "2024-03-01", 2},
		// From the last day of February on: 30 days. February 28 of a leap year is not the last day.
		{fixedincome.Thirty360, "2023-02-28", "2023-03-01", 1}, {fixedincome.Thirty360, "2024-02-28", "2024-03-01", 3},
		{fixedincome.Thirty360, "2024-02-29", "2024-03-31", 30}, {fixedincome.Thirty360, "2024-02-15", "2024-02-29", 14},
		{fixedincome.Thirty360, "2024-01-31", "2024-02-29", 29}, {fixedincome.ThirtyE360, "2024-02-29", "2024-03-31", 31},
		{fixedincome.Thirty360, "2024-08-31", "2025-02-28", 178}, {fixedincome.Thirty360, "2024-05-31", "2024-08-31", 90},
	} {
		if got := tc.basis.Days(bondDay(t, tc.from), bondDay(t, tc.to)); got != tc.want {
			t.Errorf("%s days from %s to %s = %v, want %v", tc.basis, tc.from, tc.to, got, tc.want)
		}
	}
}

func TestBond_CouponsOfTheEndOfAMonthStayThere(t *testing.T) {
	got, err := semiannual(t, "2024-03-15", "2030-08-31", 0.05, fixedincome.ActAct).Value(0.05)
	if err != nil || !got.PreviousCoupon.Equal(bondDay(t, "2024-02-29")) || !got.NextCoupon.Equal(bondDay(t, "2024-08-31")) {
		t.Errorf("coupons %s and %s, %v; want 2024-02-29 and 2024-08-31", got.PreviousCoupon, got.NextCoupon, err)
	}
}

// The last period by hand, at 30/360 from November 15: 45 of 180 days are left on
// March 30; 102.5 at half of 6% simple, less 2.5 * 135/180.
func TestBond_TheLastPeriodIsDiscountedSimply(t *testing.T) {
	b := semiannual(t, "2024-03-30", "2024-05-15", 0.05, fixedincome.Thirty360)
	want := 102.5/(1+0.06/2*45/180) - 2.5*135/180
	if got, err := b.Price(0.06); err != nil || !nearPrice(got, want, 1e-12) {
		t.Errorf("price = %v, %v; want %v", got, err, want)
	}
	if got, err := b.Yield(want); err != nil || !nearPrice(got, 0.06, 1e-10) {
		t.Errorf("yield = %v, %v; want 6 %%", got, err)
	}
	if got, err := b.Value(0.06); err != nil || got.Coupons != 1 || !nearPrice(got.Macaulay, 45.0/360, 1e-12) {
		t.Errorf("value = %+v, %v; want an eighth of a year", got, err)
	}
}

// By act/360 the 184 days of a half year are more than its 180. On the last of them nothing is left to
// discount, and the price must still fall when the yield rises.
func TestBond_DaysBeyondThePeriodDoNotTurnYieldsAround(t *testing.T) {
	last := semiannual(t, "2024-09-13", "2024-09-15", 0.05, fixedincome.Actual360)
	low, errLow := last.Price(0.01)
	high, errHigh := last.Price(0.90)
	if errLow != nil || errHigh != nil || high > low {
		t.Errorf("price at 1 %% = %v, %v; at 90 %% = %v, %v; want no more", low, errLow, high, errHigh)
	}
	if got, err := last.Yield(low); !errors.Is(err, fixedincome.ErrInvalidBond) {
		t.Errorf("yield of the last day = %v, %v; want ErrInput, as every yield gives the price", got, err)
	}
	longer := semiannual(t, "2024-09-13", "2029-09-15", 0.05, fixedincome.Actual360)
	v, err := longer.Value(0.05)
	if err != nil || v.Accrued <= 100*0.05/2 || !nearPrice(v.Clean, 100, 0.1) {
		t.Errorf("value = %+v, %v; want about par", v, err)
	}
}

func TestBond_AYieldNearMinusOneHoldsNoPrice(t *testing.T) {
	b := fixedincome.Bond{Settlement: bondDay(t, "2024-01-01"), Maturity: bondDay(t, "2224-01-01"), Frequency: 1, Redemption: 100, Basis: fixedincome.ActAct}
	if got, err := b.Value(-0.99); !errors.Is(err, fixedincome.ErrInvalidBond) {
		t.Errorf("value = %+v, %v; want ErrInput, no infinity", got, err)
	}
	if got, err := b.Price(-0.99); !errors.Is(err, fixedincome.ErrInvalidBond) {
		t.Errorf("price = %v, %v; want ErrInput, no infinity", got, err)
	}
	for yield := -0.99; yield < -0.5; yield += 0.01 {
		got, err := b.Value(yield)
		if err != nil && !errors.Is(err, fixedincome.ErrInvalidBond) || math.IsNaN(got.Macaulay) || math.IsInf(got.Convexity, 0) {
			t.Errorf("value at %v = %+v, %v", yield, got, err)
		}
	}
}

func TestBond_YieldAndPriceAreInverse(t *testing.T) {
	source := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		b := fixedincome.Bond{
			Settlement: bondDay(t, "2024-01-01").AddDate(0, 0, source.IntN(365)), Coupon: 0.1 * source.Float64(), Redemption: 100,
			Frequency: []int{1, 2, 4, 12}[source.IntN(4)], Basis: fixedincome.DayCounts()[source.IntN(5)],
		}
		b.Maturity = b.Settlement.AddDate(0, 0, 1+source.IntN(365*40))
		yield := -0.01 + 0.2*source.Float64()
		price, err := b.Price(yield)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := b.Value(yield); price <= 0 || err == nil && v.Accrued >= 100*b.Coupon/float64(b.Frequency) && v.Coupons == 1 {
			continue
		}
		if got, err := b.Yield(price); err != nil || !nearPrice(got, yield, 1e-8) {
			t.Errorf("%+v: yield of %v = %v, %v; want %v", b, price, got, err, yield)
		}
	}
}

// Modified duration and convexity are the derivatives of the price.
func TestBond_DurationIsTheSlopeOfThePrice(t *testing.T) {
	b := semiannual(t, "2024-03-01", "2044-05-15", 0.045, fixedincome.ActAct)
	const yield, h = 0.05, 1e-4
	v, err := b.Value(yield)
	if err != nil {
		t.Fatal(err)
	}
	dirty := func(y float64) float64 {
		got, err := b.Value(y)
		if err != nil {
			t.Fatal(err)
		}
		return got.Dirty
	}
	slope := (dirty(yield+h) - dirty(yield-h)) / (2 * h)
	bend := (dirty(yield+h) - 2*dirty(yield) + dirty(yield-h)) / (h * h)
	if !nearPrice(-slope/v.Dirty, v.Modified, 1e-5) || !nearPrice(bend/v.Dirty, v.Convexity, 1e-3) {
		t.Errorf("slope %v, bend %v; want %v, %v", -slope/v.Dirty, bend/v.Dirty, v.Modified, v.Convexity)
	}
}

func TestBond_RefusesWhatIsNone(t *testing.T) {
	sound := semiannual(t, "2024-03-01", "2034-03-01", 0.05, fixedincome.ActAct)
	for name, change := range map[string]func(*fixedincome.Bond){
		"matured":              func(b *fixedincome.Bond) { b.Maturity = b.Settlement },
		"for ever":             func(b *fixedincome.Bond) { b.Maturity = b.Settlement.AddDate(1000, 0, 0) },
		"per cent as fraction": func(b *fixedincome.Bond) { b.Coupon = 5 },
		"1000 of face value":   func(b *fixedincome.Bond) { b.Redemption = 1000 },
		"three coupons a year": func(b *fixedincome.Bond) { b.Frequency = 3 },
		"no redemption":        func(b *fixedincome.Bond) { b.Redemption = 0 },
		"not a number":         func(b *fixedincome.Bond) { b.Coupon = math.NaN() },
		"another day count":    func(b *fixedincome.Bond) { b.Basis = "29/361" },
	} {
		b := sound
		change(&b)
		if got, err := b.Price(0.05); !errors.Is(err, fixedincome.ErrInvalidBond) {
			t.Errorf("%s: price %v, %v; want ErrInput", name, got, err)
		}
	}
	for _, price := range []float64{0, -5, math.NaN(), 1e30} {
		if got, err := sound.Yield(price); !errors.Is(err, fixedincome.ErrInvalidBond) {
			t.Errorf("yield of a price of %v = %v, %v; want ErrInput", price, got, err)
		}
	}
	for _, yield := range []float64{-2, 1000, math.NaN()} {
		if got, err := sound.Price(yield); !errors.Is(err, fixedincome.ErrInvalidBond) {
			t.Errorf("price at a yield of %v = %v, %v; want ErrInput", yield, got, err)
		}
	}
}

// C5: the value of a basis point equals the change in the price of the same bond when its yield changes by
// one, also in its last coupon period: 0.007138 for the annual 10% bond, where modified duration gives
// 0.006977.
func TestBond_ABasisPointIsWorthThePriceChange(t *testing.T) {
	last := fixedincome.Bond{Settlement: bondDay(t, "2024-03-01"), Maturity: bondDay(t, "2024-12-01"), Coupon: 0.1, Frequency: 1, Redemption: 100, Basis: fixedincome.Thirty360}
	v, err := last.Value(0.1)
	if err != nil || !nearPrice(v.BasisPointValue, 0.007138, 5e-7) {
		t.Errorf("basis point value %v, %v; want 0.007138", v.BasisPointValue, err)
	}
	for _, b := range []fixedincome.Bond{last, semiannual(t, "2024-03-01", "2024-05-15", 0.04, fixedincome.ActAct), semiannual(t, "2024-03-01", "2044-05-15", 0.04, fixedincome.ActAct)} {
		for _, yield := range []float64{-0.01, 0, 0.05, 0.2} {
			v, err := b.Value(yield)
			if err != nil {
				t.Fatal(err)
			}
			higher, err := b.Price(yield + 1e-4)
			if err != nil || !nearPrice(v.BasisPointValue, v.Clean-higher, 1e-11) {
				t.Errorf("at %v: basis point value %v, price falls by %v, %v", yield, v.BasisPointValue, v.Clean-higher, err)
			}
		}
	}
}
