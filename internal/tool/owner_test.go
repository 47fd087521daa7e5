package tool_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// A tool that changes another person's data names the owner before and after the change.
func TestRouter_NamesTheOwnerOfTheData(t *testing.T) {
	type none struct{}
	change := tool.New("change", "Changes.", tool.Writes, func(context.Context, none) (tool.Result, error) { return tool.Result{}, nil })
	change.Owner = "anna"
	change.Preview = func(context.Context, json.RawMessage) (tool.Preview, error) {
		return tool.Preview{Plan: []string{"buy 1 VTI"}}, nil
	}
	var lines []string
	router, err := tool.NewRouter([]tool.Tool{change}, tool.Options{Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		lines = a.Lines()
		return tool.Answer{Allowed: true}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := router.Call(t.Context(), llm.ToolCall{Name: "change", Arguments: "{}"})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"data of anna", "buy 1 VTI"}; !slices.Equal(lines, want) {
		t.Errorf("the approval shows %q, want %q", lines, want)
	}
	if line := outcome.Result.Source.Line(0, 0); line != "data of anna" {
		t.Errorf("the line of sources is %q", line)
	}
}
