package allocation

import (
	"context"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/allocation"
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
	standardPoints = 10
	mostPoints     = 50
	// mostNumbers keeps the answer below what the Router would clip.
	mostNumbers = 600
)

// newEfficientFrontier is the tool that shows the choice between risk and return.
func newEfficientFrontier(d Deps) tool.Tool {
	return tool.New("efficient_frontier", frontierDescription, tool.Reads, func(ctx context.Context, in frontierInput) (tool.Result, error) {
		a, err := d.frontier(ctx, in)
		if err != nil {
			return refused("efficient_frontier", err)
		}
		return a.result(), nil
	})
}

func (d Deps) frontier(ctx context.Context, in frontierInput) (frontierAnswer, error) {
	if in.Points == 0 {
		in.Points = standardPoints
	}
	switch {
	case in.Points < 2 || in.Points > mostPoints:
		return frontierAnswer{}, fmt.Errorf("%w: %d points; 2 to %d", errAsked, in.Points, mostPoints)
	case !(in.RiskFree > -1) || in.RiskFree > 1:
		return frontierAnswer{}, fmt.Errorf("%w: risk_free_rate %v; it is a fraction a year, 0.04 for 4 %%", errAsked, in.RiskFree)
	}
	u, err := d.universe(ctx, in.assetsInput)
	if err != nil {
		return frontierAnswer{}, err
	}
	if n := in.Points * len(u.names); n > mostNumbers {
		return frontierAnswer{}, fmt.Errorf("%w: %d points of %d assets are too many numbers; ask for %d points", errAsked, in.Points, len(u.names), max(2, mostNumbers/len(u.names)))
	}
	l, _, err := u.limits(in.assetsInput)
	if err != nil {
		return frontierAnswer{}, err
	}
	e, err := u.estimate(in.assetsInput)
	if err != nil {
		return frontierAnswer{}, err
	}
	f, err := allocation.NewFrontier(e.returns, e.covariance, l)
	if err != nil {
		return frontierAnswer{}, u.explained(err)
	}
	return frontierOf(u, e, l, f, in)
}
