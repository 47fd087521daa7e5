// Package allocation holds the tools that say how to divide a sum among assets:
// the best portfolio by a chosen aim, and the frontier of all efficient ones. They
// fetch the prices themselves; the mathematics are those of analytics/allocation.
// A new one is a file of its own and a line in Tools.
package allocation

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are the prices that the tools compute from.
type Deps struct {
	question.Prices
	// Judge holds weights, all of a portfolio, against the limits of the user. It
	// gives lines for everyone to read, and whether they refuse it. Nil judges nothing.
	Judge func(ctx context.Context, weights map[market.Symbol]decimal.Decimal) (lines []string, refused bool, err error)
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	return []tool.Tool{
		newOptimizePortfolio(d),
		newEfficientFrontier(d),
	}
}

// caution belongs to every result.
const caution = "Computed from the past, which does not foretell: estimates, above all expected returns, err more than the optimum does. Not advice"
