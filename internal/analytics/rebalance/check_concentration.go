package rebalance

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"
)

// The concentration limits are those of EU retail funds: at most 10% in one issuer, and positions above 5%
// together at most 40% (Directive 2009/65/EC, article 52). They apply to issuers, because a fund is itself
// diversified.
const (
	defaultLargest   = "0.1"
	reasonLargest    = "EU retail funds may hold at most 10% in one issuer (2009/65/EC, art. 52); funds are not counted"
	defaultTopFive   = "0.4"
	reasonTopFive    = "EU retail funds may hold at most 40% in issuers that exceed 5% each (2009/65/EC, art. 52); funds are not counted"
	defaultEffective = "10"
	reasonEffective  = "the smallest number of equal-weight positions of at most 10% each"
	fixForm          = "classify each one (with its fee if it is a fund): nfa portfolio classify SYMBOL; or set a threshold for all positions"
)

// concentrationPositions returns the positions that a concentration rule covers, largest first: all
// of them if the user set the threshold, else those not known to be funds.
func (b Portfolio) concentrationPositions(l Limit) []CheckedPosition {
	kept := slices.DeleteFunc(slices.Clone(b.Positions), func(h CheckedPosition) bool { return !l.isSet() && h.Form == FormFund })
	slices.SortStableFunc(kept, func(x, y CheckedPosition) int { return y.Weight.Abs().Cmp(x.Weight.Abs()) })
	return kept
}

// largestOf returns the sum of the n largest positions that certainly count, the same sum if all
// doubtful positions count, and the names of the doubtful ones in it.
func largestOf(sorted []CheckedPosition, n int, all bool) (low, high decimal.Decimal, doubtful []string) {
	sure, any := 0, 0
	for _, h := range sorted {
		certain := all || h.Form == FormSingle
		if certain && sure < n {
			low, sure = low.Add(h.Weight.Abs()), sure+1
		}
		if any == n {
			continue
		}
		high, any = high.Add(h.Weight.Abs()), any+1
		if !certain {
			doubtful = append(doubtful, string(h.Symbol))
		}
	}
	return low, high, doubtful
}

func (b Portfolio) checkLargest(l Limits) CheckResult {
	row := CheckResult{Rule: RuleLargest, Measures: "largest single position", Unit: UnitFraction, Formula: "max(|weight|)"}.
		withThreshold(l.Largest.orDefault(defaultLargest, reasonLargest), AtMost)
	positions := b.concentrationPositions(l.Largest)
	if len(positions) == 0 {
		return row.judge(decimal.Zero)
	}
	low, high, doubtful := largestOf(positions, 1, l.Largest.isSet())
	row = row.judge(high).judgeRange(low, high)
	row.Inputs = []string{fmt.Sprintf("%s %s", positions[0].Symbol, formatPercent(positions[0].Weight))}
	effect := "lose"
	if positions[0].Weight.IsNegative() { // sold short
		effect = "gain"
	}
	return row.explain(fmt.Sprintf("If %s lost half of its price, the portfolio would %s %s.", positions[0].Symbol, effect, formatPercent(positions[0].Weight.Abs().Div(decimal.NewFromInt(2)))),
		"it is unknown whether "+joinNames(doubtful)+" is a fund", fixForm)
}

const (
	topCount = 5
)

func (b Portfolio) checkTopFive(l Limits) CheckResult {
	row := CheckResult{Rule: RuleTopFive, Measures: "five largest positions together", Unit: UnitFraction, Formula: "sum of the five largest |weight|"}.
		withThreshold(l.TopFive.orDefault(defaultTopFive, reasonTopFive), AtMost)
	positions := b.concentrationPositions(l.TopFive)
	low, high, doubtful := largestOf(positions, topCount, l.TopFive.isSet())
	row = row.judge(high).judgeRange(low, high)
	for _, h := range positions[:min(topCount, len(positions))] {
		row.Inputs = append(row.Inputs, fmt.Sprintf("%s %s", h.Symbol, formatPercent(h.Weight)))
	}
	return row.explain(fmt.Sprintf("%s of the portfolio depends on %d positions.", formatPercent(high), min(topCount, len(positions))),
		"it is unknown whether "+joinNames(doubtful)+" are funds", fixForm)
}

// checkEffectiveNumber checks the inverse of the Herfindahl-Hirschman index of the securities: the number
// of equal positions that would be as concentrated.
func (b Portfolio) checkEffectiveNumber(l Limits) CheckResult {
	row := CheckResult{Rule: RuleEffective, Measures: "effective number of positions", Unit: UnitPositions, Formula: "sum(|weight|)^2 / sum(weight^2), without cash"}.
		withThreshold(l.Effective.orDefault(defaultEffective, reasonEffective), AtLeast)
	squares, sum := decimal.Zero, b.grossWeight()
	var funds []string
	for _, h := range b.Positions {
		squares = squares.Add(h.Weight.Mul(h.Weight))
		if h.Form != FormSingle {
			funds = append(funds, string(h.Symbol))
		}
	}
	if !squares.IsPositive() {
		return row.notJudged("there are no securities", "")
	}
	number := sum.Mul(sum).DivRound(squares, weightPlaces)
	row = row.judge(number)
	row.Inputs = []string{fmt.Sprintf("%d securities", len(b.Positions)), "sum of squares " + squares.Round(6).String()}
	if !l.Effective.isSet() && len(funds) > 0 && row.Outcome == Fail {
		return row.notJudged(fmt.Sprintf("each fund counts as one position but may hold many securities: %s", joinNames(funds)), "set the minimum number of positions (min_effective)")
	}
	return row.explain(fmt.Sprintf("The portfolio is as concentrated as %s positions of equal weight.", number.Round(1)), "", "")
}
