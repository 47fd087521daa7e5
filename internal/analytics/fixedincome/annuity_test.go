package fixedincome_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
)

// Examples of Microsoft's documentation of PMT, FV, PV, NPER and RATE.
func TestAnnuity_IsThatOfSpreadsheets(t *testing.T) {
	for _, tc := range []struct {
		name  string
		solve func() (float64, error)
		want  float64
	}{
		{"PMT(8%/12, 10, 10000)", fixedincome.Annuity{Rate: 0.08 / 12, Periods: 10, Present: 10000}.SolvePayment, -1037.03},
		{"PMT(8%/12, 10, 10000, 0, 1)", fixedincome.Annuity{Rate: 0.08 / 12, Periods: 10, Present: 10000, AtBeginning: true}.SolvePayment, -1030.16},
		{"PMT(6%/12, 18*12, 0, 50000)", fixedincome.Annuity{Rate: 0.005, Periods: 216, Future: 50000}.SolvePayment, -129.08},
		{"FV(6%/12, 10, -200, -500, 1)", fixedincome.Annuity{Rate: 0.005, Periods: 10, Payment: -200, Present: -500, AtBeginning: true}.SolveFuture, 2581.40},
		{"FV(12%/12, 12, -1000)", fixedincome.Annuity{Rate: 0.01, Periods: 12, Payment: -1000}.SolveFuture, 12682.50},
		{"PV(8%/12, 12*20, 500)", fixedincome.Annuity{Rate: 0.08 / 12, Periods: 240, Payment: 500}.SolvePresent, -59777.15},
		{"NPER(12%/12, -100, -1000, 10000, 1)", fixedincome.Annuity{Rate: 0.01, Payment: -100, Present: -1000, Future: 10000, AtBeginning: true}.SolvePeriods, 59.67},
		{"NPER(1%, -100, -1000)", fixedincome.Annuity{Rate: 0.01, Payment: -100, Present: 1000}.SolvePeriods, 10.588644},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := tc.solve(); err != nil || !nearRate(got, tc.want, 0.005) {
				t.Errorf("%s = %v, %v; want %v", tc.name, got, err, tc.want)
			}
		})
	}
	rates, err := fixedincome.Annuity{Periods: 48, Payment: -200, Present: 8000}.SolveRate()
	if err != nil || len(rates) != 1 || !nearRate(rates[0], 0.0077015, 1e-6) {
		t.Errorf("RATE(48, -200, 8000) = %v, %v; want 0.77 %%", rates, err)
	}
}

func TestAnnuity_EachOneSolvesWhatTheOthersMake(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		a := fixedincome.Annuity{
			Rate: 0.001 + 0.05*source.Float64(), Periods: float64(1 + source.IntN(400)), Present: -1000 * source.Float64(),
			Payment: -1 - 100*source.Float64(), AtBeginning: source.IntN(2) == 0,
		}
		future, err := a.SolveFuture()
		if err != nil {
			t.Fatal(err)
		}
		a.Future = future
		rates, err := a.SolveRate()
		if err != nil || len(rates) != 1 || !nearRate(rates[0], a.Rate, 1e-7) {
			t.Errorf("rate of %+v = %v, %v", a, rates, err)
		}
		if got, err := a.SolvePeriods(); err != nil || !nearRate(got, a.Periods, 1e-6*a.Periods) {
			t.Errorf("periods of %+v = %v, %v", a, got, err)
		}
		if got, err := a.SolvePayment(); err != nil || !nearRate(got, a.Payment, 1e-6) {
			t.Errorf("payment of %+v = %v, %v", a, got, err)
		}
		if got, err := a.SolvePresent(); err != nil || !nearRate(got, a.Present, 1e-6) {
			t.Errorf("present value of %+v = %v, %v", a, got, err)
		}
	}
}

func TestAnnuity_WithoutARateIsArithmetic(t *testing.T) {
	a := fixedincome.Annuity{Periods: 10, Present: -100, Payment: -5}
	if got, err := a.SolveFuture(); err != nil || got != 150 {
		t.Errorf("future = %v, %v; want 150", got, err)
	}
	a.Future = 150
	if got, err := a.SolvePeriods(); err != nil || got != 10 {
		t.Errorf("periods = %v, %v; want 10", got, err)
	}
}

func TestAnnuity_SaysWhatCannotBe(t *testing.T) {
	for _, tc := range []struct {
		name  string
		solve func() (float64, error)
		want  error
	}{
		{"interest above the payment", fixedincome.Annuity{Rate: 0.02, Present: 10000, Payment: -100}.SolvePeriods, fixedincome.ErrNoRate},
		{"everything is lost", fixedincome.Annuity{Rate: -1, Periods: 1, Present: 1}.SolveFuture, fixedincome.ErrInvalidCashFlow},
		{"backwards", fixedincome.Annuity{Rate: 0.01, Periods: -1, Present: 1}.SolveFuture, fixedincome.ErrInvalidCashFlow},
		{"too large", fixedincome.Annuity{Rate: 10, Periods: 1e6, Present: 1}.SolveFuture, fixedincome.ErrInvalidCashFlow},
		{"no period", fixedincome.Annuity{Rate: 0.01, Present: 1}.SolvePayment, fixedincome.ErrInvalidCashFlow},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got, err := tc.solve(); !errors.Is(err, tc.want) {
				t.Errorf("%v, %v; want %v", got, err, tc.want)
			}
		})
	}
	for name, a := range map[string]fixedincome.Annuity{
		"payments of one sign": {Periods: 10, Present: 100, Payment: 10},
		"nothing at all":       {Periods: 10},
		"what cancels out":     {Periods: 1, Payment: -100, Future: 100},
	} {
		if got, err := a.SolveRate(); !errors.Is(err, fixedincome.ErrNoRate) {
			t.Errorf("rate of %s = %v, %v; want ErrNoRate", name, got, err)
		}
	}
}

// RATE of a deposit that is paid back unchanged, and of an annuity in advance: 48 payments of 200 at the
// beginning of each month, computed back from 1%.
func TestAnnuity_RatesThatAreEasilyMissed(t *testing.T) {
	if got, err := (fixedincome.Annuity{Periods: 7, Present: -100, Future: 100}).SolveRate(); err != nil || len(got) != 1 || got[0] != 0 {
		t.Errorf("rate of even money = %v, %v; want 0", got, err)
	}
	lent := 200 * 1.01 * (1 - math.Pow(1.01, -48)) / 0.01
	if got, err := (fixedincome.Annuity{Periods: 48, Present: lent, Payment: -200, AtBeginning: true}).SolveRate(); err != nil || len(got) != 1 || !nearRate(got[0], 0.01, 1e-9) {
		t.Errorf("rate of payments in advance = %v, %v; want 1 %%", got, err)
	}
	// -100, then two payments of 150, less 210 with the last: x = 1/(1+r) solves
	// -100 + 150 x - 60 x^2 = 0 nowhere, and with 55 in place of 60 twice.
	if got, err := (fixedincome.Annuity{Periods: 2, Present: -100, Payment: 150, Future: -210}).SolveRate(); !errors.Is(err, fixedincome.ErrNoRate) {
		t.Errorf("rate = %v, %v; want none", got, err)
	}
	got, err := fixedincome.Annuity{Periods: 2, Present: -100, Payment: 150, Future: -205}.SolveRate()
	near0, near1 := 110/(150+math.Sqrt(150*150-4*55*100))-1, 110/(150-math.Sqrt(150*150-4*55*100))-1
	if err != nil || len(got) != 2 || !nearRate(got[0], near0, 1e-9) || !nearRate(got[1], near1, 1e-9) {
		t.Errorf("rates = %v, %v; want %v and %v", got, err, near0, near1)
	}
}

func TestAnnuity_AZeroHasNoSign(t *testing.T) {
	if got, err := (fixedincome.Annuity{Periods: 3, Rate: 0.1}).SolveFuture(); err != nil || math.Signbit(got) {
		t.Errorf("future of nothing = %v, %v; want 0 without a sign", got, err)
	}
}
