package allocation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/allocation"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type optimizeAnswer struct {
	Objective     string             `json:"objective"`
	Weights       map[string]float64 `json:"weights"`
	Return        float64            `json:"expected_return"`
	Risk          float64            `json:"volatility"`
	Sharpe        *float64           `json:"sharpe_ratio"`
	Contributions map[string]float64 `json:"risk_contributions"`
	CVaR          *float64           `json:"conditional_value_at_risk,omitempty"`
	Confidence    float64            `json:"confidence,omitempty"`
	Prior         map[string]float64 `json:"prior_returns,omitempty"`
	Order         []string           `json:"cluster_order,omitempty"`
	Bounds        []string           `json:"at_limits"`
	Allocation    *purchaseJSON      `json:"allocation,omitempty"`
	verdict
	basis

	plan plan
}

type purchaseJSON struct {
	Sum    decimal.Decimal            `json:"sum"`
	Shares map[string]decimal.Decimal `json:"shares"`
	Prices map[string]decimal.Decimal `json:"prices"`
	Values map[string]decimal.Decimal `json:"values"`
	Spent  decimal.Decimal            `json:"spent"`
	Left   decimal.Decimal            `json:"left"`
	AsOf   string                     `json:"prices_as_of"`
	Method string                     `json:"method"`
}

// concentrated is a weight that makes a portfolio hang on one asset.
const concentrated = 0.5

func answerOf(p plan) optimizeAnswer {
	e, u := p.estimate, p.universe
	e.assumptions = append(slices.Clone(e.assumptions), p.notes...)
	usesReturns := slices.Contains([]string{"max_sharpe", "efficient_return", "efficient_risk"}, p.in.Objective)
	a := optimizeAnswer{
		Objective: p.in.Objective, Weights: map[string]float64{}, Contributions: map[string]float64{}, Order: p.order,
		basis: basisOf(u, e, p.in.assetsInput, usesReturns), Bounds: append([]string{}, met(p.weights, p.limits)...), plan: p,
	}
	best := allocation.Portfolio{Weights: p.weights, Return: allocation.Dot(p.weights, e.returns), Volatility: allocation.Volatility(p.weights, e.covariance)}
	a.Return, a.Risk = present.Fraction(best.Return), present.Fraction(best.Volatility)
	parts := allocation.Contributions(p.weights, e.covariance)
	if parts != nil && a.Risk > 0 {
		ratio := present.Fraction(best.Sharpe(p.in.RiskFree))
		a.Sharpe = &ratio
	} else {
		a.Warnings = append(a.Warnings, "no Sharpe ratio: by the past these weights have no volatility at all, which no portfolio keeps")
		parts = nil
	}
	for i, name := range u.names {
		a.Weights[name] = present.Fraction(p.weights[i])
		if parts != nil {
			a.Contributions[name] = present.Fraction(parts[i])
		}
		if p.weights[i] > concentrated {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s of the sum is in %s alone", percent(p.weights[i]), name))
		}
	}
	if len(a.Bounds) > 0 {
		a.Warnings = append(a.Warnings, "decided by limits and not by the data: "+strings.Join(a.Bounds, ", "))
	}
	a.special(p)
	return a
}

// special adds what only some objectives have.
func (a *optimizeAnswer) special(p plan) {
	if p.cvar != nil {
		loss := present.Fraction(*p.cvar)
		a.CVaR, a.Confidence = &loss, p.in.Confidence
		if tail := (1 - p.in.Confidence) * float64(a.Returns); tail < 10 {
			a.Warnings = append(a.Warnings, fmt.Sprintf("the tail is of %.1f periods only: ask for a longer range or a lower confidence", tail))
		}
	}
	if p.prior != nil {
		a.Prior = map[string]float64{}
		for i, name := range p.universe.names {
			a.Prior[name] = present.Fraction(p.prior[i])
		}
	}
	if p.purchase == nil {
		return
	}
	bought := purchaseJSON{
		Sum: decimal.NewFromFloat(p.in.Sum), Shares: map[string]decimal.Decimal{}, Prices: map[string]decimal.Decimal{}, Values: map[string]decimal.Decimal{},
		Spent: p.purchase.Spent, Left: p.purchase.Left, Method: "greedy: whole shares for each weight, then one more of what lacks the most money while it can be paid",
	}
	for i, name := range p.universe.names {
		bought.Shares[name], bought.Values[name], bought.Prices[name] = p.purchase.Shares[i], p.purchase.Values[i], p.universe.latest[i].Close
		bought.AsOf = max(bought.AsOf, present.Dated(p.universe.latest[i].Date))
	}
	a.Allocation = &bought
}

func (a optimizeAnswer) result() tool.Result {
	s := a.sheet()
	p := a.plan
	inputs := append(slices.Clone(a.Assumptions), a.limitsSaid()...)
	add := func(id, label string, value decimal.Decimal, unit, formula string) {
		s.Add(present.Line{ID: id, Label: label, Value: value, Unit: unit, Formula: formula, Inputs: inputs})
	}
	add("expected_return", "expected return a year", present.RoundedPercent(a.Return, 4), "%", "sum(weight * expected return)")
	add("volatility", "volatility a year", present.RoundedPercent(a.Risk, 4), "%", "sqrt(w' C w)")
	if a.Sharpe != nil {
		add("sharpe_ratio", "Sharpe ratio", present.Rounded(*a.Sharpe, 4), "ratio", "(expected return - risk-free rate) / volatility")
	}
	if a.CVaR != nil {
		add("conditional_value_at_risk", "mean loss of the worst "+percent(1-a.Confidence)+" of periods", present.RoundedPercent(*a.CVaR, 4), "%", "least over the weights of mean(losses of the worst periods)")
	}
	add("returns", "returns of each asset", decimal.NewFromInt(int64(a.Returns)), "returns", "common closes - 1")
	a.weighed(s, inputs)
	a.estimates(s)
	a.purchased(s)
	shown := s.Table("Portfolio: "+strings.ReplaceAll(a.Objective, "_", " "), a.Assumptions) + "\n" + a.table() + a.footer()
	return tool.Result{
		Value: a, ForUser: shown, Figures: s.Figures(), Title: present.Abridged(strings.ReplaceAll(a.Objective, "_", " ") + " · " + strings.Join(p.universe.names, ", ")),
		Summary: strings.TrimSpace(fmt.Sprintf("%s a year expected, volatility %s %s", percent(a.Return), percent(a.Risk), lineup.Loud(a.from))),
	}
}

// weighed makes figures of what the table says of each asset.
func (a optimizeAnswer) weighed(s *present.Sheet, inputs []string) {
	for i, name := range a.plan.universe.names {
		s.AddUnseen(present.Line{ID: "weight_" + name, Label: "weight of " + name, Value: present.RoundedPercent(a.Weights[name], 4), Unit: "%", Formula: weightFormula(a.Objective), Inputs: inputs})
		if part, ok := a.Contributions[name]; ok {
			s.AddUnseen(present.Line{ID: "risk_contribution_" + name, Label: "part of the risk from " + name, Value: present.RoundedPercent(part, 4), Unit: "%", Formula: "w (C w) / (w' C w)", Inputs: inputs})
		}
		if a.plan.prior != nil {
			s.AddUnseen(present.Line{ID: "prior_return_" + name, Label: "the market's expected return of " + name, Value: present.RoundedPercent(a.plan.prior[i], 4), Unit: "%", Formula: "aversion (C w) + f", Inputs: inputs})
		}
	}
}

// purchased makes figures of whole shares.
func (a optimizeAnswer) purchased(s *present.Sheet) {
	if a.Allocation == nil {
		return
	}
	inputs := []string{"sum " + a.Allocation.Sum.String(), "closes as of " + a.Allocation.AsOf, a.Allocation.Method}
	for _, name := range a.plan.universe.names {
		s.AddUnseen(present.Line{ID: "shares_" + name, Label: "shares of " + name, Value: a.Allocation.Shares[name], Unit: "shares", Formula: "greedy, whole", Inputs: inputs})
		s.AddUnseen(present.Line{ID: "price_" + name, Label: "last close of " + name, Value: a.Allocation.Prices[name], Unit: s.Money(), Formula: "as the source has it", Inputs: inputs})
		s.AddUnseen(present.Line{ID: "value_" + name, Label: "value of the shares of " + name, Value: a.Allocation.Values[name], Unit: s.Money(), Formula: "shares * last close", Inputs: inputs})
	}
	s.Add(present.Line{ID: "sum", Label: "sum to lay out", Value: a.Allocation.Sum, Unit: s.Money(), Formula: "as given"})
	s.Add(present.Line{ID: "spent", Label: "spent on whole shares", Value: a.Allocation.Spent, Unit: s.Money(), Formula: "sum(shares * last close)", Inputs: inputs})
	s.Add(present.Line{ID: "left", Label: "left of the sum", Value: a.Allocation.Left, Unit: s.Money(), Formula: "sum - spent", Inputs: inputs})
}

// table is a row for each asset, the largest weight first.
func (a optimizeAnswer) table() string {
	columns := []string{"asset", "weight:", "part of risk:", "expected return:", "volatility:"}
	if a.Allocation != nil {
		columns = append(columns, "shares:", "value:")
	}
	names := slices.Clone(a.plan.universe.names)
	slices.SortStableFunc(names, func(x, y string) int {
		switch {
		case a.Weights[x] > a.Weights[y]:
			return -1
		case a.Weights[x] < a.Weights[y]:
			return 1
		}
		return 0
	})
	rows := make([][]string, len(names))
	for i, name := range names {
		rows[i] = []string{name, percent(a.Weights[name]), percent(a.Contributions[name]), percent(a.Expected[name]), percent(a.Volatility[name])}
		if a.Allocation != nil {
			rows[i] = append(rows[i], a.Allocation.Shares[name].String(), a.Allocation.Values[name].Round(question.PlacesOf(a.Currency)).String())
		}
	}
	return present.Table(columns, rows)
}

// limitsSaid are the limits as inputs of figures.
func (a optimizeAnswer) limitsSaid() []string {
	l := a.plan.limits
	low, high := extremes(append(slices.Clone(l.Lower), l.Upper...))
	out := []string{fmt.Sprintf("weights from %s to %s, sum 100 %%", percent(low), percent(high))}
	for _, g := range l.Groups {
		out = append(out, fmt.Sprintf("limits of %s", g.Name))
	}
	return out
}

func weightFormula(objective string) string {
	switch objective {
	case "min_volatility":
		return "argmin w' C w, by active set"
	case "efficient_return":
		return "argmin w' C w at the target return, by the critical line"
	case "efficient_risk":
		return "argmax w' mu at the target volatility, by the critical line"
	case "risk_parity":
		return "w (C w) / (w' C w) = its share of the risk"
	case "hrp":
		return "single linkage of sqrt((1 - r)/2), halves by inverse variance"
	case "min_cvar":
		return "argmin conditional value at risk, linear program"
	}
	return "argmax (w' mu - f) / sqrt(w' C w), by the critical line"
}
