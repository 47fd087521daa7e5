package planning_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/chart"
)

// 1,000 grow by 10% a year without volatility, so all percentiles are one line.
func TestRetirement_DrawsItsFutures(t *testing.T) {
	res, _ := callOK(t, sampleDeps(t), "retirement_simulation", args{
		"current_balance": 1000, "years": 2, "mean_return": 0.1, "volatility": 0, "currency": "EUR",
	})
	got := res.Chart
	if got == nil || got.Kind != chart.KindFan || got.Unit != "EUR" || got.Validate() != nil {
		t.Fatalf("chart = %+v, want a fan in EUR", got)
	}
	if first, last := got.Fan.Times[0].Format("2006-01-02"), got.Fan.Times[2].Format("2006-01-02"); first != "2026-11-20" || last != "2028-11-20" {
		t.Errorf("the fan goes from %s to %s, want two years from the day of the call", first, last)
	}
	for _, p := range got.Fan.Percentiles {
		if diff := cmp.Diff(chart.Values{1000, 1100, 1210}, p.Values, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("percentile %g (-want +got):\n%s", p.Rank, diff)
		}
	}
}

func TestBacktest_DrawsTheRuleBesideItsBenchmark(t *testing.T) {
	res, got := callOK(t, sampleDeps(t), "backtest", args{"symbols": []string{"AAPL", "IBM"}, "strategy": "fixed_weights", "range": "5y"})
	c := res.Chart
	if c == nil || c.Kind != chart.KindCompare || len(c.Series) != 2 || c.Validate() != nil {
		t.Fatalf("chart = %+v, want both accounts against each other", c)
	}
	for i, account := range []string{"result", "benchmark"} {
		values := c.Series[i].Values
		total := got[account].(map[string]any)["total_return"].(float64)
		if drawn := values[len(values)-1]/values[0] - 1; drawn-total > 1e-6 || total-drawn > 1e-6 {
			t.Errorf("%s earns %g in the chart and %g in the answer", account, drawn, total)
		}
	}
}
