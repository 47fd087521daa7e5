package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/answer"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// door is a tool as a verb and as a slash command: `nfa quote VTI`, /quote VTI and
// the model's own call run the same tool and show the same.
type door struct {
	name, tool  string
	hint, about string
	example     string
	least, most int // words; most below zero is no limit
	// fill puts the words into the tool's arguments.
	fill func(words []string) map[string]any
	// next offers words behind those that are written; nil offers none.
	next func(words []string) []string
}

// doors are the tools that people call often, one line each.
func doors() []door {
	return []door{
		{name: "quote", tool: "quote", hint: "SYMBOL...", about: "newest prices", example: "nfa quote AAPL VTI EURUSD=X", least: 1, most: -1,
			fill: func(words []string) map[string]any { return map[string]any{"symbols": words} }},
		{name: "history", tool: "price_history", hint: "SYMBOL [RANGE]", about: "prices over a range, such as 6m, 5y, ytd, max", example: "nfa history VTI 5y", least: 1, most: 2, fill: symbolAnd("range")},
		{name: "search", tool: "search_symbol", hint: "NAME", about: "symbols by name, part of one, ISIN or CIK", example: "nfa search berkshire", least: 1, most: -1, fill: together("query")},
		{name: "statements", tool: "financial_statements", hint: "SYMBOL [STATEMENT]", about: "what a company reported: income, balance, cash_flow, per_share or all", example: "nfa statements AAPL income", least: 1, most: 2, fill: symbolAnd("statement")},
		{name: "ratios", tool: "key_ratios", hint: "SYMBOL", about: "what a company's figures say of it", example: "nfa ratios AAPL", least: 1, most: 1, fill: symbolAnd("")},
		{name: "filings", tool: "filings", hint: "SYMBOL", about: "what a company filed with the SEC", example: "nfa filings AAPL", least: 1, most: 1, fill: symbolAnd("")},
		{name: "news", tool: "news", hint: "SYMBOL", about: "what was published of a company", example: "nfa news AAPL", least: 1, most: 1, fill: symbolAnd("")},
		{name: "macro", tool: "macro_series", hint: "SERIES", about: "an economic series by its FRED code", example: "nfa macro UNRATE", least: 1, most: 1, fill: together("series_id")},
		{name: "curve", tool: "yield_curve", hint: "[CURVE]", about: "a government yield curve: us_treasury, us_treasury_real or euro_area", example: "nfa curve", most: 1, fill: optional("curve")},
		{name: "fx", tool: "fx_rate", hint: "PAIR [DATE]", about: "an exchange rate", example: "nfa fx EUR/USD", least: 1, most: 2, fill: fxWords},
		{name: "status", tool: "market_status", hint: "[EXCHANGE]", about: "whether an exchange trades, and its next session", example: "nfa status Xetra", most: -1, fill: optional("exchange")},
	}
}

// bookDoors are the tools of the book as slash commands. Their verbs are those of
// nfa portfolio and its neighbours, which take more.
func bookDoors() []door {
	action := func(name string) func([]string) map[string]any {
		return func([]string) map[string]any { return map[string]any{"action": name} }
	}
	return []door{
		{name: "portfolio", tool: "portfolio_positions", hint: "[ACCOUNT]", about: "what the book holds and what it is worth", most: -1, fill: optional("account")},
		{name: "allocation", tool: "portfolio_allocation", hint: "[ACCOUNT]", about: "how the book is divided", most: -1, fill: optional("account")},
		{name: "performance", tool: "portfolio_performance", hint: "[BENCHMARK]", about: "what the book earned, and what a benchmark would have", most: 1, fill: optional("benchmark")},
		{name: "lots", tool: "tax_lots", hint: "[SYMBOL]", about: "lots with their costs, gains and terms", most: 1, fill: optional("symbol")},
		{name: "checkup", tool: "portfolio_checkup", about: "the book, checked by rules", fill: optional("")},
		{name: "watch", tool: "watchlist", about: "what you watch, with prices and targets", fill: action("show")},
		{name: "review", tool: "decision_journal", about: "how your decisions did against the alternative", fill: action("review")},
	}
}

// symbolAnd takes a symbol and, where one is given, a word more for the key.
func symbolAnd(key string) func([]string) map[string]any {
	return func(words []string) map[string]any {
		in := map[string]any{"symbol": words[0]}
		if len(words) > 1 && key != "" {
			in[key] = words[1]
		}
		return in
	}
}

// optional takes all of the words as one text, or none.
func optional(key string) func([]string) map[string]any {
	return func(words []string) map[string]any {
		if len(words) == 0 {
			return map[string]any{}
		}
		return together(key)(words)
	}
}

func fxWords(words []string) map[string]any {
	in := map[string]any{"pair": words[0]}
	if len(words) > 1 {
		in["date"] = words[1]
	}
	return in
}

// together takes all of the words as one text.
func together(key string) func([]string) map[string]any {
	return func(words []string) map[string]any { return map[string]any{key: strings.Join(words, " ")} }
}

func (d door) arguments(words []string) (string, error) {
	if len(words) < d.least || d.most >= 0 && len(words) > d.most {
		return "", misuse.Errorf("usage: %s %s", d.name, d.hint)
	}
	raw, err := json.Marshal(d.fill(words))
	if err != nil {
		return "", fmt.Errorf("encoding the arguments of %s: %w", d.tool, err)
	}
	return string(raw), nil
}

// verb is the door on the command line.
func (d door) verb(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: d.name + " " + d.hint, Short: "Show " + d.about,
		Long:    fmt.Sprintf("%s shows %s. It is the tool %s, which nfa tools show %s explains.", d.name, d.about, d.tool, d.tool),
		Example: "  " + d.example,
		RunE: func(cmd *cobra.Command, words []string) error {
			arguments, err := d.arguments(words)
			if err != nil {
				return err
			}
			return d.open(cmd.Context(), g, arguments, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	return cmd
}

// open calls the tool, which may be missing for want of a source.
func (d door) open(ctx context.Context, g *globals, arguments string, asJSON bool) error {
	h, err := wire(ctx, g, wiring{})
	if err != nil {
		return err
	}
	defer h.close()
	if _, ok := h.router.Lookup(d.tool); !ok {
		return &exitError{exitNoData, fmt.Errorf("%s has no source of its data: the sample alone is used (%s)", d.name, sampleWhy(h.cfg))}
	}
	return h.callTool(ctx, g, toolCall{d.tool, arguments, asJSON})
}

// doorCommands are the doors in the chat whose tools have a source.
func (h *house) doorCommands() []tui.Command {
	var commands []tui.Command
	for _, d := range slices.Concat(bookDoors(), doors(), []door{chartDoor()}) {
		if _, ok := h.router.Lookup(d.tool); !ok {
			continue
		}
		commands = append(commands, tui.Command{
			Words: d.words(),
			Name:  d.name, Hint: strings.ToLower(d.hint), About: d.about, Kind: tui.KindCommand,
			Show: func(words string) (string, error) {
				res, err := h.throughDoor(d, strings.Fields(words))
				return answer.Shown(res), err
			},
			Draw: func(words string) (*chart.Spec, string, error) {
				res, err := h.throughDoor(d, strings.Fields(words))
				return res.Chart, answer.Shown(res), err
			},
		})
	}
	return commands
}

// words are what the chat offers behind the command of a door.
func (d door) words() func(args string) []string {
	if d.next == nil {
		return nil
	}
	return func(args string) []string { return d.next(strings.Fields(args)) }
}

// throughDoor calls a door's tool; a result that failed is an error.
func (h *house) throughDoor(d door, words []string) (tool.Result, error) {
	arguments, err := d.arguments(words)
	if err != nil {
		return tool.Result{}, err
	}
	o, err := h.tools().Call(context.Background(), llm.ToolCall{ID: "door", Name: d.tool, Arguments: arguments})
	if err != nil {
		return tool.Result{}, err
	}
	if o.Result.IsError {
		return tool.Result{}, fmt.Errorf("%s: %s", d.name, answer.Failure(o.Result))
	}
	return o.Result, nil
}
