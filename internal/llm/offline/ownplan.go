package offline

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Arguments of the tools of the book, as the calls carry them.
type (
	heldArgs struct {
		Currency string `json:"currency,omitempty"`
		At       string `json:"at,omitempty"`
	}
	currencyArgs struct {
		Currency string `json:"currency,omitempty"`
	}
	earnedArgs struct {
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

// ownTasks are the calls that answer a question about what the user keeps.
func (in intent) ownTasks() []task {
	tool := in.own.tool
	switch tool {
	case toolPositions, toolAllocation:
		return []task{{tool, heldArgs{in.currency, in.span.to}}}
	case toolPerformance:
		return []task{{tool, earnedArgs{in.span.back, in.span.from, in.span.to, in.own.benchmark, in.currency}}}
	case toolCheckup, toolRebalance:
		return []task{{tool, currencyArgs{in.currency}}}
	case toolProfile:
		return []task{{tool, actionArgs{Action: "show"}}}
	case toolWatchlist:
		return in.eachOwn(func(symbol string) any { return actionArgs{"show", symbol} })
	case toolJournal:
		return in.eachOwn(func(symbol string) any { return actionArgs{"review", symbol} })
	case toolLots:
		return in.eachOwn(func(symbol string) any { return lotsArgs{in.own.kind, symbol, in.taxYear(), in.currency} })
	}
	return nil
}

// eachOwn is one call for each symbol that is named, or one for all.
func (in intent) eachOwn(args func(symbol string) any) []task {
	symbols := in.chosen()
	if len(symbols) == 0 {
		symbols = []string{""}
	}
	var out []task
	for _, symbol := range symbols {
		out = append(out, task{in.own.tool, args(symbol)})
	}
	return out
}

// taxYear is the calendar year that sales are asked for, or 0 for all.
func (in intent) taxYear() int {
	if in.own.kind != lotsClosed && in.own.kind != lotsWash {
		return 0
	}
	if in.span.back == "ytd" {
		return in.today.Year()
	}
	first, isFirst := strings.CutSuffix(in.span.from, "-01-01")
	last, isLast := strings.CutSuffix(in.span.to, "-12-31")
	year, err := strconv.Atoi(first)
	if !isFirst || !isLast || first != last || err != nil {
		return 0
	}
	return year
}

// refusedOwn says why a question about what the user keeps is not answered by a
// call, or is empty.
func (c conversation) refusedOwn(in intent) string {
	if in.own.changes {
		return fmt.Sprintf("I understood that you want something changed in what nfa keeps for you. %s I read it and change none of it; `%s --help` says how you do.\n\n%s", nature, in.own.command(), connect)
	}
	if !c.tools[in.own.tool] {
		return c.beyond(in)
	}
	return ""
}

// ownNotes are what of a question about the book was not used, so that no answer
// passes for that to another question.
func (in intent) ownNotes() []string {
	var out []string
	tool := in.own.tool
	switch {
	case tool == toolRebalance && strings.ContainsFunc(in.question, unicode.IsDigit):
		out = append(out, "! The numbers in your question were not used: the plan is for the targets that the book has, with no money added.")
	case tool == toolPerformance && in.own.benchmark != "" && len(in.symbols) > 1:
		out = append(out, fmt.Sprintf("! Compared with %s alone; ask for another by itself.", quoted(in.symbols[:1])))
	}
	whole := tool == toolAllocation || tool == toolCheckup || tool == toolRebalance || tool == toolProfile
	if whole && len(in.symbols) > 0 {
		out = append(out, fmt.Sprintf("! The answer is of all that you keep, not of %s alone.", quoted(in.symbols)))
	}
	today := tool == toolCheckup || tool == toolRebalance || tool == toolWatchlist || tool == toolProfile || tool == toolJournal || tool == toolLots && in.taxYear() == 0
	if today && !in.span.empty() {
		out = append(out, "! The time in your question was not used.")
	}
	return out
}
