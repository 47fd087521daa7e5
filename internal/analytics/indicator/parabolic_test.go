package indicator_test

import (
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// By hand. The second bar moves up, so the stop begins at the first low, 9. On the third bar it may not
// pass 9, the low of two bars back. Then it is 9 + 0.04*(12-9) = 9.12 and 9.12 + 0.04*(12-9.12) = 9.2352,
// which the low of the fifth bar reaches: the stop becomes the extreme, 12. From there it is 12 -
// 0.02*(12-9) = 11.94, and with the new low 11.94 - 0.04*(11.94-8) = 11.7824.
func TestParabolicSAR_ByHand(t *testing.T) {
	b := indicator.Bars{
		High:  []float64{10, 11, 12, 11.5, 11, 10, 9},
		Low:   []float64{9, 10, 10.5, 10.8, 9, 8, 7.5},
		Close: []float64{9.5, 10.5, 11.5, 11, 9.2, 8.5, 8},
	}
	wantColumn(t, "sar", indicator.ParabolicSAR(b, 0.02, 0.2), 1, []float64{9, 9, 9.12, 12, 11.94, 11.7824}, exact)
}

// Tulip's psar .2 2.
func TestParabolicSAR_IBM(t *testing.T) {
	wantColumn(t, "sar", indicator.ParabolicSAR(ibm(), .2, 2), 1,
		[]float64{82.15, 80.64, 80.64, 81.31, 82.65, 83.9, 82.3, 82.3, 82.3, 83.92, 84.03, 84.03, 85.39, 85.76}, threeDecimals)
}

// With prices mirrored, the stops are mirrored.
func TestParabolicSAR_MirrorsWithThePrice(t *testing.T) {
	b := randomWalkBars(3, 400)
	mirror := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = 200 - v
		}
		return out
	}
	// The first trend is set by the first two bars, so they must differ.
	b.High[1], b.Low[1] = b.High[0]+1, b.Low[0]+1
	sar := indicator.ParabolicSAR(b, 0.02, 0.2)
	inverted := indicator.ParabolicSAR(indicator.Bars{High: mirror(b.Low), Low: mirror(b.High), Close: mirror(b.Close)}, 0.02, 0.2)
	for i := 1; i < len(sar); i++ {
		if !same(inverted[i], 200-sar[i], 1e-6) {
			t.Fatalf("mirrored[%d] = %v, want %v", i, inverted[i], 200-sar[i])
		}
	}
}

func TestParabolicSAR_NeverStandsWithinTheBar(t *testing.T) {
	b := randomWalkBars(11, 2000)
	for i, s := range indicator.ParabolicSAR(b, 0.02, 0.2) {
		if i > 0 && (math.IsNaN(s) || s > b.Low[i] && s < b.High[i]) {
			t.Fatalf("sar[%d] = %v within %v..%v", i, s, b.Low[i], b.High[i])
		}
	}
}
