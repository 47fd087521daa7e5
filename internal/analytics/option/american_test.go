package option_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/option"
)

// binomial returns the lattice of Cox, Ross and Rubinstein (1979), a method other than the one under test and
// slower: the mean of n and n+1 steps, which cancels most of its oscillation.
func binomial(o option.Option, n int) float64 {
	return (coxRossRubinstein(o, n) + coxRossRubinstein(o, n+1)) / 2
}

func coxRossRubinstein(o option.Option, n int) float64 {
	dt := o.Years / float64(n)
	up := math.Exp(o.Vol * math.Sqrt(dt))
	p := (math.Exp((o.Rate-o.Yield)*dt) - 1/up) / (up - 1/up)
	discount := math.Exp(-o.Rate * dt)
	exercised := func(step, ups int) float64 {
		v := o.Spot*math.Pow(up, float64(2*ups-step)) - o.Strike
		if o.Put {
			v = -v
		}
		return math.Max(v, 0)
	}
	worth := make([]float64, n+1)
	for i := range worth {
		worth[i] = exercised(n, i)
	}
	for step := n - 1; step >= 0; step-- {
		for i := 0; i <= step; i++ {
			worth[i] = math.Max(discount*(p*worth[i+1]+(1-p)*worth[i]), exercised(step, i))
		}
	}
	return worth[0]
}

func TestAmerican_AgreesWithAnotherLattice(t *testing.T) {
	source := rand.New(rand.NewPCG(21, 22))
	for range 25 {
		o := randomOption(source)
		o.American, o.Vol = true, 0.15+0.5*source.Float64()
		want := binomial(o, 600)
		if got := mustValue(t, o).Price; !near(got, want, 2e-4*o.Spot) {
			t.Errorf("%+v = %v, the other lattice %v", o, got, want)
		}
	}
}

// The value of an option that should be exercised at once is its exercise value, and it moves with the
// share.
func TestAmerican_DeepInTheMoneyItIsExercised(t *testing.T) {
	for _, o := range []option.Option{
		{Put: true, Spot: 20, Strike: 100, Years: 1, Rate: 0.05, Vol: 0.3},
		{Put: true, Spot: 1, Strike: 100, Years: 0.5, Rate: 0.05, Vol: 0.2},
		{Put: true, Spot: 1, Strike: 100, Years: 0.5, Rate: 0.05, Vol: 0.01},
		{Put: true, Spot: 99, Strike: 100, Years: 0.5, Rate: 0.05, Vol: 0.0002},
		{Spot: 300, Strike: 100, Years: 1, Rate: 0.01, Yield: 0.08, Vol: 0.01},
	} {
		o.American = true
		sign := 1.0
		if o.Put {
			sign = -1
		}
		got := mustValue(t, o)
		if !near(got.Price, o.Intrinsic(), 1e-9) || !near(got.Delta, sign, 1e-9) || !near(got.Gamma, 0, 1e-6) || !near(got.Vega, 0, 1e-6) || !near(got.Theta, 0, 1e-6) || !near(got.Rho, 0, 1e-6) {
			t.Errorf("%+v = %+v, want %v with a delta of %v and nothing else", o, got, o.Intrinsic(), sign)
		}
	}
}

// Without volatility, a put on a share that pays 10% while cash earns 5% is best exercised when 0.10 * 90
// e^(-0.1 t) = 0.05 * 100 e^(-0.05 t): ln(1.8)/0.05 = 11.76 years.
func TestAmerican_WithoutChanceItWaitsForItsBestDay(t *testing.T) {
	o := option.Option{Put: true, American: true, Spot: 90, Strike: 100, Years: 30, Rate: 0.05, Yield: 0.10}
	day := math.Log(1.8) / 0.05
	got := mustValue(t, o)
	if want := 100*math.Exp(-0.05*day) - 90*math.Exp(-0.1*day); !near(got.Price, want, 1e-9) || got.Theta != 0 {
		t.Errorf("put = %+v, want %v", got, want)
	}
	best := 0.0
	for t := 0.0; t <= 30; t += 0.001 {
		best = math.Max(best, 100*math.Exp(-0.05*t)-90*math.Exp(-0.1*t))
	}
	if got.Price < best-1e-9 {
		t.Errorf("put = %v, a day is worth %v", got.Price, best)
	}
}

// The greeks must match the differences of the lattice's own prices to both sides.
func TestAmerican_GreeksAreTheSlopesOfThePrice(t *testing.T) {
	for _, o := range []option.Option{
		{Put: true, Spot: 80, Strike: 100, Years: 1, Rate: 0.05, Vol: 0.25},
		{Put: true, Spot: 90, Strike: 100, Years: 1, Rate: 0.05, Vol: 0.25},
		{Put: true, Spot: 105, Strike: 100, Years: 0.25, Rate: 0.03, Yield: 0.01, Vol: 0.4},
		{Spot: 110, Strike: 100, Years: 2, Rate: 0.02, Yield: 0.06, Vol: 0.3},
		{Spot: 100, Strike: 100, Years: 1, Rate: -0.01, Yield: -0.02, Vol: 0.2},
	} {
		o.American = true
		got := mustValue(t, o)
		at := func(change func(*option.Option)) float64 {
			moved := o
			change(&moved)
			return mustValue(t, moved).Price
		}
		h := 0.005 * o.Spot
		up, down := at(func(o *option.Option) { o.Spot += h }), at(func(o *option.Option) { o.Spot -= h })
		later := at(func(o *option.Option) { o.Years -= 0.01 })
		earlier := at(func(o *option.Option) { o.Years += 0.01 })
		for _, tc := range []struct {
			name              string
			got, want, within float64
		}{
			{"delta", got.Delta, (up - down) / (2 * h), 2e-3}, {"gamma", got.Gamma, (up - 2*got.Price + down) / (h * h), 2e-3},
			{"theta", got.Theta, (later - earlier) / 0.02, 2e-2 * (1 + math.Abs(got.Theta))},
		} {
			if !near(tc.got, tc.want, tc.within) {
				t.Errorf("%+v: %s = %v, the prices give %v", o, tc.name, tc.got, tc.want)
			}
		}
	}
}

// For all valid input the result is numbers or an error.
func FuzzOption_NothingButNumbersComesOut(f *testing.F) {
	f.Add(true, true, 50.0, 50.0, 0.4, 0.1, 0.0, 0.4)
	f.Add(false, true, 1e12, 1e-9, 100.0, -1.0, 1.0, 10.0)
	f.Add(false, true, 100.0, 100.0, 100.0, 0.05, 0.0, 10.0)
	f.Add(true, false, 1e-9, 1e12, 1e-300, 1.0, -1.0, 1e-300)
	f.Add(true, true, 100.0, 100.0, 0.0, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, put, american bool, spot, strike, years, rate, yield, vol float64) {
		o := option.Option{Put: put, American: american, Spot: spot, Strike: strike, Years: years, Rate: rate, Yield: yield, Vol: vol}
		v, err := o.Value()
		if err != nil {
			if !errors.Is(err, option.ErrInput) {
				t.Fatalf("Value(%+v) = %v, want ErrInput", o, err)
			}
			return
		}
		least, most := o.Bounds()
		slack := 1e-3*most + 1e-12
		if !(v.Price >= least-slack) || !(v.Price <= most+slack) || math.IsNaN(v.Delta+v.Gamma+v.Vega+v.Theta+v.Rho) {
			t.Errorf("Value(%+v) = %+v, beyond %v to %v", o, v, least, most)
		}
	})
}

// C3: 115 options of up to ten years, against the
// high-precision scheme of QuantLib.
func TestAmerican_AgreesWithQuantLib(t *testing.T) {
	text, err := os.ReadFile("testdata/american.txt")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var put int
		var want float64
		o := option.Option{American: true}
		if _, err := fmt.Sscan(line, &put, &o.Spot, &o.Strike, &o.Years, &o.Rate, &o.Yield, &o.Vol, &want); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		o.Put = put == 1
		if got := mustValue(t, o).Price; !near(got, want, 1e-5*want) {
			t.Errorf("%+v = %v, QuantLib %v", o, got, want)
		}
		compared++
	}
	if compared < 110 {
		t.Errorf("%d options were compared, want at least 110", compared)
	}
}
