package rebalance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"
)

const (
	defaultDrift    = "0.05"
	defaultRelative = "0.25"
	reasonDrift     = "rebalancing convention (5/25): five points, or a quarter of the target if that is less"
)

// targetGap is the distance of a position, or of cash, from its target.
type targetGap struct {
	name                string
	weight, drift, band decimal.Decimal
}

func (a targetGap) outsideBand() decimal.Decimal { return a.drift.Abs().Sub(a.band) }

// checkDrift shows the position furthest outside its band or, if none is, the one nearest to its edge.
func (b Portfolio) checkDrift(l Limits) CheckResult {
	points := l.Drift.orDefault(defaultDrift, reasonDrift)
	row := CheckResult{Rule: RuleDrift, Measures: "largest drift from a target", Unit: UnitFraction, Formula: "|weight - target| of the position furthest outside its band"}.withThreshold(points, AtMost)
	if len(b.Targets) == 0 {
		return row.notJudged("no targets are set", "set them: nfa portfolio targets")
	}
	worst := slices.MaxFunc(b.targetGaps(points, l), func(x, y targetGap) int { return x.outsideBand().Cmp(y.outsideBand()) })
	row.Threshold = decimal.NewNullDecimal(worst.band)
	row.Number, row.Outcome = decimal.NewNullDecimal(worst.drift.Abs()), Pass
	if worst.outsideBand().IsPositive() {
		row.Outcome = Fail
	}
	target := worst.weight.Sub(worst.drift)
	row.Inputs = []string{fmt.Sprintf("%s %s, target %s, band %s", worst.name, formatPercent(worst.weight), formatPercent(target), formatPercent(worst.band))}
	return row.explain(fmt.Sprintf("%s is %s of the portfolio; the target is %s.", worst.name, formatPercent(worst.weight), formatPercent(target)), "", "")
}

// targetGaps returns all targets, positions without a target, and cash if all of it is tracked.
func (b Portfolio) targetGaps(points Limit, l Limits) []targetGap {
	weights, targets := map[string]decimal.Decimal{}, map[string]decimal.Decimal{}
	for _, t := range b.Targets {
		targets[string(t.Symbol)], weights[string(t.Symbol)] = t.Weight, decimal.Zero
	}
	for _, h := range b.Positions {
		weights[string(h.Symbol)] = h.Weight
	}
	if len(b.UntrackedCash) == 0 {
		const cash = "cash"
		weights[cash] = decimal.Zero
		for _, c := range b.Cash {
			weights[cash] = weights[cash].Add(c.Weight)
		}
		targets[cash] = b.targetCash()
	}
	out := make([]targetGap, 0, len(weights))
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		target := targets[name]
		out = append(out, targetGap{name, weights[name], weights[name].Sub(target), driftBand(target, points, l)})
	}
	return out
}

// driftBand returns the smaller of the absolute and the relative band. Without a target only the absolute
// band applies, because a fraction of zero would not allow a single share.
func driftBand(target decimal.Decimal, points Limit, l Limits) decimal.Decimal {
	relative := l.Relative
	if !l.Drift.isSet() {
		relative = relative.orDefault(defaultRelative, reasonDrift)
	}
	if !relative.isSet() || !target.IsPositive() {
		return points.Value.Decimal
	}
	return decimal.Min(points.Value.Decimal, target.Mul(relative.Value.Decimal))
}
