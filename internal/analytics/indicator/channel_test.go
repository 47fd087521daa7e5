package indicator_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// Tulip's bbands 5 2.
func TestBollinger_IBM(t *testing.T) {
	got := indicator.Bollinger(ibm().Close, 5, 2)
	wantColumn(t, "upper", got.Upper, 4,
		[]float64{84.322, 84.489, 83.655, 84.164, 84.838, 85.121, 85.997, 86.845, 87.612, 88.566, 88.319}, threeDecimals)
	wantColumn(t, "middle", got.Middle, 4,
		[]float64{82.426, 82.738, 83.094, 83.318, 83.628, 83.778, 84.254, 84.994, 85.574, 86.218, 86.804}, threeDecimals)
	wantColumn(t, "lower", got.Lower, 4,
		[]float64{80.530, 80.987, 82.533, 82.472, 82.418, 82.435, 82.511, 83.143, 83.536, 83.870, 85.289}, threeDecimals)
}

// StockCharts ChartSchool, "Bollinger Bands", cs-bbands.xls: the first and second
// value of 20-day bands on closes of SPY, whose deviations divide by 20.
func TestBollinger_StockCharts(t *testing.T) {
	closes := []float64{
		86.1557, 89.0867, 88.7829, 90.3228, 89.0671, 91.1453, 89.4397, 89.175, 86.9302, 87.6752, 86.9596, 89.4299, 89.3221, 88.7241, 87.4497, 87.2634,
		89.4985, 87.9006, 89.126, 90.7043, 92.9001,
	}
	got := indicator.Bollinger(closes, 20, 2)
	wantColumn(t, "upper", got.Upper, 19, []float64{91.291862, 91.949268}, 1e-5)
	wantColumn(t, "middle", got.Middle, 19, []float64{88.70794, 89.04516}, 1e-5)
	wantColumn(t, "lower", got.Lower, 19, []float64{86.124018, 86.141052}, 1e-5)
}

// EMA(3): 10, 9.25, 9.025, 10.5125. True ranges 2, 2, 2.5, 3.5, 1, 6, so ATR(2) is
// 2, 2.25, 2.875, 1.9375, 3.96875 from the second bar on.
func TestKeltner_ByHand(t *testing.T) {
	got := indicator.Keltner(six(), 3, 2, 2)
	wantColumn(t, "upper", got.Upper, 2, []float64{14.5, 15, 12.9, 18.45}, exact)
	wantColumn(t, "middle", got.Middle, 2, []float64{10, 9.25, 9.025, 10.5125}, exact)
	wantColumn(t, "lower", got.Lower, 2, []float64{5.5, 3.5, 5.15, 2.575}, exact)
}

func TestKeltner_BandsWaitForTheLongerOfTheTwo(t *testing.T) {
	got := indicator.Keltner(six(), 2, 2, 4)
	wantTail(t, "middle", got.Middle, indicator.EMA(six().Close, 2), exact)
	wantColumn(t, "upper", got.Upper, 3, []float64{
		got.Middle[3] + 2*2.5, got.Middle[4] + 2*2.125, got.Middle[5] + 2*3.09375,
	}, exact)
}

func TestDonchian_ByHand(t *testing.T) {
	got := indicator.Donchian(six(), 3)
	wantColumn(t, "upper", got.Upper, 2, []float64{12, 12, 12, 13}, exact)
	wantColumn(t, "middle", got.Middle, 2, []float64{10, 10, 10, 10}, exact)
	wantColumn(t, "lower", got.Lower, 2, []float64{8, 8, 8, 7}, exact)
}
