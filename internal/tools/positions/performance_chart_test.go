package positions_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// The portfolio is empty on January 1, and its value is 2,850 on the 8th.
func TestPerformance_DrawsWhatTheBookWasWorth(t *testing.T) {
	res, _ := toolstest.CallOK(t, performanceToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_performance", toolstest.Args{})
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

func TestPerformance_DrawsTheBookAgainstItsBenchmarkFromAHundred(t *testing.T) {
	res, got := toolstest.CallOK(t, performanceToolsOf(t, toolstest.TwoCurrencyFixture()), "portfolio_performance", toolstest.Args{"benchmark": "VTI"})
	spec := res.Chart
	if spec == nil || spec.Kind != chart.KindCompare || !spec.Rebased || spec.Validate() != nil || len(spec.Series) != 2 {
		t.Fatalf("chart = %+v, want a comparison of two", spec)
	}
	for i, name := range []string{"portfolio", "VTI"} {
		if one := spec.Series[i]; one.Name != name || one.Values[0] != 100 {
			t.Errorf("line %d = %q from %v, want %q from 100", i, one.Name, one.Values[0], name)
		}
	}
	// The line ends at the return in the answer.
	last := spec.Series[0].Values[len(spec.Series[0].Values)-1]
	windows := got["windows"].([]any)
	ended := false
	for _, r := range windows[len(windows)-1].(map[string]any)["returns"].([]any) {
		line := r.(map[string]any)
		if line["method"] != "time_weighted" {
			continue
		}
		ended = true
		if pct, err := decimal.NewFromString(fmt.Sprint(line["pct"])); err != nil || math.Abs(last-100-pct.InexactFloat64()) > 1e-6 {
			t.Errorf("the portfolio ends at %v, and its return is %v %%", last, line["pct"])
		}
	}
	if !ended {
		t.Error("the answer has no time-weighted return")
	}
	var drawn strings.Builder
	for _, line := range chart.Render(*spec, chart.RenderOptions{Width: 78, Height: 14}) {
		for _, span := range line {
			drawn.WriteString(span.Text)
		}
		drawn.WriteString("\n")
	}
	for _, want := range []string{"portfolio", "VTI", "rebased to 100"} {
		if !strings.Contains(drawn.String(), want) {
			t.Errorf("the chart does not say %q:\n%s", want, drawn.String())
		}
	}
}

// performanceFieldLine is a line of a table that did not fit and became a list of fields.
var performanceFieldLine = regexp.MustCompile(`(?m)^\s*(return|amount|position|benchmark|date|1 year|3 years|5 years|since inception): .*$`)

func TestPerformance_TablesAreTablesInEightyColumns(t *testing.T) {
	w := toolstest.LargeFixture(30, 120)
	for _, in := range []toolstest.Args{{}, {"benchmark": "S1"}, {"range": "max"}} {
		res := toolstest.Call(t, performanceToolsOf(t, w), "portfolio_performance", in)
		if !strings.Contains(res.UserText(), "Contributions") {
			t.Fatalf("%v: no contributions:\n%s", in, res.UserText())
		}
		for _, width := range []int{80, 100} {
			drawn := strings.Join(markdown.Render(res.UserText(), markdown.Options{Width: width}), "\n")
			if broken := regexp.MustCompile(`(?m)\([+-][0-9.]+%?\s*$`).FindString(drawn); broken != "" {
				t.Errorf("%v: a per cent is broken over two lines (%q):\n%s", in, broken, drawn)
			}
			if found := performanceFieldLine.FindString(drawn); found != "" {
				t.Errorf("%v: %d columns hold no table (%q):\n%s", in, width, found, drawn)
			}
		}
	}
}
