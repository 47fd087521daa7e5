package investor

import (
	"maps"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Suggestion is a portfolio as it would be if the user followed it. What is not
// known is absent.
type Suggestion struct {
	Kind SuggestionKind
	AsOf time.Time
	// Weights are fractions of the whole with its cash; below zero where sold short.
	Weights map[market.Symbol]decimal.Decimal
	// Classes are those of the symbols. What a symbol without one is a claim on is not known,
	// and neither what a fund of ClassMixed holds of each class.
	Classes    map[market.Symbol]portfolio.Class
	Cash       decimal.NullDecimal // as a fraction of the whole
	CashAmount Money
}

// isEmpty reports a suggestion of nothing.
func (s Suggestion) isEmpty() bool { return len(s.symbols()) == 0 && !s.Cash.Valid }

// symbols are those with a weight, sorted.
func (s Suggestion) symbols() []market.Symbol {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Weights)), func(symbol market.Symbol) bool { return s.Weights[symbol].IsZero() })
}

// largest is the symbol with the largest weight, long or short.
func (s Suggestion) largest() (symbol market.Symbol, weight decimal.Decimal) {
	for _, held := range s.symbols() {
		if w := s.Weights[held].Abs(); w.GreaterThan(weight) {
			symbol, weight = held, w
		}
	}
	return symbol, weight
}

// classTotals of a class: the sum of its weights, the same with short positions counted
// as long ones, and the symbols that may be of it or not.
type classTotals struct {
	net, gross decimal.Decimal
	unknown    []string
	possible   decimal.Decimal // their weights above zero
}

func (s Suggestion) classTotals(class portfolio.Class) classTotals {
	var p classTotals
	for _, symbol := range s.symbols() {
		weight := s.Weights[symbol]
		switch s.Classes[symbol] {
		case class:
			p.net, p.gross = p.net.Add(weight), p.gross.Add(weight.Abs())
		case "", portfolio.ClassMixed:
			p.unknown = append(p.unknown, string(symbol))
			p.possible = p.possible.Add(decimal.Max(weight, decimal.Zero))
		}
	}
	if class == portfolio.ClassCash && s.Cash.Valid {
		p.net, p.gross = p.net.Add(s.Cash.Decimal), p.gross.Add(s.Cash.Decimal.Abs())
	}
	return p
}

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
