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
		for chunk := range a.answer(req).chunks() {
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
type intent struct{ Question }

func textReply(text string) reply { return reply{text: text} }

func (a *Assistant) answer(req llm.Request) reply {
	c := readConversation(req)
	if c.questionIndex < 0 {
		return textReply(c.introduction())
	}
	in := c.withoutChart(intent{ReadQuestion(c.userMessages(), c.skills, a.now())})
	r := c.replyTo(in)
	if in.Truncated && r.text != "" {
		r.text = "! Your message is very long; only its beginning was read, up to “" + EscapeMarkdown(lastWords(in.Text)) + "”.\n\n" + r.text
	}
	return r
}

// answerText tells what came of the calls, and what did not.
func (c conversation) answerText(in intent) string {
	first := in.notes()
	if in.Topic.TakesSymbols() {
		if missing := c.missingTools(in.tasks()); len(missing) > 0 {
			first = append(first, "! "+missingToolsMessage(missing)+" The answer goes without.")
		}
	}
	return WriteAnswer(in.answerInput(), c.outcomes, first...)
}

// withoutChart answers with figures where no chart can be drawn.
func (c conversation) withoutChart(in intent) intent {
	if in.Topic == TopicChart && !c.tools[ToolChart] {
		in.Topic = TopicHistory
	}
	return in
}

func (c conversation) replyTo(in intent) reply {
	switch {
	case in.hasUnclearDate():
		return textReply(fmt.Sprintf("I read “%s” as a date, but not which number is its month. Write it as YYYY-MM-DD, and ask again.", EscapeMarkdown(in.Unclear)))
	case in.Topic == TopicSkill:
		return c.followSkill(in)
	case in.needsFigures() && in.clarification() != "":
		return textReply(in.clarification())
	case len(c.calculations(in)) > 0:
		return c.callAll(c.calculations(in))
	case len(c.outcomes) > 0 || c.steps > 0:
		return textReply(c.answerText(in))
	}
	return c.plan(in)
}

// hasUnclearDate reports whether the question turns on a date that cannot be read.
func (in intent) hasUnclearDate() bool {
	return in.Unclear != "" && (in.Topic.TakesSymbols() || in.Topic == TopicSkill || in.Topic == TopicUnknown || in.Topic == TopicUserData)
}

// needsFigures reports whether the answer would be other figures for another time
// or amount.
func (in intent) needsFigures() bool {
	return in.Topic.TakesSymbols() || in.Topic == TopicUserData || in.Topic == TopicUnknown && in.UnclearAmount != ""
}

// clarification asks for a time or an amount that the calls would not carry, or is empty:
// an answer about another one would pass for the one that was asked for.
func (in intent) clarification() string {
	switch {
	case in.UnclearAmount != "":
		return fmt.Sprintf("I read “%s” as a number, but not whether its sign parts thousands or a fraction. Write it like 10000, 10,000 or 1.50, and ask again.", EscapeMarkdown(in.UnclearAmount))
	case in.Vague != "":
		return fmt.Sprintf("I read “%s” as a time, but cannot tell from which day to which. Ask for one stretch of time, with days as YYYY-MM-DD, like `since 2020-03-01` or `between 2020-01-01 and 2020-03-31`.",
			EscapeMarkdown(strings.TrimSpace(in.Vague)))
	}
	return ""
}

// calculations are what is left to be worked out from the results of this turn;
// none once any was.
func (c conversation) calculations(in intent) []task {
	if !c.tools[ToolCalculate] || slices.ContainsFunc(c.outcomes, func(o ToolOutcome) bool { return o.Tool == ToolCalculate }) {
		return nil
	}
	var out []task
	for _, expression := range in.answerInput().Calculations(c.outcomes) {
		out = append(out, task{ToolCalculate, expressionArgs{expression}})
	}
	return out
}

// answerInput is what the answer must know of the question.
func (in intent) answerInput() AnswerInput {
	a := AnswerInput{Symbols: in.Symbols, Currency: in.Currency}
	if in.UserData.Excludes {
		a.Symbols = nil
	}
	switch in.Topic {
	case TopicHistory:
		a.Day = in.Period.Day()
	case TopicInvestment:
		a.Amount = in.Investment.Amount
	}
	for _, h := range in.ShareCounts {
		a.ShareCounts = append(a.ShareCounts, AnswerShares(h))
	}
	return a
}

func lastWords(text string) string {
	words := strings.Fields(text)
	return CleanLine(strings.Join(words[max(len(words)-3, 0):], " "), 60)
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

// maxPieceBytes bounds a piece where no space does, as in Chinese.
const maxPieceBytes = 48

// pieces cuts text after its words. Together they are the text, byte for byte.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, spaced := 0, false
		for i, r := range text {
			space := unicode.IsSpace(r)
			if i > start && (spaced && !space || i-start+utf8.RuneLen(r) > maxPieceBytes) {
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
