package checkup

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
	RulePriced    Rule = "priced"
	RuleFresh     Rule = "fresh_prices"
	RuleLargest   Rule = "largest_holding"
	RuleTopFive   Rule = "five_largest"
	RuleEffective Rule = "effective_holdings"
	RuleClass     Rule = "class:"
	RuleForeign   Rule = "foreign_currency"
	RuleRegion    Rule = "largest_region"
	RuleFee       Rule = "fund_fees"
	RuleReserve   Rule = "cash_reserve"
	RuleCash      Rule = "idle_cash"
	RuleDrift     Rule = "drift"
	RuleOverlap   Rule = "overlap"
	RulePayer     Rule = "largest_payer"
	RuleYield     Rule = "income_yield"
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
	Fraction = "fraction"
	Holdings = "holdings"
	Ratio    = "ratio"
)

// Bound is on which side of its threshold a number has to be.
type Bound string

// Bounds.
const (
	AtMost  Bound = "at most"
	AtLeast Bound = "at least"
)

// Row is what one rule found.
type Row struct {
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
	// Missing is why a rule is not judged, and Mend what to say to have it judged.
	Missing string `json:"missing,omitempty"`
	Mend    string `json:"mend,omitempty"`
}

// against sets the threshold.
func (r Row) against(l Limit, bound Bound) Row {
	r.Threshold, r.Reason, r.Bound = l.Value, l.Reason, bound
	return r
}

// between judges by the least and the most that the number can be: what is not
// known decides nothing unless it decides it either way.
func (r Row) between(low, high decimal.Decimal) Row {
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

// at is between for a number that is known.
func (r Row) at(number decimal.Decimal) Row {
	r.Number = decimal.NewNullDecimal(number.Round(weightPlaces))
	return r.between(number, number)
}

// unjudged keeps the number and says why it decides nothing.
func (r Row) unjudged(missing, mend string) Row {
	r.Outcome, r.Missing, r.Mend, r.Meaning = NotJudged, missing, mend, ""
	return r
}

// explained says what is missing where the row is not judged, and keeps the meaning
// to rows that failed.
func (r Row) explained(meaning, missing, mend string) Row {
	switch r.Outcome {
	case Fail:
		r.Meaning = meaning
	case NotJudged:
		r.Missing, r.Mend = missing, mend
	}
	return r
}

// weightPlaces keeps a fraction to a millionth.
const weightPlaces = 6

// percent is a fraction in per cent, as people read it.
func percent(part decimal.Decimal) string {
	// As wide as a plus, and the sign of all other changes that people read.
	return strings.Replace(part.Shift(2).Round(2).String(), "-", "−", 1) + " %"
}

// mostNamed bounds a list in a sentence.
const mostNamed = 5

// names lists the first of several, and how many there are besides.
func names(all []string) string { return listed(all, ", ") }

// reasons lists sentences in the same way.
func reasons(all []string) string { return listed(all, "; ") }

func listed(all []string, between string) string {
	if len(all) > mostNamed {
		return strings.Join(all[:mostNamed], between) + fmt.Sprintf(" and %d more", len(all)-mostNamed)
	}
	return strings.Join(all, between)
}
