package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/offline/question"
	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// task is a call to be made, before it is known whether its tool is here.
type task struct {
	tool string
	args any
}

// Arguments of the tools, as the calls carry them.
type (
	quoteArgs struct {
		Symbols []string `json:"symbols"`
	}
	expressionArgs struct {
		Expression string `json:"expression"`
	}
	skillArgs struct {
		Name string `json:"name"`
	}
	noArgs struct{}

	chartArgs struct {
		Symbols []string `json:"symbols"`
		Kind    string   `json:"kind,omitempty"`
		Range   string   `json:"range,omitempty"`
		From    string   `json:"from,omitempty"`
		To      string   `json:"to,omitempty"`
	}

	rangeArgs struct {
		Symbol   string `json:"symbol"`
		Range    string `json:"range,omitempty"`
		From     string `json:"from,omitempty"`
		To       string `json:"to,omitempty"`
		Interval string `json:"interval,omitempty"`
	}
)

// plan answers a question with the calls it takes, or with words where it takes
// none or something is missing.
func (c conversation) plan(in intent) reply {
	if text := c.talk(in); text != "" {
		return say(text)
	}
	if text := in.incomplete(); text != "" {
		return say(text)
	}
	return c.callAll(in.tasks())
}

// callAll makes the calls of all tasks whose tools are here. Where none is, it
// names them.
func (c conversation) callAll(tasks []task) reply {
	var r reply
	for _, t := range tasks {
		if c.tools[t.tool] {
			r.calls = append(r.calls, c.newCall(len(r.calls), t.tool, t.args))
		}
	}
	if len(r.calls) == 0 {
		return say(lacking(c.missing(tasks)) + "\n\n" + connect)
	}
	return r
}

// missing names the tools of tasks that are not here.
func (c conversation) missing(tasks []task) []string {
	var out []string
	for _, t := range tasks {
		if !c.tools[t.tool] && !slices.Contains(out, t.tool) {
			out = append(out, t.tool)
		}
	}
	return out
}

func lacking(tools []string) string {
	noun := "the tool " + quoted.Code(tools...)
	if len(tools) > 1 {
		noun = "the tools " + quoted.Code(tools...)
	}
	return fmt.Sprintf("That takes %s, which this conversation does not have.", noun)
}

// tasks are the calls that answer a complete question, independent of each other.
func (in intent) tasks() []task {
	switch in.Topic {
	case question.TopicCalculate:
		return []task{{toolname.Calculate, expressionArgs{in.Expression}}}
	case question.TopicTime:
		return []task{{toolname.Time, noArgs{}}}
	case question.TopicQuote:
		return []task{{toolname.Quote, quoteArgs{in.chosen()}}}
	case question.TopicHistory:
		in.Span = in.Span.UpToDay()
		return in.ranged(toolname.History)
	case question.TopicReturns, question.TopicCompare, question.TopicStake:
		return in.ranged(toolname.Returns)
	case question.TopicChart:
		return in.charts()
	case question.TopicOverview:
		return in.overview()
	case question.TopicOwn:
		return in.ownTasks()
	default:
		return nil
	}
}

// charts are one of each instrument where the kind is of one alone, else one of all.
func (in intent) charts() []task {
	span := in.Span.UpToDay()
	drawn := [][]string{in.chosen()}
	if in.Chart != "" {
		drawn = slices.Collect(slices.Chunk(in.chosen(), 1))
	}
	var out []task
	for _, symbols := range drawn {
		out = append(out, task{toolname.Chart, chartArgs{symbols, in.Chart, span.Back, span.From, span.To}})
	}
	return out
}

func (in intent) overview() []task {
	if len(in.Symbols) > 1 {
		return in.ranged(toolname.Returns)
	}
	if in.Span.Empty() {
		// The two tools count back from different lengths when not told.
		in.Span = question.Span{Back: "max"}
	}
	return append(in.ranged(toolname.History), in.ranged(toolname.Returns)...)
}

// ranged is one call of tool for each symbol, all over the same time.
func (in intent) ranged(tool string) []task {
	var out []task
	for _, symbol := range in.chosen() {
		args := rangeArgs{Symbol: symbol, Range: in.Span.Back, From: in.Span.From, To: in.Span.To}
		if tool == toolname.History {
			args.Interval = in.Interval
		}
		out = append(out, task{tool, args})
	}
	return out
}

// maxSymbols bounds one question: more belongs into a script.
const maxSymbols = 8

// chosen are the symbols that are answered, at most maxSymbols.
func (in intent) chosen() []string { return in.Symbols[:min(len(in.Symbols), maxSymbols)] }

// incomplete asks for what a question about instruments lacks, or is empty.
func (in intent) incomplete() string {
	switch {
	case in.Topic == question.TopicCalculate && in.Expression == "":
		return "I understood that you want something calculated, but not the expression. Write it with digits and signs, like `12.5% of 3,400` or `(1 + 0.07)^10`."
	case in.Topic == question.TopicStake && len(in.Symbols) > 0 && in.Span.Empty():
		return "I understood that you ask what an amount would have become. Since when? Write it like `10000 dollars in MSFT since 2010`."
	case !in.Topic.TakesSymbols() || len(in.Symbols) >= in.symbolsNeeded():
		return ""
	}
	what := "I understood that you ask about " + in.about() + "."
	if len(in.Strangers) > 0 {
		return what + " " + unrecognised(in.Strangers)
	}
	if in.Topic == question.TopicCompare {
		return what + " Name at least two, like `compare AAPL and MSFT since 2010`."
	}
	return what + " Of what? Name it by its ticker, like `AAPL` or `^GSPC`."
}

func (in intent) symbolsNeeded() int {
	if in.Topic == question.TopicCompare {
		return 2
	}
	return 1
}

// about names the topic in the words of the user's side.
func (in intent) about() string {
	switch in.Topic {
	case question.TopicQuote:
		return "a price"
	case question.TopicHistory:
		return "the history of a price"
	case question.TopicReturns:
		return "return and risk"
	case question.TopicCompare:
		return "a comparison"
	case question.TopicChart:
		return "a chart"
	case question.TopicStake:
		return "what an amount would have become"
	default:
		return "how something has done"
	}
}

func unrecognised(names []string) string {
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = "“" + quoted.Escaped(quoted.Line(n, 60)) + "”"
	}
	return fmt.Sprintf("I do not know a symbol for %s. Write the ticker, in capitals or with a dollar sign, like `$AAPL`.", strings.Join(shown, " and "))
}

// notes are what a reader must know of how the question was taken.
func (in intent) notes() []string {
	var out []string
	if in.Topic == question.TopicOwn {
		out = in.ownNotes()
	}
	if in.Topic.TakesSymbols() && len(in.Strangers) > 0 {
		out = append(out, "! "+unrecognised(in.Strangers))
	}
	if in.Unread {
		out = append(out, "! The text below your question was not read: that takes a language model.")
	}
	if len(in.Symbols) > maxSymbols {
		out = append(out, fmt.Sprintf("! Left out, because one question takes no more: %s.", quoted.Code(in.Symbols[maxSymbols:]...)))
	}
	return out
}
