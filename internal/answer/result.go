package answer

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Shown is what people read of a result.
func Shown(r tool.Result) string {
	if r.ForUser != "" {
		return r.ForUser
	}
	return r.ModelText()
}

// Failure is what people read of a failed result.
func Failure(r tool.Result) string {
	if r.Private && r.ForUser != "" {
		return r.ForUser
	}
	return r.ErrorText()
}

// Result is one tool's result for programs.
type Result struct {
	Tool    string        `json:"tool"`
	Result  any           `json:"result"`
	Figures []tool.Figure `json:"figures"`
	Display string        `json:"display"`
	Chart   *chart.Spec   `json:"chart,omitempty"`
	Error   *Failed       `json:"error"`
}

// ResultOf is the result of a call, with the error that it failed with.
func ResultOf(o tool.Outcome) Result {
	out := Result{
		Tool: o.Call.Name, Result: resultOf(o.Result), Figures: o.Result.Figures, Display: o.Result.ForUser, Chart: o.Result.Chart,
	}
	if out.Figures == nil {
		out.Figures = []tool.Figure{}
	}
	if o.Result.IsError {
		out.Error = &Failed{Code: o.Result.Code, Message: o.Result.ErrorText()}
	}
	return out
}
