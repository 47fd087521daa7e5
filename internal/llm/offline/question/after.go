package question

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

// after settles what q leaves open by the question before.
func (q Question) after(before Question) Question {
	if own, ok := q.afterOwn(before); ok {
		return own
	}
	q = q.answering(before)
	if before.Topic.TakesSymbols() || before.Topic == TopicSkill {
		q = q.inherit(before)
	}
	if q.Topic != TopicOpen {
		return q
	}
	// Only names, or only dates, and nothing before to lean on.
	switch {
	case len(q.Symbols) > 0 && (q.Currency != "" || len(q.Holdings) > 0) && q.Span.Empty():
		q.Topic = TopicQuote
	case len(q.Symbols) == 0 || q.words > 8:
		q.Topic = TopicUnknown
	case q.Span.Day() != "":
		q.Topic = TopicHistory
	case !q.Span.Empty():
		q.Topic = TopicOverview
	case q.words <= 4:
		q.Topic = TopicQuote
	default:
		q.Topic = TopicUnknown
	}
	return q
}

// answering reads a bare word after a question that lacked its symbol as that
// symbol.
func (q Question) answering(before Question) Question {
	lacking := before.Topic.TakesSymbols() || before.Topic == TopicSkill
	if q.Topic != TopicOpen || !lacking || len(before.Symbols) > 0 || len(q.Symbols) > 0 || q.words != 1 {
		return q
	}
	if ticker, ok := typedTicker(strings.TrimRight(q.Text, " ?.!")); ok {
		q.Symbols, q.Strangers = []string{ticker}, nil
	}
	return q
}

func (q Question) inherit(before Question) Question {
	named := len(q.Symbols) > 0 || len(q.Strangers) > 0 && (q.follows || q.words == 1)
	switch {
	case q.Topic == TopicOpen && (named || !q.Span.Empty()) && (q.follows || q.words <= 4):
		q = q.continuing(before, named)
	case (q.Topic.TakesSymbols() || q.Topic == TopicSkill && q.follows) && len(q.Symbols) == 0 && len(q.Strangers) == 0:
		q.Symbols = before.Symbols
	case q.Topic == TopicCompare && q.follows && len(q.Symbols) == 1:
		q.Symbols = union(before.Symbols, q.Symbols)
	default:
		return q
	}
	if q.Span.Empty() && q.follows {
		q.Span = before.Span
	}
	return q
}

// continuing asks the question before again, of other names or another time.
func (q Question) continuing(before Question, named bool) Question {
	q.Topic, q.Interval, q.Chart, q.follows = before.Topic, before.Interval, before.Chart, true
	q.Skill, q.Arguments = before.Skill, q.Text
	if before.Topic == TopicQuote && !q.Span.Empty() {
		q.Topic = TopicOverview // a price has no since
		if q.Span.Day() != "" {
			q.Topic = TopicHistory
		}
	}
	if q.Stake.Amount == "" {
		q.Stake = before.Stake
	}
	switch {
	case !named:
		q.Symbols = before.Symbols
	case before.Topic == TopicCompare:
		q.Symbols = union(before.Symbols, q.Symbols)
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
