package app

import (
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Commands returns the table in the order of help.
func Commands() []Command { return slices.Clone(commandTable()) }

// commandTable is made once: the chat looks up commands while the user types.
var commandTable = sync.OnceValue(func() []Command {
	var rows []Command
	for _, part := range [][]Command{
		askCommands(), marketCommands(), companyCommands(), portfolioCommands(), settingsCommands(), watchlistCommands(), alertCommands(), journalCommands(), profileCommands(),
		setupCommands(), extendCommands(), chatCommands(),
	} {
		rows = append(rows, part...)
	}
	return rows
})

// examples formats command lines for help.
func examples(lines ...string) string { return "  nfa " + strings.Join(lines, "\n  nfa ") }

func askCommands() []Command {
	const id = "20261121-150405-7k3qab"
	return []Command{
		{Name: "chat", NeedsTerminal: true, Group: groupAsk, Args: "[MESSAGE]", About: "Open the chat (same as nfa)",
			Example: examples(`chat "How has the S&P 500 done since 2008?"`, `chat --plain < questions.txt`)},
		{Name: "ask", NeedsTerminal: true, Group: groupAsk, Args: "QUESTION", About: "Answer one question and exit", Notes: "Piped text is appended to the question.",
			Example: examples(`ask "How has the S&P 500 done since 2008, and how bad did it get?"`, `ask "price of AAPL" --json`)},
		{Name: "sessions", Slash: "sessions", Group: groupAsk, About: "List, show, export and delete saved sessions",
			Example: examples("sessions", "sessions show "+id)},
		{Name: "sessions list", About: "List saved sessions, newest first", Example: examples("sessions list", "sessions list --limit 0")},
		{Name: "sessions show", Args: "ID", About: "Print a session as Markdown", Example: examples("sessions show "+id, "sessions show "+id+" --json")},
		{Name: "sessions export", Args: "ID", About: "Write a session to a Markdown or JSON file", Notes: "API keys are removed. nfa sessions import reads the JSON.",
			Example: examples("sessions export "+id+" -o retirement.md", "sessions export "+id+" -o retirement.json")},
		{Name: "sessions import", Args: "FILE", About: "Import a session exported as JSON", Example: examples("sessions import retirement.json", "sessions import retirement.json --json")},
		{Name: "sessions fork", Args: "ID", About: "Copy a session to continue in the copy", Notes: "nfa sessions show numbers the questions.",
			Example: examples("sessions fork "+id, "sessions fork "+id+" --at 3")},
		{Name: "sessions delete", Args: "ID...", About: "Delete sessions by ID or by age", Notes: "Deleted text is overwritten in the file. Sessions open in another nfa process are kept.",
			Example: examples("sessions delete "+id, "sessions delete --older-than 90d")},
		{Name: "verify", Group: groupAsk, Args: "FILE", About: "Check the figures in a saved report",
			Notes: `Compares every number with the record next to the report (FILE.provenance.json) and repeats the
calculations. Exits with 1 if a figure differs or is not traced, with 5 if the record is missing. The
record is not signed, so it does not prove who wrote the report.`,
			Example: examples("verify apple-2026-11-20.md", "verify ~/.nfa/reports/apple.html --live")},
		{Name: "eval", Hidden: true, About: "Measure answers against public question sets", Example: examples("eval bench tat-qa dev.json", "eval bench finqa test.json --json")},
		{Name: "eval bench", Hidden: true, Args: "NAME FILE", About: "Score the calculators (and a connected model) on a question set",
			Notes: `NAME is tat-qa or finqa; FILE is the JSON file of the set. Only questions with an arithmetic derivation
count. Prints the share of correct answers and of traced figures, and the correct answers that were not traced.`,
			Example: examples("eval bench tat-qa tatqa_dataset_dev.json", "eval bench finqa test.json --limit 20 --json")},
		{Name: "context", Slash: "context", Hidden: true, About: "Show the size of the next request to the model", Example: examples("context", "context --model ollama/qwen3")},
	}
}

func marketCommands() []Command {
	return []Command{
		{Name: "quote", Activity: "Getting prices", Slash: "quote", Group: groupMarkets, Tool: "quote", Args: "SYMBOL...", About: "Show latest prices", MinArgs: 1, MaxArgs: -1,
			SetArgs: func(words []string, in map[string]any) error { in["symbols"] = words; return nil },
			Example: examples("quote AAPL VTI EURUSD=X", "quote '^GSPC' --as-of 2008-12-31")},
		{Name: "chart", Activity: "Getting prices for the chart", Slash: "chart", Group: groupMarkets, Tool: "chart", Args: "SYMBOL[,SYMBOL...] [RANGE] [KIND]", About: "Draw a price chart", MinArgs: 1, MaxArgs: -1,
			SetArgs: setChart, Complete: completeChart,
			Notes:   "KIND is " + orList(tools.ChartKinds()) + ". With several symbols, each starts at 100. The\nsetting charts selects the characters (braille, block or ascii).",
			Example: examples("chart AAPL 5y candles", "chart AAPL,MSFT 5y --width 120 --height 30")},
		{Name: "history", Activity: "Getting past prices", Slash: "history", Group: groupMarkets, Tool: "price_history", Args: "SYMBOL [RANGE]", About: "Show past prices", MinArgs: 1, MaxArgs: 2, SetArgs: inOrder("symbol", "range"),
			Flags: []Flag{{"interval", FlagText, "`INTERVAL` of the bars: 5m, 1h, daily, weekly or monthly"}},
			Notes: "RANGE is 1d, 1m, 6m, 1y, 5y, 10y, ytd or max.", Example: examples("history VTI 5y --interval weekly", "history '^GSPC' max")},
		{Name: "compare", Activity: "Comparing", Slash: "compare", Group: groupMarkets, Tool: "compare_assets", Args: "SYMBOL... [RANGE]", About: "Compare returns and risk of 2 to 8 symbols", MinArgs: 1, MaxArgs: -1, SetArgs: setComparison,
			Flags:   []Flag{{"from", FlagText, "`DATE` first day"}, {"to", FlagText, "`DATE` last day"}},
			Example: examples("compare AAPL MSFT 5y", "compare VTI BND --from 2015")},
		{Name: "search", Activity: "Searching symbols", Slash: "search", Group: groupMarkets, Tool: "search_symbol", Args: "NAME", About: "Find a symbol by name, ISIN or CIK", MinArgs: 1, MaxArgs: -1, SetArgs: asText("query"),
			Example: examples("search berkshire", "search US0378331005")},
		{Name: "news", Activity: "Getting news", Slash: "news", Group: groupMarkets, Tool: "news", Args: "SYMBOL", About: "Show company news", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"),
			Example: examples("news AAPL", "news MSFT --json")},
		{Name: "macro", Activity: "Getting the series", Slash: "macro", Group: groupMarkets, Tool: "macro_series", Args: "SERIES", About: "Show an economic series or a yield curve", MinArgs: 1, MaxArgs: -1, SetArgs: asText("series_id"),
			Notes: "SERIES is a FRED ID, such as CPIAUCSL, or words to search for.", Example: examples("macro UNRATE", "macro core inflation")},
		{Name: "macro yields", Activity: "Getting the yield curve", Slash: "macro yields", Old: []string{"curve"}, Tool: "yield_curve", Args: "[CURVE]", About: "Show a government yield curve", MaxArgs: 1, SetArgs: inOrder("curve"),
			Notes: "CURVE is us_treasury (default), us_treasury_real or euro_area.", Example: examples("macro yields", "macro yields euro_area")},
		{Name: "fx", Activity: "Getting the exchange rate", Slash: "fx", Group: groupMarkets, Tool: "fx_rate", Args: "PAIR [DATE]", About: "Show an exchange rate", MinArgs: 1, MaxArgs: 2, SetArgs: inOrder("pair", "date"),
			Example: examples("fx EUR/USD", "fx EUR/USD 2020-03-31")},
		{Name: "hours", Activity: "Checking exchange hours", Slash: "hours", Old: []string{"status"}, Group: groupMarkets, Tool: "market_status", Args: "[EXCHANGE]", About: "Show whether an exchange is open", MaxArgs: -1, SetArgs: asText("exchange"),
			Example: examples("hours", "hours Xetra")},
	}
}

func companyCommands() []Command {
	return []Command{
		{Name: "statements", Activity: "Getting statements", Slash: "statements", Group: groupCompanies, Tool: "financial_statements", Args: "SYMBOL [STATEMENT]", About: "Show income statement, balance sheet or cash flow", MinArgs: 1, MaxArgs: 2, SetArgs: inOrder("symbol", "statement"),
			Notes: "STATEMENT is income, balance, cash_flow, per_share or all.", Example: examples("statements AAPL income", "statements MSFT cash_flow")},
		{Name: "ratios", Activity: "Computing ratios", Slash: "ratios", Group: groupCompanies, Tool: "key_ratios", Args: "SYMBOL", About: "Show valuation, profitability and growth ratios", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"),
			Example: examples("ratios AAPL", "ratios MSFT --json")},
		{Name: "earnings", Activity: "Getting earnings estimates", Slash: "earnings", Group: groupCompanies, Tool: "earnings", Args: "SYMBOL", About: "Show the next earnings date and analysts' estimates", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"),
			Example: examples("earnings AAPL", "earnings MSFT --json")},
		{Name: "filings", Activity: "Listing filings", Slash: "filings", Group: groupCompanies, Tool: "filings", Args: "SYMBOL", About: "List SEC filings", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"),
			Example: examples("filings AAPL", "filings AAPL --as-of 2020-03-31")},
	}
}

// portfolioFlags returns the common flags of portfolio commands, followed by more.
func portfolioFlags(own ...Flag) []Flag {
	return append([]Flag{
		{"accounts", FlagList, "`NAME,...` accounts (default all)"},
		{"currency", FlagText, "`CODE` currency of the totals (default base_currency)"},
	}, own...)
}

func portfolioCommands() []Command {
	return []Command{
		{
			Name: "portfolio", Activity: "Valuing your portfolio", Slash: "portfolio", Group: groupPortfolio, About: "Show, import and analyze your portfolio", Tool: "portfolio_positions", Fixed: map[string]any{"returns": true},
			Example:   examples("portfolio --currency EUR", "portfolio import statement.csv"),
			Flags:     portfolioFlags(Flag{"at", FlagText, "`DATE` positions on this date (default today)"}),
			SlashArgs: "[IMPORT | ADD | LOTS | ...]",
		},
		{
			Name: "portfolio list", Activity: "Listing transactions", Args: "[SYMBOL]", About: "List transactions, newest first", Tool: "portfolio_transactions", MaxArgs: 1, SetArgs: inOrder("symbol"),
			Example: examples("portfolio list VTI", "portfolio list --kind dividend --from 2025-01-01"),
			Flags: []Flag{
				{"account", FlagText, "`NAME` one account"}, {"kind", FlagText, "`KIND` of transaction, such as dividend"},
				{"from", FlagText, "`DATE` first day"}, {"to", FlagText, "`DATE` last day"}, {"text", FlagText, "`TEXT` in the name, note, symbol, ISIN, source or ID"},
				{"limit", FlagNumber, "at most `N` transactions (default 30)"},
			},
		},
		{
			Name: "portfolio lots", Activity: "Computing tax lots", Slash: "lots", Args: "[SYMBOL]", About: "Show tax lots with cost basis, gain and holding period", Tool: "tax_lots", MaxArgs: 1, SetArgs: inOrder("symbol"),
			Example: examples("portfolio lots VTI", "portfolio lots --kind closed --year 2025"),
			Flags: []Flag{
				{"account", FlagText, "`NAME` one account"}, {"kind", FlagText, "`KIND` open, closed, harvest or wash"},
				{"year", FlagNumber, "`YEAR` tax year"}, {"jurisdiction", FlagText, "`NAME` tax rules: us or none (default from your profile)"},
				{"currency", FlagText, "`CODE` currency of the totals (default base_currency)"},
			},
		},
		{
			Name: "portfolio performance", Activity: "Computing your return", Slash: "performance", Args: "[BENCHMARK]", About: "Show the return of your portfolio by source and against a benchmark", Tool: "portfolio_performance", MaxArgs: 1, SetArgs: inOrder("benchmark"),
			Example: examples("portfolio performance", "portfolio performance --range 1y --benchmark VTI"),
			Flags: portfolioFlags(
				Flag{"range", FlagText, "`RANGE` up to today: 6m, 1y, ytd or max"}, Flag{"from", FlagText, "`DATE` first day"}, Flag{"to", FlagText, "`DATE` last day"},
				Flag{"benchmark", FlagText, "`SYMBOL` benchmark that receives the same deposits, or none (default from settings)"},
				Flag{"method", FlagText, "`METHOD` time_weighted, money_weighted, modified_dietz or linked_modified_dietz"},
				Flag{"without", FlagList, "`SYMBOL,...` to exclude, such as a symbol without a price"}),
		},
		{
			Name: "portfolio allocation", Activity: "Computing weights", Slash: "allocation", About: "Show weights by asset class, currency, region, sector and account", Tool: "portfolio_allocation",
			Example: examples("portfolio allocation", "portfolio allocation --date 2024-12-31"),
			Flags:   portfolioFlags(Flag{"at", FlagText, "`DATE` weights on this date (default today)"}),
		},
		{
			Name: "portfolio checkup", Activity: "Checking your portfolio", Slash: "checkup", About: "Check your portfolio against limits for concentration, cost and drift", Tool: "portfolio_checkup",
			Example: examples("portfolio checkup", "portfolio checkup --max-holding 10% --max-fee 0.3%"),
			Flags: portfolioFlags(
				Flag{"max_holding", FlagFraction, "`PERCENT` maximum weight of one position"}, Flag{"max_five_largest", FlagFraction, "`PERCENT` maximum weight of the five largest positions"},
				Flag{"min_effective", FlagNumber, "`N` minimum effective number of positions"}, Flag{"max_foreign_currency", FlagFraction, "`PERCENT` maximum weight of other currencies"},
				Flag{"max_region", FlagFraction, "`PERCENT` maximum weight of any one region"}, Flag{"max_fee", FlagFraction, "`PERCENT` maximum expense ratio of the funds"},
				Flag{"max_cash", FlagFraction, "`PERCENT` maximum weight of cash"}, Flag{"max_drift", FlagFraction, "`PERCENT` maximum distance from a target"},
				Flag{"max_correlation", FlagNumber, "`N` maximum correlation of two positions, such as 0.9"}, Flag{"max_payer", FlagFraction, "`PERCENT` maximum share of the income from one payer"},
				Flag{"min_yield", FlagFraction, "`PERCENT` minimum annual income"}, Flag{"max_price_days", FlagNumber, "`DAYS` maximum age of a price"}),
		},
		{
			Name: "portfolio reconcile", Activity: "Comparing with your broker", Args: "SERVER [TOOL]", About: "Compare your positions with your broker's, through its MCP server", Tool: "portfolio_reconcile", MinArgs: 1, MaxArgs: 2, SetArgs: inOrder("server", "tool"),
			Example: examples("portfolio reconcile broker", "portfolio reconcile broker get_holdings --accounts ibkr"),
			Flags:   []Flag{{"accounts", FlagList, "`NAME,...` accounts at this broker (default all)"}},
		},
		{
			Name: "portfolio rebalance", Activity: "Planning trades", Args: "[SYMBOL=WEIGHT...]", About: "Plan the trades to your target weights, with taxes and fees", Tool: "rebalance_plan", MaxArgs: -1,
			Example: examples("portfolio rebalance VTI=60% BND=40%", "portfolio rebalance --new-cash 1000 --only-buy"),
			SetArgs: setTargets,
			Flags: portfolioFlags(
				Flag{"band", FlagFraction, "`PERCENT` drift to ignore, such as 5%"}, Flag{"relative_band", FlagFraction, "`PERCENT` drift to ignore, relative to the target, such as 25%"},
				Flag{"aim", FlagText, "`AIM` how far to sell: target (default) or edge"},
				Flag{"new_cash", FlagNumber, "`AMOUNT` to invest; negative to withdraw"}, Flag{"cash_account", FlagText, "`NAME` account of the deposit"},
				Flag{"min_trade", FlagNumber, "`AMOUNT` smallest trade"}, Flag{"fee", FlagNumber, "`AMOUNT` per trade"}, Flag{"fee_rate", FlagFraction, "`PERCENT` fee of each trade, such as 0.1%"},
				Flag{"tax_short", FlagFraction, "`PERCENT` tax on short-term gains"}, Flag{"tax_long", FlagFraction, "`PERCENT` tax on long-term gains"},
				Flag{"leave", FlagList, "`SYMBOL,...` to leave out of trades and weights"}, Flag{"only_buy", FlagBool, "never sell"}, Flag{"full", FlagBool, "also show drift, lots, cash and limits"},
				Flag{"whole_shares", FlagBool, "trade whole shares (default); --whole-shares=false trades fractions"}),
		},
		{
			Name: "portfolio add", Activity: "Recording the transaction", Args: "KIND [SYMBOL [QUANTITY] | AMOUNT [CURRENCY]]", About: "Record a transaction", Tool: "add_transaction", MinArgs: 1, MaxArgs: 3, Writes: true, Required: []string{"date"}, Wrap: listLots,
			Example: examples("portfolio add buy VTI 10 --price 250.10 --date 2025-03-03 --account ibkr --fee 1", "portfolio add deposit 5000 USD --date 2025-03-01 --account ibkr"),
			SetArgs: setTransaction,
			Flags: []Flag{
				{"date", FlagText, "`DATE` trade date (required)"}, {"account", FlagText, "`NAME` account (required if you have several)"},
				{"price", FlagNumber, "`PRICE` of one share"}, {"amount", FlagNumber, "`AMOUNT` total before fee and tax"}, {"currency", FlagText, "`CODE` currency"},
				{"fee", FlagNumber, "`AMOUNT` fee"}, {"tax", FlagNumber, "`AMOUNT` tax"}, {"note", FlagText, "`TEXT` note"},
				{"acquired", FlagText, "`DATE` of the purchase (transfer_in)"}, {"cost_unknown", FlagBool, "the cost basis is unknown (transfer_in)"},
				{"to_account", FlagText, "`NAME` receiving account (transfer_out)"}, {"to_symbol", FlagText, "`SYMBOL` received (merger, spin_off)"},
				{"to_currency", FlagText, "`CODE` received (currency_exchange)"}, {"to_amount", FlagNumber, "`AMOUNT` received (currency_exchange)"},
				{"new", FlagNumber, "`N` new shares (split, merger)"}, {"old", FlagNumber, "`N` old shares that they replace (split, merger)"},
				{"cost_part", FlagFraction, "`PERCENT` of the cost basis that moves (spin_off, merger)"}, {"short", FlagBool, "allow a short position (sell)"},
				{"lots", FlagPairs, "`LOT=QUANTITY` lots to use (sell, transfer_out; default from the account's cost basis method)"},
				{"unlisted", FlagBool, "record a security that no source lists"}, {"again", FlagBool, "record it even if it looks like a duplicate"}, {"new_account", FlagBool, "create the account"},
				{"replaces", FlagText, "`ID` of the recorded transaction to correct"},
			},
		},
		{
			Name: "portfolio import", Activity: "Importing", Args: "FILE", About: `Import a broker file ("-" for stdin); duplicates are skipped`, Tool: "import_transactions", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("path"), Writes: true,
			Example: examples("portfolio import schwab.csv --account schwab", "portfolio import - < portfolio.json"),
			Flags: []Flag{
				{"format", FlagText, "`NAME` file format (default from the header)"}, {"account", FlagText, "`NAME` account to import into"},
				{"cash", FlagText, "`POLICY` of a new account: tracked, margin or untracked"}, {"zone", FlagText, "`ZONE` time zone of the account, such as Europe/Berlin"},
				{"currency", FlagText, "`CODE` currency of the account, for files without one"}, {"mapping", FlagText, "`NAME` saved column mapping"},
				{"new_mapping", FlagJSON, "`JSON` column mapping to save, or @FILE"},
				{"columns", FlagPairs, "`FIELD=COLUMN` corrections to the guessed columns of an unknown table, such as fee=Courtage"},
				{"symbols", FlagPairs, "`NAME=SYMBOL` symbols of securities in the file"},
				{"meanings", FlagPairs, "`WORD=KIND` transaction kinds for words unknown to the format"},
				{"skip_problems", FlagBool, "leave out lines that cannot be recorded (default; =false refuses the file)"}, {"opening", FlagBool, "add opening positions, cost unknown, for shares sold but never bought (default; =false refuses the file)"}, {"again", FlagBool, "import transactions even if entered manually or imported from another file"},
				{"take_settings", FlagBool, "replace your accounts, mappings and targets with those of an nfa JSON file"},
			},
		},
		{Name: "portfolio remove", Args: "ID", About: `Remove a transaction ("last" for the newest manual entry)`, Tool: "remove_transaction", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("id"), Writes: true,
			Notes: "nfa portfolio list shows the IDs.", Example: examples("portfolio remove 7k3qab2m", "portfolio remove 7k3qab2m --yes")},
		{
			Name: "income", Activity: "Estimating your income", Slash: "income", Group: groupPortfolio, About: "Show the dividends and coupons of the next 12 months", Tool: "income_calendar",
			Example: examples("income", "income --accounts ibkr --currency EUR"), Flags: portfolioFlags(),
		},
		{Name: "income export", About: "Write the expected payments as iCalendar or CSV", Example: examples("income export -o income.ics", "income export --format csv")},
		{Name: "portfolio export", About: "Write your transactions as CSV, JSON or ledger", Example: examples("portfolio export --format csv > portfolio.csv", "portfolio export --format ledger -o portfolio.ledger")},
	}
}

const settingsTool = "portfolio_settings"

// settingsCommands returns one command for each part of the tool portfolio_settings.
func settingsCommands() []Command {
	return []Command{
		{Name: "portfolio settings", About: "Show accounts, symbol mappings, classifications and targets", Tool: settingsTool, Example: examples("portfolio settings", "portfolio settings --json")},
		{
			Name: "portfolio account", Args: "NAME", About: "Create or change an account", Tool: settingsTool, MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("name"), Writes: true,
			Wrap:    func(in map[string]any) (map[string]any, error) { return map[string]any{"account": in}, nil },
			Example: examples("portfolio account ibkr --new --cash margin", "portfolio account ira --untaxed --cost-basis fifo"),
			Flags: []Flag{
				{"new", FlagBool, "create it"}, {"cost_basis", FlagText, "`METHOD` lots that a sale uses: fifo, lifo, highest_cost, average or specific"},
				{"cash", FlagText, "`POLICY` tracked, margin or untracked"}, {"untaxed", FlagBool, "tax-deferred: gains are not taxed every year"}, {"owner", FlagText, "`NAME` of the taxpayer"},
			},
		},
		{
			Name: "portfolio map", Old: []string{"portfolio name"}, Args: "NAME SYMBOL", About: "Map a recorded name, such as an ISIN, to its symbol", Tool: settingsTool, MinArgs: 2, MaxArgs: 2, Writes: true,
			Example: examples("portfolio map IE00B4L5Y983 IWDA.AS", "portfolio map US0378331005 AAPL --yes"),
			SetArgs: func(words []string, in map[string]any) error {
				in["aliases"] = map[string]string{words[0]: words[1]}
				return nil
			},
		},
		{
			Name: "portfolio classify", Old: []string{"portfolio facts"}, Args: "SYMBOL", About: "Set a security's asset class, region, sector and expense ratio", Tool: settingsTool, MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"), Writes: true,
			Wrap:    func(in map[string]any) (map[string]any, error) { return map[string]any{"securities": []any{in}}, nil },
			Example: examples("portfolio classify VTI --class equity --region US --fee 0.03%", "portfolio classify BND --class bond"),
			Flags: []Flag{
				{"class", FlagText, "`CLASS` equity, bond, cash, real_estate, commodity, crypto, mixed or other"}, {"region", FlagText, "`NAME` region, in your words"},
				{"sector", FlagText, "`NAME` sector, in your words"}, {"fee", FlagFraction, "`PERCENT` annual expense ratio, such as 0.07%"},
				{"currency", FlagText, "`CODE` currency of its quotes, to confirm the listing"},
			},
		},
		{
			Name: "portfolio targets", Args: "SYMBOL=WEIGHT...", About: "Set your target weights", Tool: settingsTool, MaxArgs: -1, SetArgs: setTargets, Wrap: listTargets, Writes: true,
			Example: examples("portfolio targets VTI=60% BND=35%", "portfolio targets --none"),
			Flags:   []Flag{{"none", FlagBool, "remove all targets"}},
		},
	}
}

// withAction returns the fixed argument that selects an action of a tool.
func withAction(name string) map[string]any { return map[string]any{"action": name} }

func watchlistCommands() []Command {
	return []Command{
		{
			Name: "watchlist", Activity: "Getting prices for your watchlist", Slash: "watchlist", Old: []string{"watch"}, Group: groupPortfolio, About: "Show and edit your watchlist", Tool: "watchlist",
			Example: examples("watchlist", `watchlist add VTI --below 250`),
		},
		{
			Name: "watchlist add", Old: []string{"watch add"}, Args: "SYMBOL", About: "Add a symbol, or change its target prices", Tool: "watchlist", Fixed: withAction("add"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"), Writes: true, Unasked: true,
			Example: examples("watchlist add NVDA", `watchlist add VTI --below 250 --note "after the split"`),
			Flags: []Flag{
				{"above", FlagNumber, "`PRICE` target above the current price"}, {"below", FlagNumber, "`PRICE` target below the current price"},
				{"currency", FlagText, "`CODE` currency of the targets"}, {"note", FlagText, "`TEXT` note"},
			},
		},
		{
			Name: "watchlist remove", Old: []string{"watch remove"}, Args: "SYMBOL", About: "Remove a symbol, or one of its target prices", Tool: "watchlist", Fixed: withAction("remove"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"), Writes: true,
			Example: examples("watchlist remove NVDA", "watchlist remove VTI --target below"),
			Flags:   []Flag{{"target", FlagText, "`TARGET` remove only this target: above or below"}},
		},
	}
}

func alertCommands() []Command {
	return []Command{
		{
			Name: "alerts", Slash: "alerts", Group: groupPortfolio, About: "Show alert rules and their results", Tool: "alerts",
			Example: examples("alerts", `alerts add "AAPL below 150"`), SlashArgs: "[ADD | REMOVE | PAUSE | LOG]",
		},
		{
			Name: "alerts add", Args: "[RULE]", About: "Add an alert rule", Tool: "alerts", Fixed: withAction("add"), MaxArgs: -1, SetArgs: asText("rule"), Writes: true, Unasked: true,
			Notes:   "Examples of RULE:\n  " + strings.Join(alert.Examples(), "\n  "),
			Example: examples(`alerts add "AAPL below 150" --to phone`, `alerts add "10-K filed by MSFT" --once`),
			Flags:   []Flag{{"to", FlagList, "`NAME,...` channels (default all)"}, {"once", FlagBool, "send only the first alert"}, {"watchlist", FlagBool, "add a rule for each target price on your watchlist"}},
		},
		{Name: "alerts remove", Args: "ID", About: "Remove an alert rule", Tool: "alerts", Fixed: withAction("remove"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("id"), Writes: true, Example: examples("alerts remove r7", "alerts remove r7 --yes")},
		{
			Name: "alerts pause", Args: "ID", About: "Pause an alert rule, or resume it", Tool: "alerts", Fixed: withAction("pause"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("id"), Writes: true, Unasked: true,
			Example: examples("alerts pause r7 --until 2027-01-31", "alerts pause r7 --until now"), Flags: []Flag{{"until", FlagText, "`DATE` last day of the pause, or now to resume (default no end)"}},
		},
		{Name: "alerts log", About: "Show past alerts", Tool: "alerts", Fixed: withAction("log"), Example: examples("alerts log", "alerts log --json")},
		{Name: "alerts test", NeedsTerminal: true, Args: "ID", About: "Check a rule now and show its message without sending it", Example: examples("alerts test r7", "alerts test r7 --json")},
		{Name: "alerts send", NeedsTerminal: true, Args: "CHANNEL", About: "Send a test message to a channel", Example: examples("alerts send phone", "alerts send mail --json")},
		{Name: "alerts run", NeedsTerminal: true, About: "Check all rules once and send alerts", Notes: "Exits with 1 if a channel failed permanently, with 5 if no source answered. With --as-of nothing is sent,\nand the state of the rules is stored separately.", Example: examples("alerts run", "alerts run --dry-run")},
		{Name: "alerts install", NeedsTerminal: true, Args: "systemd|launchd|cron", About: "Print or write the files that run nfa alerts on a schedule", Example: examples("alerts install systemd", "alerts install cron --every 30m --write")},
		{Name: "alerts uninstall", NeedsTerminal: true, Args: "systemd|launchd|cron", About: "Remove the schedule", Example: examples("alerts uninstall systemd", "alerts uninstall cron")},
		{Name: "why", Hidden: true, Args: "ID", About: "Show the figure, source and formula of an alert", Example: examples("why q7f2k3", "why q7f2k3 --json")},
	}
}

func journalCommands() []Command {
	return []Command{
		{
			Name: "journal", Slash: "journal", Group: groupPortfolio, Args: "[ID]", About: "Record and review investment decisions", Tool: "decision_journal", Fixed: withAction("list"), MaxArgs: 1, SetArgs: inOrder("id"),
			Notes: "Without an ID, lists all decisions, newest first.", Example: examples("journal", "journal --symbol VTI"),
			Flags: []Flag{{"symbol", FlagText, "`SYMBOL` show only decisions about this symbol"}, {"limit", FlagNumber, "at most `N` decisions (default 20)"}},
		},
		{
			Name: "journal record", Args: "ACTION SYMBOL...", About: "Record a decision, its thesis and what would disprove it", Tool: "decision_journal", Fixed: withAction("record"), MinArgs: 2, MaxArgs: -1, Required: []string{"thesis", "disproof"}, Writes: true,
			Example: examples(`journal record buy VTI --thesis "cheap" --disproof "earnings fall two years in a row"`, `journal record sell IBM --thesis "no growth" --disproof "sales rise" --benchmark VTI`),
			SetArgs: func(words []string, in map[string]any) error {
				in["decision"], in["symbols"] = words[0], words[1:]
				return nil
			},
			Flags: []Flag{
				{"thesis", FlagText, "`TEXT` reason (required)"}, {"disproof", FlagText, "`TEXT` what would prove it wrong (required)"},
				{"benchmark", FlagText, "`SYMBOL` alternative investment to compare with"}, {"review_on", FlagText, "`DATE` of the review"},
				{"confidence", FlagFraction, "`PERCENT` confidence, such as 60%"}, {"price", FlagNumber, "`PRICE` at the time (default the current price)"}, {"currency", FlagText, "`CODE` currency of the price"},
				{"date", FlagText, "`DATE` of the decision (default today)"},
			},
		},
		{
			Name: "journal review", Activity: "Scoring your decisions", Slash: "journal review", Old: []string{"review"}, Args: "[ID]", About: "Score your decisions against the alternative", Tool: "decision_journal", Fixed: withAction("review"), MaxArgs: 1, SetArgs: inOrder("id"),
			Example: examples("journal review", "journal review --symbol VTI"),
			Flags:   []Flag{{"symbol", FlagText, "`SYMBOL` show only decisions about this symbol"}},
		},
		{
			Name: "journal close", Args: "ID OUTCOME", About: "Close a decision and note its outcome", Tool: "decision_journal", Fixed: withAction("close"), MinArgs: 1, MaxArgs: -1, Writes: true,
			Example: examples("journal close d1 sold with a gain", "journal close d1 right --yes"),
			SetArgs: func(words []string, in map[string]any) error {
				in["id"] = words[0]
				if len(words) > 1 {
					in["outcome"] = strings.Join(words[1:], " ")
				}
				return nil
			},
		},
		{Name: "journal remove", Args: "ID", About: "Remove a decision that was recorded by mistake", Tool: "decision_journal", Fixed: withAction("remove"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("id"), Writes: true,
			Example: examples("journal remove d1", "journal remove d1 --yes")},
	}
}

func profileCommands() []Command {
	return []Command{
		{Name: "profile", Slash: "profile", Group: groupPortfolio, About: "Show and edit your investor profile", Tool: "investor_profile", Example: examples("profile", "profile ask")},
		{Name: "profile ask", NeedsTerminal: true, About: "Answer the open questions one by one", Notes: "An empty line skips a question; q stops. Your answers are saved.", Example: examples("profile ask", "profile ask --all")},
		{Name: "profile edit", NeedsTerminal: true, About: "Edit the profile in $VISUAL or $EDITOR", Example: examples("profile edit", "profile edit --from profile.yaml")},
		{
			Name: "profile answer", Args: "QUESTION ANSWER", About: "Answer one question", Tool: "investor_profile", Fixed: withAction("answer"), MinArgs: 2, MaxArgs: -1, Writes: true,
			Example: examples("profile answer horizon 10 years", "profile answer horizon 2040 --yes"),
			SetArgs: func(words []string, in map[string]any) error {
				in["answers"] = map[string]string{words[0]: strings.Join(words[1:], " ")}
				return nil
			},
		},
		{
			Name: "profile clear", Args: "[QUESTION...]", About: "Clear answers (default all)", Tool: "investor_profile", Fixed: withAction("clear"), MaxArgs: -1, Writes: true,
			Example: examples("profile clear horizon", "profile clear --yes"),
			SetArgs: func(words []string, in map[string]any) error {
				if len(words) > 0 {
					in["ids"] = words
				}
				return nil
			},
		},
	}
}

func setupCommands() []Command {
	return []Command{
		{Name: "setup", Slash: "setup", Group: groupSetup, About: "Connect a model and set your currency", Example: examples("setup", "setup --plain")},
		{Name: "models", Slash: "model", SlashArgs: "[PROVIDER/MODEL]", Group: groupSetup, About: "List, test and choose models", Example: examples("models", "models use ollama/qwen3")},
		{Name: "models list", About: "List available models",
			Notes:   "Shows the models of providers with a key and of running local servers. Prices are US dollars per\nmillion tokens (input, cached input, output), as of the date shown.",
			Example: examples("models list", "models list --all --refresh")},
		{Name: "models use", Args: "PROVIDER/MODEL", About: "Choose the model and save it in your settings", Example: examples("models use ollama/qwen3", "models use offline")},
		{Name: "models test", Args: "[PROVIDER/MODEL]", About: "Test a model with one reply and one tool call", Notes: "Exits with 4 if the server fails or the model calls no tool.",
			Example: examples("models test", "models test ollama/qwen3")},
		{Name: "auth", Group: groupSetup, About: "Manage API keys", Example: examples("auth", "auth set deepseek")},
		{Name: "auth list", About: "List providers and where their keys come from", Example: examples("auth list", "auth list --json")},
		{Name: "auth set", NeedsTerminal: true, Args: "PROVIDER", About: "Save an API key",
			Notes:   "Prompts for the key without showing it, or reads it from stdin. The key goes into your system's\nkeyring, or into auth.json in the data folder if there is none. A variable such as OPENAI_API_KEY\ntakes precedence.",
			Example: "  nfa auth set deepseek\n  pass show deepseek | nfa auth set deepseek"},
		{Name: "auth remove", Args: "PROVIDER", About: "Delete a saved API key", Example: examples("auth remove deepseek", "auth remove deepseek --json")},
		{Name: "config", Group: groupSetup, About: "Show and change settings", Example: examples("config", "config set base_currency EUR")},
		{Name: "config show", About: "Show each setting, its value and its origin", Example: examples("config show", "config show --json")},
		{Name: "config set", Args: "KEY VALUE", About: "Change one setting in your settings file", Notes: "For API keys use nfa auth set; edit lists in the file.",
			Example: examples("config set sec.contact you@example.com", "config set base_currency EUR")},
		{Name: "config path", About: "Print the path of your settings file", Example: examples("config path", "config path --json")},
		{Name: "config keys", About: "List the key bindings of the chat",
			Notes: `To change a binding, name the action in your settings file with one key or a list; an empty list
removes it:

  keys:
    page-up: ctrl+b
    new-line: [ctrl+j, f2]`,
			Example: examples("config keys", "config keys --json")},
		{Name: "config permissions", Old: []string{"approvals"}, About: "List and revoke permissions", Example: examples("config permissions", "config permissions remove write_report")},
		{Name: "config permissions list", Old: []string{"approvals list"}, About: "List tools that run without asking", Example: examples("config permissions list", "config permissions list --json")},
		{Name: "config permissions remove", Old: []string{"approvals remove"}, Args: "TOOL [PATTERN]", About: "Revoke the permissions of a tool, or one pattern",
			Example: examples("config permissions remove write_report", "config permissions remove run_skill 'reports/*'")},
		{Name: "serve", NeedsTerminal: true, Hidden: true, About: "Serve the chat to others", Example: examples("serve ssh", "serve ssh --listen :2222")},
		{Name: "serve ssh", NeedsTerminal: true, About: "Serve the chat over SSH to the keys you list",
			Notes:   "Runs in the foreground until interrupted. Linux only. See docs/ssh.md for an example.\nSIGHUP reloads the users file.",
			Example: examples("serve ssh", "serve ssh --listen :2222 --users /etc/nfa/users.yaml")},
		{Name: "serve ssh install", NeedsTerminal: true, About: "Print a systemd unit for the server", Example: examples("serve ssh install", "serve ssh install --listen :2222")},
		{Name: "store", Group: groupSetup, About: "Show where your data is, and share it", Notes: "Your data is in the data folder, or in a shared store on PostgreSQL.", Example: examples("store", "store --json")},
		{Name: "store init", Args: "ADDRESS", About: "Create the tables of a shared store", Notes: "Run it as the owner of the database. It also upgrades tables of an older version.",
			Example: examples("store init postgres://postgres@localhost/nfa", "store init postgres://admin@db.example.org/nfa")},
		{Name: "store adduser", NeedsTerminal: true, Args: "ADDRESS NAME", About: "Add a person to a shared store", Notes: "Run it as the owner of the database. Prompts for a password, or reads it from stdin.",
			Example: examples("store adduser postgres://postgres@localhost/nfa anna", "store adduser postgres://admin@db.example.org/nfa ben")},
		{Name: "store share", Args: "NAME", About: "Let another person view or edit your data", Example: examples("store share ben", "store share ben --edit")},
		{Name: "store unshare", Args: "NAME", About: "Stop sharing your data with a user", Example: examples("store unshare ben", "store unshare ben --json")},
		{Name: "store check", Args: "CHANGE", About: "Show whether a change was saved before the connection was lost", Example: examples("store check 0b8b3a0e-6a1f-4c5e-9d6a-2f1b7c3d4e5f", "store check 0b8b3a0e-6a1f-4c5e-9d6a-2f1b7c3d4e5f --json")},
		{Name: "store copy", About: "Copy your data to the shared store, or back", Notes: "The target must be empty. nfa compares both afterward; the source is unchanged.",
			Example: examples("store copy --dry-run", "store copy --from postgres --to sqlite")},
		{Name: "doctor", Activity: "Checking nfa", Group: groupSetup, About: "Diagnose configuration, data sources and skills", Notes: "Sends no request without --live. Exits with 1 if it finds a problem.", Example: examples("doctor", "doctor --live")},
		{Name: "version", Hidden: true, About: "Print the version and its build information", Notes: "--sbom - reads another program: go version -m FILE | nfa version --sbom -", Example: examples("version", "version --sbom")},
		{Name: "version man", NeedsTerminal: true, Args: "FOLDER", About: "Write the manual pages", Hidden: true, Example: examples("version man man", "version man /usr/local/share/man/man1")},
	}
}

func extendCommands() []Command {
	return []Command{
		{Name: "skills", Slash: "skills", Group: groupExtend, About: "Use and manage skills", Example: examples("skills", "skills run get-price AAPL")},
		{Name: "skills list", Args: "[WORD...]", About: "List skills that contain all words", Example: examples("skills list portfolio", "skills list --all")},
		{Name: "skills show", Args: "NAME", About: "Show a skill and where it is stored", Example: examples("skills show get-price", "skills show get-price --render symbols=AAPL")},
		{Name: "skills run", NeedsTerminal: true, Args: "NAME [KEY=VALUE...] [-]", About: "Run a skill once and print the result",
			Notes: `nfa runs the steps of a workflow itself, without a model, and asks once before it writes or executes
(--yes approves). Other skills go to the model, as with nfa ask. A final "-" appends stdin.`,
			Example: examples("skills run compare-assets symbols=AAPL,MSFT", "skills run what-if-monthly-saving monthly=500 years=20 --dry-run")},
		{Name: "skills create", NeedsTerminal: true, Args: "NAME", About: "Create a skill",
			Example: examples(`skills create weekly-review --description "Reviews my watchlist. Use when I ask how the week went."`, `skills create weekly-review --from notes.md --description "Reviews my watchlist"`)},
		{Name: "skills edit", NeedsTerminal: true, Args: "NAME", About: "Edit one of your skills in $VISUAL or $EDITOR", Notes: "An invalid version is not used but kept in a separate file. Changing the name in the file renames the skill.",
			Example: examples("skills edit weekly-review", "skills edit weekly-review --from SKILL.md")},
		{Name: "skills clone", Args: "NAME NEW", About: "Copy a skill and its files into your own folder", Example: examples("skills clone get-price my-price", "skills clone get-price my-price --json")},
		{Name: "skills delete", Args: "NAME", About: "Delete one of your skills and its folder", Example: examples("skills delete weekly-review", "skills delete weekly-review --yes")},
		{Name: "skills enable", Args: "NAME", About: "Let the assistant use a skill again", Example: examples("skills enable get-price", "skills enable get-price --json")},
		{Name: "skills disable", Args: "NAME", About: "Keep the assistant from using a skill", Example: examples("skills disable get-price", "skills disable get-price --json")},
		{Name: "skills import", Args: "PATH", About: "Import a SKILL.md file, a folder or a zip archive of skills", Notes: "Imports all skills or none. Read a skill before you use it: nfa skills show NAME.",
			Example: examples("skills import ~/Downloads/skills.zip", "skills import ./weekly-review --rename monday-review")},
		{Name: "skills install", Args: "REPOSITORY[@REF]", About: "Install skills from a git repository",
			Notes:   "REPOSITORY is OWNER/REPO on github.com, a URL or a local path. The commit is pinned in skills-lock.json. Shows the files and asks for confirmation.",
			Example: examples("skills install anthropics/skills --skill pdf", "skills install https://gitlab.com/me/skills@v1.2 --all")},
		{Name: "skills outdated", About: "List installed skills and newer versions", Example: examples("skills outdated", "skills outdated --json")},
		{Name: "skills update", Args: "[NAME...]", About: "Update installed skills", Notes: "Shows the changes and asks for confirmation. Review changed steps and scripts again before you run them.",
			Example: examples("skills update", "skills update pdf --yes")},
		{Name: "skills rollback", Args: "NAME", About: "Undo the last update of a skill", Example: examples("skills rollback pdf", "skills rollback pdf --json")},
		{Name: "skills export", Args: "NAME... -o FILE", About: "Write skills to a zip archive, or one to a SKILL.md", Example: examples("skills export weekly-review send-report -o skills.zip", "skills export weekly-review -o SKILL.md")},
		{Name: "skills validate", Args: "PATH...", About: "List the problems of skills", Notes: "Stricter than loading: a skill with problems may still work. Exits with 1 if there is a problem.",
			Example: examples("skills validate ./weekly-review", "skills validate skills/* --format-only")},
		{Name: "skills fix", Args: "PATH", About: "Repair a SKILL.md in place", Notes: "Adds missing front matter or a name, quotes text, renames skill.md. Exits with 1 if problems remain.",
			Example: examples("skills fix ./weekly-review", "skills fix ./weekly-review/SKILL.md --json")},
		{Name: "skills doctor", About: "Show which skills are usable, and why others are not", Example: examples("skills doctor", "skills doctor --json")},
		{Name: "skills test", Args: "NAME... | --all", About: "Run the tests of skills (evals.yaml)",
			Notes: `The file has the model's replies; the tools are real and use sample data, with the clock at ` + SkillTestTime().Format("2006-01-02") + `.
Tools that write or execute are refused. Exits with 1 if a test fails.`,
			Example: examples("skills test get-price", "skills test --all")},
		{Name: "skills trust", Args: "[FOLDER]", About: "Trust the skills of a project", Notes: "Applies to .nfa/skills, .agents/skills and .claude/skills, up to the root of the git repository. Changed files are not used until you trust them again.", Example: examples("skills trust", "skills trust --list")},
		{Name: "skills python", Old: []string{"python"}, About: "Manage the Python runtime of skills", Example: examples("skills python", "skills python install")},
		{Name: "skills python status", Old: []string{"python status"}, About: "Show how Python steps run",
			Notes: `The system's Python is not a sandbox: a script can read your files and use the network. The sandbox
(CPython compiled to WebAssembly) has no network, no files except the skill's, no packages such as
numpy and no time zones, and is 10 to 20 times slower. The setting python.runtime selects one. Exits
with 1 if Python steps cannot run.`,
			Example: examples("skills python status", "skills python status --json")},
		{Name: "skills python install", Old: []string{"python install"}, About: "Download the Python sandbox (26 MB)", Example: examples("skills python install", "skills python install --yes")},
		{Name: "skills python remove", Old: []string{"python remove"}, About: "Delete the Python sandbox", Example: examples("skills python remove", "skills python remove --json")},
		{Name: "agents", Slash: "agent", SlashArgs: "[NAME]", Group: groupExtend, About: "List and show agents", Example: examples("agents", "agents show analyst")},
		{Name: "agents list", About: "List agents", Example: examples("agents list", "agents list --json")},
		{Name: "agents show", Args: "NAME", About: "Show an agent's instructions, tools and model", Example: examples("agents show analyst", "agents show analyst --raw")},
		{Name: "acp", NeedsTerminal: true, Group: groupExtend, About: "Use the agent in an editor (Agent Client Protocol)",
			Notes: `An editor such as Zed starts nfa and communicates over stdin and stdout. It shows answers, tool calls
and approvals; its sessions are ordinary nfa sessions.`,
			Example: examples("acp", "acp --model ollama/qwen3")},
		{Name: "mcp", NeedsTerminal: true, Group: groupExtend, About: "Offer the tools to other programs (Model Context Protocol)",
			Notes: `The program starts nfa and communicates over stdin and stdout. It can use the read-only tools;
the setting share_amounts decides whether it sees amounts in your portfolio. With --write it can
also propose changes: it shows you each one, and nothing changes until you accept.`,
			Example: examples("mcp install claude", "mcp --tools quote,price_history --write")},
		{Name: "mcp install", Args: "PROGRAM", About: "Print the settings that add nfa to a program", Notes: "PROGRAM is claude, cursor, zed or vscode.",
			Example: examples("mcp install claude", "mcp install cursor --write-file")},
		{Name: "mcp add", Args: "NAME [-- COMMAND ARGS...]", About: "Add an MCP server so that the agent can call its tools",
			Notes: `nfa starts COMMAND with ARGS, or connects to --url. It asks before each tool call, except for tools
listed in --read. Keep secrets in saved keys: --env TOKEN='${TOKEN}' and nfa auth set TOKEN.`,
			Example: examples("mcp add broker --read get_holdings -- broker-mcp --read-only", "mcp add docs --url https://docs.example/mcp")},
		{Name: "mcp list", About: "List MCP servers with their tools", Example: examples("mcp list", "mcp list --json")},
		{Name: "mcp test", Args: "NAME", About: "Start an MCP server and list its tools", Example: examples("mcp test broker", "mcp test broker --json")},
		{Name: "mcp remove", Args: "NAME", About: "Remove an MCP server from your settings", Example: examples("mcp remove broker", "mcp remove broker --json")},
		{Name: "mcp import", Args: "FILE", About: "Add the MCP servers from another program's settings", Notes: "FILE has the format of .mcp.json. Secrets in FILE become references to saved keys.",
			Example: examples("mcp import .mcp.json", "mcp import ~/.cursor/mcp.json")},
		{Name: "mcp trust", Args: "[NAME]", About: "Review and trust the MCP servers in this folder, or a server's changed tools",
			Notes:   "A server from a folder or an editor starts only after you trust it. If it changes, review it again.",
			Example: examples("mcp trust", "mcp trust broker --yes")},
		{Name: "tools", Slash: "tools", SlashArgs: "[NAME]", Group: groupExtend, About: "List, describe and call tools", Example: examples("tools", "tools show quote")},
		{Name: "tools list", About: "List tools", Example: examples("tools list", "tools list --json")},
		{Name: "tools show", Args: "NAME", About: "Show a tool's description and parameters", Example: examples("tools show quote", "tools show quote --json")},
		{Name: "tools call", NeedsTerminal: true, Args: "NAME", About: "Call a tool and print its result", Example: examples(`tools call quote --args '{"symbols":["AAPL"]}'`, `tools call calculate --args '{"expression":"0.1+0.2"}'`)},
	}
}

// chatCommands returns the commands that only the chat has.
func chatCommands() []Command {
	rows := []Command{
		{Slash: "symbols", Group: groupChat, Args: "[words]", About: "Browse symbols: yours, then all others"},
		{Slash: "why", Group: groupChat, Args: "[3 | 23.4% | last 2]", About: "Show the figures of an answer and the source of each"},
		{Slash: "export", Group: groupChat, Args: "[file]", About: "Save this session to a .md or .json file"},
		{Slash: "cost", Group: groupChat, About: "Show tokens and cost of the last turn and the session"},
		{Slash: "compact", Group: groupChat, About: "Summarize earlier turns to free context; the transcript is unchanged"},
		{Slash: "reload", Group: groupChat, About: "Reload skills from disk"},
	}
	for _, c := range tui.OwnCommands() {
		rows = append(rows, Command{Slash: c.Name, Group: groupChat, Args: c.Hint, About: c.About})
	}
	return rows
}

// orList joins words as "a, b or c".
func orList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// setTransaction parses KIND [SYMBOL [QUANTITY]].
func setTransaction(words []string, in map[string]any) error {
	in["kind"] = words[0]
	if len(words) > 1 && movesCash(words[0]) {
		if n, err := parseNumber("AMOUNT", words[1]); err == nil { // "deposit 5000 USD"
			if in["amount"] != nil {
				return usage.Errorf("give the amount either as %s or with --amount, not both", words[1])
			}
			in["amount"] = n
			if len(words) > 2 {
				in["currency"] = words[2]
			}
			return nil
		}
	}
	if len(words) > 1 {
		in["symbol"] = words[1]
	}
	if len(words) < 3 {
		return nil
	}
	n, err := parseNumber("QUANTITY", words[2])
	in["quantity"] = n
	return err
}

// movesCash reports whether a kind of transaction needs no security.
func movesCash(kind string) bool {
	switch portfolio.Kind(strings.ToLower(kind)) {
	case portfolio.KindDeposit, portfolio.KindWithdrawal, portfolio.KindFee, portfolio.KindFeeRefund, portfolio.KindTax, portfolio.KindTaxRefund, portfolio.KindInterest,
		portfolio.KindInterestDue, portfolio.KindExchange:
		return true
	}
	return false
}

// setComparison parses symbols, separated by spaces or commas, and an optional range after at least
// two of them.
func setComparison(words []string, in map[string]any) error {
	symbols := strings.FieldsFunc(strings.Join(words, " "), func(r rune) bool { return r == ' ' || r == ',' })
	if last := len(symbols) - 1; last > 1 && in["from"] == nil && in["to"] == nil && symbols[last] != "ALL" && rangePattern().MatchString(symbols[last]) {
		symbols, in["range"] = symbols[:last], symbols[last]
	}
	in["symbols"] = symbols
	return nil
}
