package rebalance

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// Rule names a rule.
type Rule string

// Rules, in the order of their rows. Those of classes are RuleClass followed by the
// class.
const (
	RulePriced       Rule = "priced"
	RulePriceAge     Rule = "fresh_prices"
	RuleLargest      Rule = "largest_holding"
	RuleTopFive      Rule = "five_largest"
	RuleEffective    Rule = "effective_holdings"
	RuleClass        Rule = "class:"
	RuleForeign      Rule = "foreign_currency"
	RuleRegion       Rule = "largest_region"
	RuleFee          Rule = "fund_fees"
	RuleReserve      Rule = "cash_reserve"
	RuleCash         Rule = "idle_cash"
	RuleDrift        Rule = "drift"
	RuleOverlap      Rule = "overlap"
	RuleIncomeSource Rule = "largest_payer"
	RuleYield        Rule = "income_yield"
)

// Outcome is what a rule says.
type Outcome string

// Outcomes.
const (
	Pass      Outcome = "pass"
	Fail      Outcome = "fail"
	NotJudged Outcome = "not judged"
)

// Units of a number.
const (
	UnitFraction  = "fraction"
	UnitPositions = "holdings"
	UnitRatio     = "ratio"
)

// Bound is on which side of its threshold a number has to be.
type Bound string

// Bounds.
const (
	AtMost  Bound = "at most"
	AtLeast Bound = "at least"
)

// CheckResult is what one rule found.
type CheckResult struct {
	Rule     Rule    `json:"rule"`
	Measures string  `json:"measures"`
	Outcome  Outcome `json:"outcome"`
	// Number and Threshold are in Unit, invalid where not known.
	Number    decimal.NullDecimal `json:"number,omitzero"`
	Threshold decimal.NullDecimal `json:"threshold,omitzero"`
	Bound     Bound               `json:"bound,omitempty"`
	Unit      string              `json:"unit"`
	Reason    string              `json:"threshold_from,omitempty"` // why this threshold
	Formula   string              `json:"formula"`
	Inputs    []string            `json:"inputs,omitempty"`
	// Meaning is one sentence on what a failure means: facts, not what to do.
	Meaning string `json:"meaning,omitempty"`
	// Missing is why a rule is not judged, and Fix what to say to have it judged.
	Missing string `json:"missing,omitempty"`
	Fix     string `json:"mend,omitempty"`
}

// withThreshold sets the threshold.
func (r CheckResult) withThreshold(l Limit, bound Bound) CheckResult {
	r.Threshold, r.Reason, r.Bound = l.Value, l.Reason, bound
	return r
}

// judgeRange judges by the least and the most that the number can be: what is not
// known decides nothing unless it decides it either way.
func (r CheckResult) judgeRange(low, high decimal.Decimal) CheckResult {
	t := r.Threshold.Decimal
	switch {
	case r.Bound == AtMost && low.GreaterThan(t), r.Bound == AtLeast && high.LessThan(t):
		r.Outcome = Fail
	case r.Bound == AtMost && !high.GreaterThan(t), r.Bound == AtLeast && !low.LessThan(t):
		r.Outcome = Pass
	default:
		r.Outcome = NotJudged
	}
	return r
}

// judge is judgeRange for a number that is known.
func (r CheckResult) judge(number decimal.Decimal) CheckResult {
	r.Number = decimal.NewNullDecimal(number)
	return r.judgeRange(number, number)
}

// notJudged keeps the number and says why it decides nothing.
func (r CheckResult) notJudged(missing, fix string) CheckResult {
	r.Outcome, r.Missing, r.Fix, r.Meaning = NotJudged, missing, fix, ""
	return r
}

// explain says what is missing where the row is not judged, and keeps the meaning
// to rows that failed.
func (r CheckResult) explain(meaning, missing, fix string) CheckResult {
	switch r.Outcome {
	case Fail:
		r.Meaning = meaning
	case NotJudged:
		r.Missing, r.Fix = missing, fix
	}
	return r
}

// weightPlaces are the decimals of a quotient.
const weightPlaces = 16

// formatPercent writes a fraction as a percentage: "-6.25%".
func formatPercent(part decimal.Decimal) string { return part.Shift(2).Round(2).String() + "%" }

// maxListed bounds a list in a sentence.
const maxListed = 5

// joinNames lists the first of several, and how many there are besides.
func joinNames(all []string) string { return joinFirst(all, ", ") }

// joinReasons lists the first of several sentences, and how many there are besides.
func joinReasons(all []string) string { return joinFirst(all, "; ") }

func joinFirst(all []string, between string) string {
	if len(all) > maxListed {
		return strings.Join(all[:maxListed], between) + fmt.Sprintf(" and %d more", len(all)-maxListed)
	}
	return strings.Join(all, between)
}
