package indicator_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// Tulip's sma 5.
func TestSMA_IBM(t *testing.T) {
	wantColumn(t, "sma", indicator.SMA(ibm().Close, 5), 4,
		[]float64{82.426, 82.738, 83.094, 83.318, 83.628, 83.778, 84.254, 84.994, 85.574, 86.218, 86.804}, threeDecimals)
}

// StockCharts ChartSchool, "Moving Averages", cs-movavg.xls: the ten-day average
// of 30 closes, seeded with the mean of the first ten.
func TestEMA_StockCharts(t *testing.T) {
	closes := []float64{
		22.2734, 22.194, 22.0847, 22.1741, 22.184, 22.1344, 22.2337, 22.4323, 22.2436, 22.2933, 22.1542, 22.3926, 22.3816, 22.6109, 23.3558,
		24.0519, 23.753, 23.8324, 23.9516, 23.6338, 23.8225, 23.8722, 23.6537, 23.187, 23.0976, 23.326, 22.6805, 23.0976, 22.4025, 22.1725,
	}
	wantColumn(t, "ema", indicator.EMA(closes, 10), 9, []float64{
		22.22475, 22.21192273, 22.24477314, 22.26965075, 22.33169607, 22.51789678, 22.79680646, 22.97065983, 23.12733986, 23.27720534, 23.34204073,
		23.42939696, 23.50990661, 23.53605086, 23.47258707, 23.4044076, 23.39015167, 23.2611241, 23.23139244, 23.08068473, 22.91556023,
	}, 1e-8)
}

// StockCharts ChartSchool, "MACD", cs-macd.xls: Apple, 66 closes of 2013. The
// signal is the nine-day average of the line, seeded with its first nine values.
func TestMACD_StockCharts(t *testing.T) {
	closes := []float64{
		459.99, 448.85, 446.06, 450.81, 442.8, 448.97, 444.57, 441.4, 430.47, 420.05, 431.14, 425.66, 430.58, 431.72, 437.87, 428.43, 428.35,
		432.5, 443.66, 455.72, 454.49, 452.08, 452.73, 461.91, 463.58, 461.14, 452.08, 442.66, 428.91, 429.79, 431.99, 427.72, 423.2, 426.21,
		426.98, 435.69, 434.33, 429.8,
	}
	got := indicator.MACD(closes, 12, 26, 9)
	wantColumn(t, "line", got.Line, 25, []float64{
		8.275269504, 7.703378381, 6.416074757, 4.237519783, 2.552583325, 1.378885719, 0.102981491, -1.258401953, -2.07055819, -2.621842328,
		-2.329066740, -2.181632115, -2.402626273,
	}, 1e-7)
	wantColumn(t, "signal", got.Signal, 33, []float64{3.037525869, 1.905652229, 1.058708432, 0.410640325, -0.152012994}, 1e-7)
	wantColumn(t, "histogram", got.Histogram, 33, []float64{-5.108084059, -4.527494558, -3.387775177, -2.59227244, -2.250613279}, 1e-7)
}

// With k = 2/3 and 1/2: EMA2 1.5, 19/6, 115/18, 691/54; EMA3 7/3, 31/6, 127/12.
func TestMACD_ByHand(t *testing.T) {
	got := indicator.MACD([]float64{1, 2, 4, 8, 16}, 2, 3, 2)
	line := []float64{19.0/6 - 7.0/3, 115.0/18 - 31.0/6, 691.0/54 - 127.0/12}
	first := (line[0] + line[1]) / 2
	signal := []float64{first, first + 2.0/3*(line[2]-first)}
	wantColumn(t, "line", got.Line, 2, line, exact)
	wantColumn(t, "signal", got.Signal, 3, signal, exact)
	wantColumn(t, "histogram", got.Histogram, 3, []float64{line[1] - signal[0], line[2] - signal[1]}, exact)
}
