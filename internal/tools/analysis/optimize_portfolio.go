package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type optimizeInput struct {
	assetsInput
	Objective        string             `json:"objective" jsonschema:"max_sharpe, min_volatility, risk_parity, hrp, min_cvar and more."`
	TargetReturn     *float64           `json:"target_return,omitempty" jsonschema:"For efficient_return."`
	TargetVolatility *float64           `json:"target_volatility,omitempty" jsonschema:"For efficient_risk."`
	Confidence       float64            `json:"confidence,omitempty" arg:"rare" jsonschema:"For min_cvar. Default 0.95."`
	RiskBudgets      map[string]float64 `json:"risk_budgets,omitempty" arg:"rare" jsonschema:"For risk_parity: share of risk by symbol, sum 1. Default equal."`
	viewsInput
	Sum float64 `json:"sum,omitempty" jsonschema:"Amount to invest in whole shares."`
}

const optimizeDescription = "Optimal weights by objective: min volatility, max Sharpe, risk parity, HRP, min CVaR or Black-Litterman. For the risk-return trade-off use efficient_frontier. If the error code is refused, lead with the broken limit and do not recommend the weights."

const optimizeDetails = `Objectives: min_volatility; max_sharpe; efficient_return (lowest risk for target_return); efficient_risk (highest return for target_volatility); risk_parity (equal shares of risk, or risk_budgets); hrp (hierarchical risk parity); min_cvar (smallest mean loss of the worst periods, at confidence); black_litterman (market_caps adjusted by views, then max_sharpe). The result has weights, expected return, volatility, Sharpe ratio, the share of risk of each asset and, for a sum, whole shares.

It fetches total return prices itself, over the last 5 years by default. Solvers are exact (critical line, active set, simplex). Definitions follow PyPortfolioOpt. Limits are min_weight, max_weight, bounds and sector_limits. risk_parity and hrp depend only on the covariance, so they are refused if they break a limit. Past returns do not predict: max_sharpe in particular favors assets that did well.

black_litterman: market_caps are market values or market weights, all in the same unit. A view of {"AAPL": 1, "MSFT": -1} compares the two. Its return is an annual fraction; its confidence is above 0 and at most 1 (Idzorek's method), or set variance. By default the variance is the prior variance of the mix, times tau. risk_aversion is 2.5 and tau 0.05 by default.

` + assetsDetails

const optimizeKeywords = "optimize optimal optimization optimizer weights weighting allocate allocation portfolio sharpe minimum variance volatility risk-parity hrp cvar black-litterman views maximize minimize split mix invest 优化 最优权重 组合优化 资产配置 风险平价 最大夏普 最小波动 权重"

var optimizePhrasings = []string{
	"best weights for <sym>, <sym> and <sym>",
	"minimum volatility portfolio of <sym>, <sym>",
	"how should I split <num> between <sym> and <sym>",
	"risk parity weights of <sym>, <sym>, <sym>",
	"maximize the sharpe ratio with at most <pct> in each",
	"<sym> <sym> 的最优权重",
	"用风险平价配置 <sym> 和 <sym>",
	"black-litterman with my view that <sym> returns <pct>",
}

// newOptimizePortfolio returns the tool for optimal weights.
func newOptimizePortfolio(d OptimizerDeps) tool.Tool {
	details := optimizeDetails
	if d.CheckLimits != nil {
		details += limitsDetails
	}
	return tool.New("optimize_portfolio", optimizeDescription, tool.Reads, func(ctx context.Context, in optimizeInput) (tool.Result, error) {
		p, err := d.optimize(ctx, in)
		if err != nil {
			return toolkit.RefusalResult(refusal("optimize_portfolio", err))
		}
		a := newOptimizeResult(p)
		if err := d.checkLimits(ctx, &a); err != nil {
			return tool.Result{}, err
		}
		return a.withVerdict(toolkit.Render(a)), nil
	}).WithOutput(toolkit.OutputSchema[optimizeResult]()).WithDetails(details).Find("statistics", optimizeKeywords, optimizePhrasings...)
}

// refusal marks an error that better arguments would avoid.
func refusal(name string, err error) error {
	for _, mendable := range []error{
		errInvalidInput, optimize.ErrInfeasible, optimize.ErrSingular, optimize.ErrConstantReturns, optimize.ErrTooFew, optimize.ErrNoExcess, optimize.ErrNotConverged, optimize.ErrMalformed,
	} {
		if errors.Is(err, mendable) {
			return toolkit.InvalidArgsf("%s: %w", name, err)
		}
	}
	return err
}

// optimization is a validated call and its solution.
type optimization struct {
	input    optimizeInput
	universe assetUniverse
	estimate estimate
	limits   optimize.Limits
	weights  []float64
	cvar     *float64 // for one period, positive for a loss
	prior    []float64
	order    []string // of the leaves in hrp's tree
	purchase *optimize.Purchase
	// slack states that the target of the objective does not bind; "" if it does.
	slack string
}

func (d OptimizerDeps) optimize(ctx context.Context, in optimizeInput) (optimization, error) {
	p := optimization{input: in}
	if err := in.check(); err != nil {
		return p, err
	}
	var err error
	if p.universe, err = d.loadUniverse(ctx, in.assetsInput); err != nil {
		return p, err
	}
	var limited bool
	if p.limits, limited, err = p.universe.weightLimits(in.assetsInput); err != nil {
		return p, err
	}
	if p.estimate, err = p.universe.estimateReturns(in.assetsInput); err != nil {
		return p, err
	}
	if err = p.solve(); err != nil {
		return p, p.universe.explainError(err)
	}
	if missed := p.limits.Violation(p.weights); limited && missed != "" {
		return p, fmt.Errorf("%w: %s depends only on the covariance, and %s; remove the limits or use min_volatility", errInvalidInput, in.Objective, missed)
	}
	if in.Sum != 0 {
		err = p.buyWholeShares(d.Now())
	}
	return p, err
}

func objectives() []string {
	return []string{"min_volatility", "max_sharpe", "efficient_return", "efficient_risk", "risk_parity", "hrp", "min_cvar", "black_litterman"}
}

// check returns an error for arguments of another objective, which would otherwise be silently
// ignored.
func (in optimizeInput) check() error {
	if !slices.Contains(objectives(), in.Objective) {
		return fmt.Errorf("%w: unknown objective %.20q; use one of %s", errInvalidInput, in.Objective, strings.Join(objectives(), ", "))
	}
	for _, a := range []struct {
		name, objective string
		set, needed     bool
		example         string
	}{
		{"target_return", "efficient_return", in.TargetReturn != nil, true, `"target_return": 0.08`},
		{"target_volatility", "efficient_risk", in.TargetVolatility != nil, true, `"target_volatility": 0.12`},
		{"confidence", "min_cvar", in.Confidence != 0, false, ""},
		{"risk_budgets", "risk_parity", len(in.RiskBudgets) > 0, false, ""},
		{"market_caps", "black_litterman", len(in.MarketCaps) > 0, true, `"market_caps": {"AAPL": 3e12, "MSFT": 2.5e12}`},
		{"views", "black_litterman", len(in.Views) > 0, true, `"views": [{"mix": {"AAPL": 1, "MSFT": -1}, "return": 0.02}]`},
		{"risk_aversion", "black_litterman", in.Aversion != 0, false, ""},
		{"tau", "black_litterman", in.Tau != 0, false, ""},
	} {
		switch {
		case a.set && a.objective != in.Objective:
			return fmt.Errorf("%w: %s works only with objective %s, not %s", errInvalidInput, a.name, a.objective, in.Objective)
		case a.needed && !a.set && a.objective == in.Objective:
			return fmt.Errorf("%w: %s requires %s, such as %s", errInvalidInput, in.Objective, a.name, a.example)
		}
	}
	switch {
	case !(in.RiskFree > -1) || in.RiskFree > 1:
		return fmt.Errorf("%w: risk_free_rate %v is out of range; it is an annual fraction: write 4%% as 0.04", errInvalidInput, in.RiskFree)
	case in.Sum < 0 || in.Sum > 1e15:
		return fmt.Errorf("%w: sum %v must be above zero", errInvalidInput, in.Sum)
	case in.Objective == "black_litterman" && in.Expected != "":
		return fmt.Errorf("%w: black_litterman computes its own expected returns; omit expected_returns", errInvalidInput)
	}
	return nil
}

const defaultCVaRConfidence = 0.95

// solve computes the weights.
func (p *optimization) solve() error {
	e, l := p.estimate, p.limits
	var err error
	switch p.input.Objective {
	case "min_volatility":
		p.weights, err = optimize.MinVolatility(e.covariance, l)
	case "risk_parity":
		var shares []float64
		if shares, err = p.riskBudgets(); err != nil {
			return err
		}
		p.weights, err = optimize.RiskParity(e.covariance, shares)
	case "hrp":
		var order []int
		p.weights, order, err = optimize.HierarchicalRiskParity(e.covariance)
		for _, i := range order {
			p.order = append(p.order, p.universe.names[i])
		}
	case "min_cvar":
		if p.input.Confidence == 0 {
			p.input.Confidence = defaultCVaRConfidence
		}
		if !(p.input.Confidence >= 0.5) || p.input.Confidence >= 1 {
			return fmt.Errorf("%w: confidence %v is out of range; write 95%% as 0.95", errInvalidInput, p.input.Confidence)
		}
		var loss float64
		p.weights, loss, err = optimize.MinCVaR(p.universe.sample, p.input.Confidence, l)
		p.cvar = &loss
	case "black_litterman":
		if err := p.applyViews(); err != nil {
			return err
		}
		err = p.solveOnFrontier()
	default:
		err = p.solveOnFrontier()
	}
	return err
}

func (p *optimization) solveOnFrontier() error {
	f, err := optimize.NewFrontier(p.estimate.returns, p.estimate.covariance, p.limits)
	if err != nil {
		return err
	}
	var best optimize.Portfolio
	switch p.input.Objective {
	case "efficient_return":
		best, err = f.WithReturn(*p.input.TargetReturn)
		if err == nil && *p.input.TargetReturn < f.MinVolatility().Return {
			p.slack = fmt.Sprintf("the target return of %s does not bind: the portfolio with the lowest volatility already exceeds it and is the result", formatPercent(*p.input.TargetReturn))
		}
	case "efficient_risk":
		best, err = f.WithVolatility(*p.input.TargetVolatility)
		if err == nil && *p.input.TargetVolatility > f.MaxReturn().Volatility {
			p.slack = fmt.Sprintf("the target volatility of %s does not bind: the portfolio with the highest expected return is already below it and is the result", formatPercent(*p.input.TargetVolatility))
		}
	default:
		best, err = f.MaxSharpe(p.input.RiskFree)
	}
	p.weights = best.Weights
	return err
}

func (p *optimization) riskBudgets() ([]float64, error) {
	if len(p.input.RiskBudgets) == 0 {
		return nil, nil
	}
	shares := make([]float64, len(p.universe.names))
	err := p.universe.assignByName(p.input.RiskBudgets, "risk_budgets", func(i int, v float64) error {
		if !(v > 0) {
			return fmt.Errorf("%w: risk budget %v of %s; each must be above zero, and they must sum to 1", errInvalidInput, v, p.universe.names[i])
		}
		shares[i] = v
		return nil
	})
	return shares, err
}

// limitsDetails is added to Details if the tool checks its result against the user's limits.
const limitsDetails = `

The weights are checked against the user's own limits, as if they were the whole portfolio. If a limit is broken, the result is an error with the code refused. your_limits also says whether the advice is general.`

// limitsVerdict is the result of checking the weights against the user's limits.
type limitsVerdict struct {
	Limits  []string `json:"your_limits,omitempty"` // for people, the decision first
	Refused bool     `json:"refused,omitempty"`
	Error   string   `json:"error,omitempty"`
	Code    string   `json:"code,omitempty"`
}

// ErrorText returns why the weights are refused, or "".
func (v limitsVerdict) ErrorText() string { return v.Error }

// checkLimits checks the weights against the user's limits, as if they were the whole portfolio.
func (d OptimizerDeps) checkLimits(ctx context.Context, a *optimizeResult) error {
	if d.CheckLimits == nil {
		return nil
	}
	weights := map[market.Symbol]decimal.Decimal{}
	for name, weight := range a.Weights {
		weights[market.Symbol(name)] = decimal.NewFromFloat(weight)
	}
	var err error
	if a.Limits, a.Refused, err = d.CheckLimits(ctx, weights); err != nil {
		return fmt.Errorf("check weights against limits: %w", err)
	}
	return nil
}

// withVerdict puts the verdict before the result. Refused weights are an error that still shows them.
func (a optimizeResult) withVerdict(res tool.Result) tool.Result {
	if len(a.Limits) == 0 {
		return res
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", toolkit.TableCell(a.Limits[0]))
	for _, line := range a.Limits[1:] {
		fmt.Fprintf(&b, "- %s\n", toolkit.TableCell(line))
	}
	res.ForUser = b.String() + "\n" + res.ForUser
	if a.Refused {
		res.IsError, res.Code = true, tool.CodeRefused
		res.Summary = a.Limits[0] + ": " + res.Summary
		a.Error, a.Code = res.UserText(), tool.CodeRefused
		res.Value = a
	}
	return res
}
