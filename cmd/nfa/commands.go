package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/usage"
)

// command is a tool as a command and as a slash command. `nfa quote VTI`, /quote VTI and the
// model's own call run the same tool and show the same result.
type command struct {
	name, tool       string
	hint, about      string
	example          string
	minArgs, maxArgs int // number of words; a negative maximum means no limit
	// parseArgs turns the words into the tool's arguments.
	parseArgs func(args []string) map[string]any
	// complete offers words that may follow those already typed; nil offers none.
	complete func(args []string) []string
}

// marketCommands returns the commands of the market tools that people use often.
func marketCommands() []command {
	return []command{
		{name: "quote", tool: "quote", hint: "SYMBOL...", about: "newest prices", example: "nfa quote AAPL VTI EURUSD=X", minArgs: 1, maxArgs: -1,
			parseArgs: func(args []string) map[string]any { return map[string]any{"symbols": args} }},
		{name: "history", tool: "price_history", hint: "SYMBOL [RANGE]", about: "prices over a range, such as 6m, 5y, ytd, max", example: "nfa history VTI 5y", minArgs: 1, maxArgs: 2, parseArgs: symbolAndArg("range")},
		{name: "search", tool: "search_symbol", hint: "NAME", about: "symbols by name, part of one, ISIN or CIK", example: "nfa search berkshire", minArgs: 1, maxArgs: -1, parseArgs: joinedText("query")},
		{name: "statements", tool: "financial_statements", hint: "SYMBOL [STATEMENT]", about: "what a company reported: income, balance, cash_flow, per_share or all", example: "nfa statements AAPL income", minArgs: 1, maxArgs: 2, parseArgs: symbolAndArg("statement")},
		{name: "ratios", tool: "key_ratios", hint: "SYMBOL", about: "what a company's figures say of it", example: "nfa ratios AAPL", minArgs: 1, maxArgs: 1, parseArgs: symbolAndArg("")},
		{name: "filings", tool: "filings", hint: "SYMBOL", about: "what a company filed with the SEC", example: "nfa filings AAPL", minArgs: 1, maxArgs: 1, parseArgs: symbolAndArg("")},
		{name: "news", tool: "news", hint: "SYMBOL", about: "what was published of a company", example: "nfa news AAPL", minArgs: 1, maxArgs: 1, parseArgs: symbolAndArg("")},
		{name: "macro", tool: "macro_series", hint: "SERIES", about: "an economic series by its FRED code", example: "nfa macro UNRATE", minArgs: 1, maxArgs: 1, parseArgs: joinedText("series_id")},
		{name: "curve", tool: "yield_curve", hint: "[CURVE]", about: "a government yield curve: us_treasury, us_treasury_real or euro_area", example: "nfa curve", maxArgs: 1, parseArgs: optionalText("curve")},
		{name: "fx", tool: "fx_rate", hint: "PAIR [DATE]", about: "an exchange rate", example: "nfa fx EUR/USD", minArgs: 1, maxArgs: 2, parseArgs: parseFXArgs},
		{name: "status", tool: "market_status", hint: "[EXCHANGE]", about: "whether an exchange trades, and its next session", example: "nfa status Xetra", maxArgs: -1, parseArgs: optionalText("exchange")},
	}
}

// portfolioCommands returns the slash commands of the portfolio tools. On the command line, nfa
// portfolio and related commands take more arguments.
func portfolioCommands() []command {
	action := func(name string) func([]string) map[string]any {
		return func([]string) map[string]any { return map[string]any{"action": name} }
	}
	return []command{
		{name: "portfolio", tool: "portfolio_positions", hint: "[ACCOUNT]", about: "what the book holds and what it is worth", maxArgs: -1, parseArgs: optionalText("account")},
		{name: "allocation", tool: "portfolio_allocation", hint: "[ACCOUNT]", about: "how the book is divided", maxArgs: -1, parseArgs: optionalText("account")},
		{name: "performance", tool: "portfolio_performance", hint: "[BENCHMARK]", about: "what the book earned, and what a benchmark would have", maxArgs: 1, parseArgs: optionalText("benchmark")},
		{name: "lots", tool: "tax_lots", hint: "[SYMBOL]", about: "lots with their costs, gains and terms", maxArgs: 1, parseArgs: optionalText("symbol")},
		{name: "checkup", tool: "portfolio_checkup", about: "the book, checked by rules", parseArgs: optionalText("")},
		{name: "watch", tool: "watchlist", about: "what you watch, with prices and targets", parseArgs: action("show")},
		{name: "review", tool: "decision_journal", about: "how your decisions did against the alternative", parseArgs: action("review")},
	}
}

// symbolAndArg parses a symbol and an optional second argument, which it stores under the key.
func symbolAndArg(key string) func([]string) map[string]any {
	return func(args []string) map[string]any {
		in := map[string]any{"symbol": args[0]}
		if len(args) > 1 && key != "" {
			in[key] = args[1]
		}
		return in
	}
}

// optionalText takes all of the words as one text, or none.
func optionalText(key string) func([]string) map[string]any {
	return func(args []string) map[string]any {
		if len(args) == 0 {
			return map[string]any{}
		}
		return joinedText(key)(args)
	}
}

func parseFXArgs(args []string) map[string]any {
	in := map[string]any{"pair": args[0]}
	if len(args) > 1 {
		in["date"] = args[1]
	}
	return in
}

// joinedText takes all of the words as one text.
func joinedText(key string) func([]string) map[string]any {
	return func(args []string) map[string]any { return map[string]any{key: strings.Join(args, " ")} }
}

func (d command) toolArguments(args []string) (string, error) {
	if len(args) < d.minArgs || d.maxArgs >= 0 && len(args) > d.maxArgs {
		return "", usage.Errorf("usage: %s %s", d.name, d.hint)
	}
	raw, err := json.Marshal(d.parseArgs(args))
	if err != nil {
		return "", fmt.Errorf("encoding the arguments of %s: %w", d.tool, err)
	}
	return string(raw), nil
}

// cobraCommand returns the command for the command line.
func (d command) cobraCommand(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: d.name + " " + d.hint, Short: "Show " + d.about,
		Long:    fmt.Sprintf("%s shows %s. It is the tool %s, which nfa tools show %s explains.", d.name, d.about, d.tool, d.tool),
		Example: "  " + d.example,
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments, err := d.toolArguments(args)
			if err != nil {
				return err
			}
			return d.run(cmd.Context(), g, arguments, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the whole result as JSON")
	return cmd
}

// run calls the tool. The tool is missing if no source provides its data.
func (d command) run(ctx context.Context, g *globals, arguments string, asJSON bool) error {
	p, err := openProgram(ctx, g, programOptions{})
	if err != nil {
		return err
	}
	defer p.close()
	if _, ok := p.router.Lookup(d.tool); !ok {
		return &exitError{exitNoData, fmt.Errorf("%s has no source of its data: the sample alone is used (%s)", d.name, sampleReason(p.cfg))}
	}
	return p.callTool(ctx, g, toolCall{d.tool, arguments, asJSON})
}

// toolSlashCommands returns the slash commands whose tools have a source.
func (p *program) toolSlashCommands() []tui.Command {
	var commands []tui.Command
	for _, d := range slices.Concat(portfolioCommands(), marketCommands(), []command{chartCommand()}) {
		if _, ok := p.router.Lookup(d.tool); !ok {
			continue
		}
		commands = append(commands, tui.Command{
			CompleteArgs: d.completions(),
			Name:         d.name, Hint: strings.ToLower(d.hint), About: d.about, Kind: tui.KindCommand,
			Show: func(text string) (string, error) {
				res, err := p.callCommand(d, strings.Fields(text))
				return cli.ResultText(res), err
			},
			Draw: func(text string) (*chart.Spec, string, error) {
				res, err := p.callCommand(d, strings.Fields(text))
				return res.Chart, cli.ResultText(res), err
			},
		})
	}
	return commands
}

// completions returns the function that completes the arguments of the slash command.
func (d command) completions() func(args string) []string {
	if d.complete == nil {
		return nil
	}
	return func(args string) []string { return d.complete(strings.Fields(args)) }
}

// callCommand calls the tool of a command and returns a failed result as an error.
func (p *program) callCommand(d command, args []string) (tool.Result, error) {
	arguments, err := d.toolArguments(args)
	if err != nil {
		return tool.Result{}, err
	}
	o, err := p.agentTools().Call(context.Background(), llm.ToolCall{ID: "door", Name: d.tool, Arguments: arguments})
	if err != nil {
		return tool.Result{}, err
	}
	if o.Result.IsError {
		return tool.Result{}, fmt.Errorf("%s: %s", d.name, cli.FailureText(o.Result))
	}
	return o.Result, nil
}
