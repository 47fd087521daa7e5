// Package question tells what a user's words mean: what is asked, of which
// instruments, when, in which currency and for which amount, in the light of the
// questions before.
//
// Its surface is Read, which makes a Question of messages, and Activation and Words,
// which read a message and a text by themselves. It calls nothing and answers
// nothing, and what it cannot tell it leaves empty: a guess would be answered with
// the figures of another question.
package question

import (
	"cmp"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/pattern"
)

// Question is what is asked for, as far as rules can tell.
type Question struct {
	Topic     Topic
	Subject   Subject // what is asked for that the assistant has no rule for
	Symbols   []string
	Strangers []string // what may be names, but of no symbol known here
	Span      Span
	Interval  string // "daily", "monthly", or empty
	Chart     string // the kind of chart, or empty
	Unclear   string // a date that may be read in two ways
	Vague     string // a time whose days the question does not tell, or that is not in Span
	// UnclearAmount is an amount or a count whose sign may part thousands or a fraction.
	UnclearAmount string
	Currency      string // that the answer is asked for in, or empty
	Stake         Stake
	Holdings      []Holding
	Own           Own

	Expression string // in the spelling of the calculate tool
	Skill      string // its name
	Arguments  string // what the skill is asked to do
	Activated  string // the skill's text, where the message carries it

	Text     string // the question itself, on one line
	Attached string // text below the question
	Unread   bool   // there is attached text; it is no part of the question
	Cut      bool   // the end of the question was too long to be read

	follows bool // it leans on what was asked before
	words   int
	today   time.Time
}

const (
	lookBack    = 20   // questions that a follow-up may lean on, one on another
	maxQuestion = 2000 // bytes that are read of a question
)

// Read reads the last of a user's messages in the light of those before it. skills
// are the names by which a skill may be asked for; by now it is settled what "last
// year" means.
func Read(messages, skills []string, now time.Time) Question {
	r := reader{skills: skills, now: now}
	var q Question
	for _, message := range messages[max(len(messages)-lookBack, 0):] {
		q = r.alone(message).after(q)
	}
	return q
}

// reader reads messages one by one.
type reader struct {
	skills []string
	now    time.Time
}

// alone understands one message by itself.
func (r reader) alone(message string) Question {
	if act, ok := activation(message); ok {
		q := r.details(parseSentence(pairs().ReplaceAllString(quoted.CutAtWord(act.arguments, maxQuestion), "$1 ")))
		q.Topic, q.Skill, q.Arguments, q.Activated = TopicSkill, act.name, act.arguments, act.content
		q.Cut = len(act.arguments) > maxQuestion
		q.lenient()
		return q
	}
	asked, attached, cut := divide(message)
	s := parseSentence(asked)
	if name, rest, ok := namedSkill(s, r.skills); ok {
		q := r.details(parseSentence(pairs().ReplaceAllString(rest, "$1 ")))
		q.Topic, q.Skill, q.Arguments = TopicSkill, name, rest
		q.follows, q.Cut = q.follows || s.refersBack(), cut
		return q
	}
	q := r.details(s)
	q.Attached, q.Unread, q.Cut = attached, strings.TrimSpace(attached) != "", cut
	q.Topic, q.Subject = classify(s, q)
	return q
}

var paragraphEnd = pattern.Lazy(`\n[ \t\r]*\n`)

// divide tells a message's question, its first paragraph, from the text attached
// below it, whatever that holds. A question that goes on too long is cut.
func divide(message string) (asked, attached string, cut bool) {
	asked = strings.TrimSpace(message)
	if at := paragraphEnd().FindStringIndex(asked); at != nil {
		asked, attached = asked[:at[0]], asked[at[1]:]
	}
	return quoted.CutAtWord(asked, maxQuestion), attached, len(asked) > maxQuestion
}

// details reads all but what is asked for.
func (r reader) details(s sentence) Question {
	m := findMentions(s)
	stake, low, unclearAmount := findStake(s.low)
	unclear := findUnclearDate(low)
	low = spelled(withoutCounts(low))
	span := findSpan(low, r.now)
	q := Question{
		Symbols: m.symbols, Strangers: m.strangers, Holdings: m.holdings, Stake: stake, Unclear: unclear, Vague: findVagueTime(low, span),
		UnclearAmount: cmp.Or(unclearAmount, m.unclear),
		Span:          stake.since(span, low), Currency: cmp.Or(findCurrency(low), stake.Currency),
		Text: s.plain, follows: s.refersBack(), words: len(s.words), today: r.now,
	}
	q.Own = findOwn(s, q)
	q.Expression, _ = findExpression(s.low)
	q.Chart = s.chartKind()
	switch {
	case s.has("monthly", "month by month"):
		q.Interval = "monthly"
	case s.has("daily", "day by day"):
		q.Interval = "daily"
	}
	return q
}

// pairs are a skill's arguments given by name: symbol=AAPL, from=2010.
var pairs = pattern.Lazy(`\b([a-z_]+)=`)

// lenient takes the bare words of a skill's arguments for tickers: there is
// hardly anything else that they could be.
func (q *Question) lenient() {
	if len(q.Symbols) > 0 || q.words > 4 {
		return
	}
	var left []string
	for _, name := range q.Strangers {
		for w := range strings.FieldsSeq(name) {
			if ticker, ok := typedTicker(w); ok {
				q.Symbols = append(q.Symbols, ticker)
			} else {
				left = append(left, w)
			}
		}
	}
	q.Strangers = left
}
