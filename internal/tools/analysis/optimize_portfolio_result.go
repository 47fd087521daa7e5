package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type optimizeResult struct {
	Objective     string             `json:"objective"`
	Weights       map[string]float64 `json:"weights" label:"weight" as:"percent"`
	Return        float64            `json:"expected_return" label:"expected return" as:"percent" key:"1" basis:"a year" formula:"sum(weight * expected return)"`
	Risk          float64            `json:"volatility" label:"volatility" as:"percent" key:"2" basis:"a year" formula:"sqrt(w' C w)"`
	Sharpe        *float64           `json:"sharpe_ratio" label:"Sharpe ratio" key:"3" unit:"ratio" formula:"(expected return - risk-free rate) / volatility"`
	Contributions map[string]float64 `json:"risk_contributions" label:"share of risk" as:"percent" formula:"w (C w) / (w' C w)"`
	CVaR          *float64           `json:"conditional_value_at_risk,omitempty" label:"mean loss of the worst periods" as:"percent" formula:"min over weights of mean(losses of the worst periods)"`
	Confidence    float64            `json:"confidence,omitempty"`
	Prior         map[string]float64 `json:"prior_returns,omitempty" label:"prior return" as:"percent" formula:"aversion (C w) + f"`
	Order         []string           `json:"cluster_order,omitempty"`
	Bounds        []string           `json:"at_limits"`
	Allocation    *purchase          `json:"allocation,omitempty"`
	limitsVerdict
	dataBasis

	source optimization
}

// purchase holds the whole shares for a sum.
type purchase struct {
	Sum    decimal.Decimal            `json:"sum" label:"sum to invest" as:"money" formula:"as given"`
	Shares map[string]decimal.Decimal `json:"shares" label:"shares" unit:"shares" formula:"greedy, whole"`
	Prices map[string]decimal.Decimal `json:"prices" label:"last close" as:"price" formula:"from the source"`
	Values map[string]decimal.Decimal `json:"values" label:"value of the shares" as:"money" formula:"shares * last close"`
	Spent  decimal.Decimal            `json:"spent" label:"spent on whole shares" as:"money" formula:"sum(shares * last close)"`
	Left   decimal.Decimal            `json:"left" label:"cash left" as:"money" formula:"sum - spent"`
	AsOf   string                     `json:"prices_as_of"`
	Method string                     `json:"method"`
}

func (p purchase) Explain(field string) toolkit.Explanation {
	return toolkit.Explanation{Inputs: []string{"sum " + p.Sum.String(), "closes as of " + p.AsOf, p.Method}}
}

// leastVolatility is the lowest volatility that is not rounding noise.
const leastVolatility = 1e-9

// concentrationThreshold is a weight at which a portfolio depends on one asset.
const concentrationThreshold = 0.5

func newOptimizeResult(p optimization) optimizeResult {
	e, u := p.estimate, p.universe
	usesReturns := slices.Contains([]string{"max_sharpe", "efficient_return", "efficient_risk"}, p.input.Objective)
	a := optimizeResult{
		Objective: p.input.Objective, Weights: map[string]float64{}, Contributions: map[string]float64{}, Order: p.order,
		dataBasis: newDataBasis(u, e, p.input.assetsInput, usesReturns), Bounds: append([]string{}, bindingLimits(p.weights, p.limits)...), source: p,
	}
	best := optimize.Portfolio{Weights: p.weights, Return: optimize.Dot(p.weights, e.returns), Volatility: optimize.Volatility(p.weights, e.covariance)}
	a.Return, a.Risk = best.Return, best.Volatility
	parts := optimize.RiskContributions(p.weights, e.covariance)
	if parts != nil && a.Risk > leastVolatility {
		ratio := best.Sharpe(p.input.RiskFree)
		a.Sharpe = &ratio
	} else {
		a.Warnings.Warn("no_volatility", "no Sharpe ratio: these weights had no volatility in the past; that is unlikely to continue")
		parts = nil
	}
	for i, name := range u.names {
		a.Weights[name] = p.weights[i]
		if parts != nil {
			a.Contributions[name] = parts[i]
		}
		if p.weights[i] > concentrationThreshold {
			a.Warnings.Warn("concentrated", "concentrated: %s is in %s", formatPercent(p.weights[i]), name)
		}
	}
	if p.slack != "" {
		a.Warnings.Warn("target_not_binding", "%s", p.slack)
	}
	if len(a.Bounds) > 0 {
		a.Warnings.Warn("at_limits", "the weights are determined partly by limits: %s", strings.Join(a.Bounds, ", "))
	}
	a.addObjectiveFields(p)
	return a
}

// addObjectiveFields adds the fields that only some objectives have.
func (a *optimizeResult) addObjectiveFields(p optimization) {
	if p.cvar != nil {
		loss := *p.cvar
		a.CVaR, a.Confidence = &loss, p.input.Confidence
		if tail := (1 - p.input.Confidence) * float64(a.Returns); tail < 10 {
			a.Warnings.Warn("short_tail", "the tail has only %.1f periods: use a longer range or a lower confidence", tail)
		}
	}
	if p.prior != nil {
		a.Prior = map[string]float64{}
		for i, name := range p.universe.names {
			a.Prior[name] = p.prior[i]
		}
	}
	if p.purchase == nil {
		return
	}
	bought := purchase{
		Sum: decimal.NewFromFloat(p.input.Sum), Shares: map[string]decimal.Decimal{}, Prices: map[string]decimal.Decimal{}, Values: map[string]decimal.Decimal{},
		Spent: p.purchase.Spent, Left: p.purchase.Unspent, Method: "greedy: whole shares for each weight, then one more share of the asset that is furthest below its weight",
	}
	for i, name := range p.universe.names {
		bought.Shares[name], bought.Values[name], bought.Prices[name] = p.purchase.Shares[i], p.purchase.Values[i], p.universe.latest[i].Close
		bought.AsOf = max(bought.AsOf, toolkit.FormatDate(p.universe.latest[i].Date))
	}
	a.Allocation = &bought
}

func (a optimizeResult) Headline(lang string) string {
	names := a.byWeight()
	var parts []string
	for _, name := range names[:min(len(names), 3)] {
		parts = append(parts, name+" "+formatPercent(a.Weights[name]))
	}
	if lang == "zh" {
		return fmt.Sprintf("权重 %s 等；预期年收益率 %s，波动率 %s。", strings.Join(parts, "，"), formatPercent(a.Return), formatPercent(a.Risk))
	}
	text := strings.Join(parts, ", ")
	if more := len(names) - len(parts); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s: expected return %s a year, volatility %s.", text, formatPercent(a.Return), formatPercent(a.Risk))
}

func (a optimizeResult) Title() string {
	return toolkit.Abbreviate("Portfolio: " + strings.ReplaceAll(a.Objective, "_", " ") + " · " + strings.Join(a.source.universe.names, ", "))
}

func (a optimizeResult) Summary() string {
	return fmt.Sprintf("expected return %s a year, volatility %s", formatPercent(a.Return), formatPercent(a.Risk))
}

func (a optimizeResult) Explain(field string) toolkit.Explanation {
	e := a.explain(field)
	e.Inputs = append(slices.Clone(e.Inputs), a.limitInputs()...)
	switch field {
	case "weights":
		e.Formula = weightFormula(a.Objective)
	case "conditional_value_at_risk":
		e.Basis = "worst " + formatPercent(1-a.Confidence)
	}
	return e
}

// Tables implements [toolkit.Tabler]: a row for each asset, the largest weight first.
func (a optimizeResult) Tables() []toolkit.Table {
	t := toolkit.Table{Title: "Assets", Columns: []string{"asset", "weight:", "share of risk:", "expected return:", "volatility:"}}
	if a.Allocation != nil {
		t.Columns = append(t.Columns, "shares:", "value:")
	}
	for _, name := range a.byWeight() {
		row := []string{name, formatPercent(a.Weights[name]), formatPercent(a.Contributions[name]), formatPercent(a.Expected[name]), formatPercent(a.Volatility[name])}
		if a.Allocation != nil {
			row = append(row, toolkit.Format(a.Allocation.Shares[name], toolkit.Number, ""), toolkit.Format(a.Allocation.Values[name], toolkit.Money, a.Currency))
		}
		t.Rows = append(t.Rows, row)
	}
	return []toolkit.Table{t}
}

// byWeight returns the assets, the largest weight first.
func (a optimizeResult) byWeight() []string {
	names := slices.Clone(a.source.universe.names)
	slices.SortStableFunc(names, func(x, y string) int { return cmp.Compare(a.Weights[y], a.Weights[x]) })
	return names
}

// limitInputs returns the limits as inputs of figures.
func (a optimizeResult) limitInputs() []string {
	l := a.source.limits
	out := []string{fmt.Sprintf("weights from %s to %s, sum 100%%", formatPercent(slices.Min(l.Lower)), formatPercent(slices.Max(l.Upper)))}
	for _, g := range l.Groups {
		out = append(out, fmt.Sprintf("limits of %s", g.Name))
	}
	return out
}

func weightFormula(objective string) string {
	switch objective {
	case "min_volatility":
		return "argmin w' C w (active set)"
	case "efficient_return":
		return "argmin w' C w at the target return (critical line)"
	case "efficient_risk":
		return "argmax w' mu at the target volatility (critical line)"
	case "risk_parity":
		return "w (C w) / (w' C w) = its share of the risk"
	case "hrp":
		return "single linkage of sqrt((1 - r)/2), halves by inverse variance"
	case "min_cvar":
		return "argmin conditional value at risk, linear program"
	}
	return "argmax (w' mu - f) / sqrt(w' C w) (critical line)"
}
