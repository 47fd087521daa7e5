package analysis

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type frontierResult struct {
	Points  []frontierPoint `json:"points" table:"Points"`
	Safest  frontierPoint   `json:"min_volatility" label:"lowest volatility"`
	Best    *frontierPoint  `json:"max_sharpe" label:"best Sharpe ratio"`
	Corners int             `json:"corner_portfolios"`
	dataBasis
}

// frontierPoint is a portfolio on the frontier, without weights of zero.
type frontierPoint struct {
	Return  float64            `json:"expected_return" label:"expected return" as:"percent" formula:"sum(weight * expected return)" row:"-"`
	Risk    float64            `json:"volatility" label:"volatility" as:"percent" formula:"sqrt(w' C w)" row:"-"`
	Sharpe  float64            `json:"sharpe_ratio" label:"Sharpe ratio" unit:"ratio" formula:"(expected return - risk-free rate) / volatility" row:"-"`
	Weights map[string]float64 `json:"weights" label:"weight" as:"percent" formula:"least variance at this return, by the critical line"`
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
			a.Warnings.Warn("at_limits", "in the portfolio of the best Sharpe ratio, limits and not data decide: %s", strings.Join(limits, ", "))
		}
	}
	if len(points) == 1 {
		a.Warnings.Warn("one_point", "the frontier is one point: no portfolio within the limits is expected to return more than the one of lowest volatility")
	}
	return a, nil
}

// Headline implements [toolkit.Answer].
func (a frontierResult) Headline(lang string) string {
	first, last := a.Points[0], a.Points[len(a.Points)-1]
	if lang == "zh" {
		return fmt.Sprintf("有效前沿：预期年收益 %s 至 %s，波动率 %s 至 %s。", formatPercent(first.Return), formatPercent(last.Return), formatPercent(first.Risk), formatPercent(last.Risk))
	}
	return fmt.Sprintf("The frontier runs from %s a year at %s volatility to %s at %s.", formatPercent(first.Return), formatPercent(first.Risk), formatPercent(last.Return), formatPercent(last.Risk))
}

// Title implements [toolkit.Titled].
func (a frontierResult) Title() string {
	return toolkit.Abbreviate("efficient frontier · " + strings.Join(a.universe.names, ", "))
}

// Summary implements [toolkit.Summarizer].
func (a frontierResult) Summary() string {
	first, last := a.Points[0], a.Points[len(a.Points)-1]
	return fmt.Sprintf("%s to %s a year, volatility %s to %s", formatPercent(first.Return), formatPercent(last.Return), formatPercent(first.Risk), formatPercent(last.Risk))
}

// KeyFigures implements [toolkit.Keyed].
func (a frontierResult) KeyFigures() []tool.KeyFigure {
	keys := []tool.KeyFigure{{Label: "lowest volatility", Text: formatPercent(a.Safest.Risk)}, {Label: "its expected return", Text: formatPercent(a.Safest.Return)}}
	if a.Best != nil {
		keys = append(keys, tool.KeyFigure{Label: "best Sharpe ratio", Text: formatRatio(a.Best.Sharpe)}, tool.KeyFigure{Label: "its expected return", Text: formatPercent(a.Best.Return)})
	}
	return keys
}

// Explain implements [toolkit.Explainer].
func (a frontierResult) Explain(field string) toolkit.Explanation { return a.explain(field) }

// Tables implements [toolkit.Tabler].
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

// negligibleWeight is a weight that is the noise of a solver.
const negligibleWeight = 5e-7

// formatRatio is a ratio with two decimals.
func formatRatio(v float64) string {
	return toolkit.Format(math.Round(v*100)/100, toolkit.Number, "")
}
