package analytics_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics"
)

var unknownReturn = math.NaN()

// mixedReturns returns the series of empyrical's own tests in empyrical/tests/test_stats.py, with their expected
// values.
func mixedReturns() []float64 {
	return []float64{unknownReturn, 0.01, 0.10, -0.04, 0.02, 0.03, 0.02, 0.01, -0.10}
}

func wantMeasure(t *testing.T, name string, want float64, got float64, err error) {
	t.Helper()
	if err != nil || math.Abs(got-want) > 1e-12*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %.17g, %v; want %.17g", name, got, err, want)
	}
}

func TestMeasures_AgreeWithEmpyrical(t *testing.T) {
	r := mixedReturns()
	for name, tc := range map[string]struct {
		want    float64
		measure func() (float64, error)
	}{
		"annual return":      {1.9135925373194231, func() (float64, error) { return analytics.CompoundAnnualReturn(r, 252) }},
		"annual volatility":  {0.9136465399704637, func() (float64, error) { return analytics.AnnualizedVolatility(r, 252) }},
		"Sharpe ratio":       {1.7238613961706866, func() (float64, error) { return analytics.Sharpe(r, 0, 252) }},
		"Sortino ratio":      {2.605531251673693, func() (float64, error) { return analytics.Sortino(r, 0, 252) }},
		"downside deviation": {0.60448325038829653, func() (float64, error) { return analytics.DownsideDeviation(r, 0, 252) }},
		"Calmar ratio":       {19.135925373194233, func() (float64, error) { return analytics.Calmar(r, 252) }},
		"Omega ratio":        {0.19 / 0.14, func() (float64, error) { return analytics.Omega(r, 0) }},
	} {
		got, err := tc.measure()
		wantMeasure(t, name, tc.want, got, err)
	}
	// The 95th percentile lies 0.65 of the way from the second largest to the
	// largest, the 5th 0.35 of the way from the smallest to the next.
	got, err := analytics.TailRatio(r)
	wantMeasure(t, "tail ratio", (0.03+0.65*0.07)/(0.10-0.35*0.06), got, err)
	fall, err := analytics.MaxDrawdownOfReturns(r)
	wantMeasure(t, "maximum drawdown", -0.1, fall.Depth, err)
}

// Ten returns of -5% to +4%: by hand, the 5th percentile lies 0.45 of the way
// from the first to the second, and one return is the worst twentieth.
func TestTails_ByHand(t *testing.T) {
	r := []float64{0.04, -0.05, 0.03, -0.04, 0.02, -0.03, 0.01, -0.02, 0.00, -0.01}
	got, err := analytics.ValueAtRisk(r, 0.95)
	wantMeasure(t, "value at risk", -0.05+0.45*0.01, got, err)
	got, err = analytics.ConditionalValueAtRisk(r, 0.95)
	wantMeasure(t, "conditional value at risk", -0.05, got, err)
	got, err = analytics.ConditionalValueAtRisk(r, 0.70)
	wantMeasure(t, "conditional value at risk of 30 %", (-0.05-0.04-0.03)/3, got, err)
	// C6: a tenth of eleven is the worst one and a tenth of the next.
	got, err = analytics.ConditionalValueAtRisk(append(r, 0.05), 0.90)
	wantMeasure(t, "conditional value at risk of 11", (-0.05-0.1*0.04)/1.1, got, err)
	got, err = analytics.ConditionalValueAtRisk([]float64{0.02, -0.05, 0.01, -0.02, 0.03}, 0.7)
	wantMeasure(t, "conditional value at risk of one and a half", -(0.05+0.5*0.02)/1.5, got, err)
	got, err = analytics.ConditionalValueAtRisk([]float64{0.01, -0.02, 0.03, -0.04}, 0.5)
	wantMeasure(t, "conditional value at risk of half", -0.03, got, err)
	for confidence, want := range map[float64]float64{0: -0.005, 1: -0.05} {
		got, err = analytics.ConditionalValueAtRisk(r, confidence)
		wantMeasure(t, fmt.Sprint("conditional value at risk at ", confidence), want, got, err)
	}
	got, err = analytics.ConditionalValueAtRisk(slices.Repeat([]float64{-0.02, 0.01, 0.03}, 7), 0.95)
	wantMeasure(t, "conditional value at risk of 21", -0.02, got, err)
}

// 1, 2, 3, 4, 10: skewness and kurtosis as in scipy.
func TestShape_ByHand(t *testing.T) {
	r := []float64{1, 2, 3, 4, 10}
	got, err := analytics.Skewness(r)
	wantMeasure(t, "skewness", 36/math.Pow(10, 1.5), got, err)
	got, err = analytics.Kurtosis(r)
	wantMeasure(t, "kurtosis", (81+16+1+0+1296)/5.0/100-3, got, err)
}

// C6: the skewness of symmetric returns is zero despite rounding; a drawdown of unknown returns is unknown.
func TestShape_NoiseIsZeroAndUnknownIsUnknown(t *testing.T) {
	for _, r := range [][]float64{{0.1, 0.2}, {0.1, 0.2, 0.3}, {-0.07, 0.01, 0.09}, {1e-6, 2e-6, 3e-6, math.NaN()}} {
		if got, err := analytics.Skewness(r); err != nil || got != 0 {
			t.Errorf("skewness of %v = %v, %v; want 0", r, got, err)
		}
	}
	if got, err := analytics.Skewness([]float64{0.1, 0.2, 0.3001}); err != nil || got == 0 {
		t.Errorf("a small skewness = %v, %v; want it kept", got, err)
	}
	if got, err := analytics.MaxDrawdownOfReturns([]float64{math.NaN(), math.NaN()}); !errors.Is(err, analytics.ErrTooFewReturns) {
		t.Errorf("drawdown of unknown returns = %v, %v; want ErrTooFewReturns", got, err)
	}
}

// Twice the benchmark plus one per mille a period.
func TestBenchmark_ByHand(t *testing.T) {
	bench := []float64{0.01, -0.02, 0.03, 0.00, -0.01, 0.02}
	ours := make([]float64, len(bench))
	for i, b := range bench {
		ours[i] = 2*b + 0.001
	}
	beta, err := analytics.Beta(ours, bench)
	wantMeasure(t, "beta", 2, beta, err)
	alpha, err := analytics.Alpha(ours, bench, 0, 12)
	wantMeasure(t, "alpha", math.Pow(1.001, 12)-1, alpha, err)
	alpha, err = analytics.Alpha(ours, bench, 0.0005, 12) // 0.001 - f + 2f above the model's
	wantMeasure(t, "alpha above a risk-free rate", math.Pow(1.0015, 12)-1, alpha, err)
	own := append([]float64{}, ours...)
	own[3] = 0.5 // while the benchmark stood still
	up, err := analytics.UpCapture(own, bench, 12)
	wantMeasure(t, "up capture", (math.Pow(1.021*1.061*1.041, 12/3.0)-1)/(math.Pow(1.01*1.03*1.02, 12/3.0)-1), up, err)
	up, err = analytics.UpCapture(bench, bench, 12)
	wantMeasure(t, "up capture of itself", 1, up, err)
	down, err := analytics.DownCapture(ours, bench, 12)
	fell := math.Pow(0.961*0.981, 12/2.0) - 1
	wantMeasure(t, "down capture", fell/(math.Pow(0.98*0.99, 12/2.0)-1), down, err)
}

func TestMaxDrawdownOfReturns_SaysWhereItWas(t *testing.T) {
	got, err := analytics.MaxDrawdownOfReturns([]float64{-0.10, 0.20, 0.10, -0.30, -0.10, 0.80, -0.05})
	if err != nil || got.Peak != 2 || got.Trough != 4 || got.Recovery != 5 {
		t.Errorf("WorstFall = %+v, %v; want it from return 2 to 4, back at 5", got, err)
	}
	if got, err = analytics.MaxDrawdownOfReturns([]float64{-0.5, 0.2}); err != nil || got.Peak != -1 || got.Trough != 0 || got.Recovery != -1 {
		t.Errorf("WorstFall = %+v, %v; want it from the beginning, not recovered", got, err)
	}
}

// Down a fifth and up a quarter is 0.8 * 1.25, and the returns in thirds round.
func TestMaxDrawdownOfReturns_RoundingHidesNoRecovery(t *testing.T) {
	for _, r := range [][]float64{{-0.2, 0.25}, {1.0 / 3, -0.25, 1.0 / 3}, {0.1, -0.3, 3.0 / 7}, {-0.7, 7.0 / 3}, {-0.05, 0.05263157894736836}} {
		if got, err := analytics.MaxDrawdownOfReturns(r); err != nil || got.Recovery != len(r)-1 {
			t.Errorf("WorstFall(%v) = %+v, %v; want it back with the last return", r, got, err)
		}
	}
	// The same high is reached twice: the drawdown begins at the first.
	if got, err := analytics.MaxDrawdownOfReturns([]float64{1.0 / 3, -0.1, 1/0.9*1.0000000000000002 - 1, -0.5}); err != nil || got.Peak != 0 {
		t.Errorf("WorstFall = %+v, %v; want it from return 0", got, err)
	}
}

func TestTails_RefuseAShareThatIsNone(t *testing.T) {
	for _, confidence := range []float64{-0.1, 1.1, math.NaN(), 95} {
		if got, err := analytics.ValueAtRisk(mixedReturns(), confidence); !errors.Is(err, analytics.ErrInvalidReturns) {
			t.Errorf("ValueAtRisk at %v = %v, %v; want ErrInput", confidence, got, err)
		}
		if got, err := analytics.ConditionalValueAtRisk(mixedReturns(), confidence); !errors.Is(err, analytics.ErrInvalidReturns) {
			t.Errorf("ConditionalValueAtRisk at %v = %v, %v; want ErrInput", confidence, got, err)
		}
	}
}

// By hand with 1% risk-free a period: the excesses are 1, -3, 2 and 0%.
func TestRewards_TakeTheRiskFreeRateOff(t *testing.T) {
	r := []float64{0.02, -0.02, 0.03, 0.01}
	got, err := analytics.Omega(r, 0.01)
	wantMeasure(t, "Omega ratio above 1 %", 1, got, err) // 3 % above, 3 % below
	got, err = analytics.Sortino(r, 0.01, 12)
	if err != nil || math.Abs(got) > 1e-15 {
		t.Errorf("Sortino ratio of a mean excess of zero = %v, %v; want 0", got, err)
	}
	got, err = analytics.Sortino(r, 0.005, 12)
	wantMeasure(t, "Sortino ratio above 0.5 %", 0.005*12/(math.Sqrt(0.025*0.025/4)*math.Sqrt(12)), got, err)
	wantMeasure(t, "risk-free rate of a month", math.Pow(1.04, 1.0/12)-1, analytics.PerPeriod(0.04, 12), nil)
}

// A return that is unknown on either side excludes the pair: the rest are half of the benchmark's 2, 4 and
// -2%.
func TestBenchmark_LeavesOutWhatEitherDoesNotKnow(t *testing.T) {
	ours := []float64{unknownReturn, 0.01, 0.07, 0.02, -0.01}
	bench := []float64{0.03, 0.02, unknownReturn, 0.04, -0.02}
	got, err := analytics.Beta(ours, bench)
	wantMeasure(t, "beta", 0.5, got, err)
	got, err = analytics.Alpha(ours, bench, 0, 252)
	wantMeasure(t, "alpha", 0, got, err)
	got, err = analytics.UpCapture(ours, bench, 2)
	wantMeasure(t, "up capture", (1.01*1.02-1)/(1.02*1.04-1), got, err)
}

func TestMeasures_OfReturnsThatSayNothing(t *testing.T) {
	flat := []float64{0, 0, 0, 0}
	for name, tc := range map[string]struct {
		want    error
		measure func() (float64, error)
	}{
		"Sharpe of no movement":   {analytics.ErrUndefined, func() (float64, error) { return analytics.Sharpe(flat, 0, 252) }},
		"Sharpe of equal returns": {analytics.ErrUndefined, func() (float64, error) { return analytics.Sharpe([]float64{0.1, 0.1, 0.1}, 0, 252) }},
		"Sortino without losses":  {analytics.ErrUndefined, func() (float64, error) { return analytics.Sortino([]float64{0.1, 0.2}, 0, 252) }},
		"Calmar without a fall":   {analytics.ErrUndefined, func() (float64, error) { return analytics.Calmar([]float64{0.1, 0.2}, 252) }},
		"Omega without losses":    {analytics.ErrUndefined, func() (float64, error) { return analytics.Omega([]float64{0.1, 0.2}, 0) }},
		"skewness of no movement": {analytics.ErrUndefined, func() (float64, error) { return analytics.Skewness(flat) }},
		"beta to no movement":     {analytics.ErrUndefined, func() (float64, error) { return analytics.Beta([]float64{1, 2, 3, 4}, flat) }},
		"all was lost and more":   {analytics.ErrUndefined, func() (float64, error) { return analytics.CompoundAnnualReturn([]float64{-2}, 252) }},
		"volatility of one":       {analytics.ErrTooFewReturns, func() (float64, error) { return analytics.AnnualizedVolatility([]float64{0.1}, 252) }},
		"only unknown ones":       {analytics.ErrTooFewReturns, func() (float64, error) { return analytics.CompoundAnnualReturn([]float64{unknownReturn}, 252) }},
		"wealth beyond numbers": {analytics.ErrUndefined, func() (float64, error) {
			f, err := analytics.MaxDrawdownOfReturns(append(slices.Repeat([]float64{1000}, 110), -1))
			return f.Depth, err
		}},
		"none at all":     {analytics.ErrTooFewReturns, func() (float64, error) { return analytics.ValueAtRisk(nil, 0.95) }},
		"unequal lengths": {analytics.ErrInvalidReturns, func() (float64, error) { return analytics.Beta(flat, flat[:2]) }},
	} {
		if got, err := tc.measure(); !errors.Is(err, tc.want) {
			t.Errorf("%s = %v, %v; want %v", name, got, err, tc.want)
		}
	}
}

// A sum of a thousand equal numbers has a rounding error, and so has their mean. Its difference from each
// of them is not dispersion: for 1,000 returns of a tenth it gave a Sharpe ratio of 10^15, and for a
// benchmark with a return of a tenth each time a beta of 1.007.
func TestMeasures_RoundingIsNoScatter(t *testing.T) {
	for _, each := range []float64{0.1, 1.0 / 3, -0.02, 0.07, 0.0003} {
		for _, n := range []int{10, 1000, 50_000} {
			equal := slices.Repeat([]float64{each}, n)
			other := append([]float64{0.5}, equal[1:]...)
			for name, measure := range map[string]func() (float64, error){
				"Sharpe":   func() (float64, error) { return analytics.Sharpe(equal, 0.001, 252) },
				"skewness": func() (float64, error) { return analytics.Skewness(equal) },
				"kurtosis": func() (float64, error) { return analytics.Kurtosis(equal) },
				"beta":     func() (float64, error) { return analytics.Beta(other, equal) },
			} {
				if got, err := measure(); !errors.Is(err, analytics.ErrUndefined) {
					t.Errorf("%s of %d returns of %v = %v, %v; want ErrUndefined", name, n, each, got, err)
				}
			}
			if got, err := analytics.AnnualizedVolatility(equal, 252); err != nil || got != 0 {
				t.Errorf("volatility of %d returns of %v = %v, %v; want 0", n, each, got, err)
			}
		}
	}
}

func TestMeasures_KeepWhatTheyMustKeep(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		r, b := make([]float64, 300), make([]float64, 300)
		for i := range r {
			b[i] = 0.01 * source.NormFloat64()
			r[i] = 0.8*b[i] + 0.01*source.NormFloat64()
		}
		sharpe, _ := analytics.Sharpe(r, 0, 252)
		vol, _ := analytics.AnnualizedVolatility(r, 252)
		beta, _ := analytics.Beta(r, b)
		at95, _ := analytics.ValueAtRisk(r, 0.95)
		shortfall, _ := analytics.ConditionalValueAtRisk(r, 0.95)
		if shortfall > at95 {
			t.Errorf("shortfall %v above value at risk %v", shortfall, at95)
		}
		doubled := make([]float64, len(r))
		for i := range r {
			doubled[i] = 2 * r[i]
		}
		got, err := analytics.Sharpe(doubled, 0, 252)
		wantMeasure(t, "Sharpe ratio of twice the returns", sharpe, got, err)
		got, err = analytics.AnnualizedVolatility(doubled, 252)
		wantMeasure(t, "volatility of twice the returns", 2*vol, got, err)
		got, err = analytics.Beta(doubled, b)
		wantMeasure(t, "beta of twice the returns", 2*beta, got, err)
		shuffled := slices.Clone(r)
		source.Shuffle(len(r), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		got, err = analytics.Sharpe(shuffled, 0, 252)
		wantMeasure(t, "Sharpe ratio in another order", sharpe, got, err)
		got, err = analytics.ValueAtRisk(shuffled, 0.95)
		wantMeasure(t, "value at risk in another order", at95, got, err)
	}
}
