package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/console"
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
	Error      *Failed             `json:"error,omitempty"`
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
	CostUSD *json.Number `json:"cost_usd"`
}

// usageOf is the tokens with what they cost, where that is known.
func usageOf(u llm.Usage, cost func(llm.Usage) decimal.Decimal) usageJSON {
	out := usageJSON{Usage: u}
	if cost != nil && u != (llm.Usage{}) {
		usd := json.Number(cost(u).String())
		out.CostUSD = &usd
	}
	return out
}

// Failed is why there is no answer, or not the whole of one.
type Failed struct {
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

func errorOf(done agent.TurnDone, err error) *Failed {
	kept := err
	if err = stopped(done, err); err == nil {
		return nil
	}
	code := string(done.Reason)
	if kind := llm.KindOf(err); kind != "" {
		code = string(kind)
	}
	return &Failed{Code: code, Message: err.Error(), Remedy: Remedy(kept)}
}

// jsonAnswer prints one object when the turn is done.
type jsonAnswer struct {
	refusals
	out    io.Writer
	cost   func(llm.Usage) decimal.Decimal
	answer answerJSON
}

func (a *jsonAnswer) Begin(b Beginning) {
	a.answer.Session, a.answer.Model, a.cost = b.Session, b.Model, b.Cost
}

func (a *jsonAnswer) Warning(text string) { a.answer.Warnings = append(a.answer.Warnings, text) }

func (a *jsonAnswer) Event(e agent.Event) {
	switch e := e.(type) {
	case agent.ToolFinished:
		a.answer.ToolCalls = append(a.answer.ToolCalls, callOf(e.Outcome))
	case agent.Compacted:
		warnOfOutline(a, e)
	}
}

func (a *jsonAnswer) Finish(done agent.TurnDone, err error) error {
	a.answer.Answer, a.answer.Steps, a.answer.StopReason = done.Answer, done.Steps, done.Reason
	a.answer.Usage = usageOf(done.Usage, a.cost)
	a.answer.Figures = done.Figures
	a.answer.Error = errorOf(done, err)
	if a.answer.ToolCalls == nil {
		a.answer.ToolCalls = []callJSON{}
	}
	if a.answer.Warnings == nil {
		a.answer.Warnings = []string{}
	}
	return errors.Join(console.JSON(a.out, a.answer), a.ended(done, err))
}

// streamAnswer prints a JSON line for each event.
type streamAnswer struct {
	refusals
	out    io.Writer
	cost   func(llm.Usage) decimal.Decimal
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
		_, a.failed = a.out.Write(append(console.Harmless(b), '\n'))
	}
}

func (a *streamAnswer) Begin(b Beginning) {
	a.cost = b.Cost
	a.line("session", map[string]any{"session": b.Session, "model": b.Model})
}

func (a *streamAnswer) Warning(text string) { a.line("warning", map[string]any{"message": text}) }

func (a *streamAnswer) Decided(q tool.Approval, answer tool.Answer) {
	a.refusals.Decided(q, answer)
	a.line("approval", map[string]any{
		"id": q.Call.ID, "name": q.Call.Name, "arguments": rawArguments(q.Call.Arguments),
		"effect": q.Effect.String(), "allowed": answer.Allowed, "reason": answer.Reason,
	})
}

func (a *streamAnswer) Event(e agent.Event) {
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
	case agent.Compacted:
		warnOfOutline(a, e)
	case agent.Retrying:
		a.line("retrying", map[string]any{"message": e.Err.Error(), "wait_ms": e.Wait.Milliseconds(), "afresh": e.Afresh})
	case agent.StepDone:
		a.line("usage", map[string]any{
			"input_tokens": e.Usage.InputTokens, "output_tokens": e.Usage.OutputTokens, "cached_tokens": e.Usage.CachedTokens,
		})
	}
}

func (a *streamAnswer) Finish(done agent.TurnDone, err error) error {
	if e := errorOf(done, err); e != nil {
		a.line("error", map[string]any{"code": e.Code, "message": e.Message, "remedy": e.Remedy})
	}
	a.line("done", map[string]any{"stop_reason": done.Reason, "answer": done.Answer, "steps": done.Steps,
		"figures": done.Figures, "usage": usageOf(done.Usage, a.cost)})
	if a.failed != nil {
		return fmt.Errorf("writing the answer: %w", a.failed)
	}
	return a.ended(done, err)
}
