package checkup

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

const (
	standardCorrelation = "0.95"
	reasonCorrelation   = "a convention: above it one explains more than nine tenths of the other's variance"
)

// overlap looks for holdings that move as one.
func (b Book) overlap(l Limits) Row {
	row := Row{Rule: RuleOverlap, Measures: "largest correlation of two holdings", Unit: Ratio, Formula: "Pearson's r of weekly returns over up to three years, each in its own currency"}.
		against(l.Correlation.or(standardCorrelation, reasonCorrelation), AtMost)
	if slices.ContainsFunc(b.Pairs, func(p Pair) bool { return !(p.Correlation >= -1 && p.Correlation <= 1) }) {
		return row.unjudged("a correlation is not between -1 and 1", "")
	}
	if len(b.Pairs) == 0 {
		if len(b.Unpaired) > 0 {
			return row.unjudged("no correlation is known: "+reasons(b.Unpaired), "")
		}
		row.Outcome, row.Inputs = Pass, []string{"fewer than two securities are held"}
		return row
	}
	pairs := slices.Clone(b.Pairs)
	slices.SortStableFunc(pairs, func(x, y Pair) int { return cmp.Compare(y.Correlation, x.Correlation) })
	highest := decimal.NewFromFloat(pairs[0].Correlation)
	row = row.at(highest)
	above := 0
	for _, p := range pairs {
		r := decimal.NewFromFloat(p.Correlation)
		if r.GreaterThan(row.Threshold.Decimal) {
			above++
		}
		if len(row.Inputs) < mostNamed {
			row.Inputs = append(row.Inputs, fmt.Sprintf("%s and %s %s over %d weeks", p.A, p.B, r.Round(3), p.Weeks))
		}
	}
	if row.Outcome == Pass && len(b.Unpaired) > 0 {
		return row.unjudged("not all correlations are known: "+reasons(b.Unpaired), "")
	}
	return row.explained(fmt.Sprintf("%s and %s moved as one over %d weeks: together they spread little; pairs above the threshold: %d.", pairs[0].A, pairs[0].B, pairs[0].Weeks, above), "", "")
}
