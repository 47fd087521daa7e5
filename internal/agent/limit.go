package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

// limitError is the cause of a context that ended at a time limit. Its text is a noun, because the results
// of interrupted tools quote it.
type limitError string

const (
	errTimeLimit   limitError = "the time limit of the turn"
	errSessionTime limitError = "the time limit of the session"
)

func (e limitError) Error() string { return string(e) }

// Is makes a limitError a timeout, so that other packages do not treat it as a cancellation.
func (limitError) Is(target error) bool { return target == context.DeadlineExceeded }

// limitOf returns the time limit that ended ctx, or "".
func limitOf(ctx context.Context) limitError {
	var limit limitError
	errors.As(context.Cause(ctx), &limit)
	return limit
}

// withTimeout returns a context for a turn. elapsed is the time of the earlier turns of the session.
func (l Limits) withTimeout(ctx context.Context, elapsed time.Duration) (context.Context, context.CancelFunc) {
	remaining := l.SessionTime - elapsed
	switch {
	case l.SessionTime > 0 && (l.Time <= 0 || remaining < l.Time):
		return context.WithTimeoutCause(ctx, remaining, errSessionTime)
	case l.Time > 0:
		return context.WithTimeoutCause(ctx, l.Time, errTimeLimit)
	}
	return context.WithCancel(ctx)
}

// spending is how much of its limits a session has used.
type spending struct {
	usd     decimal.Decimal // without answers of unknown price
	answers int             // model responses, including partial ones
	time    time.Duration   // of the turns
}

// add adds the cost of a turn, nil if unknown, and its duration. A negative duration, after the clock was
// set back, counts as 0.
func (s *spending) add(usd *decimal.Decimal, elapsed time.Duration) {
	if usd != nil {
		s.usd = s.usd.Add(*usd)
	}
	s.time += max(elapsed, 0)
}

// tally computes the spending of a stored session. A turn lasts from the question to the last entry that
// belongs to it.
type tally struct {
	spending
	askedAt time.Time
	turn    time.Duration // since askedAt
}

func (s *tally) count(e session.Entry, d Display) {
	s.add(d.CostUSD, 0)
	s.add(d.UncountedUSD, 0)
	s.answers += d.Answers
	switch {
	case e.Kind == session.KindUser:
		s.add(nil, s.turn)
		s.askedAt, s.turn = e.At, 0
		return
	case e.Kind == session.KindSummary, s.askedAt.IsZero():
		// A summary that the user requested may be much later than the previous turn.
		return
	case e.Kind == session.KindAssistant && !isUserCall(e.Message):
		s.answers++
	}
	s.turn = max(s.turn, e.At.Sub(s.askedAt))
}

func (s *tally) sum() spending {
	s.add(nil, s.turn)
	s.turn = 0
	return s.spending
}

func isUserCall(m llm.Message) bool {
	return len(m.ToolCalls) > 0 && strings.HasPrefix(m.ToolCalls[0].ID, userCallPrefix)
}

// knownCost returns the cost of usage, or nil if the price is unknown or u is zero.
func (t *turn) knownCost(u llm.Usage) *decimal.Decimal {
	if t.setup.Cost == nil || u == (llm.Usage{}) {
		return nil
	}
	cost := t.setup.Cost(u)
	return &cost
}

// cost returns the cost of the turn so far, from the usage that servers reported.
func (t *turn) cost() *decimal.Decimal { return t.costOf(t.usage, t.subsession.CostUSD) }

// estimatedCost returns the cost of the turn for the cost limits: cost plus an estimate of unreported
// usage.
func (t *turn) estimatedCost() *decimal.Decimal {
	return t.costOf(t.usage.Add(t.uncounted), t.subsessionUSD)
}

func (t *turn) costOf(u llm.Usage, subsessions decimal.Decimal) *decimal.Decimal {
	if t.setup.Cost == nil {
		return nil
	}
	cost := t.setup.Cost(u).Add(subsessions)
	return &cost
}

// estimateUncounted estimates the usage of an answer that the server did not report: some servers never
// do, and none does for an interrupted answer. A refused request costs nothing.
func (w *messageBuilder) estimateUncounted(m llm.Message) {
	if w.counted || w.finish == "" && m.Content == "" && m.Reasoning == "" {
		return
	}
	u := llm.Usage{InputTokens: w.tokens(), OutputTokens: estimateTokens([]llm.Message{m}) + estimateText(m.Reasoning)}
	w.uncounted = w.uncounted.Add(u)
	w.stepUncounted = w.stepUncounted.Add(u)
}

// reachedLimit returns the step or cost limit that has been reached, or "". It is checked between model
// responses, because the cost of a response is known only after it.
func (t *turn) reachedLimit() StopReason {
	limits := t.cfg.Limits
	turn := decimal.Zero
	if cost := t.estimatedCost(); cost != nil {
		turn = *cost
	}
	met := func(limit, spent decimal.Decimal) bool {
		return limit.IsPositive() && spent.GreaterThanOrEqual(limit)
	}
	switch {
	case t.steps >= limits.Steps:
		return StopStepLimit
	case met(limits.Cost, turn):
		return StopCostLimit
	case limits.SessionSteps > 0 && t.spent.answers >= limits.SessionSteps:
		return StopSessionSteps
	case met(limits.SessionCost, t.spent.usd.Add(turn)):
		return StopSessionCost
	}
	return ""
}

// ErrLimitReached means that a session has reached one of its limits and cannot ask the model again.
var ErrLimitReached = errors.New("the session reached its step, time or cost limit; raise it in the settings, or start a new session")

// checkLimits returns an error if a limit forbids asking the model.
func (t *turn) checkLimits() error {
	limits := t.cfg.Limits
	if err := limits.checkPriced(t.setup); err != nil {
		return err
	}
	if t.reachedLimit() != "" || limits.SessionTime > 0 && t.spent.time >= limits.SessionTime {
		return ErrLimitReached
	}
	return nil
}

// checkPriced returns ErrNoPrice if a cost limit cannot be enforced.
func (l Limits) checkPriced(s Setup) error {
	if s.Cost == nil && (l.Cost.IsPositive() || l.SessionCost.IsPositive()) {
		return fmt.Errorf("%s: %w", s.ModelName, ErrNoPrice)
	}
	return nil
}
