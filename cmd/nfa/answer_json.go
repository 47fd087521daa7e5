package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// answerJSON is what `ask --output json` prints.
type answerJSON struct {
	Session    string              `json:"session"`
	Model      string              `json:"model"`
	Answer     string              `json:"answer"`
	ToolCalls  []callJSON          `json:"tool_calls"`
	Figures    agent.FiguresReport `json:"figures"`
	Usage      usageJSON           `json:"usage"`
	Steps      int                 `json:"steps"`
	StopReason agent.StopReason    `json:"stop_reason"`
	Warnings   []string            `json:"warnings"`
	Error      *errorJSON          `json:"error,omitempty"`
}

type callJSON struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Arguments  json.RawMessage `json:"arguments"`
	Result     any             `json:"result"`
	Error      string          `json:"error,omitempty"`
	DurationMS float64         `json:"duration_ms"`
}

// usageJSON counts tokens. CostUSD is null where the price of the model is not
// known: a zero would be a claim.
type usageJSON struct {
	llm.Usage
	CostUSD *dollars `json:"cost_usd"`
}

type errorJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}

func callOf(o tool.Outcome) callJSON {
	return callJSON{
		ID: o.Call.ID, Name: o.Call.Name, Arguments: rawArguments(o.Call.Arguments),
		Result: resultOf(o.Result), Error: o.Result.ErrorText(),
		DurationMS: float64(o.Duration.Microseconds()) / 1000,
	}
}

// rawArguments gives a model's arguments as JSON; what is not JSON becomes a
// string of itself.
func rawArguments(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text) // a string always has a JSON form
	return quoted
}

// resultOf is the structured value, or the model's text where there is none. Of a
// call that failed it is what was done before: the steps of a skill that broke off.
func resultOf(r tool.Result) any {
	_, kept := r.Value.(interface{ ErrorText() string })
	switch {
	case r.IsError && !kept:
		return nil
	case r.Value != nil:
		return r.Value
	default:
		return r.ModelText()
	}
}

func errorOf(done agent.TurnDone, err error) *errorJSON {
	kept := err
	if err = turnError(done, err); err == nil {
		return nil
	}
	code := string(done.Reason)
	if kind := llm.KindOf(err); kind != "" {
		code = string(kind)
	}
	return &errorJSON{Code: code, Message: err.Error(), Remedy: remedy(kept)}
}

// jsonAnswer prints one object when the turn is done.
type jsonAnswer struct {
	refusals
	priced
	out    io.Writer
	answer answerJSON
}

func (a *jsonAnswer) begin(session, model string) { a.answer.Session, a.answer.Model = session, model }

func (a *jsonAnswer) warning(text string) { a.answer.Warnings = append(a.answer.Warnings, text) }

func (a *jsonAnswer) event(e agent.Event) {
	if e, ok := e.(agent.ToolFinished); ok {
		a.answer.ToolCalls = append(a.answer.ToolCalls, callOf(e.Outcome))
	}
}

func (a *jsonAnswer) finish(done agent.TurnDone, err error) error {
	a.answer.Answer, a.answer.Steps, a.answer.StopReason = done.Answer, done.Steps, done.Reason
	a.answer.Usage = a.cost(done.Usage)
	a.answer.Figures = done.Figures
	a.answer.Error = errorOf(done, err)
	if a.answer.ToolCalls == nil {
		a.answer.ToolCalls = []callJSON{}
	}
	if a.answer.Warnings == nil {
		a.answer.Warnings = []string{}
	}
	return errors.Join(printJSON(a.out, a.answer), a.exit(done, err))
}

// streamAnswer prints a JSON line for each event.
type streamAnswer struct {
	refusals
	priced
	out    io.Writer
	mu     sync.Mutex // approvals come from the goroutines of the calls
	failed error      // the first failure to write
}

func (a *streamAnswer) line(kind string, fields map[string]any) {
	fields["type"] = kind
	b, err := json.Marshal(fields)
	if err != nil {
		b = fmt.Appendf(nil, `{"type":"error","code":"encoding","message":%q}`, err.Error())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failed == nil {
		_, a.failed = a.out.Write(append(harmless(b), '\n'))
	}
}

func (a *streamAnswer) begin(session, model string) {
	a.line("session", map[string]any{"session": session, "model": model})
}

func (a *streamAnswer) warning(text string) { a.line("warning", map[string]any{"message": text}) }

func (a *streamAnswer) decided(q tool.Approval, answer tool.Answer) {
	a.refusals.decided(q, answer)
	a.line("approval", map[string]any{
		"id": q.Call.ID, "name": q.Call.Name, "arguments": rawArguments(q.Call.Arguments),
		"effect": q.Effect.String(), "allowed": answer.Allowed, "reason": answer.Reason,
	})
}

func (a *streamAnswer) event(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		a.line("text_delta", map[string]any{"text": e.Text})
	case agent.ReasoningDelta:
		a.line("reasoning_delta", map[string]any{"text": e.Text})
	case agent.ToolStarted:
		a.line("tool_call", map[string]any{"id": e.Call.ID, "name": e.Call.Name, "arguments": rawArguments(e.Call.Arguments)})
	case agent.ToolFinished:
		c := callOf(e.Outcome)
		a.line("tool_result", map[string]any{"id": c.ID, "name": c.Name, "result": c.Result, "error": c.Error, "duration_ms": c.DurationMS})
	case agent.SkillLoaded:
		a.line("skill_loaded", map[string]any{"name": e.Name})
	case agent.Retrying:
		a.line("retrying", map[string]any{"message": e.Err.Error(), "wait_ms": e.Wait.Milliseconds(), "afresh": e.Afresh})
	case agent.StepDone:
		a.line("usage", map[string]any{
			"input_tokens": e.Usage.InputTokens, "output_tokens": e.Usage.OutputTokens, "cached_tokens": e.Usage.CachedTokens,
		})
	}
}

func (a *streamAnswer) finish(done agent.TurnDone, err error) error {
	if e := errorOf(done, err); e != nil {
		a.line("error", map[string]any{"code": e.Code, "message": e.Message, "remedy": e.Remedy})
	}
	a.line("done", map[string]any{"stop_reason": done.Reason, "answer": done.Answer, "steps": done.Steps,
		"figures": done.Figures, "usage": a.cost(done.Usage)})
	if a.failed != nil {
		return fmt.Errorf("writing the answer: %w", a.failed)
	}
	return a.exit(done, err)
}
