// Package offline is the embedded assistant: an llm.Model that needs no server.
//
// It is rules, not a language model, and says so. What a user's words mean is read in
// package question, and what the results of tools tell is written in package answer;
// the two know nothing of each other. Here stands what lies between them: the calls
// that a question takes (plan.go, ownplan.go), the skills it may be asked by
// (follow.go, workflow.go), and what is said without a call (talk.go). Everything is
// worked out anew from the request, so that the assistant keeps no state: a turn is at
// most plan, skill, tools, calculations with what they gave, answer. It writes no
// number that neither a tool nor the user gave.
package offline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline/answer"
	"github.com/nfa-cli/nfa/internal/llm/offline/question"
	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// Options tunes an Assistant.
type Options struct {
	// Now is the clock by which "last year" is understood; nil means time.Now.
	Now func() time.Time
}

// Assistant answers by rules. It is safe for concurrent use.
type Assistant struct{ now func() time.Time }

// New makes an assistant.
func New(o Options) *Assistant {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Assistant{now: o.Now}
}

// Stream answers a request: text word by word, then the calls, whole. Usage is
// zero, since nothing is counted in tokens. The only error is ctx's own.
func (a *Assistant) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		for chunk := range a.reply(req).chunks() {
			if err := ctx.Err(); err != nil {
				yield(llm.Chunk{}, err)
				return
			}
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// reply is one answer of the model: text, or calls.
type reply struct {
	text  string
	calls []llm.ToolCall
}

// intent is a question that the assistant sets about to answer.
type intent struct{ question.Question }

func say(text string) reply { return reply{text: text} }

func (a *Assistant) reply(req llm.Request) reply {
	c := read(req)
	if c.asked < 0 {
		return say(c.introduction())
	}
	in := c.atHand(intent{question.Read(c.said(), c.skills, a.now())})
	r := c.replyTo(in)
	if in.Cut && r.text != "" {
		r.text = "! Your message is very long; only its beginning was read, up to “" + quoted.Escaped(lastWords(in.Text)) + "”.\n\n" + r.text
	}
	return r
}

// answered tells what came of the calls, and what did not.
func (c conversation) answered(in intent) string {
	first := in.notes()
	if in.Topic.TakesSymbols() {
		if missing := c.missing(in.tasks()); len(missing) > 0 {
			first = append(first, "! "+lacking(missing)+" The answer goes without.")
		}
	}
	return answer.Write(in.asked(), c.outcomes, first...)
}

// atHand answers with figures where no chart can be drawn.
func (c conversation) atHand(in intent) intent {
	if in.Topic == question.TopicChart && !c.tools[toolname.Chart] {
		in.Topic = question.TopicHistory
	}
	return in
}

func (c conversation) replyTo(in intent) reply {
	switch {
	case in.dateUnclear():
		return say(fmt.Sprintf("I read “%s” as a date, but not which number is its month. Write it as YYYY-MM-DD, and ask again.", quoted.Escaped(in.Unclear)))
	case in.Topic == question.TopicSkill:
		return c.follow(in)
	case in.turnsOnFigures() && in.unsettled() != "":
		return say(in.unsettled())
	case len(c.calculations(in)) > 0:
		return c.callAll(c.calculations(in))
	case len(c.outcomes) > 0 || c.steps > 0:
		return say(c.answered(in))
	}
	return c.plan(in)
}

// dateUnclear reports whether the question turns on a date that cannot be read.
func (in intent) dateUnclear() bool {
	return in.Unclear != "" && (in.Topic.TakesSymbols() || in.Topic == question.TopicSkill || in.Topic == question.TopicUnknown || in.Topic == question.TopicOwn)
}

// turnsOnFigures reports whether the answer would be other figures for another time
// or amount.
func (in intent) turnsOnFigures() bool {
	return in.Topic.TakesSymbols() || in.Topic == question.TopicOwn || in.Topic == question.TopicUnknown && in.UnclearAmount != ""
}

// unsettled asks for a time or an amount that the calls would not carry, or is empty:
// an answer about another one would pass for the one that was asked for.
func (in intent) unsettled() string {
	switch {
	case in.UnclearAmount != "":
		return fmt.Sprintf("I read “%s” as a number, but not whether its sign parts thousands or a fraction. Write it like 10000, 10,000 or 1.50, and ask again.", quoted.Escaped(in.UnclearAmount))
	case in.Vague != "":
		return fmt.Sprintf("I read “%s” as a time, but cannot tell from which day to which. Ask for one stretch of time, with days as YYYY-MM-DD, like `since 2020-03-01` or `between 2020-01-01 and 2020-03-31`.",
			quoted.Escaped(strings.TrimSpace(in.Vague)))
	}
	return ""
}

// calculations are what is left to be worked out from the results of this turn;
// none once any was.
func (c conversation) calculations(in intent) []task {
	if !c.tools[toolname.Calculate] || slices.ContainsFunc(c.outcomes, func(o answer.Outcome) bool { return o.Tool == toolname.Calculate }) {
		return nil
	}
	var out []task
	for _, expression := range in.asked().Sums(c.outcomes) {
		out = append(out, task{toolname.Calculate, expressionArgs{expression}})
	}
	return out
}

// asked is what the answer must know of the question.
func (in intent) asked() answer.Asked {
	a := answer.Asked{Symbols: in.Symbols, Currency: in.Currency}
	if in.Own.Without {
		a.Symbols = nil
	}
	switch in.Topic {
	case question.TopicHistory:
		a.Day = in.Span.Day()
	case question.TopicStake:
		a.Amount = in.Stake.Amount
	}
	for _, h := range in.Holdings {
		a.Holdings = append(a.Holdings, answer.Holding(h))
	}
	return a
}

func lastWords(text string) string {
	words := strings.Fields(text)
	return quoted.Line(strings.Join(words[max(len(words)-3, 0):], " "), 60)
}

func (r reply) chunks() iter.Seq[llm.Chunk] {
	return func(yield func(llm.Chunk) bool) {
		for piece := range pieces(r.text) {
			if !yield(llm.Chunk{Text: piece}) {
				return
			}
		}
		finish := llm.FinishStop
		for _, call := range r.calls {
			finish = llm.FinishToolCalls
			if !yield(llm.Chunk{ToolCall: &call}) {
				return
			}
		}
		yield(llm.Chunk{Finish: finish, Usage: &llm.Usage{}})
	}
}

// longestPiece bounds a piece where no space does, as in Chinese.
const longestPiece = 48

// pieces cuts text after its words. Together they are the text, byte for byte.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, spaced := 0, false
		for i, r := range text {
			space := unicode.IsSpace(r)
			if i > start && (spaced && !space || i-start+utf8.RuneLen(r) > longestPiece) {
				if !yield(text[start:i]) {
					return
				}
				start = i
			}
			spaced = space
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}
