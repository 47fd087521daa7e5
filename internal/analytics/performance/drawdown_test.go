package performance_test

import (
	"math"
	"testing"
)

// 100 grows to 110; 50 is withdrawn, and 60 falls to 51: a drawdown of 15% since the date of the 110.
// Comparing values would give 53.6%.
func TestDrawdown_CountsNoWithdrawal(t *testing.T) {
	c := flow(seriesUntil("2024-01-04", "2024-01-01", "100", "2024-01-02", "110", "2024-01-03", "60", "2024-01-04", "51"), "2024-01-03", "-50")
	got, peak := c.Drawdown(fullSpan(c))
	if got == nil || math.Abs(*got-0.15) > 1e-12 {
		t.Fatalf("drawdown = %v, want 15%%", got)
	}
	// The withdrawal does not change the growth, so the peak is the day before it.
	if !peak.Equal(seriesDate("2024-01-02")) {
		t.Errorf("peak on %s, want 2024-01-02", peak)
	}
}
