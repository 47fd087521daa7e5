package cli

import (
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
)

// FailureText returns the text of a failed result for people.
func FailureText(r tool.Result) string {
	if r.Private && r.ForUser != "" {
		return r.ForUser
	}
	return r.ErrorText()
}

// ToolResult is the result of one tool in JSON output.
type ToolResult struct {
	Tool    string        `json:"tool"`
	Result  any           `json:"result"`
	Figures []tool.Figure `json:"figures"`
	Display string        `json:"display"`
	// Headline is the answer in one sentence, HeadlineZH in Chinese.
	Headline   string      `json:"headline,omitempty"`
	HeadlineZH string      `json:"headline_zh,omitempty"`
	Notes      []tool.Note `json:"notes,omitempty"`
	Chart      *chart.Spec `json:"chart,omitempty"`
	Error      *ErrorJSON  `json:"error"`
}

// NewToolResult returns the result of a call, with its error if it failed.
func NewToolResult(o tool.Outcome) ToolResult {
	out := ToolResult{
		Tool: o.Call.Name, Result: resultValue(o.Result), Figures: o.Result.Figures, Display: o.Result.UserText(), Chart: o.Result.Chart,
		Headline: o.Result.Headline, HeadlineZH: o.Result.HeadlineZH, Notes: o.Result.Notes,
	}
	if out.Figures == nil {
		out.Figures = []tool.Figure{}
	}
	if o.Result.IsError {
		out.Error = &ErrorJSON{Code: o.Result.Code, Message: o.Result.ErrorText()}
	}
	return out
}
