package analysis

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type frontierResult struct {
	Points  []portfolioJSON `json:"points"`
	Safest  portfolioJSON   `json:"min_volatility"`
	Best    *portfolioJSON  `json:"max_sharpe"`
	Corners int             `json:"corner_portfolios"`
	dataBasis
}

// portfolioJSON is a portfolio; weights of zero are left out.
type portfolioJSON struct {
	Return  float64            `json:"expected_return"`
	Risk    float64            `json:"volatility"`
	Sharpe  float64            `json:"sharpe_ratio"`
	Weights map[string]float64 `json:"weights"`
}

func newFrontierResult(u assetUniverse, e estimate, l optimize.Limits, f *optimize.Frontier, in frontierInput) (frontierResult, error) {
	a := frontierResult{dataBasis: newDataBasis(u, e, in.assetsInput, true), Corners: len(f.Corners())}
	point := func(p optimize.Portfolio) portfolioJSON {
		out := portfolioJSON{Return: toolkit.RoundFraction(p.Return), Risk: toolkit.RoundFraction(p.Volatility), Sharpe: toolkit.RoundFraction(p.Sharpe(in.RiskFree)), Weights: map[string]float64{}}
		for i, w := range p.Weights {
			if w = toolkit.RoundFraction(w); w != 0 {
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
		a.Warnings = append(a.Warnings, "no best Sharpe ratio: "+err.Error())
	case err != nil:
		return a, err
	default:
		p := point(best)
		a.Best = &p
		if limits := bindingLimits(best.Weights, l); len(limits) > 0 {
			a.Warnings = append(a.Warnings, "in the portfolio of the best Sharpe ratio decided by limits and not by the data: "+strings.Join(limits, ", "))
		}
	}
	if len(points) == 1 {
		a.Warnings = append(a.Warnings, "the frontier is one point: nothing within the limits is expected to return more than the portfolio of least volatility")
	}
	return a, nil
}

func (a frontierResult) result() tool.Result {
	s := a.newSheet()
	s.Add(toolkit.SheetLine{ID: "returns", Label: "returns of each asset", Value: decimal.NewFromInt(int64(a.Returns)), Unit: "returns", Formula: "common closes - 1", Inputs: a.Assumptions})
	a.figures(s, "min_volatility", "least volatility", a.Safest)
	if a.Best != nil {
		a.figures(s, "max_sharpe", "best Sharpe ratio", *a.Best)
	}
	for i, p := range a.Points {
		a.figures(s, fmt.Sprintf("point_%d", i+1), fmt.Sprintf("point %d", i+1), p)
	}
	a.addEstimates(s)
	summary := fmt.Sprintf("%s to %s a year, volatility %s to %s", formatPercent(a.Points[0].Return), formatPercent(a.Points[len(a.Points)-1].Return), formatPercent(a.Points[0].Risk), formatPercent(a.Points[len(a.Points)-1].Risk))
	return tool.Result{
		Value: a, ForUser: s.Table("Efficient frontier", a.Assumptions) + "\n" + a.table() + a.footer(), Figures: s.Figures(),
		Title: toolkit.Abbreviate("efficient frontier · " + strings.Join(a.universe.names, ", ")), Summary: strings.TrimSpace(summary + " " + toolkit.CombinedFlagText(a.from)),
	}
}

// figures are the numbers of a portfolio, which stands in a table of its own.
func (a frontierResult) figures(s *toolkit.CalculationSheet, id, label string, p portfolioJSON) {
	add := func(what, name string, value decimal.Decimal, unit, formula string) {
		s.AddFigure(toolkit.SheetLine{ID: id + "_" + what, Label: name + " of " + label, Value: value, Unit: unit, Formula: formula, Inputs: a.Assumptions})
	}
	add("expected_return", "expected return", toolkit.RoundPercent(p.Return, 4), "%", "sum(weight * expected return)")
	add("volatility", "volatility", toolkit.RoundPercent(p.Risk, 4), "%", "sqrt(w' C w)")
	add("sharpe_ratio", "Sharpe ratio", toolkit.RoundDecimal(p.Sharpe, 4), "ratio", "(expected return - risk-free rate) / volatility")
	for _, name := range a.universe.names {
		if w, ok := p.Weights[name]; ok {
			add("weight_"+name, "weight of "+name, toolkit.RoundPercent(w, 4), "%", "least variance at this return, by the critical line")
		}
	}
}

func (a frontierResult) table() string {
	rows := [][]string{a.row("least volatility", a.Safest)}
	if a.Best != nil {
		rows = append(rows, a.row("best Sharpe ratio", *a.Best))
	}
	for i, p := range a.Points {
		rows = append(rows, a.row(fmt.Sprint(i+1), p))
	}
	return toolkit.MarkdownTable([]string{"portfolio", "expected return:", "volatility:", "Sharpe ratio:", "weights"}, rows)
}

func (a frontierResult) row(name string, p portfolioJSON) []string {
	var weights []string
	for _, asset := range a.universe.names {
		if w, ok := p.Weights[asset]; ok {
			weights = append(weights, asset+" "+formatPercent(w))
		}
	}
	return []string{name, formatPercent(p.Return), formatPercent(p.Risk), toolkit.RoundDecimal(p.Sharpe, 2).String(), strings.Join(weights, ", ")}
}
