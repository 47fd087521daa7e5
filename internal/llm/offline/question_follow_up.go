package offline

import (
	"slices"
	"strings"
)

// refersBack reports whether the sentence opens like a follow-up or speaks of
// something named before.
func (s sentence) refersBack() bool {
	return s.begins("and", "what about", "how about", "same for", "now", "then", "also", "but", "what if", "und", "et", "y", "ok and") ||
		s.has("it", "its", "it's", "they", "them", "their", "that one", "the same", "instead")
}

// resolve settles what q leaves open by the question before.
func (q Question) resolve(previous Question) Question {
	if resolved, ok := q.resolveUserData(previous); ok {
		return resolved
	}
	q = q.asSymbolReply(previous)
	if previous.Topic.TakesSymbols() || previous.Topic == TopicSkill {
		q = q.inherit(previous)
	}
	if q.Topic != TopicOpen {
		return q
	}
	// Only names, or only dates, and nothing before to lean on.
	switch {
	case len(q.Symbols) > 0 && (q.Currency != "" || len(q.ShareCounts) > 0) && q.Period.Empty():
		q.Topic = TopicQuote
	case len(q.Symbols) == 0 || q.words > 8:
		q.Topic = TopicUnknown
	case q.Period.Day() != "":
		q.Topic = TopicHistory
	case !q.Period.Empty():
		q.Topic = TopicOverview
	case q.words <= 4:
		q.Topic = TopicQuote
	default:
		q.Topic = TopicUnknown
	}
	return q
}

// asSymbolReply reads a bare word after a question that lacked its symbol as that
// symbol.
func (q Question) asSymbolReply(previous Question) Question {
	lacking := previous.Topic.TakesSymbols() || previous.Topic == TopicSkill
	if q.Topic != TopicOpen || !lacking || len(previous.Symbols) > 0 || len(q.Symbols) > 0 || q.words != 1 {
		return q
	}
	if ticker, ok := typedTicker(strings.TrimRight(q.Text, " ?.!")); ok {
		q.Symbols, q.UnknownNames = []string{ticker}, nil
	}
	return q
}

func (q Question) inherit(previous Question) Question {
	named := len(q.Symbols) > 0 || len(q.UnknownNames) > 0 && (q.isFollowUp || q.words == 1)
	switch {
	case q.Topic == TopicOpen && (named || !q.Period.Empty()) && (q.isFollowUp || q.words <= 4):
		q = q.repeatPrevious(previous, named)
	case (q.Topic.TakesSymbols() || q.Topic == TopicSkill && q.isFollowUp) && len(q.Symbols) == 0 && len(q.UnknownNames) == 0:
		q.Symbols = previous.Symbols
	case q.Topic == TopicCompare && q.isFollowUp && len(q.Symbols) == 1:
		q.Symbols = union(previous.Symbols, q.Symbols)
	default:
		return q
	}
	if q.Period.Empty() && q.isFollowUp {
		q.Period = previous.Period
	}
	return q
}

// repeatPrevious asks the question before again, of other names or another time.
func (q Question) repeatPrevious(previous Question, named bool) Question {
	q.Topic, q.Interval, q.Chart, q.isFollowUp = previous.Topic, previous.Interval, previous.Chart, true
	q.Skill, q.Arguments = previous.Skill, q.Text
	if previous.Topic == TopicQuote && !q.Period.Empty() {
		q.Topic = TopicOverview // a price has no since
		if q.Period.Day() != "" {
			q.Topic = TopicHistory
		}
	}
	if q.Investment.Amount == "" {
		q.Investment = previous.Investment
	}
	switch {
	case !named:
		q.Symbols = previous.Symbols
	case previous.Topic == TopicCompare:
		q.Symbols = union(previous.Symbols, q.Symbols)
	}
	return q
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
