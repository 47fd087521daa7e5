package indicator_test

import (
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// Tulip's stoch 5 3 3, which begins both columns with the first d.
func TestStochastic_IBM(t *testing.T) {
	k, d := indicator.Stochastic(ibm(), 5, 3, 3)
	wantTail(t, "k", k, []float64{77.385, 83.126, 84.867, 88.361, 95.246, 96.740, 91.091}, threeDecimals)
	wantColumn(t, "d", d, 8, []float64{75.702, 78.011, 81.793, 85.452, 89.491, 93.449, 94.359}, threeDecimals)
	if !math.IsNaN(k[5]) || math.IsNaN(k[6]) {
		t.Errorf("k begins %v, want its first value after 5+3-2 bars", k[:8])
	}
}

// StockCharts ChartSchool, "Stochastic Oscillator (Fast, Slow, and Full)", cs-soo.xls: 14-day %K without
// smoothing, and its three-day average. Closes are given from the 14th session on; the ones before do not
// matter.
func TestStochastic_StockCharts(t *testing.T) {
	b := indicator.Bars{
		High: []float64{127.0090, 127.6159, 126.5911, 127.3472, 128.1730, 128.4317, 127.3671, 126.4220, 126.8995, 126.8498, 125.6460, 125.7156, 127.1582,
			127.7154, 127.6855, 128.2228, 128.2725, 128.0934, 128.2725, 127.7353, 128.7700},
		Low: []float64{125.3574, 126.1633, 124.9296, 126.0937, 126.8199, 126.4817, 126.0340, 124.8301, 126.3921, 125.7156, 124.5615, 124.5715, 125.0689,
			126.8597, 126.6309, 126.8001, 126.7105, 126.8001, 126.1335, 125.9245, 126.9891},
	}
	b.Close = append(append([]float64{}, b.Low[:13]...), 127.2876, 127.1781, 128.0138, 127.1085, 127.7253, 127.0587, 127.3273, 128.7103)
	k, d := indicator.Stochastic(b, 14, 1, 3)
	wantColumn(t, "k", k, 13, []float64{70.4382, 67.6089, 89.2021, 65.8106, 81.7477, 64.5238, 74.5298, 98.5814}, 20*fourDecimals)
	wantColumn(t, "d", d, 15, []float64{75.7497, 74.2072, 78.9201, 70.6940, 73.6004, 79.2117}, 20*fourDecimals)
}

// Tulip's willr 5.
func TestWilliamsR_IBM(t *testing.T) {
	wantColumn(t, "willr", indicator.WilliamsR(ibm(), 5), 4,
		[]float64{-7.477, -23.006, -40.927, -15.500, -11.417, -23.704, -10.278, -0.935, -3.051, -5.793, -17.884}, threeDecimals)
}

// It is the fast stochastic measured from the other end.
func TestWilliamsR_IsTheUnsmoothedStochasticLess100(t *testing.T) {
	b := randomWalkBars(7, 300)
	k, _ := indicator.Stochastic(b, 14, 1, 1)
	for i, r := range indicator.WilliamsR(b, 14) {
		if !same(r, k[i]-100, exact) {
			t.Fatalf("willr[%d] = %v, stochastic %v", i, r, k[i])
		}
	}
}

// Tulip's cci 5, which begins four bars later.
func TestCCI_IBM(t *testing.T) {
	got := indicator.CCI(ibm(), 5)
	wantTail(t, "cci", got, []float64{166.667, 82.020, 95.501, 130.912, 99.163, 116.342, 71.928}, threeDecimals)
	if !math.IsNaN(got[3]) || math.IsNaN(got[4]) {
		t.Errorf("cci begins %v, want its first value after 4 bars", got[:6])
	}
}

// 0.1 has no exact float64: with a mean of 0.1s that is off by a rounding error, the result would be 67.
func TestOscillators_WithoutAnyRangeAreUndefined(t *testing.T) {
	flat := func(v float64) []float64 { return []float64{v, v, v, v, v, v} }
	b := indicator.Bars{High: flat(0.1), Low: flat(0.1), Close: flat(0.1), Volume: flat(7)}
	k, d := indicator.Stochastic(b, 3, 2, 2)
	for name, column := range map[string][]float64{"k": k, "d": d, "willr": indicator.WilliamsR(b, 3), "cci": indicator.CCI(b, 3)} {
		wantColumn(t, name, column, 6, nil, exact)
	}
}
