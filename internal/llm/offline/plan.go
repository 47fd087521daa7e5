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
	noun := "the tool " + quoted(tools)
	if len(tools) > 1 {
		noun = "the tools " + quoted(tools)
	}
	return fmt.Sprintf("That takes %s, which this conversation does not have.", noun)
}

// tasks are the calls that answer a complete question, independent of each other.
func (in intent) tasks() []task {
	switch in.topic {
	case topicCalculate:
		return []task{{toolCalculate, expressionArgs{in.expression}}}
	case topicTime:
		return []task{{toolTime, noArgs{}}}
	case topicQuote:
		return []task{{toolQuote, quoteArgs{in.chosen()}}}
	case topicHistory:
		in.span = in.span.upToDay()
		return in.ranged(toolHistory)
	case topicReturns, topicCompare, topicStake:
		return in.ranged(toolReturns)
	case topicChart:
		return in.charts()
	case topicOverview:
		return in.overview()
	case topicOwn:
		return in.ownTasks()
	default:
		return nil
	}
}

// charts are one of each instrument where the kind is of one alone, else one of all.
func (in intent) charts() []task {
	span := in.span.upToDay()
	drawn := [][]string{in.chosen()}
	if in.chart != "" {
		drawn = slices.Collect(slices.Chunk(in.chosen(), 1))
	}
	var out []task
	for _, symbols := range drawn {
		out = append(out, task{toolChart, chartArgs{symbols, in.chart, span.back, span.from, span.to}})
	}
	return out
}

func (in intent) overview() []task {
	if len(in.symbols) > 1 {
		return in.ranged(toolReturns)
	}
	if in.span.empty() {
		// The two tools count back from different lengths when not told.
		in.span = span{back: "max"}
	}
	return append(in.ranged(toolHistory), in.ranged(toolReturns)...)
}

// ranged is one call of tool for each symbol, all over the same time.
func (in intent) ranged(tool string) []task {
	var out []task
	for _, symbol := range in.chosen() {
		args := rangeArgs{Symbol: symbol, Range: in.span.back, From: in.span.from, To: in.span.to}
		if tool == toolHistory {
			args.Interval = in.interval
		}
		out = append(out, task{tool, args})
	}
	return out
}

// chosen are the symbols that are answered, at most maxSymbols.
func (in intent) chosen() []string { return in.symbols[:min(len(in.symbols), maxSymbols)] }

// incomplete asks for what a question about instruments lacks, or is empty.
func (in intent) incomplete() string {
	switch {
	case in.topic == topicCalculate && in.expression == "":
		return "I understood that you want something calculated, but not the expression. Write it with digits and signs, like `12.5% of 3,400` or `(1 + 0.07)^10`."
	case in.topic == topicStake && len(in.symbols) > 0 && in.span.empty():
		return "I understood that you ask what an amount would have become. Since when? Write it like `10000 dollars in MSFT since 2010`."
	case !in.topic.takesSymbols() || len(in.symbols) >= in.symbolsNeeded():
		return ""
	}
	what := "I understood that you ask about " + in.about() + "."
	if len(in.strangers) > 0 {
		return what + " " + unrecognised(in.strangers)
	}
	if in.topic == topicCompare {
		return what + " Name at least two, like `compare AAPL and MSFT since 2010`."
	}
	return what + " Of what? Name it by its ticker, like `AAPL` or `^GSPC`."
}

func (in intent) symbolsNeeded() int {
	if in.topic == topicCompare {
		return 2
	}
	return 1
}

// about names the topic in the words of the user's side.
func (in intent) about() string {
	switch in.topic {
	case topicQuote:
		return "a price"
	case topicHistory:
		return "the history of a price"
	case topicReturns:
		return "return and risk"
	case topicCompare:
		return "a comparison"
	case topicChart:
		return "a chart"
	case topicStake:
		return "what an amount would have become"
	default:
		return "how something has done"
	}
}

func unrecognised(names []string) string {
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = "“" + escaped(oneLine(n, 60)) + "”"
	}
	return fmt.Sprintf("I do not know a symbol for %s. Write the ticker, in capitals or with a dollar sign, like `$AAPL`.", strings.Join(shown, " and "))
}

// notes are what a reader must know of how the question was taken.
func (in intent) notes() []string {
	var out []string
	if in.topic == topicOwn {
		out = in.ownNotes()
	}
	if in.topic.takesSymbols() && len(in.strangers) > 0 {
		out = append(out, "! "+unrecognised(in.strangers))
	}
	if in.unread {
		out = append(out, "! The text below your question was not read: that takes a language model.")
	}
	if len(in.symbols) > maxSymbols {
		out = append(out, fmt.Sprintf("! Left out, because one question takes no more: %s.", quoted(in.symbols[maxSymbols:])))
	}
	return out
}
