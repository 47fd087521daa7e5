package indicator_test

import (
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// ibm has 15 sessions of IBM from 2005-11-01 on, the example of the Tulip Indicators (tulipindicators.org).
// Tests that name Tulip use its test values for them (0.9, tests/untest.txt, three decimals).
func ibm() indicator.Bars {
	return indicator.Bars{
		High:  []float64{82.15, 81.89, 83.03, 83.30, 83.85, 83.90, 83.33, 84.30, 84.84, 85.00, 85.90, 86.58, 86.98, 88.00, 87.87},
		Low:   []float64{81.29, 80.64, 81.31, 82.65, 83.07, 83.11, 82.49, 82.30, 84.15, 84.11, 84.03, 85.39, 85.76, 87.17, 87.01},
		Close: []float64{81.59, 81.06, 82.87, 83.00, 83.61, 83.15, 82.84, 83.99, 84.55, 84.36, 85.53, 86.54, 86.89, 87.77, 87.29},
		Volume: []float64{5653100, 6447400, 7690900, 3831400, 4455100, 3798000, 3936200, 4732000, 4841300, 3915300, 6830800,
			6694100, 5293600, 7985800, 4807900},
	}
}

// six has bars few enough to compute by hand: two up, a fall, an inside bar and an outside bar.
func six() indicator.Bars {
	return indicator.Bars{
		High:   []float64{10, 11, 12, 11.5, 9, 13},
		Low:    []float64{8, 9, 9.5, 8, 8, 7},
		Close:  []float64{9, 10, 11, 8.5, 8.8, 12},
		Volume: []float64{100, 200, 0, 400, 100, 200},
	}
}

// Tulip's values have three decimals, those of StockCharts' spreadsheets four or more; values computed by
// hand are exact.
const (
	threeDecimals = 5.01e-4
	fourDecimals  = 5.01e-5
	exact         = 1e-9
)

// wantColumn compares a column that begins after warmUp bars.
func wantColumn(t *testing.T, name string, got []float64, warmUp int, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != warmUp+len(want) {
		t.Fatalf("%s has %d values, want %d", name, len(got), warmUp+len(want))
	}
	wantTail(t, name, got, want, tolerance)
	for i, v := range got[:warmUp] {
		if !math.IsNaN(v) {
			t.Errorf("%s[%d] = %v, want NaN within the warm-up of %d", name, i, v, warmUp)
		}
	}
}

// wantTail compares the last values of a column, where the source begins later.
func wantTail(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	from := len(got) - len(want)
	for i, w := range want {
		if v := got[from+i]; !same(v, w, tolerance) {
			t.Errorf("%s[%d] = %.6f, want %.6f", name, from+i, v, w)
		}
	}
}

func same(a, b, tolerance float64) bool {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.IsNaN(a) && math.IsNaN(b)
	}
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(b)*1e-6)
}
