package positions_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// Of 2850: VTI 1200, SAP 660, cash 990.
func TestAllocation_DrawsItsParts(t *testing.T) {
	res, _ := toolstest.CallOK(t, overviewToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_allocation", toolstest.Args{})
	want := []chart.Part{{Label: "VTI", Value: 1200}, {Label: "cash", Value: 990}, {Label: "SAP", Value: 660}}
	if res.Chart == nil || res.Chart.Kind != chart.KindBars || res.Chart.Unit != "USD" {
		t.Fatalf("chart = %+v, want bars in USD", res.Chart)
	}
	if diff := cmp.Diff(want, res.Chart.Parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if strings.Contains(res.ModelText(), "Allocation by symbol") {
		t.Error("the model reads the chart")
	}
}
