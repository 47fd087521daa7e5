package offline

import (
	"fmt"
	"strings"
	"unicode"
)

// Arguments of the portfolio tools, as the calls contain them.
type (
	positionsArgs struct {
		Currency string `json:"currency,omitempty"`
		At       string `json:"at,omitempty"`
	}
	currencyArgs struct {
		Currency string `json:"currency,omitempty"`
	}
	performanceArgs struct {
		Range     string `json:"range,omitempty"`
		From      string `json:"from,omitempty"`
		To        string `json:"to,omitempty"`
		Benchmark string `json:"benchmark,omitempty"`
		Currency  string `json:"currency,omitempty"`
	}
	lotsArgs struct {
		Kind     string `json:"kind,omitempty"`
		Symbol   string `json:"symbol,omitempty"`
		Year     int    `json:"year,omitempty"`
		Currency string `json:"currency,omitempty"`
	}
	actionArgs struct {
		Action string `json:"action"`
		Symbol string `json:"symbol,omitempty"`
	}
)

// userDataTasks are the calls that answer a question about what the user keeps.
func (in intent) userDataTasks() []task {
	tool := in.UserData.Tool
	switch tool {
	case ToolPositions, ToolAllocation:
		return []task{{tool, positionsArgs{in.Currency, in.Period.To}}}
	case ToolPerformance:
		return []task{{tool, performanceArgs{in.Period.Range, in.Period.From, in.Period.To, in.UserData.Benchmark, in.Currency}}}
	case ToolCheckup, ToolRebalance:
		return []task{{tool, currencyArgs{in.Currency}}}
	case ToolProfile:
		return []task{{tool, actionArgs{Action: "show"}}}
	case ToolWatchlist:
		return in.taskPerSymbol(func(symbol string) any { return actionArgs{"show", symbol} })
	case ToolJournal:
		return in.taskPerSymbol(func(symbol string) any { return actionArgs{"review", symbol} })
	case ToolLots:
		return in.taskPerSymbol(func(symbol string) any { return lotsArgs{in.UserData.Kind, symbol, in.TaxYear(), in.Currency} })
	}
	return nil
}

// taskPerSymbol is one call for each symbol that is named, or one for all.
func (in intent) taskPerSymbol(args func(symbol string) any) []task {
	symbols := in.answeredSymbols()
	if len(symbols) == 0 || in.UserData.Excludes {
		symbols = []string{""}
	}
	var out []task
	for _, symbol := range symbols {
		out = append(out, task{in.UserData.Tool, args(symbol)})
	}
	return out
}

// userDataRefusal says why a question about what the user keeps is not answered by a
// call, or is empty.
func (c conversation) userDataRefusal(in intent) string {
	if in.UserData.Changes {
		return fmt.Sprintf("I understood that you want something changed in what nfa keeps for you. %s I read it and change none of it; `%s --help` says how you do.\n\n%s", identityText, in.UserData.Command(), connectHint)
	}
	if !c.tools[in.UserData.Tool] {
		return c.unsupportedAnswer(in)
	}
	return ""
}

// userDataNotes name the parts of a question about the portfolio that were not used, so that the
// answer is not taken for one to another question.
func (in intent) userDataNotes() []string {
	var out []string
	tool := in.UserData.Tool
	switch {
	case tool == ToolRebalance && strings.ContainsFunc(in.Text, unicode.IsDigit):
		out = append(out, "! The numbers in your question were not used: the plan is for the targets that the book has, with no money added.")
	case tool == ToolPerformance && in.UserData.Benchmark != "" && len(in.Symbols) > 1:
		out = append(out, fmt.Sprintf("! Compared with %s alone; ask for another by itself.", InlineCode(in.Symbols[:1]...)))
	}
	whole := tool == ToolAllocation || tool == ToolCheckup || tool == ToolRebalance || tool == ToolProfile
	if whole && len(in.Symbols) > 0 && !in.UserData.Excludes {
		out = append(out, fmt.Sprintf("! The answer is of all that you keep, not of %s alone.", InlineCode(in.Symbols...)))
	}
	today := tool == ToolCheckup || tool == ToolRebalance || tool == ToolWatchlist || tool == ToolProfile || tool == ToolJournal || tool == ToolLots && in.TaxYear() == 0
	today = today || tool == ToolAllocation && in.Period.To == ""
	if today && !in.Period.Empty() {
		out = append(out, "! The time in your question was not used.")
	}
	if in.UserData.Excludes {
		out = append(out, "! Nothing was left out of the answer: it is of all that you keep.")
	}
	return out
}
