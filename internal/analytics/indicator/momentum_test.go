package indicator_test

import (
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// StockCharts ChartSchool, "Relative Strength Index (RSI)", cs-rsi.xls: 33 closes
// of QQQQ with its 14-day column.
func TestRSI_StockCharts(t *testing.T) {
	closes := []float64{
		44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328,
		46.4116, 46.2222, 45.6439, 46.2122, 46.2521, 45.7137, 46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
	}
	wantColumn(t, "rsi", indicator.RSI(closes, 14), 14, []float64{
		70.5328, 66.3186, 66.5498, 69.4063, 66.3552, 57.9749, 62.9296, 63.2571, 56.0593, 62.3771, 54.7076, 50.4228, 39.9898, 41.4605, 41.8689,
		45.4632, 37.304, 33.0795, 37.773,
	}, fourDecimals*10) // the spreadsheet computes from unrounded closes
}

// Tulip's rsi 5.
func TestRSI_IBM(t *testing.T) {
	wantColumn(t, "rsi", indicator.RSI(ibm().Close, 5), 5,
		[]float64{72.034, 64.927, 75.936, 79.796, 74.713, 83.033, 87.478, 88.755, 91.483, 78.498}, threeDecimals)
}

func TestRSI_OneWayIsTheEndOfTheScaleAndStillnessUndefined(t *testing.T) {
	for _, tt := range []struct {
		name   string
		closes []float64
		want   float64
	}{
		{"only rises", []float64{1, 2, 3, 4, 5}, 100},
		{"only falls", []float64{5, 4, 3, 2, 1}, 0},
		{"never moves", []float64{0.1, 0.1, 0.1, 0.1, 0.1}, math.NaN()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantColumn(t, "rsi", indicator.RSI(tt.closes, 3), 3, []float64{tt.want, tt.want}, exact)
		})
	}
}

// 83.15/81.59 - 1 and so on, from the closes above.
func TestROC_IBM(t *testing.T) {
	c := ibm().Close
	want := make([]float64, 10)
	for i := range want {
		want[i] = (c[i+5] - c[i]) / c[i] * 100
	}
	got := indicator.ROC(c, 5)
	wantColumn(t, "roc", got, 5, want, exact)
	// Tulip's roc 5, as fractions with three decimals.
	for i, fraction := range []float64{.019, .022, .014, .019, .009, .029, .045, .035, .038, .035} {
		if v := got[5+i] / 100; math.Abs(v-fraction) > threeDecimals {
			t.Errorf("roc[%d] = %v, want %v", 5+i, v, fraction)
		}
	}
}

// Crude oil closed at -37.63 on 2020-04-20: a rate of change from there means nothing.
func TestROC_FromAPriceBelowZeroIsUndefined(t *testing.T) {
	wantColumn(t, "roc", indicator.ROC([]float64{18.27, -37.63, 10.01, 0, 5}, 1), 1,
		[]float64{100 * (-37.63/18.27 - 1), math.NaN(), -100, math.NaN()}, exact)
}
