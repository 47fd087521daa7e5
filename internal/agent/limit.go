package agent

import (
	"context"
	"errors"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
)

// errTimeLimit is why the context of a turn ends at its limit.
var errTimeLimit = errors.New("the turn has met its limit of time")

// within is ctx as long as a turn may take.
func (l Limits) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, l.Time, errTimeLimit)
}

// paid is what usage costs, or nil where that is not known or nothing was counted.
func (t *turn) paid(u llm.Usage) *decimal.Decimal {
	if t.setup.Cost == nil || u == (llm.Usage{}) {
		return nil
	}
	cost := t.setup.Cost(u)
	return &cost
}

// cost is what the turn has cost.
func (t *turn) cost() *decimal.Decimal {
	if t.setup.Cost == nil {
		return nil
	}
	cost := t.setup.Cost(t.usage)
	return &cost
}

// tooDear reports whether a limit of cost is met. It is looked at between the
// answers of a model: what one answer costs is known only when it is there.
func (t *turn) tooDear() bool {
	cost := t.cost()
	if cost == nil {
		return false
	}
	met := func(limit, spent decimal.Decimal) bool {
		return limit.IsPositive() && spent.GreaterThanOrEqual(limit)
	}
	return met(t.cfg.Limits.Cost, *cost) || met(t.cfg.Limits.SessionCost, t.spent.Add(*cost))
}
