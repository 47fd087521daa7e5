package analytics_test

import (
	"errors"
	"testing"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
)

// The expectations of empyrical 0.5 (tests/test_stats.py, test_annual_volatility)
// for its series mixed_returns (daily) and monthly_returns.
func TestAnnualVolatility_AgreesWithEmpyrical(t *testing.T) {
	tests := []struct {
		name     string
		interval market.Interval
		returns  []float64
		want     float64
	}{
		{"daily", market.Daily, []float64{.01, .10, -.04, .02, .03, .02, .01, -.10}, 0.9136465399704637},
		{"monthly", market.Monthly, []float64{0, .01, .10, -.04, .02, .03, .02, .01, -.10}, 0.18663690238892558},
		{"constant growth", market.Daily, []float64{.01, .01, .01, .01}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := analytics.AnnualVolatility(pricesFromReturns(t, tt.interval, tt.returns...))
			if err != nil {
				t.Fatal(err)
			}
			wantNear(t, "volatility", got, tt.want, 1e-8)
		})
	}
}

func TestAnnualVolatility_OneReturnHasNoScatter(t *testing.T) {
	got, err := analytics.AnnualVolatility(pricesFromReturns(t, market.Daily, .01))
	if !errors.Is(err, analytics.ErrTooFew) {
		t.Errorf("volatility of one return = %v, %v; want ErrTooFew", got, err)
	}
}
