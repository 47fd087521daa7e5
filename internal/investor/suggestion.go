package investor

import (
	"maps"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Suggestion is the portfolio after the user follows a suggestion. Unknown values are absent.
type Suggestion struct {
	Kind SuggestionKind
	AsOf time.Time
	// Weights are fractions of the portfolio including cash; negative for short positions.
	Weights map[market.Symbol]decimal.Decimal
	// Classes maps symbols to asset classes. The class of a missing symbol is unknown, and so is
	// the allocation of a ClassMixed fund.
	Classes    map[market.Symbol]portfolio.Class
	Cash       decimal.NullDecimal // as a fraction of the portfolio
	CashAmount Money
}

// isEmpty reports whether the suggestion has neither weights nor cash.
func (s Suggestion) isEmpty() bool { return len(s.symbols()) == 0 && !s.Cash.Valid }

// symbols returns the symbols with a weight, sorted.
func (s Suggestion) symbols() []market.Symbol {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Weights)), func(symbol market.Symbol) bool { return s.Weights[symbol].IsZero() })
}

// largest returns the symbol with the largest weight, long or short.
func (s Suggestion) largest() (symbol market.Symbol, weight decimal.Decimal) {
	for _, held := range s.symbols() {
		if w := s.Weights[held].Abs(); w.GreaterThan(weight) {
			symbol, weight = held, w
		}
	}
	return symbol, weight
}

// classTotals are the totals of an asset class: the sum of its weights, the sum of their absolute
// values, and the symbols that may belong to it.
type classTotals struct {
	net, gross decimal.Decimal
	unknown    []string
	possible   decimal.Decimal // the positive weights of the unknown symbols
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

// Outcome is the result of a rule.
type Outcome string

// Outcomes of a rule.
const (
	Pass      Outcome = "pass"
	Fail      Outcome = "fail"
	NotJudged Outcome = "not judged" // something that the rule needs is unknown
)

// RuleResult is the result of one rule.
type RuleResult struct {
	Rule    string  `json:"rule"` // "largest_holding"
	Outcome Outcome `json:"outcome"`
	// Number is the value of the suggestion, and Threshold the limit; each is invalid if unknown.
	// Both are in Unit.
	Number    decimal.NullDecimal `json:"number,omitzero"`
	Threshold decimal.NullDecimal `json:"threshold,omitzero"`
	Unit      string              `json:"unit,omitempty"` // "fraction" or a currency
	Sentence  string              `json:"sentence"`
}

// Verdict is the result of checking a suggestion against the profile.
type Verdict struct {
	Rows  []RuleResult `json:"rows"` // always in the same order
	Basis AdviceBasis  `json:"basis"`
}

// Allowed reports whether no rule fails. Rules that were not judged do not fail: Count returns
// their number, and they must be shown.
func (v Verdict) Allowed() bool { return v.Count(Fail) == 0 }

// Count returns the number of rules with an outcome.
func (v Verdict) Count(o Outcome) int {
	n := 0
	for _, row := range v.Rows {
		if row.Outcome == o {
			n++
		}
	}
	return n
}
