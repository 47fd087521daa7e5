package planning_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// toolsWithLimit returns the tools with a limit for the size of a position.
func toolsWithLimit(limit string, fault error) []tool.Tool {
	return planning.CalculatorToolsWithLimits(func(_ context.Context, symbol string, part decimal.Decimal) ([]string, bool, error) {
		if part.Abs().GreaterThan(decimal.RequireFromString(limit)) {
			return []string{"NO: refused by your limits", "fail: " + symbol + " " + part.String()}, true, fault
		}
		return []string{"Within all of your limits"}, false, fault
	})
}

// 1% of 50000 with a stop 3 below is 166 units at 100: 33.2% of the capital.
func TestPositionSize_PassesTheLimitsOfTheUserFirst(t *testing.T) {
	in := args{"method": "risk", "capital": 50000, "price": 100, "risk": 0.01, "stop": 97, "symbol": "VTI"}
	res := toolstest.Call(t, toolsWithLimit("0.3", nil), "position_size", in)
	toolstest.WantError(t, res, tool.CodeRefused, "fail: VTI 0.332")
	if !strings.HasPrefix(res.UserText(), "**NO: refused by your limits**") || !strings.Contains(res.UserText(), "166") || !strings.HasPrefix(res.Summary, "NO") || !strings.Contains(res.ModelText(), `"refused":true`) {
		t.Errorf("refused = %q, summary %q, model %s; want the no first, with what was refused", res.UserText(), res.Summary, res.ModelText())
	}
	res, got := toolstest.CallOK(t, toolsWithLimit("0.4", nil), "position_size", in)
	toolstest.WantFields(t, got, map[string]any{"units": "166", "value": "16600"})
	if !strings.HasPrefix(res.UserText(), "**Within all of your limits**") {
		t.Errorf("ForUser = %q; want the verdict first", res.UserText())
	}
}

func TestPositionSize_AShortOneIsJudgedAsShort(t *testing.T) {
	res := toolstest.Call(t, toolsWithLimit("0.3", nil), "position_size", args{"method": "risk", "capital": 50000, "price": 100, "risk": 0.01, "stop": 103})
	toolstest.WantError(t, res, tool.CodeRefused, "-0.332")
}

func TestPositionSize_LimitsThatCannotBeReadLetNothingPass(t *testing.T) {
	res := toolstest.Call(t, toolsWithLimit("1", errors.New("the profile is of a newer version")), "position_size", args{"method": "risk", "capital": 50000, "price": 100, "risk": 0.01, "stop": 97})
	if !res.IsError || !strings.Contains(res.ErrorText(), "newer version") || strings.Contains(res.ModelText(), "166") {
		t.Errorf("result = %s; want an error without a size", res.ModelText())
	}
}

func TestPositionSize_WhatIsNoQuestionIsNotJudged(t *testing.T) {
	res := toolstest.Call(t, toolsWithLimit("1", nil), "position_size", args{"method": "luck", "capital": 1, "price": 1})
	toolstest.WantError(t, res, tool.CodeValidation, "risk, volatility or kelly")
}
