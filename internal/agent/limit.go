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

// limitError is why the context of a turn ends at a limit of time. It reads as a
// noun, for the results of the tools that it stops.
type limitError string

const (
	errTimeLimit   limitError = "the time limit of the turn"
	errSessionTime limitError = "the time limit of the session"
)

func (e limitError) Error() string { return string(e) }

// Is makes a limitError count as a timeout, so that code that knows nothing of turns does not take
// it for a cancellation.
func (limitError) Is(target error) bool { return target == context.DeadlineExceeded }

// limitOf is the limit of time that ended ctx, or "".
func limitOf(ctx context.Context) limitError {
	var limit limitError
	errors.As(context.Cause(ctx), &limit)
	return limit
}

// withTimeout is ctx as long as a turn may take, in a session whose turns have taken
// some time already.
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

// spending is what a session has used up of its limits.
type spending struct {
	usd     decimal.Decimal // as far as prices are known
	answers int             // of the model, whole or cut; not those of which nothing came
	time    time.Duration   // of its turns
}

// add counts the cost of a turn, nil when unknown, and its duration. A clock that was set back
// meanwhile does not reduce the time spent.
func (s *spending) add(usd *decimal.Decimal, elapsed time.Duration) {
	if usd != nil {
		s.usd = s.usd.Add(*usd)
	}
	s.time += max(elapsed, 0)
}

// tally counts what a session on record has used up. The time of a turn is from
// the question to the last thing that came of it, so that no waiting for the next
// question is in it, and a turn in which the program died counts as far as it got.
type tally struct {
	spending
	askedAt time.Time
	turn    time.Duration // since then
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
		// One that the user asked for comes long after the turn before it.
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

// knownCost is what usage costs, or nil where that is not known or nothing was counted.
func (t *turn) knownCost(u llm.Usage) *decimal.Decimal {
	if t.setup.Cost == nil || u == (llm.Usage{}) {
		return nil
	}
	cost := t.setup.Cost(u)
	return &cost
}

// cost is what the turn has cost, as far as servers have counted.
func (t *turn) cost() *decimal.Decimal { return t.costOf(t.usage, t.subsession.CostUSD) }

// estimatedCost is what the turn counts for in the limits of cost: what servers have
// not counted is in it by estimate.
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

// estimateUncounted estimates what an answer used that the server has not counted: some count
// none, and none counts an answer that was cut. Of what was refused nothing came,
// and nothing is charged.
func (w *messageBuilder) estimateUncounted(m llm.Message) {
	if w.counted || w.finish == "" && m.Content == "" && m.Reasoning == "" {
		return
	}
	u := llm.Usage{InputTokens: w.tokens(), OutputTokens: estimateTokens([]llm.Message{m}) + estimateText(m.Reasoning)}
	w.uncounted = w.uncounted.Add(u)
	w.stepUncounted = w.stepUncounted.Add(u)
}

// reachedLimit is the limit of steps or of cost that has been met, or "". It is
// looked at between the answers of a model: what one answer costs is known only
// when it is there.
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

// ErrLimitReached means that a session has met a limit of its own, so that nothing more
// is asked of a model in it.
var ErrLimitReached = errors.New("the session reached its step, time or cost limit; raise it in the settings, or start a new session")

// checkLimits tells why nothing is to be asked of the model, or nil.
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

// checkPriced reports ErrNoPrice where a limit of cost could not be kept.
func (l Limits) checkPriced(s Setup) error {
	if s.Cost == nil && (l.Cost.IsPositive() || l.SessionCost.IsPositive()) {
		return fmt.Errorf("%s: %w", s.ModelName, ErrNoPrice)
	}
	return nil
}
