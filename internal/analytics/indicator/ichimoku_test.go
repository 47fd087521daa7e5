package indicator_test

import (
	"math"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics/indicator"
)

// By hand, lengths 1, 2, 3. M(1): 9, 10, 10.75, 9.75, 8.5, 10. M(2): 9.5, 10.5, 10,
// 9.75, 10. M(3): 10 throughout. The spans are those of two bars before.
func TestIchimoku_ByHand(t *testing.T) {
	got := indicator.Ichimoku(six(), 1, 2, 3)
	wantColumn(t, "conversion", got.Conversion, 0, []float64{9, 10, 10.75, 9.75, 8.5, 10}, exact)
	wantColumn(t, "base", got.Base, 1, []float64{9.5, 10.5, 10, 9.75, 10}, exact)
	wantColumn(t, "span a", got.SpanA, 3, []float64{9.75, 10.625, 9.875}, exact)
	wantColumn(t, "span b", got.SpanB, 4, []float64{10, 10}, exact)
	wantColumn(t, "lagging", got.Lagging, 0, []float64{11, 8.5, 8.8, 12, math.NaN(), math.NaN()}, exact)
}
