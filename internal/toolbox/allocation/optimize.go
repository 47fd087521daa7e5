package allocation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/allocation"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type optimizeInput struct {
	assetsInput
	Objective        string             `json:"objective" jsonschema:"min_volatility, max_sharpe, efficient_return, efficient_risk, risk_parity, hrp, min_cvar or black_litterman"`
	TargetReturn     *float64           `json:"target_return,omitempty" jsonschema:"for efficient_return: expected return a year, a fraction"`
	TargetVolatility *float64           `json:"target_volatility,omitempty" jsonschema:"for efficient_risk: most volatility a year, a fraction"`
	Confidence       float64            `json:"confidence,omitempty" jsonschema:"for min_cvar; 0.95 when left out"`
	RiskBudgets      map[string]float64 `json:"risk_budgets,omitempty" jsonschema:"for risk_parity: the share of the risk of each asset, summing to 1; equal when left out"`
	viewsInput
	Sum float64 `json:"sum,omitempty" jsonschema:"money to lay out in whole shares at the last closes, in the assets' currency"`
}

const optimizeDescription = `Finds the weights of a portfolio that are best by an objective: min_volatility; max_sharpe; efficient_return (least risk for target_return); efficient_risk (most return for target_volatility); risk_parity (equal parts of the risk); hrp (hierarchical risk parity); min_cvar (mildest worst periods); black_litterman (market_caps bent by views, then max_sharpe). Gives weights, expected return, volatility, Sharpe ratio, each asset's part of the risk and, for a sum, whole shares.
It fetches total return prices itself. Solvers are exact (critical line, active set, simplex). Limits: min_weight, max_weight, bounds, sector_limits; risk_parity and hrp follow from the covariance alone and are refused where they miss a limit. Definitions are PyPortfolioOpt's. Rates and weights are fractions.
Use efficient_frontier to show the choice between risk and return. Give the period, the number of returns, every warning, and say that past figures do not foretell: max_sharpe of past returns above all chases what did well.`

// newOptimizePortfolio is the tool that divides a sum by an aim.
func newOptimizePortfolio(d Deps) tool.Tool {
	description := optimizeDescription
	if d.Judge != nil {
		description += gateDescription
	}
	return tool.New("optimize_portfolio", description, tool.Reads, func(ctx context.Context, in optimizeInput) (tool.Result, error) {
		p, err := d.optimize(ctx, in)
		if err != nil {
			return refused("optimize_portfolio", err)
		}
		a := answerOf(p)
		if err := d.gate(ctx, &a); err != nil {
			return tool.Result{}, err
		}
		return a.judged(a.result()), nil
	})
}

// refused turns an error that a better question would avoid into a result.
func refused(name string, err error) (tool.Result, error) {
	for _, mendable := range []error{
		errAsked, allocation.ErrInfeasible, allocation.ErrSingular, allocation.ErrStill, allocation.ErrTooFew, allocation.ErrNoExcess, allocation.ErrNotConverged, allocation.ErrMalformed,
	} {
		if errors.Is(err, mendable) {
			return present.Invalid(fmt.Errorf("%s: %w", name, err))
		}
	}
	return present.Mendable(err)
}

// plan is a call that was answered.
type plan struct {
	in       optimizeInput
	universe universe
	estimate estimate
	limits   allocation.Limits
	weights  []float64
	cvar     *float64 // of one period, a loss positive
	prior    []float64
	order    []string // of hrp's tree
	purchase *allocation.Purchase
	notes    []string // assumptions of the objective
}

func (d Deps) optimize(ctx context.Context, in optimizeInput) (plan, error) {
	p := plan{in: in}
	if err := in.check(); err != nil {
		return p, err
	}
	var err error
	if p.universe, err = d.universe(ctx, in.assetsInput); err != nil {
		return p, err
	}
	var limited bool
	if p.limits, limited, err = p.universe.limits(in.assetsInput); err != nil {
		return p, err
	}
	if p.estimate, err = p.universe.estimate(in.assetsInput); err != nil {
		return p, err
	}
	if err = p.solve(); err != nil {
		return p, p.universe.explained(err)
	}
	if missed := p.limits.Breach(p.weights); limited && missed != "" {
		return p, fmt.Errorf("%w: %s follows from the covariance alone, and %s; leave the limits out or use min_volatility", errAsked, in.Objective, missed)
	}
	if in.Sum != 0 {
		err = p.buy(d.Now())
	}
	return p, err
}

func objectives() []string {
	return []string{"min_volatility", "max_sharpe", "efficient_return", "efficient_risk", "risk_parity", "hrp", "min_cvar", "black_litterman"}
}

// check refuses arguments of another objective: left unsaid, they would be taken
// for heeded.
func (in optimizeInput) check() error {
	if !slices.Contains(objectives(), in.Objective) {
		return fmt.Errorf("%w: objective %.20q; there are %s", errAsked, in.Objective, strings.Join(objectives(), ", "))
	}
	for _, a := range []struct {
		name, objective string
		given, needed   bool
	}{
		{"target_return", "efficient_return", in.TargetReturn != nil, true},
		{"target_volatility", "efficient_risk", in.TargetVolatility != nil, true},
		{"confidence", "min_cvar", in.Confidence != 0, false},
		{"risk_budgets", "risk_parity", len(in.RiskBudgets) > 0, false},
		{"market_caps", "black_litterman", len(in.MarketCaps) > 0, true},
		{"views", "black_litterman", len(in.Views) > 0, true},
		{"risk_aversion", "black_litterman", in.Aversion != 0, false},
		{"tau", "black_litterman", in.Tau != 0, false},
	} {
		switch {
		case a.given && a.objective != in.Objective:
			return fmt.Errorf("%w: %s is for %s, not for %s", errAsked, a.name, a.objective, in.Objective)
		case a.needed && !a.given && a.objective == in.Objective:
			return fmt.Errorf("%w: %s needs %s", errAsked, in.Objective, a.name)
		}
	}
	switch {
	case !(in.RiskFree > -1) || in.RiskFree > 1:
		return fmt.Errorf("%w: risk_free_rate %v; it is a fraction a year, 0.04 for 4 %%", errAsked, in.RiskFree)
	case in.Sum < 0 || in.Sum > 1e15:
		return fmt.Errorf("%w: sum %v; it is above zero", errAsked, in.Sum)
	case in.Objective == "black_litterman" && in.Expected != "":
		return fmt.Errorf("%w: black_litterman makes its own expected returns; leave expected_returns out", errAsked)
	}
	return nil
}

const standardConfidence = 0.95

// solve finds the weights.
func (p *plan) solve() error {
	e, l := p.estimate, p.limits
	var err error
	switch p.in.Objective {
	case "min_volatility":
		p.weights, err = allocation.MinVolatility(e.covariance, l)
	case "risk_parity":
		var shares []float64
		if shares, err = p.budgets(); err != nil {
			return err
		}
		p.weights, err = allocation.RiskParity(e.covariance, shares)
	case "hrp":
		var order []int
		p.weights, order, err = allocation.HierarchicalRiskParity(e.covariance)
		for _, i := range order {
			p.order = append(p.order, p.universe.names[i])
		}
	case "min_cvar":
		if p.in.Confidence == 0 {
			p.in.Confidence = standardConfidence
		}
		if !(p.in.Confidence >= 0.5) || p.in.Confidence >= 1 {
			return fmt.Errorf("%w: confidence %v; give 0.95 for 95 %%", errAsked, p.in.Confidence)
		}
		var loss float64
		p.weights, loss, err = allocation.MinCVaR(p.universe.sample, p.in.Confidence, l)
		p.cvar = &loss
	case "black_litterman":
		if err := p.bend(); err != nil {
			return err
		}
		err = p.onFrontier()
	default:
		err = p.onFrontier()
	}
	return err
}

func (p *plan) onFrontier() error {
	f, err := allocation.NewFrontier(p.estimate.returns, p.estimate.covariance, p.limits)
	if err != nil {
		return err
	}
	var best allocation.Portfolio
	switch p.in.Objective {
	case "efficient_return":
		best, err = f.WithReturn(*p.in.TargetReturn)
		if err == nil && *p.in.TargetReturn < f.Safest().Return {
			p.notes = append(p.notes, "the portfolio of least volatility is expected to return more than the target, so it is that one")
		}
	case "efficient_risk":
		best, err = f.WithVolatility(*p.in.TargetVolatility)
		if err == nil && *p.in.TargetVolatility > f.Boldest().Volatility {
			p.notes = append(p.notes, "the portfolio of most expected return has less volatility than the target, so it is that one")
		}
	default:
		best, err = f.MaxSharpe(p.in.RiskFree)
	}
	p.weights = best.Weights
	return err
}

func (p *plan) budgets() ([]float64, error) {
	if len(p.in.RiskBudgets) == 0 {
		return nil, nil
	}
	shares := make([]float64, len(p.universe.names))
	err := p.universe.place(p.in.RiskBudgets, "risk_budgets", func(i int, v float64) error {
		if !(v > 0) {
			return fmt.Errorf("%w: risk budget %v of %s; each is above zero, and they sum to 1", errAsked, v, p.universe.names[i])
		}
		shares[i] = v
		return nil
	})
	return shares, err
}
