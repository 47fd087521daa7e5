package allocation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/allocation"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type frontierAnswer struct {
	Points  []pointJSON `json:"points"`
	Safest  pointJSON   `json:"min_volatility"`
	Best    *pointJSON  `json:"max_sharpe"`
	Corners int         `json:"corner_portfolios"`
	basis
}

// pointJSON is a portfolio; weights of zero are left out.
type pointJSON struct {
	Return  float64            `json:"expected_return"`
	Risk    float64            `json:"volatility"`
	Sharpe  float64            `json:"sharpe_ratio"`
	Weights map[string]float64 `json:"weights"`
}

func frontierOf(u universe, e estimate, l allocation.Limits, f *allocation.Frontier, in frontierInput) (frontierAnswer, error) {
	a := frontierAnswer{basis: basisOf(u, e, in.assetsInput, true), Corners: len(f.Corners())}
	point := func(p allocation.Portfolio) pointJSON {
		out := pointJSON{Return: present.Fraction(p.Return), Risk: present.Fraction(p.Volatility), Sharpe: present.Fraction(p.Sharpe(in.RiskFree)), Weights: map[string]float64{}}
		for i, w := range p.Weights {
			if w = present.Fraction(w); w != 0 {
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
	a.Safest = point(f.Safest())
	best, err := f.MaxSharpe(in.RiskFree)
	switch {
	case errors.Is(err, allocation.ErrNoExcess):
		a.Warnings = append(a.Warnings, "no best Sharpe ratio: "+err.Error())
	case err != nil:
		return a, err
	default:
		p := point(best)
		a.Best = &p
		if limits := met(best.Weights, l); len(limits) > 0 {
			a.Warnings = append(a.Warnings, "in the portfolio of the best Sharpe ratio decided by limits and not by the data: "+strings.Join(limits, ", "))
		}
	}
	if len(points) == 1 {
		a.Warnings = append(a.Warnings, "the frontier is one point: nothing within the limits is expected to return more than the portfolio of least volatility")
	}
	return a, nil
}

func (a frontierAnswer) result() tool.Result {
	s := a.sheet()
	s.Add(present.Line{ID: "returns", Label: "returns of each asset", Value: decimal.NewFromInt(int64(a.Returns)), Unit: "returns", Formula: "common closes - 1", Inputs: a.Assumptions})
	a.figures(s, "min_volatility", "least volatility", a.Safest)
	if a.Best != nil {
		a.figures(s, "max_sharpe", "best Sharpe ratio", *a.Best)
	}
	for i, p := range a.Points {
		a.figures(s, fmt.Sprintf("point_%d", i+1), fmt.Sprintf("point %d", i+1), p)
	}
	a.estimates(s)
	summary := fmt.Sprintf("%s to %s a year, volatility %s to %s", percent(a.Points[0].Return), percent(a.Points[len(a.Points)-1].Return), percent(a.Points[0].Risk), percent(a.Points[len(a.Points)-1].Risk))
	return tool.Result{
		Value: a, ForUser: s.Table("Efficient frontier", a.Assumptions) + "\n" + a.table() + a.footer(), Figures: s.Figures(),
		Title: present.Abridged("efficient frontier · " + strings.Join(a.universe.names, ", ")), Summary: strings.TrimSpace(summary + " " + lineup.Loud(a.from)),
	}
}

// figures are the numbers of a portfolio, which stands in a table of its own.
func (a frontierAnswer) figures(s *present.Sheet, id, label string, p pointJSON) {
	add := func(what, name string, value decimal.Decimal, unit, formula string) {
		s.AddUnseen(present.Line{ID: id + "_" + what, Label: name + " of " + label, Value: value, Unit: unit, Formula: formula, Inputs: a.Assumptions})
	}
	add("expected_return", "expected return", present.RoundedPercent(p.Return, 4), "%", "sum(weight * expected return)")
	add("volatility", "volatility", present.RoundedPercent(p.Risk, 4), "%", "sqrt(w' C w)")
	add("sharpe_ratio", "Sharpe ratio", present.Rounded(p.Sharpe, 4), "ratio", "(expected return - risk-free rate) / volatility")
	for _, name := range a.universe.names {
		if w, ok := p.Weights[name]; ok {
			add("weight_"+name, "weight of "+name, present.RoundedPercent(w, 4), "%", "least variance at this return, by the critical line")
		}
	}
}

func (a frontierAnswer) table() string {
	rows := [][]string{a.row("least volatility", a.Safest)}
	if a.Best != nil {
		rows = append(rows, a.row("best Sharpe ratio", *a.Best))
	}
	for i, p := range a.Points {
		rows = append(rows, a.row(fmt.Sprint(i+1), p))
	}
	return present.Table([]string{"portfolio", "expected return:", "volatility:", "Sharpe ratio:", "weights"}, rows)
}

func (a frontierAnswer) row(name string, p pointJSON) []string {
	var weights []string
	for _, asset := range a.universe.names {
		if w, ok := p.Weights[asset]; ok {
			weights = append(weights, asset+" "+percent(w))
		}
	}
	return []string{name, percent(p.Return), percent(p.Risk), present.Rounded(p.Sharpe, 2).String(), strings.Join(weights, ", ")}
}
