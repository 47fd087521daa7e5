package investor

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// SuggestionKind is what is suggested.
type SuggestionKind string

// Kinds of suggestion.
const (
	SuggestRebalance SuggestionKind = "rebalance" // bring a portfolio to its targets
	SuggestOptimize  SuggestionKind = "optimize"  // a new mix
	SuggestSize      SuggestionKind = "size"      // how much of one asset to buy
)

// SuggestionKinds lists them all.
func SuggestionKinds() []SuggestionKind {
	return []SuggestionKind{SuggestRebalance, SuggestOptimize, SuggestSize}
}

// RequiredQuestions lists the IDs of the questions on which a suggestion of a kind rests.
// Where one is open, the suggestion is general. An unknown kind needs all that any
// needs.
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

// AdviceBasis says whether a suggestion may be called one for this investor.
type AdviceBasis struct {
	Kind     SuggestionKind `json:"kind"`
	Personal bool           `json:"personal"`
	Missing  []string       `json:"missing,omitempty"` // IDs of the questions that are open
	// Sentence is to be said with the suggestion, Public the same without sums of money.
	Sentence string `json:"sentence"`
	Public   string `json:"-"`
}

// reasonContradictory says that advice is general because of what contradicts each other.
const reasonContradictory = "This is general information and not advice for you, because answers in your profile contradict each other."

// Basis tells what a suggestion of a kind would rest on as of a day. Answers that
// contradict each other make it general as well as missing ones do.
func (p Profile) Basis(kind SuggestionKind, today time.Time) AdviceBasis {
	b := AdviceBasis{Kind: kind}
	needed, answers := RequiredQuestions(kind), p.Answers()
	for _, id := range needed {
		if answers[id] == "" {
			b.Missing = append(b.Missing, id)
		}
	}
	if b.Missing != nil {
		b.Sentence = fmt.Sprintf("This is general information and not advice for you: your profile does not say %s.", joinList(factorNames(b.Missing)))
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
	b.Personal, b.Sentence = true, "This takes account of your profile as you gave it."
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

// UnansweredFactors lists the factors of which nothing at all was said, in their order.
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

// factorNames names the factors of questions; of limits the question itself, because
// there are many.
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

// joinList writes "a, b and c".
func joinList(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}
