package lots_test

import (
	"math"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// checkSame wants the number and the power of ten that it is over.
func checkSame(t *testing.T, what string, got, want decimal.Decimal) {
	t.Helper()
	if !got.Equal(want) || got.Exponent() != want.Exponent() {
		t.Errorf("%s = %s over 10^%d, the decimal says %s over 10^%d", what, got, got.Exponent(), want, want.Exponent())
	}
}

// checkArithmetic compares all that is done in words with what decimals make of it.
func checkArithmetic(t *testing.T, a, b, c decimal.Decimal, places int32) {
	t.Helper()
	checkSame(t, a.String()+" + "+b.String(), lots.Add(a, b), a.Add(b))
	checkSame(t, a.String()+" - "+b.String(), lots.Sub(a, b), a.Sub(b))
	checkSame(t, "-"+a.String(), lots.Neg(a), a.Neg())
	if got, want := lots.Equal(a, b), a.Equal(b); got != want {
		t.Errorf("%s = %s is %v, the decimal says %v", a, b, got, want)
	}
	if got, want := lots.Less(a, b), a.LessThan(b); got != want {
		t.Errorf("%s < %s is %v, the decimal says %v", a, b, got, want)
	}
	if !c.IsZero() {
		checkSame(t, a.String()+" * "+b.String()+" / "+c.String(), lots.Prorate(a, b, c, places), a.Mul(b).DivRound(c, places))
	}
	sum, negative := lots.Tallied(a, b, c, b.Neg(), a)
	want := a.Add(b).Add(c).Sub(b).Add(a)
	if !sum.Equal(want) || negative != want.IsNegative() {
		t.Errorf("the tally of %s, %s, %s, back and again = %s, below zero %v; want %s", a, b, c, sum, negative, want)
	}
}

func TestExact_IsWhatDecimalsSay(t *testing.T) {
	edges := []int64{0, 1, -1, 2, 3, 5, 7, -5, 10, 99, 1e9, 1e17, 999_999_999_999_999_999, -999_999_999_999_999_999, 1e18, -1e18, math.MaxInt64, math.MinInt64}
	exponents := []int32{-36, -18, -12, -2, 0, 3, 18}
	var all []decimal.Decimal
	for _, m := range edges {
		for _, e := range exponents {
			all = append(all, decimal.New(m, e))
		}
	}
	all = append(all, decimal.Decimal{}, dec("123456789012345678901234567890.123456789012345678"))
	for i, a := range all {
		for j, b := range all {
			checkArithmetic(t, a, b, all[(7*i+3*j)%len(all)], 12)
		}
	}
	// Half a unit goes away from zero: 1 * 1 / 8 is 0.125.
	for _, c := range []struct {
		sum, want string
		places    int32
	}{{"1", "0.13", 2}, {"-1", "-0.13", 2}, {"0.99", "0.12", 2}, {"1", "0.125", 3}, {"3", "0.4", 1}, {"4", "1", 0}} {
		checkSame(t, c.sum+" / 8", lots.Prorate(dec(c.sum), dec("1"), dec("8"), c.places), dec(c.want))
	}
}

func FuzzExact(f *testing.F) {
	f.Add(int64(90099), int32(-2), int64(75), int32(-1), int64(10), int32(0), int32(12))
	f.Add(int64(math.MaxInt64), int32(-18), int64(math.MinInt64), int32(18), int64(-3), int32(-12), int32(24))
	f.Add(int64(999_999_999_999_999_999), int32(0), int64(999_999_999_999_999_999), int32(0), int64(1), int32(0), int32(0))
	f.Fuzz(func(t *testing.T, x int64, ex int32, y int64, ey int32, z int64, ez, places int32) {
		checkArithmetic(t, decimal.New(x, ex%40), decimal.New(y, ey%40), decimal.New(z, ez%40), places%30)
	})
}
