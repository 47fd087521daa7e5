package cli

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// The output formats of an answer.
const (
	FormatText       = "text"
	FormatJSON       = "json"
	FormatStreamJSON = "stream-json"
)

// Streams holds the streams that an answer is written to.
type Streams struct {
	Out, Err io.Writer
	// Painter draws the answer.
	Painter *Painter
}

// TurnStart holds what is known before an answer begins.
type TurnStart struct {
	Session, Model string
	BuiltIn        bool // the built-in assistant answers
	// Cost prices tokens; nil if the price of the model is unknown.
	Cost func(llm.Usage) decimal.Decimal
}

// TurnWriter prints a turn as it happens, or a summary when it is done. It is safe for concurrent
// use.
type TurnWriter interface {
	Begin(b TurnStart)
	Warning(text string)
	// Decision receives the policy's answer to a call that writes or executes.
	Decision(a tool.Approval, answer tool.Answer)
	Event(e agent.Event)
	// Finish prints the rest and returns the error that the program exits with: a *TurnError if the
	// turn ended early.
	Finish(done agent.TurnDone, err error) error
}

// NewTurnWriter returns a writer for one of the formats. Another format is a usage error.
func NewTurnWriter(form string, to Streams) (TurnWriter, error) {
	switch form {
	case FormatText:
		if to.Painter == nil {
			to.Painter = &Painter{}
		}
		return &lockedWriter{to: &textWriter{out: to.Out, err: to.Err, painter: to.Painter}}, nil
	case FormatJSON:
		return &lockedWriter{to: &jsonWriter{out: to.Out}}, nil
	case FormatStreamJSON:
		return &lockedWriter{to: &streamWriter{out: to.Out}}, nil
	}
	return nil, usage.Errorf("--output %s: use text or stream-json, or --json", form)
}

// lockedWriter runs one method at a time, because calls that only read are decided concurrently and
// while the answer is written.
type lockedWriter struct {
	mu sync.Mutex
	to TurnWriter
}

func (o *lockedWriter) locked(write func(TurnWriter)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	write(o.to)
}

func (o *lockedWriter) Begin(b TurnStart) { o.locked(func(to TurnWriter) { to.Begin(b) }) }

func (o *lockedWriter) Warning(text string) { o.locked(func(to TurnWriter) { to.Warning(text) }) }

func (o *lockedWriter) Decision(a tool.Approval, answer tool.Answer) {
	o.locked(func(to TurnWriter) { to.Decision(a, answer) })
}

func (o *lockedWriter) Event(e agent.Event) { o.locked(func(to TurnWriter) { to.Event(e) }) }

func (o *lockedWriter) Finish(done agent.TurnDone, err error) (exit error) {
	o.locked(func(to TurnWriter) { exit = to.Finish(done, err) })
	return exit
}

// tally counts what decides the exit code: calls that the policy refused and tools that failed.
type tally struct {
	mu      sync.Mutex
	refused int
	called  int
	failed  int
	noData  int
}

func (t *tally) Decision(_ tool.Approval, answer tool.Answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !answer.Allowed {
		t.refused++
	}
}

func (t *tally) count(e agent.Event) {
	finished, ok := e.(agent.ToolFinished)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.called++
	if finished.Outcome.Result.IsError {
		t.failed++
		if code := finished.Outcome.Result.Code; code == tool.CodeNoData || code == market.CodeUnknownSymbol {
			t.noData++
		}
	}
}

// turnError returns the error that the program exits with after a turn.
func (t *tally) turnError(done agent.TurnDone, err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := &TurnError{Reason: done.Reason, err: stopError(done, err)}
	switch {
	case e.Reason != agent.StopAnswered:
		return e
	case t.refused > 0:
		e.Refused = true
	case done.Outcome != nil && (done.Outcome.Kind == llm.OutcomeAsked || done.Outcome.Kind == llm.OutcomeDeclined),
		t.called > 0 && t.noData == t.called:
		e.NothingFound = true
	case t.called > 0 && t.failed == t.called, done.Outcome != nil && done.Outcome.Kind == llm.OutcomeFailed:
		e.ToolsFailed = true
	default:
		return nil
	}
	return e
}

// outcome returns the outcome of the question for the output.
func (t *tally) outcome(done agent.TurnDone) llm.Outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case done.Outcome != nil:
		return *done.Outcome
	case done.Reason == agent.StopAnswered && (t.called == 0 || t.failed < t.called):
		return llm.Outcome{Kind: llm.OutcomeAnswered}
	default:
		return llm.Outcome{Kind: llm.OutcomeFailed}
	}
}

// TurnError means that a turn ended early or did not answer the question. Its text is empty if the
// output has already shown the reason.
type TurnError struct {
	Reason       agent.StopReason
	Refused      bool // a call was refused
	NothingFound bool // the question was not understood, or there is no data
	ToolsFailed  bool // every tool that was called failed
	err          error
}

// Error returns why the turn ended early, or "".
func (e *TurnError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

// Unwrap returns the error that stopped the turn.
func (e *TurnError) Unwrap() error { return e.err }

// stopError describes why a turn ended early and what to do.
func stopError(done agent.TurnDone, err error) error {
	switch {
	case err != nil:
		return err
	case done.Reason == agent.StopStepLimit:
		return fmt.Errorf("stopped after %s; raise the limit with --max-steps", humanize.Count(done.Steps, "step", "steps"))
	case done.Reason == agent.StopTimeLimit:
		return errors.New("stopped at the time limit; the partial answer is saved. Raise the limit with --timeout")
	case done.Reason == agent.StopCostLimit:
		return errors.New("stopped at the cost limit; raise it with --max-cost")
	case done.Reason == agent.StopSessionSteps:
		return errors.New("the session reached its step limit; raise max_session_steps in the settings, or start a new session")
	case done.Reason == agent.StopSessionTime:
		return errors.New("the session reached its time limit; the partial answer is saved. Raise max_session_time in the settings, or start a new session")
	case done.Reason == agent.StopSessionCost:
		return errors.New("the session reached its cost limit; raise max_session_cost in the settings, or start a new session")
	case done.Reason == agent.StopRepeatedCall:
		return errors.New("stopped: the model repeated the same tool call")
	case done.Reason == agent.StopCancelled:
		return errors.New("interrupted; the partial answer is saved in the session")
	default:
		return nil
	}
}

// Remedy returns what the user can do about a model's error, or "".
func Remedy(err error) string {
	switch llm.KindOf(err) {
	case llm.KindAuth:
		return "check the API key; nfa doctor shows which key is used"
	case llm.KindQuota:
		return "the account has no credit; add credit or use another model"
	case llm.KindRateLimit:
		return "wait a moment and retry"
	case llm.KindContextLength:
		return "start a new session or ask for less"
	case llm.KindRefused:
		return "rephrase the question, or use another model"
	case llm.KindBadRequest:
		return "check the model and its URL with nfa doctor, or start a new session"
	case llm.KindModelUnknown:
		return "check the model name in NFA_MODEL or --model"
	case llm.KindServer:
		return "retry; if it fails again, use another model with --model, or --offline"
	case llm.KindNetwork:
		return "check NFA_BASE_URL and the network, or use --offline"
	case llm.KindTimeout:
		return "retry, or use --offline"
	case llm.KindTruncated:
		return "the answer is incomplete; retry"
	}
	return ""
}

// warnNoSummary warns that the conversation continues without a summary by the model.
func warnNoSummary(w TurnWriter, e agent.Compacted) {
	if e.Outline {
		w.Warning("the session was compacted without a summary, because the model wrote none; it receives your messages and the beginning of each answer")
	}
}
