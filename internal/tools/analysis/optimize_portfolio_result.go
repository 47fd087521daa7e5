package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type optimizeResult struct {
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
	limitsVerdict
	dataBasis

	source optimization
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

// concentrationThreshold is a weight that makes a portfolio hang on one asset.
const concentrationThreshold = 0.5

func newOptimizeResult(p optimization) optimizeResult {
	e, u := p.estimate, p.universe
	e.assumptions = append(slices.Clone(e.assumptions), p.notes...)
	usesReturns := slices.Contains([]string{"max_sharpe", "efficient_return", "efficient_risk"}, p.input.Objective)
	a := optimizeResult{
		Objective: p.input.Objective, Weights: map[string]float64{}, Contributions: map[string]float64{}, Order: p.order,
		dataBasis: newDataBasis(u, e, p.input.assetsInput, usesReturns), Bounds: append([]string{}, bindingLimits(p.weights, p.limits)...), source: p,
	}
	best := optimize.Portfolio{Weights: p.weights, Return: optimize.Dot(p.weights, e.returns), Volatility: optimize.Volatility(p.weights, e.covariance)}
	a.Return, a.Risk = toolkit.RoundFraction(best.Return), toolkit.RoundFraction(best.Volatility)
	parts := optimize.RiskContributions(p.weights, e.covariance)
	if parts != nil && a.Risk > 0 {
		ratio := toolkit.RoundFraction(best.Sharpe(p.input.RiskFree))
		a.Sharpe = &ratio
	} else {
		a.Warnings = append(a.Warnings, "no Sharpe ratio: by the past these weights have no volatility at all, which no portfolio keeps")
		parts = nil
	}
	for i, name := range u.names {
		a.Weights[name] = toolkit.RoundFraction(p.weights[i])
		if parts != nil {
			a.Contributions[name] = toolkit.RoundFraction(parts[i])
		}
		if p.weights[i] > concentrationThreshold {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s of the sum is in %s alone", formatPercent(p.weights[i]), name))
		}
	}
	if len(a.Bounds) > 0 {
		a.Warnings = append(a.Warnings, "decided by limits and not by the data: "+strings.Join(a.Bounds, ", "))
	}
	a.addObjectiveFields(p)
	return a
}

// addObjectiveFields adds what only some objectives have.
func (a *optimizeResult) addObjectiveFields(p optimization) {
	if p.cvar != nil {
		loss := toolkit.RoundFraction(*p.cvar)
		a.CVaR, a.Confidence = &loss, p.input.Confidence
		if tail := (1 - p.input.Confidence) * float64(a.Returns); tail < 10 {
			a.Warnings = append(a.Warnings, fmt.Sprintf("the tail is of %.1f periods only: ask for a longer range or a lower confidence", tail))
		}
	}
	if p.prior != nil {
		a.Prior = map[string]float64{}
		for i, name := range p.universe.names {
			a.Prior[name] = toolkit.RoundFraction(p.prior[i])
		}
	}
	if p.purchase == nil {
		return
	}
	bought := purchaseJSON{
		Sum: decimal.NewFromFloat(p.input.Sum), Shares: map[string]decimal.Decimal{}, Prices: map[string]decimal.Decimal{}, Values: map[string]decimal.Decimal{},
		Spent: p.purchase.Spent, Left: p.purchase.Unspent, Method: "greedy: whole shares for each weight, then one more of what lacks the most money while it can be paid",
	}
	for i, name := range p.universe.names {
		bought.Shares[name], bought.Values[name], bought.Prices[name] = p.purchase.Shares[i], p.purchase.Values[i], p.universe.latest[i].Close
		bought.AsOf = max(bought.AsOf, toolkit.FormatDate(p.universe.latest[i].Date))
	}
	a.Allocation = &bought
}

func (a optimizeResult) result() tool.Result {
	s := a.newSheet()
	p := a.source
	inputs := append(slices.Clone(a.Assumptions), a.limitInputs()...)
	add := func(id, label string, value decimal.Decimal, unit, formula string) {
		s.Add(toolkit.SheetLine{ID: id, Label: label, Value: value, Unit: unit, Formula: formula, Inputs: inputs})
	}
	add("expected_return", "expected return a year", toolkit.RoundPercent(a.Return, 4), "%", "sum(weight * expected return)")
	add("volatility", "volatility a year", toolkit.RoundPercent(a.Risk, 4), "%", "sqrt(w' C w)")
	if a.Sharpe != nil {
		add("sharpe_ratio", "Sharpe ratio", toolkit.RoundDecimal(*a.Sharpe, 4), "ratio", "(expected return - risk-free rate) / volatility")
	}
	if a.CVaR != nil {
		add("conditional_value_at_risk", "mean loss of the worst "+formatPercent(1-a.Confidence)+" of periods", toolkit.RoundPercent(*a.CVaR, 4), "%", "least over the weights of mean(losses of the worst periods)")
	}
	add("returns", "returns of each asset", decimal.NewFromInt(int64(a.Returns)), "returns", "common closes - 1")
	a.addWeightFigures(s, inputs)
	a.addEstimates(s)
	a.addPurchaseFigures(s)
	shown := s.Table("Portfolio: "+strings.ReplaceAll(a.Objective, "_", " "), a.Assumptions) + "\n" + a.table() + a.footer()
	return tool.Result{
		Value: a, ForUser: shown, Figures: s.Figures(), Title: toolkit.Abbreviate(strings.ReplaceAll(a.Objective, "_", " ") + " · " + strings.Join(p.universe.names, ", ")),
		Summary: strings.TrimSpace(fmt.Sprintf("%s a year expected, volatility %s %s", formatPercent(a.Return), formatPercent(a.Risk), toolkit.CombinedFlagText(a.from))),
	}
}

// addWeightFigures makes figures of what the table says of each asset.
func (a optimizeResult) addWeightFigures(s *toolkit.CalculationSheet, inputs []string) {
	for i, name := range a.source.universe.names {
		s.AddFigure(toolkit.SheetLine{ID: "weight_" + name, Label: "weight of " + name, Value: toolkit.RoundPercent(a.Weights[name], 4), Unit: "%", Formula: weightFormula(a.Objective), Inputs: inputs})
		if part, ok := a.Contributions[name]; ok {
			s.AddFigure(toolkit.SheetLine{ID: "risk_contribution_" + name, Label: "part of the risk from " + name, Value: toolkit.RoundPercent(part, 4), Unit: "%", Formula: "w (C w) / (w' C w)", Inputs: inputs})
		}
		if a.source.prior != nil {
			s.AddFigure(toolkit.SheetLine{ID: "prior_return_" + name, Label: "the market's expected return of " + name, Value: toolkit.RoundPercent(a.source.prior[i], 4), Unit: "%", Formula: "aversion (C w) + f", Inputs: inputs})
		}
	}
}

// addPurchaseFigures makes figures of whole shares.
func (a optimizeResult) addPurchaseFigures(s *toolkit.CalculationSheet) {
	if a.Allocation == nil {
		return
	}
	inputs := []string{"sum " + a.Allocation.Sum.String(), "closes as of " + a.Allocation.AsOf, a.Allocation.Method}
	for _, name := range a.source.universe.names {
		s.AddFigure(toolkit.SheetLine{ID: "shares_" + name, Label: "shares of " + name, Value: a.Allocation.Shares[name], Unit: "shares", Formula: "greedy, whole", Inputs: inputs})
		s.AddFigure(toolkit.SheetLine{ID: "price_" + name, Label: "last close of " + name, Value: a.Allocation.Prices[name], Unit: s.MoneyUnit(), Formula: "as the source has it", Inputs: inputs})
		s.AddFigure(toolkit.SheetLine{ID: "value_" + name, Label: "value of the shares of " + name, Value: a.Allocation.Values[name], Unit: s.MoneyUnit(), Formula: "shares * last close", Inputs: inputs})
	}
	s.Add(toolkit.SheetLine{ID: "sum", Label: "sum to lay out", Value: a.Allocation.Sum, Unit: s.MoneyUnit(), Formula: "as given"})
	s.Add(toolkit.SheetLine{ID: "spent", Label: "spent on whole shares", Value: a.Allocation.Spent, Unit: s.MoneyUnit(), Formula: "sum(shares * last close)", Inputs: inputs})
	s.Add(toolkit.SheetLine{ID: "left", Label: "left of the sum", Value: a.Allocation.Left, Unit: s.MoneyUnit(), Formula: "sum - spent", Inputs: inputs})
}

// table is a row for each asset, the largest weight first.
func (a optimizeResult) table() string {
	columns := []string{"asset", "weight:", "part of risk:", "expected return:", "volatility:"}
	if a.Allocation != nil {
		columns = append(columns, "shares:", "value:")
	}
	names := slices.Clone(a.source.universe.names)
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
		rows[i] = []string{name, formatPercent(a.Weights[name]), formatPercent(a.Contributions[name]), formatPercent(a.Expected[name]), formatPercent(a.Volatility[name])}
		if a.Allocation != nil {
			rows[i] = append(rows[i], a.Allocation.Shares[name].String(), a.Allocation.Values[name].Round(toolkit.CurrencyPlaces(a.Currency)).String())
		}
	}
	return toolkit.MarkdownTable(columns, rows)
}

// limitInputs are the limits as inputs of figures.
func (a optimizeResult) limitInputs() []string {
	l := a.source.limits
	low, high := minMax(append(slices.Clone(l.Lower), l.Upper...))
	out := []string{fmt.Sprintf("weights from %s to %s, sum 100 %%", formatPercent(low), formatPercent(high))}
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
