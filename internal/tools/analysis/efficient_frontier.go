package analysis

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type frontierInput struct {
	assetsInput
	Points int `json:"points,omitempty" jsonschema:"Portfolios along the frontier, 2 to 50. Default 10."`
}

const frontierDescription = `Efficient frontier of 2 to 30 symbols: portfolios from the lowest volatility to the highest expected return. Use for "how much risk for how much return"; for one portfolio by an objective use optimize_portfolio. Past returns do not predict: say so.`

const frontierDetails = `Portfolios in equal steps of expected return, each with the lowest risk for its return within the limits, plus the portfolio of lowest volatility and the one with the best Sharpe ratio. The solution is exact (critical line), not a grid or random search.

It fetches total return prices itself, over the last 5 years by default. Limits are min_weight, max_weight, bounds and sector_limits. Weights are fractions; zero weights are omitted from each point. At most 600 numbers: points times assets. For whole shares use optimize_portfolio.

` + assetsDetails

const frontierKeywords = "efficient frontier markowitz risk return tradeoff trade-off mean-variance minimum variance tangency portfolios allocations choice curve mix mixes combination combinations optimal 有效前沿 马科维茨 风险收益 最优组合 最小方差 配置曲线"

var frontierPhrasings = []string{
	"efficient frontier of <sym>, <sym> and <sym>",
	"how much risk must I take for a return of <pct>",
	"best mixes of <sym> and <sym>",
	"risk and return trade-off of <sym>, <sym>, <sym>",
	"<sym> 和 <sym> 的有效前沿",
	"不同风险下的最优组合",
}

const (
	defaultPoints = 10
	maxPoints     = 50
	// maxNumbers keeps the answer below what the Router would clip.
	maxNumbers = 600
)

// newEfficientFrontier is the tool that shows the choice between risk and return.
func newEfficientFrontier(d OptimizerDeps) tool.Tool {
	return tool.New("efficient_frontier", frontierDescription, tool.Reads, func(ctx context.Context, in frontierInput) (tool.Result, error) {
		a, err := d.frontier(ctx, in)
		if err != nil {
			return invalidResult("efficient_frontier", err)
		}
		return toolkit.Render(a), nil
	}).WithDetails(frontierDetails).Find("statistics", frontierKeywords, frontierPhrasings...)
}

func (d OptimizerDeps) frontier(ctx context.Context, in frontierInput) (frontierResult, error) {
	if in.Points == 0 {
		in.Points = defaultPoints
	}
	switch {
	case in.Points < 2 || in.Points > maxPoints:
		return frontierResult{}, fmt.Errorf("%w: %d points; 2 to %d", errInvalidInput, in.Points, maxPoints)
	case !(in.RiskFree > -1) || in.RiskFree > 1:
		return frontierResult{}, fmt.Errorf("%w: risk_free_rate %v; it is a fraction a year, 0.04 for 4%%", errInvalidInput, in.RiskFree)
	}
	u, err := d.loadUniverse(ctx, in.assetsInput)
	if err != nil {
		return frontierResult{}, err
	}
	if n := in.Points * len(u.names); n > maxNumbers {
		return frontierResult{}, fmt.Errorf("%w: %d points of %d assets are too many numbers; ask for %d points", errInvalidInput, in.Points, len(u.names), max(2, maxNumbers/len(u.names)))
	}
	l, _, err := u.weightLimits(in.assetsInput)
	if err != nil {
		return frontierResult{}, err
	}
	e, err := u.estimateReturns(in.assetsInput)
	if err != nil {
		return frontierResult{}, err
	}
	f, err := optimize.NewFrontier(e.returns, e.covariance, l)
	if err != nil {
		return frontierResult{}, u.explainError(err)
	}
	return newFrontierResult(u, e, l, f, in)
}
