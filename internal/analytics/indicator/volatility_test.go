package indicator_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// Tulip's tr.
func TestTrueRange_IBM(t *testing.T) {
	wantColumn(t, "tr", indicator.TrueRange(ibm()), 0,
		[]float64{0.86, 1.25, 1.97, 0.65, 0.85, 0.79, 0.84, 2, 0.85, 0.89, 1.87, 1.19, 1.22, 1.11, 0.86}, threeDecimals)
}

// Tulip's atr 5.
func TestATR_IBM(t *testing.T) {
	wantColumn(t, "atr", indicator.ATR(ibm(), 5), 4,
		[]float64{1.116, 1.051, 1.009, 1.207, 1.136, 1.086, 1.243, 1.233, 1.230, 1.206, 1.137}, threeDecimals)
}

// StockCharts ChartSchool, "Average True Range (ATR)", cs-atr.xls: 30 sessions of
// QQQQ with its 14-day column.
func TestATR_StockCharts(t *testing.T) {
	b := indicator.Bars{
		High: []float64{48.7, 48.72, 48.9, 48.87, 48.82, 49.05, 49.2, 49.35, 49.92, 50.19, 50.12, 49.66, 49.88, 50.19, 50.36, 50.57, 50.65, 50.43, 49.63,
			50.33, 50.29, 50.17, 49.32, 48.5, 48.3201, 46.8, 47.8, 48.39, 48.66, 48.79},
		Low: []float64{47.79, 48.14, 48.39, 48.37, 48.24, 48.635, 48.94, 48.86, 49.5, 49.87, 49.2, 48.9, 49.43, 49.725, 49.26, 50.09, 50.3, 49.21, 48.98,
			49.61, 49.2, 49.43, 48.08, 47.64, 41.55, 44.2833, 47.31, 47.2, 47.9, 47.7301},
		Close: []float64{48.16, 48.61, 48.75, 48.63, 48.74, 49.03, 49.07, 49.32, 49.91, 50.13, 49.53, 49.5, 49.75, 50.03, 50.31, 50.52, 50.41, 49.34, 49.37,
			50.23, 49.2375, 49.93, 48.43, 48.18, 46.57, 45.41, 47.77, 47.72, 48.62, 47.85},
	}
	wantColumn(t, "atr", indicator.ATR(b, 14), 13, []float64{
		0.555, 0.593929, 0.585791, 0.568949, 0.615452, 0.61792, 0.642354, 0.674329, 0.69277, 0.775429, 0.78147, 1.209229, 1.30262, 1.38029,
		1.366698, 1.336219, 1.316482,
	}, 1e-6)
}
