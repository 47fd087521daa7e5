package analysis

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// OptimizerDeps are the prices that the tools compute from.
type OptimizerDeps struct {
	toolkit.Prices
	// CheckLimits holds weights, all of a portfolio, against the limits of the user. It
	// gives lines for everyone to read, and whether they refuse it. Nil judges nothing.
	CheckLimits func(ctx context.Context, weights map[market.Symbol]decimal.Decimal) (lines []string, refused bool, err error)
}

// OptimizerTools returns the tools that optimize a portfolio.
func OptimizerTools(d OptimizerDeps) []tool.Tool {
	return []tool.Tool{
		newOptimizePortfolio(d),
		newEfficientFrontier(d),
	}
}

// pastDataWarning belongs to every result.
const pastDataWarning = "Computed from past returns, which do not predict the future. Expected returns are the least certain estimate. Not advice"
