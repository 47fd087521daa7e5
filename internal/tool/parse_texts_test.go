package tool_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

func TestRouter_ReadsArgumentsThatWereSentAsText(t *testing.T) {
	type input struct {
		Symbols []string `json:"symbols,omitempty"`
		Note    string   `json:"note,omitempty"`
		Rate    float64  `json:"rate,omitempty"`
		Deep    bool     `json:"deep,omitempty"`
	}
	probe := tool.New("probe", "", tool.Reads, func(_ context.Context, in input) (tool.Result, error) {
		return tool.Result{Value: fmt.Sprintf("%q %q %v %v", in.Symbols, in.Note, in.Rate, in.Deep)}, nil
	})
	r := newRouter(t, tool.Options{}, probe)
	for raw, want := range map[string]string{
		`"{\"symbols\":[\"AAPL\"],\"note\":\"7\"}"`:               `["AAPL"] "7" 0 false`,
		`{"symbols":"AAPL, MSFT"}`:                                `["AAPL" "MSFT"] "" 0 false`,
		`{"symbols":"[\"AAPL\",\"MSFT\"]"}`:                       `["AAPL" "MSFT"] "" 0 false`,
		`{"symbols":"AAPL"}`:                                      `["AAPL"] "" 0 false`,
		`{"rate":"0.05","deep":"true","note":"0.05"}`:             `[] "0.05" 0.05 true`,
		`{"rate":0.05,"symbols":["A, B"]}`:                        `["A, B"] "" 0.05 false`,
		`{"symbols":["AAPL"],"note":"[\"not a list\"]","rate":1}`: `["AAPL"] "[\"not a list\"]" 1 false`,
	} {
		if got := call(t, r, "probe", raw); got.IsError || got.Value != want {
			t.Errorf("%s gives %v %s, want %s", raw, got.Value, got.ErrorText(), want)
		}
	}
	for _, raw := range []string{`"text"`, `{"rate":"much"}`, `{"symbols":7}`, `"[1]"`, `{"unknown":"1"}`} {
		if got := call(t, r, "probe", raw); !got.IsError || got.Code != tool.CodeValidation {
			t.Errorf("%s gives %v, want it refused", raw, got.Value)
		}
	}
}
