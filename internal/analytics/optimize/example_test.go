package optimize_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

func ExampleFrontier_MaxSharpe() {
	expected := []float64{0.08, 0.12}
	covariance := mat.NewSymDense(2, []float64{0.04, 0.006, 0.006, 0.09})
	frontier, err := optimize.NewFrontier(expected, covariance, optimize.LongOnly(2))
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := frontier.MaxSharpe(0.03)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f %% and %.1f %%, Sharpe ratio %.3f\n", 100*best.Weights[0], 100*best.Weights[1], best.Sharpe(0.03))
	// Output: 54.5 % and 45.5 %, Sharpe ratio 0.373
}
