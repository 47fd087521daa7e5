package investor

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
)

// SuggestionKind is the type of a suggestion.
type SuggestionKind string

// Suggestion kinds.
const (
	SuggestRebalance SuggestionKind = "rebalance" // bring a portfolio to its targets
	SuggestOptimize  SuggestionKind = "optimize"  // a new allocation
	SuggestSize      SuggestionKind = "size"      // how much of one asset to buy
)

// SuggestionKinds returns all kinds.
func SuggestionKinds() []SuggestionKind {
	return []SuggestionKind{SuggestRebalance, SuggestOptimize, SuggestSize}
}

// RequiredQuestions returns the IDs of the questions that must be answered for a personal
// suggestion of a kind. An unknown kind requires those of all kinds.
func RequiredQuestions(kind SuggestionKind) []string {
	switch kind {
	case SuggestRebalance:
		return append([]string{QuestionObjectives, QuestionHorizon, QuestionLiquidityNeeds}, append(riskFields(), QuestionLossCapacity)...)
	case SuggestSize:
		return []string{QuestionLiquidAssets, QuestionLiquidityNeeds, QuestionLossCapacity, QuestionLargestHolding}
	}
	return append([]string{QuestionBirthYear, QuestionIncome, QuestionNetWorth, QuestionLiquidAssets, QuestionCountry, QuestionObjectives, QuestionExperience, QuestionHorizon, QuestionLiquidityNeeds},
		append(riskFields(), QuestionOthers, QuestionLossCapacity, QuestionLargestHolding)...)
}

// AdviceBasis states whether a suggestion may be called personal advice.
type AdviceBasis struct {
	Kind     SuggestionKind `json:"kind"`
	Personal bool           `json:"personal"`
	Missing  []string       `json:"missing,omitempty"` // IDs of unanswered questions
	// Sentence must be shown with the suggestion. Public is Sentence without amounts of money.
	Sentence string `json:"sentence"`
	Public   string `json:"-"`
}

// reasonContradictory explains why advice is general if answers contradict each other.
const reasonContradictory = "This is general information, not personal advice, because answers in your profile contradict each other."

// Basis returns the basis of a suggestion on a date. Missing or contradictory answers make it
// general.
func (p Profile) Basis(kind SuggestionKind, today time.Time) AdviceBasis {
	b := AdviceBasis{Kind: kind}
	needed, answers := RequiredQuestions(kind), p.Answers()
	for _, id := range needed {
		if answers[id] == "" {
			b.Missing = append(b.Missing, id)
		}
	}
	if b.Missing != nil {
		b.Sentence = fmt.Sprintf("This is general information, not personal advice: your profile is missing %s.", humanize.JoinAnd(factorNames(b.Missing)))
		b.Public = b.Sentence
		return b
	}
	for _, contradiction := range p.Inconsistencies(today) {
		if slices.ContainsFunc(contradiction.Fields, func(id string) bool { return slices.Contains(needed, id) }) {
			b.Sentence, b.Public = reasonContradictory+" "+contradiction.Message, reasonContradictory
			if contradiction.Public == contradiction.Message {
				b.Public = b.Sentence
			}
			return b
		}
	}
	b.Personal, b.Sentence = true, "This is based on your profile."
	b.Public = b.Sentence
	return b
}

// AllowsPersonalAdvice reports whether advice of every kind may be personal.
func (p Profile) AllowsPersonalAdvice(today time.Time) bool {
	for _, kind := range SuggestionKinds() {
		if !p.Basis(kind, today).Personal {
			return false
		}
	}
	return true
}

// UnansweredFactors returns the factors without any answer, in order.
func (p Profile) UnansweredFactors() []Factor {
	answers := p.Answers()
	answered := map[Factor]bool{}
	var all, unknown []Factor
	for _, q := range NewInterview(time.Time{}).Questions() {
		if !slices.Contains(all, q.Factor) {
			all = append(all, q.Factor)
		}
		answered[q.Factor] = answered[q.Factor] || answers[q.ID] != ""
	}
	for _, f := range all {
		if !answered[f] {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

// factorNames returns the factors of questions; for limits, the question itself, because there are
// many.
func factorNames(ids []string) []string {
	var names []string
	for _, e := range NewInterview(time.Time{}).entries {
		name := string(e.Factor)
		if e.Factor == FactorLimits {
			name = strings.ReplaceAll(e.ID, "_", " ")
		}
		if slices.Contains(ids, e.ID) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
