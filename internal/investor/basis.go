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

// Needed lists the IDs of the questions on which a suggestion of a kind rests.
// Where one is open, the suggestion is general. An unknown kind needs all that any
// needs.
func Needed(kind SuggestionKind) []string {
	switch kind {
	case SuggestRebalance:
		return append([]string{AskObjectives, AskHorizon, AskLiquidityNeeds}, append(riskFields(), AskLossCapacity)...)
	case SuggestSize:
		return []string{AskLiquidAssets, AskLiquidityNeeds, AskLossCapacity, AskLargestHolding}
	}
	return append([]string{AskBirthYear, AskIncome, AskNetWorth, AskLiquidAssets, AskCountry, AskObjectives, AskExperience, AskHorizon, AskLiquidityNeeds},
		append(riskFields(), AskOthers, AskLossCapacity, AskLargestHolding)...)
}

// Basis says whether a suggestion may be called one for this investor.
type Basis struct {
	Kind     SuggestionKind `json:"kind"`
	Personal bool           `json:"personal"`
	Missing  []string       `json:"missing,omitempty"` // IDs of the questions that are open
	// Sentence is to be said with the suggestion.
	Sentence string `json:"sentence"`
	// Sums tells that Sentence has sums of money in it.
	Sums bool `json:"-"`
}

// contradictory says that advice is general because of what contradicts each other.
const contradictory = "This is general information and not advice for you, because answers in your profile contradict each other."

// WithoutSums is b for those who are not told the sums.
func (b Basis) WithoutSums() Basis {
	if b.Sums {
		b.Sentence, b.Sums = contradictory, false
	}
	return b
}

// Basis tells what a suggestion of a kind would rest on as of a day. Answers that
// contradict each other make it general as well as missing ones do.
func (p Profile) Basis(kind SuggestionKind, today time.Time) Basis {
	b := Basis{Kind: kind}
	needed, answers := Needed(kind), p.Answers()
	for _, id := range needed {
		if answers[id] == "" {
			b.Missing = append(b.Missing, id)
		}
	}
	if b.Missing != nil {
		b.Sentence = fmt.Sprintf("This is general information and not advice for you: your profile does not say %s.", list(factorsOf(b.Missing)))
		return b
	}
	for _, contradiction := range p.Inconsistencies(today) {
		if slices.ContainsFunc(contradiction.Fields, func(id string) bool { return slices.Contains(needed, id) }) {
			b.Sentence, b.Sums = contradictory+" "+contradiction.Says, contradiction.Sums
			return b
		}
	}
	b.Personal, b.Sentence = true, "This takes account of your profile as you gave it."
	return b
}

// Specific reports whether advice of every kind may be personal.
func (p Profile) Specific(today time.Time) bool {
	for _, kind := range SuggestionKinds() {
		if !p.Basis(kind, today).Personal {
			return false
		}
	}
	return true
}

// Unknown lists the factors of which nothing at all was said, in their order.
func (p Profile) Unknown() []Factor {
	answers := p.Answers()
	said := map[Factor]bool{}
	var all, unknown []Factor
	for _, q := range NewInterview(time.Time{}).Questions() {
		if !slices.Contains(all, q.Factor) {
			all = append(all, q.Factor)
		}
		said[q.Factor] = said[q.Factor] || answers[q.ID] != ""
	}
	for _, f := range all {
		if !said[f] {
			unknown = append(unknown, f)
		}
	}
	return unknown
}

// factorsOf names the factors of questions; of limits the question itself, because
// there are many.
func factorsOf(ids []string) []string {
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

// list writes "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
