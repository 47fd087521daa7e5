package indicator_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// By hand, n = 2. From the second bar on +DM is 1, 1, 0, 0, 4, -DM 0, 0, 1.5, 0,
// 0 (of the outside bar the larger move counts), TR 2, 2.5, 3.5, 1, 6. Averages:
// +DM 1, 0.5, 0.25, 2.125; -DM 0, 0.75, 0.375, 0.1875; TR 2.25, 2.875, 1.9375,
// 3.96875. DX: 100, 20, 20, 100*1.9375/2.3125.
func TestADX_ByHand(t *testing.T) {
	got := indicator.ADX(six(), 2)
	wantColumn(t, "plus", got.Plus, 2, []float64{100 / 2.25, 50 / 2.875, 25 / 1.9375, 212.5 / 3.96875}, exact)
	wantColumn(t, "minus", got.Minus, 2, []float64{0, 75 / 2.875, 37.5 / 1.9375, 18.75 / 3.96875}, exact)
	wantColumn(t, "index", got.ADX, 3, []float64{60, 40, (40 + 193.75/2.3125) / 2}, exact)
}

// Inside bars have a range but no directional movement.
func TestADX_WithoutMovementIsZeroAndWithoutRangeUndefined(t *testing.T) {
	column := func(v float64) []float64 { return []float64{v, v, v, v, v, v} }
	still := indicator.ADX(indicator.Bars{High: column(11), Low: column(9), Close: column(10)}, 2)
	wantColumn(t, "index", still.ADX, 3, []float64{0, 0, 0}, exact)
	dead := indicator.ADX(indicator.Bars{High: column(9), Low: column(9), Close: column(9)}, 2)
	wantColumn(t, "index of no range", dead.ADX, 6, nil, exact)
}

func TestADX_AStraightTrendIs100(t *testing.T) {
	b := risingBars(40)
	got := indicator.ADX(b, 14)
	for i := 27; i < 40; i++ {
		if !same(got.ADX[i], 100, exact) || !same(got.Minus[i], 0, exact) {
			t.Fatalf("bar %d: index %v, minus %v; want 100 and 0", i, got.ADX[i], got.Minus[i])
		}
	}
}

// Tulip's aroon 5.
func TestAroon_IBM(t *testing.T) {
	up, down := indicator.Aroon(ibm(), 5)
	wantColumn(t, "up", up, 5, []float64{100, 80, 100, 100, 100, 100, 100, 100, 100, 80}, exact)
	wantColumn(t, "down", down, 5, []float64{20, 0, 0, 80, 60, 40, 20, 0, 40, 20}, exact)
}

func TestAroon_OfEqualExtremesTheLatestCounts(t *testing.T) {
	column := []float64{5, 7, 6, 7, 6}
	up, down := indicator.Aroon(indicator.Bars{High: column, Low: column, Close: column}, 4)
	wantColumn(t, "up", up, 4, []float64{75}, exact)
	wantColumn(t, "down", down, 4, []float64{0}, exact)
}
