package indicator_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// stairBars returns a random walk in whole steps, so that values are often equal, with a gap.
func stairBars(seed uint64, n int) indicator.Bars {
	rng := rand.New(rand.NewPCG(seed, 1))
	var b indicator.Bars
	last := 50.0
	for range n {
		last += float64(rng.IntN(5) - 2)
		b.High, b.Low, b.Close = append(b.High, last+float64(rng.IntN(3))), append(b.Low, last-float64(rng.IntN(3))), append(b.Close, last)
	}
	b.High[n/3], b.Low[n/3] = math.NaN(), math.NaN()
	return b
}

// Compared with the definition: every window searched from end to end.
func TestExtremes_AreThoseOfEveryWindow(t *testing.T) {
	const bars = 120
	for _, n := range []int{1, 2, 3, 7, 25, 79, 119, 120, 121, 1 << 40} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			b := stairBars(uint64(n), bars)
			channel := indicator.Donchian(b, n)
			up, down := indicator.Aroon(b, n)
			for i := range bars {
				high, _ := search(b.High, i, n, func(a, b float64) bool { return a >= b })
				low, _ := search(b.Low, i, n, func(a, b float64) bool { return a <= b })
				_, lastHigh := search(b.High, i, n+1, func(a, b float64) bool { return a >= b })
				_, lastLow := search(b.Low, i, n+1, func(a, b float64) bool { return a <= b })
				for _, c := range []struct {
					name      string
					got, want float64
				}{
					{"highest high", channel.Upper[i], high}, {"lowest low", channel.Lower[i], low},
					{"aroon up", up[i], 100 * (float64(n) - lastHigh) / float64(n)}, {"aroon down", down[i], 100 * (float64(n) - lastLow) / float64(n)},
				} {
					if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
						t.Fatalf("%s over %d at bar %d = %v, want %v", c.name, n, i, c.got, c.want)
					}
				}
			}
		})
	}
}

// search returns the best of the n values that end at i and how many bars ago it was, the latest of equal
// ones; NaN if a value is missing.
func search(x []float64, i, n int, asGood func(a, b float64) bool) (best, ago float64) {
	if n > i+1 || slices.ContainsFunc(x[i-n+1:i+1], math.IsNaN) {
		return math.NaN(), math.NaN()
	}
	at := i - n + 1
	for j := at; j <= i; j++ {
		if asGood(x[j], x[at]) {
			at = j
		}
	}
	return x[at], float64(i - at)
}
