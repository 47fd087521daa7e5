package cli

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
)

// ResultText is what people read of a result.
func ResultText(r tool.Result) string {
	if r.ForUser != "" {
		return r.ForUser
	}
	return r.ModelText()
}

// FailureText is what people read of a failed result.
func FailureText(r tool.Result) string {
	if r.Private && r.ForUser != "" {
		return r.ForUser
	}
	return r.ErrorText()
}

// ToolResult is one tool's result for programs.
type ToolResult struct {
	Tool    string        `json:"tool"`
	Result  any           `json:"result"`
	Figures []tool.Figure `json:"figures"`
	Display string        `json:"display"`
	Chart   *chart.Spec   `json:"chart,omitempty"`
	Error   *ErrorJSON    `json:"error"`
}

// NewToolResult is the result of a call, with the error that it failed with.
func NewToolResult(o tool.Outcome) ToolResult {
	out := ToolResult{
		Tool: o.Call.Name, Result: resultValue(o.Result), Figures: o.Result.Figures, Display: o.Result.ForUser, Chart: o.Result.Chart,
	}
	if out.Figures == nil {
		out.Figures = []tool.Figure{}
	}
	if o.Result.IsError {
		out.Error = &ErrorJSON{Code: o.Result.Code, Message: o.Result.ErrorText()}
	}
	return out
}
