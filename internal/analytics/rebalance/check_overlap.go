package rebalance

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

const (
	defaultCorrelation = "0.95"
	reasonCorrelation  = "a convention: above it one explains more than nine tenths of the other's variance"
)

// checkOverlap looks for holdings that move as one.
func (b Portfolio) checkOverlap(l Limits) CheckResult {
	row := CheckResult{Rule: RuleOverlap, Measures: "largest correlation of two holdings", Unit: UnitRatio, Formula: "Pearson's r of weekly returns over up to three years, each in its own currency"}.
		withThreshold(l.Correlation.orDefault(defaultCorrelation, reasonCorrelation), AtMost)
	if slices.ContainsFunc(b.Pairs, func(p CorrelatedPair) bool { return !(p.Correlation >= -1 && p.Correlation <= 1) }) {
		return row.notJudged("a correlation is not between -1 and 1", "")
	}
	if len(b.Pairs) == 0 {
		if len(b.Uncorrelated) > 0 {
			return row.notJudged("no correlation is known: "+joinReasons(b.Uncorrelated), "")
		}
		row.Outcome, row.Inputs = Pass, []string{"fewer than two securities are held"}
		return row
	}
	pairs := slices.Clone(b.Pairs)
	slices.SortStableFunc(pairs, func(x, y CorrelatedPair) int { return cmp.Compare(y.Correlation, x.Correlation) })
	highest := decimal.NewFromFloat(pairs[0].Correlation)
	row = row.judge(highest)
	above := 0
	for _, p := range pairs {
		r := decimal.NewFromFloat(p.Correlation)
		if r.GreaterThan(row.Threshold.Decimal) {
			above++
		}
		if len(row.Inputs) < maxListed {
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s and %s %s over %d weeks", p.A, p.B, r.Round(3), p.Weeks))
		}
	}
	if row.Outcome == Pass && len(b.Uncorrelated) > 0 {
		return row.notJudged("not all correlations are known: "+joinReasons(b.Uncorrelated), "")
	}
	return row.explain(fmt.Sprintf("%s and %s moved as one over %d weeks: together they spread little; pairs above the threshold: %d.", pairs[0].A, pairs[0].B, pairs[0].Weeks, above), "", "")
}
