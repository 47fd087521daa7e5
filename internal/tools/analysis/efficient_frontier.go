package analysis

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/tool"
)

type frontierInput struct {
	assetsInput
	Points int `json:"points,omitempty" jsonschema:"portfolios along the frontier, 2 to 50; 10 when left out"`
}

const frontierDescription = `Gives the efficient frontier of several assets: portfolios from the least volatility to the most expected return, in equal steps of return, each with the least risk for its return within the limits; the portfolio of least volatility and the one with the best Sharpe ratio besides. Exact, by the critical line, not by a grid or by chance.
It fetches total return prices itself. Limits: min_weight, max_weight, bounds, sector_limits. Rates and weights are fractions; weights of zero are left out of each point.
Use it for "how much risk for how much return"; use optimize_portfolio for one portfolio by an aim, or whole shares. Give the period, the number of returns, every warning, and say that past figures do not foretell.`

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
		return a.result(), nil
	})
}

func (d OptimizerDeps) frontier(ctx context.Context, in frontierInput) (frontierResult, error) {
	if in.Points == 0 {
		in.Points = defaultPoints
	}
	switch {
	case in.Points < 2 || in.Points > maxPoints:
		return frontierResult{}, fmt.Errorf("%w: %d points; 2 to %d", errInvalidInput, in.Points, maxPoints)
	case !(in.RiskFree > -1) || in.RiskFree > 1:
		return frontierResult{}, fmt.Errorf("%w: risk_free_rate %v; it is a fraction a year, 0.04 for 4 %%", errInvalidInput, in.RiskFree)
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
