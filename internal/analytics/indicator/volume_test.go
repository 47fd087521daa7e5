package indicator_test

import (
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// Tulip's obv.
func TestOBV_IBM(t *testing.T) {
	wantColumn(t, "obv", indicator.OBV(ibm()), 0, []float64{
		0, -6447400, 1243500, 5074900, 9530000, 5732000, 1795800, 6527800, 11369100, 7453800, 14284600, 20978700, 26272300, 34258100, 29450200,
	}, exact)
}

// Tulip's mfi 5.
func TestMFI_IBM(t *testing.T) {
	wantColumn(t, "mfi", indicator.MFI(ibm(), 5), 5,
		[]float64{61.172, 67.308, 62.796, 64.661, 45.238, 67.841, 85.578, 85.963, 87.504, 84.647}, threeDecimals)
}

func TestMFI_WithoutAnyFlowIsUndefined(t *testing.T) {
	column := []float64{9, 10, 10, 10, 10}
	b := indicator.Bars{High: column, Low: column, Close: column, Volume: []float64{1, 1, 1, 1, 1}}
	wantColumn(t, "mfi", indicator.MFI(b, 2), 2, []float64{100, math.NaN(), math.NaN()}, exact)
}

// Typical prices 9, 10, 65/6, 28/3, 8.6, 32/3 by volumes 100, 200, 0, 400, 100, 200.
func TestVWAP_ByHand(t *testing.T) {
	four := 100*9 + 200*10 + 400*28/3.0
	wantColumn(t, "vwap", indicator.VWAP(six()), 0, []float64{
		9, 2900 / 300.0, 2900 / 300.0, four / 700, (four + 860) / 800, (four + 860 + 200*32/3.0) / 1000,
	}, exact)
}

func TestVWAP_BeforeAnythingWasTradedIsUndefined(t *testing.T) {
	b := six()
	b.Volume = []float64{0, 0, 5, 0, 5, 0}
	mean := (65/6.0 + 8.6) / 2
	wantColumn(t, "vwap", indicator.VWAP(b), 2, []float64{65 / 6.0, 65 / 6.0, mean, mean}, exact)
}
