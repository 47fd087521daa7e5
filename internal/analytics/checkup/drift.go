package checkup

import (
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"
)

const (
	standardDrift    = "0.05"
	standardRelative = "0.25"
	reasonDrift      = "a convention of rebalancing: five points, or a quarter of the target where that is less (5/25)"
)

// apart is how far one thing is from its target.
type apart struct {
	name                string
	weight, drift, band decimal.Decimal
}

func (a apart) beyond() decimal.Decimal { return a.drift.Abs().Sub(a.band) }

// drift shows what is furthest outside its band, or nearest to its edge.
func (b Book) drift(l Limits) Row {
	points := l.Drift.or(standardDrift, reasonDrift)
	row := Row{Rule: RuleDrift, Measures: "largest drift from a target", Unit: Fraction, Formula: "|weight - target|, of what is furthest beyond its band"}.against(points, AtMost)
	if len(b.Targets) == 0 {
		return row.unjudged("there are no targets", "set them: nfa portfolio targets")
	}
	worst := slices.MaxFunc(b.aparts(points, l), func(x, y apart) int { return x.beyond().Cmp(y.beyond()) })
	row.Threshold = decimal.NewNullDecimal(worst.band.Round(weightPlaces))
	row.Number, row.Outcome = decimal.NewNullDecimal(worst.drift.Abs().Round(weightPlaces)), Pass
	if worst.beyond().IsPositive() {
		row.Outcome = Fail
	}
	target := worst.weight.Sub(worst.drift)
	row.Inputs = []string{fmt.Sprintf("%s %s, target %s, band %s", worst.name, percent(worst.weight), percent(target), percent(worst.band))}
	return row.explained(fmt.Sprintf("%s is %s of the book where %s was wanted.", worst.name, percent(worst.weight), percent(target)), "", "")
}

// aparts are all targets, what is held without one, and cash where it is all in the
// book.
func (b Book) aparts(points Limit, l Limits) []apart {
	weights, targets := map[string]decimal.Decimal{}, map[string]decimal.Decimal{}
	for _, t := range b.Targets {
		targets[string(t.Symbol)], weights[string(t.Symbol)] = t.Weight, decimal.Zero
	}
	for _, h := range b.Holdings {
		weights[string(h.Symbol)] = h.Weight
	}
	if len(b.CashElsewhere) == 0 {
		const cash = "cash"
		weights[cash] = decimal.Zero
		for _, c := range b.Cash {
			weights[cash] = weights[cash].Add(c.Weight)
		}
		targets[cash] = b.meantCash()
	}
	out := make([]apart, 0, len(weights))
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		target := targets[name]
		out = append(out, apart{name, weights[name], weights[name].Sub(target), band(target, points, l)})
	}
	return out
}

// band is the smaller of both. What has no target has the one in points: a quarter
// of nothing would forbid a single share.
func band(target decimal.Decimal, points Limit, l Limits) decimal.Decimal {
	relative := l.Relative
	if !l.Drift.given() {
		relative = relative.or(standardRelative, reasonDrift)
	}
	if !relative.given() || !target.IsPositive() {
		return points.Value.Decimal
	}
	return decimal.Min(points.Value.Decimal, target.Mul(relative.Value.Decimal))
}
