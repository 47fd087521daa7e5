package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// turnJSON is what `ask --output json` prints.
type turnJSON struct {
	Session    string              `json:"session"`
	Model      string              `json:"model"`
	Answer     string              `json:"answer"`
	ToolCalls  []callJSON          `json:"tool_calls"`
	Figures    agent.FiguresReport `json:"figures"`
	Usage      usageJSON           `json:"usage"`
	Steps      int                 `json:"steps"`
	StopReason agent.StopReason    `json:"stop_reason"`
	// Outcome is answered, asked (Missing names the arguments), declined or failed.
	Outcome       llm.OutcomeKind `json:"outcome"`
	Missing       []string        `json:"missing,omitempty"`
	NotUnderstood []string        `json:"not_understood,omitempty"`
	Warnings      []string        `json:"warnings"`
	Error         *ErrorJSON      `json:"error,omitempty"`
}

type callJSON struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Arguments  json.RawMessage `json:"arguments"`
	Result     any             `json:"result"`
	Error      string          `json:"error,omitempty"`
	DurationMS float64         `json:"duration_ms"`
}

// usageJSON counts tokens. CostUSD is null if the price of the model is unknown, because zero would mean
// free.
type usageJSON struct {
	llm.Usage
	CostUSD *json.Number `json:"cost_usd"`
}

// newUsageJSON returns the token counts with their cost if the price is known.
func newUsageJSON(u llm.Usage, cost func(llm.Usage) decimal.Decimal) usageJSON {
	out := usageJSON{Usage: u}
	if cost != nil && u != (llm.Usage{}) {
		usd := json.Number(cost(u).String())
		out.CostUSD = &usd
	}
	return out
}

// ErrorJSON describes why an answer is missing or incomplete.
type ErrorJSON struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}

func newCallJSON(o tool.Outcome) callJSON {
	return callJSON{
		ID: o.Call.ID, Name: o.Call.Name, Arguments: rawArguments(o.Call.Arguments),
		Result: resultValue(o.Result), Error: o.Result.ErrorText(),
		DurationMS: float64(o.Duration.Microseconds()) / 1000,
	}
}

// rawArguments returns a model's arguments as JSON. Invalid JSON becomes a JSON string.
func rawArguments(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text) // a string always has a JSON form
	return quoted
}

// resultValue returns the structured value of a result, or the model's text if there is none. For a
// failed call it holds what was done before the failure, such as the steps of a skill.
func resultValue(r tool.Result) any {
	_, hasErrorText := r.Value.(interface{ ErrorText() string })
	switch {
	case r.IsError && !hasErrorText:
		return nil
	case r.Value != nil:
		return r.Value
	default:
		return r.ModelText()
	}
}

func newErrorJSON(done agent.TurnDone, err error) *ErrorJSON {
	cause := err
	if err = stopError(done, err); err == nil {
		return nil
	}
	code := string(done.Reason)
	if kind := llm.KindOf(err); kind != "" {
		code = string(kind)
	}
	return &ErrorJSON{Code: code, Message: err.Error(), Remedy: Remedy(cause)}
}

// jsonWriter prints one object when the turn is done.
type jsonWriter struct {
	tally
	out    io.Writer
	cost   func(llm.Usage) decimal.Decimal
	answer turnJSON
}

func (a *jsonWriter) Begin(b TurnStart) {
	a.answer.Session, a.answer.Model, a.cost = b.Session, b.Model, b.Cost
}

func (a *jsonWriter) Warning(text string) { a.answer.Warnings = append(a.answer.Warnings, text) }

func (a *jsonWriter) Event(e agent.Event) {
	a.count(e)
	switch e := e.(type) {
	case agent.ToolFinished:
		a.answer.ToolCalls = append(a.answer.ToolCalls, newCallJSON(e.Outcome))
	case agent.Compacted:
		warnNoSummary(a, e)
	}
}

func (a *jsonWriter) Finish(done agent.TurnDone, err error) error {
	a.answer.Answer, a.answer.Steps, a.answer.StopReason = done.Answer, done.Steps, done.Reason
	a.answer.Usage = newUsageJSON(done.Usage, a.cost)
	a.answer.Figures = done.Figures
	became := a.outcome(done)
	a.answer.Outcome, a.answer.Missing, a.answer.NotUnderstood = became.Kind, became.Missing, became.NotUnderstood
	a.answer.Error = newErrorJSON(done, err)
	if a.answer.ToolCalls == nil {
		a.answer.ToolCalls = []callJSON{}
	}
	if a.answer.Warnings == nil {
		a.answer.Warnings = []string{}
	}
	if writeErr := WriteJSON(a.out, a.answer); writeErr != nil {
		return writeErr
	}
	return a.turnError(done, err)
}

// streamWriter prints a JSON line for each event.
type streamWriter struct {
	tally
	out      io.Writer
	cost     func(llm.Usage) decimal.Decimal
	mu       sync.Mutex // approvals come from the goroutines of the calls
	writeErr error      // the first failure to write
}

func (a *streamWriter) writeLine(kind string, fields map[string]any) {
	fields["type"] = kind
	b, err := json.Marshal(fields)
	if err != nil {
		b = fmt.Appendf(nil, `{"type":"error","code":"encoding","message":%q}`, err.Error())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.writeErr == nil {
		_, a.writeErr = a.out.Write(append(EscapeControls(b), '\n'))
	}
}

func (a *streamWriter) Begin(b TurnStart) {
	a.cost = b.Cost
	a.writeLine("session", map[string]any{"session": b.Session, "model": b.Model})
}

func (a *streamWriter) Warning(text string) { a.writeLine("warning", map[string]any{"message": text}) }

func (a *streamWriter) Decision(q tool.Approval, answer tool.Answer) {
	a.tally.Decision(q, answer)
	a.writeLine("approval", map[string]any{
		"id": q.Call.ID, "name": q.Call.Name, "arguments": rawArguments(q.Call.Arguments),
		"effect": q.Effect.String(), "allowed": answer.Allowed, "reason": answer.Reason,
	})
}

func (a *streamWriter) Event(e agent.Event) {
	a.count(e)
	switch e := e.(type) {
	case agent.TextDelta:
		a.writeLine("text_delta", map[string]any{"text": e.Text})
	case agent.ReasoningDelta:
		a.writeLine("reasoning_delta", map[string]any{"text": e.Text})
	case agent.ToolStarted:
		a.writeLine("tool_call", map[string]any{"id": e.Call.ID, "name": e.Call.Name, "arguments": rawArguments(e.Call.Arguments)})
	case agent.ToolFinished:
		c := newCallJSON(e.Outcome)
		a.writeLine("tool_result", map[string]any{"id": c.ID, "name": c.Name, "result": c.Result, "error": c.Error, "duration_ms": c.DurationMS})
	case agent.SkillLoaded:
		line := map[string]any{"name": e.Name}
		if len(e.Notes) > 0 {
			line["notes"] = e.Notes
		}
		a.writeLine("skill_loaded", line)
	case agent.Compacted:
		warnNoSummary(a, e)
	case agent.Retrying:
		a.writeLine("retrying", map[string]any{"message": e.Err.Error(), "wait_ms": e.Wait.Milliseconds(), "afresh": e.Restarted})
	case agent.StepDone:
		a.writeLine("usage", map[string]any{
			"input_tokens": e.Usage.InputTokens, "output_tokens": e.Usage.OutputTokens, "cached_tokens": e.Usage.CachedTokens,
		})
	}
}

func (a *streamWriter) Finish(done agent.TurnDone, err error) error {
	if e := newErrorJSON(done, err); e != nil {
		a.writeLine("error", map[string]any{"code": e.Code, "message": e.Message, "remedy": e.Remedy})
	}
	became := a.outcome(done)
	last := map[string]any{"stop_reason": done.Reason, "answer": done.Answer, "steps": done.Steps,
		"figures": done.Figures, "usage": newUsageJSON(done.Usage, a.cost), "outcome": became.Kind}
	if len(became.Missing) > 0 {
		last["missing"] = became.Missing
	}
	if len(became.NotUnderstood) > 0 {
		last["not_understood"] = became.NotUnderstood
	}
	a.writeLine("done", last)
	if a.writeErr != nil {
		return fmt.Errorf("write the answer: %w", a.writeErr)
	}
	return a.turnError(done, err)
}
