package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/usage"
)

// newPortfolio returns the command portfolio. Without a subcommand it shows the positions.
func newPortfolio(g *globals) *cobra.Command {
	root := withSubcommands(g, positionsCommand(), slices.Concat(portfolioSubcommands(), settingsSubcommands()))
	root.AddCommand(newPortfolioExport(g))
	return root
}

// commonPortfolioFlags returns the flags that many portfolio commands share.
func commonPortfolioFlags() []toolFlag {
	return []toolFlag{
		{"accounts", flagList, "`names` of accounts, with commas between; all when left out"},
		{"currency", flagText, "`code` of the currency to add up in; base_currency when left out"},
	}
}

func positionsCommand() toolCommand {
	return toolCommand{
		use: "portfolio", short: "Show what the book holds and what it is worth", tool: "portfolio_positions",
		example: "  nfa portfolio import statement.csv\n  nfa portfolio --currency EUR\n  nfa portfolio performance --benchmark VTI",
		flags:   append(commonPortfolioFlags(), toolFlag{"at", flagText, "`day` to look at, such as 2024-12-31"}),
	}
}

// portfolioSubcommands returns the portfolio commands that run one tool each.
func portfolioSubcommands() []toolCommand {
	return []toolCommand{
		{
			use: "list [SYMBOL]", short: "List what is recorded, the newest first", tool: "portfolio_transactions", maxArgs: 1, setArgs: firstArg("symbol"),
			flags: []toolFlag{
				{"account", flagText, "`name` of an account"}, {"kind", flagText, "`kind` of transaction, such as dividend"},
				{"from", flagText, "first `day`"}, {"to", flagText, "last `day`"}, {"text", flagText, "only with this `text` in name, note, symbol, ISIN, source or ID"},
				{"limit", flagNumber, "at most so `many`; 30 when left out"},
			},
		},
		{
			use: "lots [SYMBOL]", short: "Show lots with their costs, gains and terms, and what taxes see of them", tool: "tax_lots", maxArgs: 1, setArgs: firstArg("symbol"),
			example: "  nfa portfolio lots VTI\n  nfa portfolio lots --kind closed --year 2025",
			flags: []toolFlag{
				{"account", flagText, "`name` of an account"}, {"kind", flagText, "`what`: open, closed, harvest or wash"},
				{"year", flagNumber, "tax `year`"}, {"jurisdiction", flagText, "`name` of the tax rules: us or none; those of the profile when left out"},
				{"currency", flagText, "`code` of the currency to add up in; base_currency when left out"},
			},
		},
		{
			use: "performance", short: "Show what the book earned, where it came from, and what a benchmark would have", tool: "portfolio_performance",
			example: "  nfa portfolio performance\n  nfa portfolio performance --range 1y --benchmark VTI",
			flags: append(commonPortfolioFlags(),
				toolFlag{"range", flagText, "`time` back from today: 6m, 1y, ytd, max"}, toolFlag{"from", flagText, "first `day`"}, toolFlag{"to", flagText, "last `day`"},
				toolFlag{"benchmark", flagText, "`symbol` that the same payments would have gone into, or none; benchmark of the settings when left out"},
				toolFlag{"method", flagText, "one `return` alone: time_weighted, money_weighted, modified_dietz or linked_modified_dietz"},
				toolFlag{"without", flagList, "`symbols` to leave out, such as one without a price"}),
		},
		{
			use: "allocation", short: "Show how the book is divided: by class, currency, region, sector and account", tool: "portfolio_allocation",
			flags: append(commonPortfolioFlags(), toolFlag{"at", flagText, "`day` to look at"}),
		},
		{
			use: "checkup", short: "Check the book by rules, each passed or failed with its number and threshold", tool: "portfolio_checkup",
			flags: append(commonPortfolioFlags(), checkupFlags()...),
		},
		rebalanceCommand(), addTransactionCommand(), importCommand(),
		{
			use: "remove ID", short: "Take a transaction out of the book; nfa portfolio list shows the IDs", tool: "remove_transaction", minArgs: 1, maxArgs: 1, setArgs: firstArg("id"), writes: true,
		},
	}
}

// checkupFlags returns the flags for the thresholds of the portfolio checkup.
func checkupFlags() []toolFlag {
	return []toolFlag{
		{"max_holding", flagFraction, "most of one holding, a `fraction`: 10%"}, {"max_five_largest", flagFraction, "most of the five largest, a `fraction`"},
		{"min_effective", flagNumber, "least effective `number` of holdings"}, {"max_foreign_currency", flagFraction, "most in other currencies, a `fraction`"},
		{"max_region", flagFraction, "most of one region, a `fraction`"}, {"max_fee", flagFraction, "most that funds cost a year, a `fraction`"},
		{"max_cash", flagFraction, "most cash, a `fraction`"}, {"max_drift", flagFraction, "furthest from a target, a `fraction`"},
		{"max_correlation", flagNumber, "highest `correlation` of two holdings"}, {"max_payer", flagFraction, "most income from one payer, a `fraction`"},
		{"min_yield", flagFraction, "least income a year, a `fraction`"}, {"max_price_days", flagNumber, "greatest age of a price in `days`"},
	}
}

func rebalanceCommand() toolCommand {
	return toolCommand{
		use: "rebalance [SYMBOL=WEIGHT...]", short: "Plan the trades that bring the book to its targets, with their taxes and costs", tool: "rebalance_plan", maxArgs: -1,
		example: "  nfa portfolio rebalance VTI=60% BND=40%\n  nfa portfolio rebalance --new-cash 1000 --only-buy",
		setArgs: parseTargets,
		flags: append(commonPortfolioFlags(),
			toolFlag{"band", flagFraction, "drift that is left alone, a `fraction`: 5%"}, toolFlag{"relative_band", flagFraction, "the same as a `part` of the target: 25%"},
			toolFlag{"aim", flagText, "how far sales go: `target` or edge"},
			toolFlag{"new_cash", flagNumber, "`sum` that comes in; below zero is taken out"}, toolFlag{"cash_account", flagText, "`name` of the account that it comes into"},
			toolFlag{"min_trade", flagNumber, "smallest `value` of a trade"}, toolFlag{"fee", flagNumber, "`sum` for each trade"}, toolFlag{"fee_rate", flagFraction, "`fraction` of each trade: 0.1%"},
			toolFlag{"tax_short", flagFraction, "tax on short-term gains, a `fraction`"}, toolFlag{"tax_long", flagFraction, "tax on long-term gains, a `fraction`"},
			toolFlag{"leave", flagList, "`symbols` that are neither traded nor counted"}, toolFlag{"only_buy", flagBool, "sell nothing"},
			toolFlag{"whole_shares", flagBool, "no parts of shares, which is the standard; --whole-shares=false trades parts"}),
	}
}

func addTransactionCommand() toolCommand {
	return toolCommand{
		use: "add KIND [SYMBOL [QUANTITY]]", short: "Record a transaction", tool: "add_transaction", minArgs: 1, maxArgs: 3, writes: true, required: []string{"date"}, wrap: parseLots,
		example: "  nfa portfolio add buy VTI 10 --price 250.10 --date 2025-03-03 --account ibkr --fee 1\n  nfa portfolio add deposit --amount 5000 --currency USD --date 2025-03-01 --account ibkr",
		setArgs: func(args []string, in map[string]any) error {
			in["kind"] = args[0]
			if len(args) > 1 {
				in["symbol"] = args[1]
			}
			if len(args) < 3 {
				return nil
			}
			n, err := parseNumber("QUANTITY", args[2])
			in["quantity"] = n
			return err
		},
		flags: []toolFlag{
			{"date", flagText, "`day` of the trade, YYYY-MM-DD"}, {"account", flagText, "`name` of the account; the only one when left out"},
			{"price", flagNumber, "`price` of one unit"}, {"amount", flagNumber, "whole `sum` before fee and tax"}, {"currency", flagText, "`code` of the currency"},
			{"fee", flagNumber, "`sum`"}, {"tax", flagNumber, "`sum`"}, {"note", flagText, "a remark, as `text`"},
			{"acquired", flagText, "of a transfer_in: `day` of the purchase"}, {"cost_unknown", flagBool, "of a transfer_in: nobody knows the cost"},
			{"to_account", flagText, "of a transfer_out: `name` of the account that receives"}, {"to_symbol", flagText, "of a merger or spin_off: the other `symbol`"},
			{"to_currency", flagText, "of a currency_exchange: `code` received"}, {"to_amount", flagNumber, "of a currency_exchange: `sum` received"},
			{"new", flagNumber, "of a split or merger: new `shares`"}, {"old", flagNumber, "of a split or merger: for so many old `shares`"},
			{"cost_part", flagFraction, "of a spin_off or merger: `fraction` of the cost that goes with it"}, {"short", flagBool, "of a sell: more than is held"},
			{"lots", flagPairs, "of a sell or transfer_out: `LOT=QUANTITY`; else the account's cost basis chooses"},
			{"unlisted", flagBool, "record a security that no source knows"}, {"again", flagBool, "it happened twice"}, {"new_account", flagBool, "make the account"},
		},
	}
}

func importCommand() toolCommand {
	return toolCommand{
		use: "import FILE", short: "Read a broker's file, or standard input for -, into the book: what is there already is not counted twice", tool: "import_transactions", minArgs: 1, maxArgs: 1, setArgs: firstArg("path"), writes: true,
		example: "  nfa portfolio import schwab.csv --account schwab\n  nfa portfolio import trades.csv --cash untracked\n  nfa portfolio import - < book.json",
		flags: []toolFlag{
			{"format", flagText, "`name` of the format; found by the file's header when left out"}, {"account", flagText, "`name` of the account that it is of"},
			{"cash", flagText, "`policy` of a new account: tracked, margin or untracked"}, {"zone", flagText, "time `zone` of the account, such as Europe/Berlin"},
			{"currency", flagText, "`code` of the account's currency, for files that name none"}, {"mapping", flagText, "`name` of a saved mapping of columns"},
			{"new_mapping", flagJSON, "a mapping of columns, as `JSON` or @FILE; it is saved by its name"},
			{"symbols", flagPairs, "`NAME=SYMBOL` of securities in the file"},
			{"skip_problems", flagBool, "leave out the lines that cannot be recorded"}, {"opening", flagBool, "record what the file gives away but never brought in as there before, at an unknown cost"}, {"again", flagBool, "record also what was entered by hand or from another file"},
			{"take_settings", flagBool, "of nfa's own JSON: take its accounts, names, facts and targets also where the book says otherwise"},
		},
	}
}

// parseLots converts the lots of a sale to the form that the tool takes.
func parseLots(in map[string]any) (map[string]any, error) {
	quantities, ok := in["lots"].(map[string]string)
	if !ok {
		return in, nil
	}
	list := []any{}
	for _, lot := range slices.Sorted(maps.Keys(quantities)) {
		n, err := parseNumber("--lots "+lot, quantities[lot])
		if err != nil {
			return nil, err
		}
		list = append(list, map[string]any{"lot": lot, "quantity": n})
	}
	in["lots"] = list
	return in, nil
}

// parseTargets reads "VTI=60%" and "VTI=0.6".
func parseTargets(args []string, in map[string]any) error {
	if len(args) == 0 {
		return nil
	}
	out := map[string]json.Number{}
	for _, word := range args {
		symbol, text, ok := strings.Cut(word, "=")
		weight, err := parseWeight(text)
		if !ok || symbol == "" || err != nil {
			return usage.Errorf("%.60q is no target; write it as VTI=60%% or VTI=0.6", word)
		}
		if _, twice := out[symbol]; twice {
			return usage.Errorf("%s has two targets", symbol)
		}
		out[symbol] = weight
	}
	in["targets"] = out
	return nil
}

// parseWeight parses a fraction from 0 to 1 that can be a weight in the portfolio.
func parseWeight(text string) (json.Number, error) {
	n, err := parseFraction("weight", text)
	if err != nil {
		return "", err
	}
	d, err := decimal.NewFromString(string(n))
	if err == nil && (d.IsNegative() || d.GreaterThan(decimal.NewFromInt(1))) {
		err = fmt.Errorf("%s is not between nothing and all", text)
	}
	return n, err
}
