package offline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/pattern"
)

// intent is what a question asks for, as far as rules can tell.
type intent struct {
	topic     topic
	subject   subject // what is asked for that the assistant has no rule for
	symbols   []string
	strangers []string // what may be names, but of no symbol known here
	span      span
	interval  string // "daily", "monthly", or empty
	chart     string // the kind of chart, or empty
	unclear   string // a date that may be read in two ways
	currency  string // that the answer is asked for in, or empty
	stake     stake
	holdings  []holding
	own       ownQuestion
	today     time.Time

	expression string
	skill      string // its name
	arguments  string // what the skill is asked to do
	activated  string // the skill's text, where the message carries it

	follows  bool // it leans on what was asked before
	words    int
	question string
	attached string // text below the question
	unread   bool   // there is attached text; it is no part of the question
	cut      bool   // the end of the question was too long to be read
}

// lookBack is how many questions a follow-up may lean on, one on another.
const lookBack = 20

// understand reads the last question in the light of those before it.
func (a *Assistant) understand(c conversation) intent {
	var asked []string
	for i := c.asked; i >= 0 && len(asked) < lookBack; i-- {
		if c.messages[i].Role == llm.RoleUser {
			asked = append(asked, c.messages[i].Content)
		}
	}
	var in intent
	for _, message := range slices.Backward(asked) {
		in = a.readQuestion(message, c.skills).after(in)
	}
	return in
}

// readQuestion understands one message by itself.
func (a *Assistant) readQuestion(message string, skills []skillEntry) intent {
	if act, ok := parseActivation(message); ok {
		in := a.readDetails(parseSentence(pairs().ReplaceAllString(clippedAtWord(act.arguments, maxQuestion), "$1 ")))
		in.topic, in.skill, in.arguments, in.activated = topicSkill, act.name, act.arguments, act.content
		in.cut = len(act.arguments) > maxQuestion
		in.lenient()
		return in
	}
	question, attached, cut := divide(message)
	unread := strings.TrimSpace(attached) != ""
	s := parseSentence(question)
	if name, rest, ok := namedSkill(s, skills); ok {
		in := a.readDetails(parseSentence(pairs().ReplaceAllString(rest, "$1 ")))
		in.topic, in.skill, in.arguments = topicSkill, name, rest
		in.follows, in.cut = in.follows || s.refersBack(), cut
		return in
	}
	in := a.readDetails(s)
	in.attached, in.unread, in.cut = attached, unread, cut
	in.topic, in.subject = classify(s, in)
	return in
}

// readDetails reads all but what is asked for.
func (a *Assistant) readDetails(s sentence) intent {
	m := findMentions(s)
	stake, low := findStake(s.low)
	low, unclear := findUnclearDate(low)
	in := intent{
		symbols: m.symbols, strangers: m.strangers, holdings: m.holdings, stake: stake, unclear: unclear,
		span: stake.since(findSpan(low, a.now()), low), currency: cmp.Or(findCurrency(low), stake.currency),
		follows: s.refersBack(), words: len(s.words), question: s.plain,
	}
	in.today = a.now()
	in.own = findOwn(s, in)
	in.expression, _ = findExpression(s.low)
	in.chart = s.chartKind()
	switch {
	case s.has("monthly", "month by month"):
		in.interval = "monthly"
	case s.has("daily", "day by day"):
		in.interval = "daily"
	}
	return in
}

// pairs are a skill's arguments given by name: symbol=AAPL, from=2010.
var pairs = pattern.Lazy(`\b([a-z_]+)=`)

// lenient takes the bare words of a skill's arguments for tickers: there is
// hardly anything else that they could be.
func (in *intent) lenient() {
	if len(in.symbols) > 0 || in.words > 4 {
		return
	}
	var left []string
	for _, name := range in.strangers {
		for w := range strings.FieldsSeq(name) {
			if ticker, ok := typedTicker(w); ok {
				in.symbols = append(in.symbols, ticker)
			} else {
				left = append(left, w)
			}
		}
	}
	in.strangers = left
}

// refersBack reports whether the sentence opens like a follow-up or speaks of
// something named before.
func (s sentence) refersBack() bool {
	return s.begins("and", "what about", "how about", "same for", "now", "then", "also", "but", "what if", "und", "et", "y", "ok and") ||
		s.has("it", "its", "it's", "they", "them", "their", "that one", "the same", "instead")
}

// after settles what in leaves open by the question before.
func (in intent) after(before intent) intent {
	if own, ok := in.afterOwn(before); ok {
		return own
	}
	in = in.answering(before)
	if before.topic.takesSymbols() || before.topic == topicSkill {
		in = in.inherit(before)
	}
	if in.topic != topicOpen {
		return in
	}
	// Only names, or only dates, and nothing before to lean on.
	switch {
	case len(in.symbols) > 0 && (in.currency != "" || len(in.holdings) > 0) && in.span.empty():
		in.topic = topicQuote
	case len(in.symbols) == 0 || in.words > 8:
		in.topic = topicUnknown
	case in.span.day() != "":
		in.topic = topicHistory
	case !in.span.empty():
		in.topic = topicOverview
	case in.words <= 4:
		in.topic = topicQuote
	default:
		in.topic = topicUnknown
	}
	return in
}

// answering reads a bare word after a question that lacked its symbol as that
// symbol.
func (in intent) answering(before intent) intent {
	lacking := before.topic.takesSymbols() || before.topic == topicSkill
	if in.topic != topicOpen || !lacking || len(before.symbols) > 0 || len(in.symbols) > 0 || in.words != 1 {
		return in
	}
	if ticker, ok := typedTicker(strings.TrimRight(in.question, " ?.!")); ok {
		in.symbols, in.strangers = []string{ticker}, nil
	}
	return in
}

func (in intent) inherit(before intent) intent {
	named := len(in.symbols) > 0 || len(in.strangers) > 0 && (in.follows || in.words == 1)
	switch {
	case in.topic == topicOpen && (named || !in.span.empty()) && (in.follows || in.words <= 4):
		in = in.continuing(before, named)
	case (in.topic.takesSymbols() || in.topic == topicSkill && in.follows) && len(in.symbols) == 0 && len(in.strangers) == 0:
		in.symbols = before.symbols
	case in.topic == topicCompare && in.follows && len(in.symbols) == 1:
		in.symbols = union(before.symbols, in.symbols)
	default:
		return in
	}
	if in.span.empty() && in.follows {
		in.span = before.span
	}
	return in
}

// continuing asks the question before again, of other names or another time.
func (in intent) continuing(before intent, named bool) intent {
	in.topic, in.interval, in.chart, in.follows = before.topic, before.interval, before.chart, true
	in.skill, in.arguments = before.skill, in.question
	if before.topic == topicQuote && !in.span.empty() {
		in.topic = topicOverview // a price has no since
		if in.span.day() != "" {
			in.topic = topicHistory
		}
	}
	if in.stake.amount == "" {
		in.stake = before.stake
	}
	switch {
	case !named:
		in.symbols = before.symbols
	case before.topic == topicCompare:
		in.symbols = union(before.symbols, in.symbols)
	}
	return in
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
