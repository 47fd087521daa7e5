package offline

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
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
	tool := in.Own.Tool
	switch tool {
	case toolname.Positions, toolname.Allocation:
		return []task{{tool, heldArgs{in.Currency, in.Span.To}}}
	case toolname.Performance:
		return []task{{tool, earnedArgs{in.Span.Back, in.Span.From, in.Span.To, in.Own.Benchmark, in.Currency}}}
	case toolname.Checkup, toolname.Rebalance:
		return []task{{tool, currencyArgs{in.Currency}}}
	case toolname.Profile:
		return []task{{tool, actionArgs{Action: "show"}}}
	case toolname.Watchlist:
		return in.eachOwn(func(symbol string) any { return actionArgs{"show", symbol} })
	case toolname.Journal:
		return in.eachOwn(func(symbol string) any { return actionArgs{"review", symbol} })
	case toolname.Lots:
		return in.eachOwn(func(symbol string) any { return lotsArgs{in.Own.Kind, symbol, in.TaxYear(), in.Currency} })
	}
	return nil
}

// eachOwn is one call for each symbol that is named, or one for all.
func (in intent) eachOwn(args func(symbol string) any) []task {
	symbols := in.chosen()
	if len(symbols) == 0 || in.Own.Without {
		symbols = []string{""}
	}
	var out []task
	for _, symbol := range symbols {
		out = append(out, task{in.Own.Tool, args(symbol)})
	}
	return out
}

// refusedOwn says why a question about what the user keeps is not answered by a
// call, or is empty.
func (c conversation) refusedOwn(in intent) string {
	if in.Own.Changes {
		return fmt.Sprintf("I understood that you want something changed in what nfa keeps for you. %s I read it and change none of it; `%s --help` says how you do.\n\n%s", nature, in.Own.Command(), connect)
	}
	if !c.tools[in.Own.Tool] {
		return c.beyond(in)
	}
	return ""
}

// ownNotes are what of a question about the book was not used, so that no answer
// passes for that to another question.
func (in intent) ownNotes() []string {
	var out []string
	tool := in.Own.Tool
	switch {
	case tool == toolname.Rebalance && strings.ContainsFunc(in.Text, unicode.IsDigit):
		out = append(out, "! The numbers in your question were not used: the plan is for the targets that the book has, with no money added.")
	case tool == toolname.Performance && in.Own.Benchmark != "" && len(in.Symbols) > 1:
		out = append(out, fmt.Sprintf("! Compared with %s alone; ask for another by itself.", quoted.Code(in.Symbols[:1]...)))
	}
	whole := tool == toolname.Allocation || tool == toolname.Checkup || tool == toolname.Rebalance || tool == toolname.Profile
	if whole && len(in.Symbols) > 0 && !in.Own.Without {
		out = append(out, fmt.Sprintf("! The answer is of all that you keep, not of %s alone.", quoted.Code(in.Symbols...)))
	}
	today := tool == toolname.Checkup || tool == toolname.Rebalance || tool == toolname.Watchlist || tool == toolname.Profile || tool == toolname.Journal || tool == toolname.Lots && in.TaxYear() == 0
	today = today || tool == toolname.Allocation && in.Span.To == ""
	if today && !in.Span.Empty() {
		out = append(out, "! The time in your question was not used.")
	}
	if in.Own.Without {
		out = append(out, "! Nothing was left out of the answer: it is of all that you keep.")
	}
	return out
}
