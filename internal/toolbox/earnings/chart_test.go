package earnings_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/toolbox/holdings/holdingstest"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// The book is empty on January 1, and is worth 2,850 on the 8th.
func TestPerformance_DrawsWhatTheBookWasWorth(t *testing.T) {
	res, _ := toolboxtest.Answered(t, toolsOf(t, holdingstest.TwoCurrencies()), "portfolio_performance", holdingstest.Args{})
	got := res.Chart
	if got == nil || got.Kind != chart.KindLine || got.Unit != "USD" || got.Validate() != nil {
		t.Fatalf("chart = %+v, want a line in USD", got)
	}
	line := got.Series[0]
	if n := len(line.Values); n != 8 || line.Values[0] != 0 || line.Values[4] != 2728 || line.Values[7] != 2850 {
		t.Errorf("values = %v; want 8 days, 2,728 on the fifth and 2,850 at the end", line.Values)
	}
	if diff := cmp.Diff("2024-01-08", line.Times[len(line.Times)-1].Format("2006-01-02")); diff != "" {
		t.Errorf("last day (-want +got):\n%s", diff)
	}
}
