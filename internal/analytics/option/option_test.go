package option_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/option"
)

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

func mustValue(t testing.TB, o option.Option) option.Valuation {
	t.Helper()
	v, err := o.Value()
	if err != nil {
		t.Fatalf("Value(%+v) = %v", o, err)
	}
	return v
}

// Hull's example: S 42, K 40, r 10%, volatility 20%, half a year.
func TestOption_EuropeanIsThatOfTheTextbook(t *testing.T) {
	o := option.Option{Spot: 42, Strike: 40, Years: 0.5, Rate: 0.10, Vol: 0.20}
	if got := mustValue(t, o); !near(got.Price, 4.76, 0.005) {
		t.Errorf("call = %v, want 4.76", got.Price)
	}
	o.Put = true
	if got := mustValue(t, o); !near(got.Price, 0.81, 0.005) {
		t.Errorf("put = %v, want 0.81", got.Price)
	}
}

// Hull's example of the Greek letters: S 49, K 50, r 5%, 20%, twenty weeks.
func TestOption_GreeksAreThoseOfTheTextbook(t *testing.T) {
	got := mustValue(t, option.Option{Spot: 49, Strike: 50, Years: 0.3846, Rate: 0.05, Vol: 0.20})
	for _, tc := range []struct {
		name      string
		got, want float64
		within    float64
	}{
		{"price", got.Price, 2.4, 0.005}, {"delta", got.Delta, 0.522, 0.0005}, {"gamma", got.Gamma, 0.066, 0.0005},
		{"vega", got.Vega, 12.1, 0.05}, {"theta", got.Theta, -4.31, 0.005}, {"rho", got.Rho, 8.91, 0.005},
	} {
		if !near(tc.got, tc.want, tc.within) {
			t.Errorf("%s = %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

// Index option with a dividend yield: S 930, K 900, r 8%, q 3%, 20%, two months.
func TestOption_DividendsLowerACall(t *testing.T) {
	got := mustValue(t, option.Option{Spot: 930, Strike: 900, Years: 2.0 / 12, Rate: 0.08, Yield: 0.03, Vol: 0.20})
	if !near(got.Price, 51.83, 0.005) {
		t.Errorf("call = %v, want 51.83", got.Price)
	}
}

// The American put of Hull's lattice chapter, S = K = 50, r 10%, 40%, five
// months: 4.29 by 50 steps, 4.283 in the limit; the European one is 4.08.
func TestOption_AmericanPutIsWorthMoreThanTheEuropean(t *testing.T) {
	o := option.Option{Put: true, American: true, Spot: 50, Strike: 50, Years: 0.4167, Rate: 0.10, Vol: 0.40}
	american := mustValue(t, o)
	o.American = false
	european := mustValue(t, o)
	if !near(american.Price, 4.283, 0.002) || !near(european.Price, 4.08, 0.005) {
		t.Errorf("american %v, european %v; want 4.283 and 4.08", american.Price, european.Price)
	}
}

func randomOption(source *rand.Rand) option.Option {
	return option.Option{
		Spot: 20 + 200*source.Float64(), Strike: 20 + 200*source.Float64(), Years: 0.05 + 3*source.Float64(),
		Rate: -0.01 + 0.1*source.Float64(), Yield: 0.06 * source.Float64(), Vol: 0.05 + 0.8*source.Float64(), Put: source.IntN(2) == 0,
	}
}

func TestOption_PutCallParityHolds(t *testing.T) {
	source := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		o := randomOption(source)
		call, put := o, o
		call.Put, put.Put = false, true
		left := mustValue(t, call).Price - mustValue(t, put).Price
		right := o.Spot*math.Exp(-o.Yield*o.Years) - o.Strike*math.Exp(-o.Rate*o.Years)
		if !near(left, right, 1e-9*o.Spot) {
			t.Errorf("%+v: call - put = %v, want %v", o, left, right)
		}
	}
}

func TestOption_GreeksAreTheSlopesOfThePrice(t *testing.T) {
	source := rand.New(rand.NewPCG(9, 10))
	for range 20 {
		o := randomOption(source)
		o.American = false
		got := mustValue(t, o)
		slope := func(change func(*option.Option, float64), h float64) float64 {
			up, down := o, o
			change(&up, h)
			change(&down, -h)
			return (mustValue(t, up).Price - mustValue(t, down).Price) / (2 * h)
		}
		for name, pair := range map[string][2]float64{
			"delta": {got.Delta, slope(func(o *option.Option, h float64) { o.Spot += h }, 1e-3)},
			"vega":  {got.Vega, slope(func(o *option.Option, h float64) { o.Vol += h }, 1e-5)},
			"theta": {got.Theta, -slope(func(o *option.Option, h float64) { o.Years += h }, 1e-5)},
			"rho":   {got.Rho, slope(func(o *option.Option, h float64) { o.Rate += h }, 1e-5)},
		} {
			if !near(pair[0], pair[1], 1e-4*(1+math.Abs(pair[1]))) {
				t.Errorf("%+v: %s = %v, slope %v", o, name, pair[0], pair[1])
			}
		}
	}
}

// Two methods: without dividends an American call is never exercised early, so the lattice must give the
// values of the formula, including the greeks.
func TestOption_TheLatticeAgreesWithTheFormula(t *testing.T) {
	source := rand.New(rand.NewPCG(11, 12))
	for range 25 {
		o := randomOption(source)
		o.Put, o.Yield, o.Rate = false, 0, math.Abs(o.Rate)
		want := mustValue(t, o)
		o.American = true
		got := mustValue(t, o)
		for name, pair := range map[string][3]float64{
			"price": {got.Price, want.Price, 2e-4 * o.Spot}, "delta": {got.Delta, want.Delta, 2e-3}, "gamma": {got.Gamma * o.Spot, want.Gamma * o.Spot, 2e-2},
			"vega": {got.Vega, want.Vega, 5e-3 * o.Spot}, "theta": {got.Theta, want.Theta, 5e-3 * o.Spot}, "rho": {got.Rho, want.Rho, 5e-3 * o.Spot},
		} {
			if !near(pair[0], pair[1], pair[2]) {
				t.Errorf("%+v: %s = %v, want %v", o, name, pair[0], pair[1])
			}
		}
	}
}

func TestOption_AmericanIsNeverWorthLess(t *testing.T) {
	source := rand.New(rand.NewPCG(13, 14))
	for range 50 {
		o := randomOption(source)
		european := mustValue(t, o).Price
		o.American = true
		if got := mustValue(t, o).Price; got < european-2e-4*o.Spot || got < o.Intrinsic()-1e-9 {
			t.Errorf("%+v: american %v, european %v, intrinsic %v", o, got, european, o.Intrinsic())
		}
	}
}

func TestOption_ImpliedVolatilityIsTheInverse(t *testing.T) {
	source := rand.New(rand.NewPCG(15, 16))
	for n := range 60 {
		o := randomOption(source)
		o.American = n%6 == 0
		value := mustValue(t, o)
		if value.Vega < 0.01*o.Spot {
			continue // the price does not depend on the volatility
		}
		got, err := o.ImpliedVolatility(value.Price)
		if err != nil || !near(got, o.Vol, 1e-5) {
			t.Errorf("%+v: implied = %v, %v; want %v", o, got, err, o.Vol)
		}
	}
}

func TestOption_APriceAgainstArbitrageImpliesNothing(t *testing.T) {
	o := option.Option{Spot: 100, Strike: 90, Years: 1, Rate: 0.05}
	for _, price := range []float64{0, -1, 14, 100, 101, math.NaN()} {
		if got, err := o.ImpliedVolatility(price); !errors.Is(err, option.ErrNoVolatility) {
			t.Errorf("implied by %v = %v, %v; want ErrNoVolatility", price, got, err)
		}
	}
}

func TestOption_APriceOfNoMoreThanItSurelyBringsImpliesNothing(t *testing.T) {
	for name, o := range map[string]option.Option{
		"european call":    {Spot: 100, Strike: 10, Years: 0.1, Rate: 0.05},
		"american put":     {Put: true, American: true, Spot: 80, Strike: 100, Years: 0.1, Rate: 0.05},
		"american call":    {American: true, Spot: 130, Strike: 100, Years: 0.1, Yield: 0.04},
		"on its last day":  {Spot: 105, Strike: 100},
		"american, at end": {American: true, Put: true, Spot: 95, Strike: 100},
	} {
		least, _ := o.Bounds()
		for _, price := range []float64{least, least * (1 + 1e-15)} {
			if got, err := o.ImpliedVolatility(price); !errors.Is(err, option.ErrNoVolatility) {
				t.Errorf("%s at %v: implied = %v, %v; want ErrNoVolatility", name, price, got, err)
			}
		}
	}
}

func TestOption_ADividendYieldMayBeNegative(t *testing.T) {
	// Holding the share costs 2%: 100 e^(0.02) N(d1) - 100 e^(-0.03) N(d2) with d1 = (0.03 + 0.02 +
	// 0.02)/0.2 = 0.35 and d2 = 0.15.
	n := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	want := 100*math.Exp(0.02)*n(0.35) - 100*math.Exp(-0.03)*n(0.15)
	if got := mustValue(t, option.Option{Spot: 100, Strike: 100, Years: 1, Rate: 0.03, Yield: -0.02, Vol: 0.2}); !near(got.Price, want, 1e-9) {
		t.Errorf("call = %v, want %v", got.Price, want)
	}
}

func TestOption_WithoutTimeItIsWorthItsExercise(t *testing.T) {
	for _, american := range []bool{false, true} {
		o := option.Option{American: american, Put: true, Spot: 90, Strike: 100, Vol: 0.2}
		if got := mustValue(t, o); got.Price != 10 || got.Delta != -1 {
			t.Errorf("put at its end = %+v, want 10 with a delta of -1", got)
		}
		o.Put = false
		if got := mustValue(t, o); got.Price != 0 || got.Delta != 0 {
			t.Errorf("call at its end = %+v, want nothing", got)
		}
	}
}

func TestOption_RefusesWhatIsNone(t *testing.T) {
	sound := option.Option{Spot: 100, Strike: 100, Years: 1, Vol: 0.2}
	for name, change := range map[string]func(*option.Option){
		"no spot": func(o *option.Option) { o.Spot = 0 }, "no strike": func(o *option.Option) { o.Strike = -1 },
		"over": func(o *option.Option) { o.Years = -0.1 }, "per cent": func(o *option.Option) { o.Vol = 20 },
		"rate in per cent": func(o *option.Option) { o.Rate = 5 },
	} {
		o := sound
		change(&o)
		if got, err := o.Value(); !errors.Is(err, option.ErrInput) {
			t.Errorf("%s: %+v, %v; want ErrInput", name, got, err)
		}
	}
}

func BenchmarkOption_American(b *testing.B) {
	o := option.Option{Put: true, American: true, Spot: 50, Strike: 50, Years: 0.4167, Rate: 0.10, Vol: 0.40}
	for b.Loop() {
		if _, err := o.Value(); err != nil {
			b.Fatal(err)
		}
	}
}
