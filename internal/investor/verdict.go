package investor

import (
	"github.com/shopspring/decimal"
)

// Outcome is what a rule says.
type Outcome string

// Outcomes of a rule.
const (
	Pass      Outcome = "pass"
	Fail      Outcome = "fail"
	NotJudged Outcome = "not judged" // something that the rule needs is not known
)

// RuleResult is one rule of the gate.
type RuleResult struct {
	Rule    string  `json:"rule"` // "largest_holding"
	Outcome Outcome `json:"outcome"`
	// Number is what the suggestion comes to, and Threshold what it is held against;
	// each is invalid where it is not known. Both are in Unit.
	Number    decimal.NullDecimal `json:"number,omitzero"`
	Threshold decimal.NullDecimal `json:"threshold,omitzero"`
	Unit      string              `json:"unit,omitempty"` // "fraction" or a currency
	Sentence  string              `json:"sentence"`
}

// Verdict is what the profile says of a suggestion.
type Verdict struct {
	Rows  []RuleResult `json:"rows"` // always in the same order
	Basis AdviceBasis  `json:"basis"`
}

// Allowed reports whether no rule fails. Rules that could not be judged do not
// fail: Count tells how many there are, and they are to be shown.
func (v Verdict) Allowed() bool { return v.Count(Fail) == 0 }

// Count tells how many rules have an outcome.
func (v Verdict) Count(o Outcome) int {
	n := 0
	for _, row := range v.Rows {
		if row.Outcome == o {
			n++
		}
	}
	return n
}
