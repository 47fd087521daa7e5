package analysis_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/analysis"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// toolsWithLimit returns the tools with a limit for the largest weight.
func toolsWithLimit(t testing.TB, limit string, fault error) []tool.Tool {
	return analysis.OptimizerTools(analysis.OptimizerDeps{
		Prices: toolkit.Prices{Now: toolstest.Clock(t, toolstest.Now)},
		CheckLimits: func(_ context.Context, weights map[market.Symbol]decimal.Decimal) ([]string, bool, error) {
			sum := decimal.Zero
			for _, sym := range slices.Sorted(maps.Keys(weights)) {
				weight := weights[sym]
				if sum = sum.Add(weight); weight.GreaterThan(decimal.RequireFromString(limit)) {
					return []string{"NO: refused by your limits", "fail: " + string(sym)}, true, fault
				}
			}
			return []string{"Within all of your limits", "sum " + sum.Round(4).String()}, false, fault
		},
	})
}

func TestOptimize_WeightsPassTheLimitsOfTheUserFirst(t *testing.T) {
	in := args{"objective": "hrp", "prices": prices(randomWalks(4, 300))}
	res := toolstest.Call(t, toolsWithLimit(t, "0.1", nil), "optimize_portfolio", in)
	toolstest.WantError(t, res, tool.CodeRefused, "fail: A0")
	if !strings.HasPrefix(res.UserText(), "**NO: refused by your limits**") || !strings.HasPrefix(res.Summary, "NO") || !strings.Contains(res.ErrorText(), "Portfolio: hrp") {
		t.Errorf("refused = %q, summary %q; want the no first, with what was refused", res.UserText(), res.Summary)
	}
	if model := res.ModelText(); !strings.Contains(model, `"refused":true`) || !strings.Contains(model, `"weights"`) {
		t.Errorf("the model reads %s; want the verdict and the weights", model)
	}
	res, got := toolstest.CallOK(t, toolsWithLimit(t, "1", nil), "optimize_portfolio", in)
	if lines := toolstest.Strings(t, got["your_limits"]); len(lines) != 2 || lines[1] != "sum 1" || !strings.HasPrefix(res.UserText(), "**Within all of your limits**") {
		t.Errorf("your_limits = %q, want the verdict on the whole portfolio\n%s", lines, res.UserText())
	}
}

func TestOptimize_LimitsThatCannotBeReadLetNothingPass(t *testing.T) {
	res := toolstest.Call(t, toolsWithLimit(t, "1", errors.New("the profile is of a newer version")), "optimize_portfolio", args{"objective": "hrp", "prices": prices(randomWalks(4, 300))})
	if !res.IsError || !strings.Contains(res.ErrorText(), "newer version") || strings.Contains(res.ModelText(), "weights\":") {
		t.Errorf("result = %s; want an error without weights", res.ModelText())
	}
}
