package offline

import (
	"fmt"
	"slices"
	"strings"
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
	if text := c.textAnswer(in); text != "" {
		return textReply(text)
	}
	if text := in.missingInput(); text != "" {
		return textReply(text)
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
		return textReply(missingToolsMessage(c.missingTools(tasks)) + "\n\n" + connectHint)
	}
	return r
}

// missingTools names the tools of tasks that are not here.
func (c conversation) missingTools(tasks []task) []string {
	var out []string
	for _, t := range tasks {
		if !c.tools[t.tool] && !slices.Contains(out, t.tool) {
			out = append(out, t.tool)
		}
	}
	return out
}

func missingToolsMessage(tools []string) string {
	noun := "the tool " + InlineCode(tools...)
	if len(tools) > 1 {
		noun = "the tools " + InlineCode(tools...)
	}
	return fmt.Sprintf("That takes %s, which this conversation does not have.", noun)
}

// tasks are the calls that answer a complete question, independent of each other.
func (in intent) tasks() []task {
	switch in.Topic {
	case TopicCalculate:
		return []task{{ToolCalculate, expressionArgs{in.Expression}}}
	case TopicTime:
		return []task{{ToolTime, noArgs{}}}
	case TopicQuote:
		return []task{{ToolQuote, quoteArgs{in.answeredSymbols()}}}
	case TopicHistory:
		in.Period = in.Period.WithEarlierCloses()
		return in.rangeTasks(ToolHistory)
	case TopicReturns, TopicCompare, TopicInvestment:
		return in.rangeTasks(ToolReturns)
	case TopicChart:
		return in.chartTasks()
	case TopicOverview:
		return in.overviewTasks()
	case TopicUserData:
		return in.userDataTasks()
	default:
		return nil
	}
}

// chartTasks are one of each instrument where the kind is of one alone, else one of all.
func (in intent) chartTasks() []task {
	span := in.Period.WithEarlierCloses()
	drawn := [][]string{in.answeredSymbols()}
	if in.Chart != "" {
		drawn = slices.Collect(slices.Chunk(in.answeredSymbols(), 1))
	}
	var out []task
	for _, symbols := range drawn {
		out = append(out, task{ToolChart, chartArgs{symbols, in.Chart, span.Range, span.From, span.To}})
	}
	return out
}

func (in intent) overviewTasks() []task {
	if len(in.Symbols) > 1 {
		return in.rangeTasks(ToolReturns)
	}
	if in.Period.Empty() {
		// The two tools have different default periods.
		in.Period = Period{Range: "max"}
	}
	return append(in.rangeTasks(ToolHistory), in.rangeTasks(ToolReturns)...)
}

// rangeTasks is one call of tool for each symbol, all over the same time.
func (in intent) rangeTasks(tool string) []task {
	var out []task
	for _, symbol := range in.answeredSymbols() {
		args := rangeArgs{Symbol: symbol, Range: in.Period.Range, From: in.Period.From, To: in.Period.To}
		if tool == ToolHistory {
			args.Interval = in.Interval
		}
		out = append(out, task{tool, args})
	}
	return out
}

// maxSymbols bounds one question: more belongs into a script.
const maxSymbols = 8

// answeredSymbols are the symbols that are answered, at most maxSymbols.
func (in intent) answeredSymbols() []string { return in.Symbols[:min(len(in.Symbols), maxSymbols)] }

// missingInput asks for what a question about instruments lacks, or is empty.
func (in intent) missingInput() string {
	switch {
	case in.Topic == TopicCalculate && in.Expression == "":
		return "I understood that you want something calculated, but not the expression. Write it with digits and signs, like `12.5% of 3,400` or `(1 + 0.07)^10`."
	case in.Topic == TopicInvestment && len(in.Symbols) > 0 && in.Period.Empty():
		return "I understood that you ask what an amount would have become. Since when? Write it like `10000 dollars in MSFT since 2010`."
	case !in.Topic.TakesSymbols() || len(in.Symbols) >= in.symbolsNeeded():
		return ""
	}
	what := "I understood that you ask about " + in.topicName() + "."
	if len(in.UnknownNames) > 0 {
		return what + " " + unrecognizedNames(in.UnknownNames)
	}
	if in.Topic == TopicCompare {
		return what + " Name at least two, like `compare AAPL and MSFT since 2010`."
	}
	return what + " Of what? Name it by its ticker, like `AAPL` or `^GSPC`."
}

func (in intent) symbolsNeeded() int {
	if in.Topic == TopicCompare {
		return 2
	}
	return 1
}

// topicName names the topic in the words of the user's side.
func (in intent) topicName() string {
	switch in.Topic {
	case TopicQuote:
		return "a price"
	case TopicHistory:
		return "the history of a price"
	case TopicReturns:
		return "return and risk"
	case TopicCompare:
		return "a comparison"
	case TopicChart:
		return "a chart"
	case TopicInvestment:
		return "what an amount would have become"
	default:
		return "how something has done"
	}
}

func unrecognizedNames(names []string) string {
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = "“" + EscapeMarkdown(CleanLine(n, 60)) + "”"
	}
	return fmt.Sprintf("I do not know a symbol for %s. Write the ticker, in capitals or with a dollar sign, like `$AAPL`.", strings.Join(shown, " and "))
}

// notes are what a reader must know of how the question was taken.
func (in intent) notes() []string {
	var out []string
	if in.Topic == TopicUserData {
		out = in.userDataNotes()
	}
	if in.Topic.TakesSymbols() && len(in.UnknownNames) > 0 {
		out = append(out, "! "+unrecognizedNames(in.UnknownNames))
	}
	if in.Unread {
		out = append(out, "! The text below your question was not read: that takes a language model.")
	}
	if len(in.Symbols) > maxSymbols {
		out = append(out, fmt.Sprintf("! Left out, because one question takes no more: %s.", InlineCode(in.Symbols[maxSymbols:]...)))
	}
	return out
}
