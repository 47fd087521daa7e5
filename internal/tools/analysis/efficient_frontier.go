package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

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

It fetches total return prices itself, over the last 5 years by default. Limits are min_weight, max_weight, bounds and sector_limits. Weights are fractions; zero weights are omitted from each point. Points times assets must not exceed 600. For whole shares use optimize_portfolio.

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
	// maxNumbers keeps the result below the size at which the Router clips it.
	maxNumbers = 600
)

// newEfficientFrontier returns the tool for the efficient frontier.
func newEfficientFrontier(d OptimizerDeps) tool.Tool {
	return toolkit.New("efficient_frontier", frontierDescription, tool.Reads, func(ctx context.Context, in frontierInput) (frontierResult, error) {
		a, err := d.frontier(ctx, in)
		return a, refusal("efficient_frontier", err)
	}).
		WithDetails(frontierDetails).Find("statistics", frontierKeywords, frontierPhrasings...)
}

func (d OptimizerDeps) frontier(ctx context.Context, in frontierInput) (frontierResult, error) {
	if in.Points == 0 {
		in.Points = defaultPoints
	}
	switch {
	case in.Points < 2 || in.Points > maxPoints:
		return frontierResult{}, fmt.Errorf("%w: points %d is out of range; use 2 to %d", errInvalidInput, in.Points, maxPoints)
	case !(in.RiskFree > -1) || in.RiskFree > 1:
		return frontierResult{}, fmt.Errorf("%w: risk_free_rate %v is out of range; it is an annual fraction: write 4%% as 0.04", errInvalidInput, in.RiskFree)
	}
	u, err := d.loadUniverse(ctx, in.assetsInput)
	if err != nil {
		return frontierResult{}, err
	}
	if n := in.Points * len(u.names); n > maxNumbers {
		return frontierResult{}, fmt.Errorf("%w: too many points: %d for %d assets; use at most %d", errInvalidInput, in.Points, len(u.names), max(2, maxNumbers/len(u.names)))
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

type frontierResult struct {
	Points  []frontierPoint `json:"points" table:"Points"`
	Safest  frontierPoint   `json:"min_volatility" label:"lowest volatility"`
	Best    *frontierPoint  `json:"max_sharpe" label:"best Sharpe ratio"`
	Corners int             `json:"corner_portfolios"`
	dataBasis
}

// frontierPoint is a portfolio on the frontier, without zero weights.
type frontierPoint struct {
	Return  float64            `json:"expected_return" label:"expected return" as:"percent" formula:"sum(weight * expected return)" row:"-"`
	Risk    float64            `json:"volatility" label:"volatility" as:"percent" formula:"sqrt(w' C w)" row:"-"`
	Sharpe  float64            `json:"sharpe_ratio" label:"Sharpe ratio" unit:"ratio" formula:"(expected return - risk-free rate) / volatility" row:"-"`
	Weights map[string]float64 `json:"weights" label:"weight" as:"percent" formula:"lowest variance at this return (critical line)"`
}

func newFrontierResult(u assetUniverse, e estimate, l optimize.Limits, f *optimize.Frontier, in frontierInput) (frontierResult, error) {
	a := frontierResult{dataBasis: newDataBasis(u, e, in.assetsInput, true), Corners: len(f.Corners())}
	point := func(p optimize.Portfolio) frontierPoint {
		out := frontierPoint{Return: p.Return, Risk: p.Volatility, Sharpe: p.Sharpe(in.RiskFree), Weights: map[string]float64{}}
		for i, w := range p.Weights {
			if math.Abs(w) >= negligibleWeight {
				out.Weights[u.names[i]] = w
			}
		}
		return out
	}
	points, err := f.Points(in.Points)
	if err != nil {
		return a, err
	}
	for _, p := range points {
		a.Points = append(a.Points, point(p))
	}
	a.Safest = point(f.MinVolatility())
	best, err := f.MaxSharpe(in.RiskFree)
	switch {
	case errors.Is(err, optimize.ErrNoExcess):
		a.Warnings.Warn("no_sharpe", "no best Sharpe ratio: %v", err)
	case err != nil:
		return a, err
	default:
		p := point(best)
		a.Best = &p
		if limits := bindingLimits(best.Weights, l); len(limits) > 0 {
			a.Warnings.Warn("at_limits", "the portfolio with the best Sharpe ratio is determined partly by limits: %s", strings.Join(limits, ", "))
		}
	}
	if len(points) == 1 {
		a.Warnings.Warn("one_point", "The limits allow only one portfolio, so the lowest volatility and the highest return coincide.")
	}
	return a, nil
}

func (a frontierResult) Headline(lang string) string {
	first, last := a.Points[0], a.Points[len(a.Points)-1]
	if lang == "zh" {
		return fmt.Sprintf("有效前沿：预期年收益率 %s 至 %s，波动率 %s 至 %s。", formatPercent(first.Return), formatPercent(last.Return), formatPercent(first.Risk), formatPercent(last.Risk))
	}
	return fmt.Sprintf("Efficient frontier: from an expected %s a year at %s volatility to %s at %s.", formatPercent(first.Return), formatPercent(first.Risk), formatPercent(last.Return), formatPercent(last.Risk))
}

func (a frontierResult) Title() string {
	return toolkit.Abbreviate("efficient frontier · " + strings.Join(a.universe.names, ", "))
}

func (a frontierResult) Summary() string {
	first, last := a.Points[0], a.Points[len(a.Points)-1]
	return fmt.Sprintf("%s to %s a year, volatility %s to %s", formatPercent(first.Return), formatPercent(last.Return), formatPercent(first.Risk), formatPercent(last.Risk))
}

func (a frontierResult) KeyFigures() []tool.KeyFigure {
	keys := []tool.KeyFigure{{Label: "lowest volatility", Text: formatPercent(a.Safest.Risk)}, {Label: "its expected return", Text: formatPercent(a.Safest.Return)}}
	if a.Best != nil {
		keys = append(keys, tool.KeyFigure{Label: "best Sharpe ratio", Text: formatRatio(a.Best.Sharpe)}, tool.KeyFigure{Label: "its expected return", Text: formatPercent(a.Best.Return)})
	}
	return keys
}

func (a frontierResult) Explain(field string) toolkit.Explanation { return a.explain(field) }

func (a frontierResult) Tables() []toolkit.Table {
	t := toolkit.Table{Title: "Portfolios", Columns: []string{"portfolio", "expected return:", "volatility:", "Sharpe ratio:", "weights"}}
	t.Rows = append(t.Rows, a.row("lowest volatility", a.Safest))
	if a.Best != nil {
		t.Rows = append(t.Rows, a.row("best Sharpe ratio", *a.Best))
	}
	for i, p := range a.Points {
		t.Rows = append(t.Rows, a.row(fmt.Sprint(i+1), p))
	}
	return []toolkit.Table{t}
}

func (a frontierResult) row(name string, p frontierPoint) []string {
	var weights []string
	for _, asset := range a.universe.names {
		if w, ok := p.Weights[asset]; ok {
			weights = append(weights, asset+" "+formatPercent(w))
		}
	}
	return []string{name, formatPercent(p.Return), formatPercent(p.Risk), formatRatio(p.Sharpe), strings.Join(weights, ", ")}
}

// negligibleWeight is a weight so small that it is solver noise.
const negligibleWeight = 5e-7

// formatRatio formats a ratio with two decimals.
func formatRatio(v float64) string {
	return toolkit.Format(math.Round(v*100)/100, toolkit.Number, "")
}
