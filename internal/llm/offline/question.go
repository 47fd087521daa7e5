package offline

import (
	"cmp"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Question is what is asked for, as far as rules can tell.
type Question struct {
	Topic        Topic
	Subject      Subject // what is asked for that the assistant has no rule for
	Symbols      []string
	UnknownNames []string // what may be names, but of no symbol known here
	Period       Period
	Interval     string // "daily", "monthly", or empty
	Chart        string // the kind of chart, or empty
	Unclear      string // a date that may be read in two ways
	Vague        string // a time whose days the question does not name, or that does not fit into Period
	// UnclearAmount is an amount or a count whose sign may part thousands or a fraction.
	UnclearAmount string
	Currency      string // that the answer is asked for in, or empty
	Investment    Investment
	ShareCounts   []ShareCount
	UserData      UserDataQuery

	Expression string // in the spelling of the calculate tool
	Skill      string // its name
	Arguments  string // what the skill is asked to do
	Activated  string // the skill's text, where the message carries it

	Text      string // the question itself, on one line
	Attached  string // text below the question
	Unread    bool   // there is attached text; it is no part of the question
	Truncated bool   // the end of the question was too long to be read

	isFollowUp bool // it leans on what was asked before
	words      int
	today      time.Time
}

const (
	maxLookBack      = 20   // questions that a follow-up may lean on, one on another
	maxQuestionBytes = 2000 // bytes that are read of a question
)

// ReadQuestion reads the last of a user's messages in the light of those before it. skills
// are the names by which a skill may be asked for; by now it is settled what "last
// year" means.
func ReadQuestion(messages, skills []string, now time.Time) Question {
	r := questionReader{skills: skills, now: now}
	var q Question
	for _, message := range messages[max(len(messages)-maxLookBack, 0):] {
		q = r.readOne(message).resolve(q)
	}
	return q
}

// questionReader reads messages one by one.
type questionReader struct {
	skills []string
	now    time.Time
}

// readOne understands one message by itself.
func (r questionReader) readOne(message string) Question {
	if act, ok := parseActivation(message); ok {
		q := r.details(parseSentence(namedArgs().ReplaceAllString(CutAtWord(act.arguments, maxQuestionBytes), "$1 ")))
		q.Topic, q.Skill, q.Arguments, q.Activated = TopicSkill, act.name, act.arguments, act.content
		q.Truncated = len(act.arguments) > maxQuestionBytes
		q.acceptTickers()
		return q
	}
	question, attached, cut := splitMessage(message)
	s := parseSentence(question)
	if name, rest, ok := namedSkill(s, r.skills); ok {
		q := r.details(parseSentence(namedArgs().ReplaceAllString(rest, "$1 ")))
		q.Topic, q.Skill, q.Arguments = TopicSkill, name, rest
		q.isFollowUp, q.Truncated = q.isFollowUp || s.refersBack(), cut
		return q
	}
	q := r.details(s)
	q.Attached, q.Unread, q.Truncated = attached, strings.TrimSpace(attached) != "", cut
	q.Topic, q.Subject = classify(s, q)
	return q
}

var paragraphEnd = lazyregexp.New(`\n[ \t\r]*\n`)

// splitMessage tells a message's question, its first paragraph, from the text attached
// below it, whatever that holds. A question that goes on too long is cut.
func splitMessage(message string) (question, attached string, cut bool) {
	question = strings.TrimSpace(message)
	if at := paragraphEnd().FindStringIndex(question); at != nil {
		question, attached = question[:at[0]], question[at[1]:]
	}
	return CutAtWord(question, maxQuestionBytes), attached, len(question) > maxQuestionBytes
}

// details reads all but what is asked for.
func (r questionReader) details(s sentence) Question {
	m := findMentions(s)
	investment, low, unclearAmount := findInvestment(s.low)
	unclear := findUnclearDate(low)
	low = normalizeDates(withoutCounts(low))
	period := findPeriod(low, r.now)
	q := Question{
		Symbols: m.symbols, UnknownNames: m.unknownNames, ShareCounts: m.shareCounts, Investment: investment, Unclear: unclear, Vague: findVagueTime(low, period),
		UnclearAmount: cmp.Or(unclearAmount, m.unclear),
		Period:        investment.period(period, low), Currency: cmp.Or(findCurrency(low), investment.Currency),
		Text: s.plain, isFollowUp: s.refersBack(), words: len(s.words), today: r.now,
	}
	q.UserData = findUserData(s, q)
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

// namedArgs are a skill's arguments given by name: symbol=AAPL, from=2010.
var namedArgs = lazyregexp.New(`\b([a-z_]+)=`)

// acceptTickers takes the bare words of a skill's arguments for tickers: there is
// hardly anything else that they could be.
func (q *Question) acceptTickers() {
	if len(q.Symbols) > 0 || q.words > 4 {
		return
	}
	var unknown []string
	for _, name := range q.UnknownNames {
		for w := range strings.FieldsSeq(name) {
			if ticker, ok := typedTicker(w); ok {
				q.Symbols = append(q.Symbols, ticker)
			} else {
				unknown = append(unknown, w)
			}
		}
	}
	q.UnknownNames = unknown
}
