package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
)

// ModelTest is the result of testing a model.
type ModelTest struct {
	Model string      `json:"model"`
	Text  CallResult  `json:"text"`
	Tool  *CallResult `json:"tool"` // null if the first call failed
	OK    bool        `json:"ok"`
}

// CallResult is the result of one streamed call.
type CallResult struct {
	OK           bool     `json:"ok"`
	Answer       string   `json:"answer,omitempty"`
	FirstTokenMS float64  `json:"first_token_ms"`
	TotalMS      float64  `json:"total_ms"`
	TokensPerSec *float64 `json:"tokens_per_second"` // null if the server reported no usage or sent everything at once
	Usage        Usage    `json:"usage"`
	Error        string   `json:"error,omitempty"`

	err error
}

// Usage counts tokens. CostUSD is null if the price of the model is unknown.
type Usage struct {
	llm.Usage
	CostUSD *json.Number `json:"cost_usd"`
}

// Err returns why the test failed, or nil. Errors of the server are returned unchanged.
func (t ModelTest) Err() error {
	switch {
	case t.OK:
		return nil
	case t.Text.err != nil:
		return t.Text.err
	case t.Tool.err != nil:
		return t.Tool.err
	}
	return fmt.Errorf("%s: %s", t.Model, t.Tool.Error)
}

// TestModel makes two calls: one short answer, and one call of a tool.
func (b *Selector) TestModel(ctx context.Context, e Endpoint) (ModelTest, error) {
	model, err := b.Open(e)
	if err != nil {
		return ModelTest{}, err
	}
	t := ModelTest{Model: e.Name()}
	t.Text, _ = e.call(ctx, model, llm.Request{Messages: []llm.Message{
		{Role: llm.RoleUser, Content: "Say in one short sentence that you are ready."},
	}})
	if t.Text.err == nil && t.Text.Answer == "" {
		t.Text.OK, t.Text.Error = false, "the model answered without text"
		t.Text.err = &llm.Error{Kind: llm.KindServer, Provider: e.Provider.Name, Message: t.Text.Error}
	}
	if !t.Text.OK {
		return t, ctx.Err()
	}
	second, calls := e.call(ctx, model, llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "Add 2 and 3 with the tool add. Call the tool; do not calculate yourself."}},
		Tools: []llm.ToolSpec{{
			Name: "add", Description: "Adds two numbers.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`),
		}},
	})
	if second.err == nil {
		second.Error = checkToolCalls(calls)
		second.OK = second.Error == ""
	}
	t.Tool, t.OK = &second, second.OK
	return t, ctx.Err()
}

// checkToolCalls returns what is wrong with the calls of a model that was asked to call add, or "".
func checkToolCalls(calls []llm.ToolCall) string {
	if len(calls) == 0 {
		return "the model did not call the requested tool"
	}
	var input struct{ A, B *float64 }
	if calls[0].Name != "add" || json.Unmarshal([]byte(calls[0].Arguments), &input) != nil || input.A == nil || input.B == nil {
		return fmt.Sprintf("the model called %s with invalid arguments: %s", calls[0].Name, calls[0].Arguments)
	}
	return ""
}

// call makes one streamed call and measures its time.
func (e Endpoint) call(ctx context.Context, model llm.Model, req llm.Request) (CallResult, []llm.ToolCall) {
	var t CallResult
	var calls []llm.ToolCall
	start := time.Now()
	var first time.Time
	for chunk, err := range model.Stream(ctx, req) {
		if err != nil {
			t.err, t.Error = err, err.Error()
			break
		}
		if first.IsZero() && (chunk.Text != "" || chunk.Reasoning != "" || chunk.ToolCall != nil) {
			first = time.Now()
			t.FirstTokenMS = milliseconds(first.Sub(start))
		}
		t.Answer += chunk.Text
		if chunk.ToolCall != nil {
			calls = append(calls, *chunk.ToolCall)
		}
		if chunk.Usage != nil {
			t.Usage = e.usage(*chunk.Usage)
		}
	}
	t.OK, t.TotalMS = t.err == nil, milliseconds(time.Since(start))
	if streamed := time.Since(first).Seconds(); !first.IsZero() && t.Usage.OutputTokens > 1 && streamed > 0.001 {
		rate := float64(t.Usage.OutputTokens-1) / streamed // not counting the first, which starts the clock
		t.TokensPerSec = &rate
	}
	return t, calls
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// usage returns the tokens and their cost, if known.
func (e Endpoint) usage(u llm.Usage) Usage {
	out := Usage{Usage: u}
	if cost := e.Cost(); cost != nil && u != (llm.Usage{}) {
		usd := jsonNumber(cost(u))
		out.CostUSD = &usd
	}
	return out
}
