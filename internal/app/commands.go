package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Command is a row of the table of commands. The command line, the slash commands of the chat,
// their completion and help, and docs/commands.md are made from it.
//
// A row with a Tool needs no other code: `nfa quote VTI`, /quote VTI and the call of a model run the
// same tool and show the same result. What another row does is in cmd/nfa for the command line and in
// internal/app/screens for the chat.
type Command struct {
	Name    string // the words after nfa, such as "portfolio lots"; "" if only the chat has it
	Slash   string // the name in the chat, "macro yields" if /macro runs it; "" if only the command line has it
	Group   string // the heading in help
	About   string // what it does, in one line
	Args    string // the arguments, such as "SYMBOL [RANGE]"
	Example string // a line each
	Hidden  bool   // from help
	// Old are former names on the command line. They work and no help shows them. Those of one word
	// also work in the chat if the command has a Slash.
	Old []string

	Tool     string
	Fixed    map[string]any // arguments of the tool that are the same in each call
	Flags    []Flag
	Required []string // keys of flags that must be given
	// MinArgs and MaxArgs are the number of words that it takes; a negative maximum means no limit.
	MinArgs, MaxArgs int
	// SetArgs puts the words into the tool's arguments; nil takes none.
	SetArgs func(words []string, in map[string]any) error
	// Wrap makes the tool's arguments of all that was gathered; nil leaves them as they are.
	Wrap func(in map[string]any) (map[string]any, error)
	// Writes has the command line show what would be written and ask, unless --yes is given.
	Writes bool
	// Complete returns what may follow the words already typed; nil completes nothing.
	Complete func(words []string) []string

	// The chat takes these words instead, if SlashArgs is not "".
	SlashArgs    string
	SlashMaxArgs int
	SlashSetArgs func(words []string, in map[string]any) error
}

// SplitCommand splits a name on the command line into that of the command above it, "" at the top level,
// and its last word.
func SplitCommand(name string) (parent, word string) {
	i := strings.LastIndex(name, " ")
	return name[:max(i, 0)], name[i+1:]
}

// OldSlash are the former names in the chat.
func (c Command) OldSlash() []string {
	if c.Slash == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.Old), func(name string) bool { return strings.Contains(name, " ") })
}

// Hint is the arguments of the slash command.
func (c Command) Hint() string {
	if c.SlashArgs != "" {
		return strings.ToLower(c.SlashArgs)
	}
	return strings.ToLower(c.Args)
}

// LookupCommand returns the row with a name on the command line, or with a former one.
func LookupCommand(name string) (Command, bool) {
	return findCommand(func(c Command) bool { return c.Name == name || slices.Contains(c.Old, name) })
}

// LookupSlash returns the row with a name in the chat, or with a former one.
func LookupSlash(name string) (Command, bool) {
	return findCommand(func(c Command) bool { return c.Slash == name || slices.Contains(c.OldSlash(), name) })
}

func findCommand(matches func(Command) bool) (Command, bool) {
	all := Commands()
	if i := slices.IndexFunc(all, matches); i >= 0 {
		return all[i], true
	}
	return Command{}, false
}

// The headings of commands.
const (
	groupAsk       = "Ask"
	groupMarkets   = "Markets"
	groupCompanies = "Companies"
	groupPortfolio = "Portfolio"
	groupSetup     = "Setup"
	groupExtend    = "Extend"
	groupChat      = "Chat"
)

// CommandGroups returns the headings of the command line, in their order.
func CommandGroups() []string {
	return []string{groupAsk, groupMarkets, groupCompanies, groupPortfolio, groupSetup, groupExtend}
}

// Commands returns the table.
func Commands() []Command {
	return slices.Concat(askCommands(), marketCommands(), portfolioCommands(), settingsCommands(), personalCommands(), setupCommands(), extendCommands(), chatCommands())
}

func askCommands() []Command {
	return []Command{
		{Name: "chat", Group: groupAsk, Args: "[MESSAGE]", About: "Open the chat (the same as nfa alone)"},
		{Name: "ask", Group: groupAsk, Args: "PROMPT", About: "Answer one question on stdout and exit"},
		{Name: "sessions", Slash: "sessions", Group: groupAsk, About: "List, read, resume, fork, export and delete saved sessions"},
		{Name: "sessions list", About: "List the sessions, the last used first"},
		{Name: "sessions show", Args: "ID", About: "Print a session, as Markdown"},
		{Name: "sessions export", Args: "ID", About: "Write a session to a file, for people (md) or programs (json)"},
		{Name: "sessions import", Args: "FILE", About: "Import a session that was exported as JSON"},
		{Name: "sessions fork", Args: "ID", About: "Begin a new session with what was said in another"},
		{Name: "sessions delete", Args: "ID...", About: "Delete sessions, or those not used for some time"},
		{Name: "verify", Group: groupAsk, Args: "FILE", About: "Check the figures of a report against the record written with it"},
		{Name: "context", Slash: "context", Group: groupAsk, About: "Show what the next request to the model holds, with sizes"},
	}
}

func marketCommands() []Command {
	return []Command{
		{Name: "quote", Slash: "quote", Group: groupMarkets, Tool: "quote", Args: "SYMBOL...", About: "Show the newest prices", Example: "  nfa quote AAPL VTI EURUSD=X", MinArgs: 1, MaxArgs: -1,
			SetArgs: func(words []string, in map[string]any) error { in["symbols"] = words; return nil }},
		{Name: "chart", Slash: "chart", Group: groupMarkets, Tool: "chart", Args: "SYMBOL[,SYMBOL...] [RANGE] [" + strings.Join(tools.ChartKinds(), " | ") + "]", About: "Draw a price chart", MinArgs: 1, MaxArgs: -1,
			SetArgs: setChart, Complete: completeChart,
			Example: "  nfa chart VTI\n  nfa chart AAPL 5y candles\n  nfa chart AAPL,MSFT 5y\n  nfa chart '^GSPC' max drawdown --width 120 --height 30"},
		{Name: "history", Slash: "history", Group: groupMarkets, Tool: "price_history", Args: "SYMBOL [RANGE]", About: "Show prices over a range, such as 6m, 5y, ytd, max", Example: "  nfa history VTI 5y", MinArgs: 1, MaxArgs: 2, SetArgs: inOrder("symbol", "range")},
		{Name: "search", Slash: "search", Group: groupMarkets, Tool: "search_symbol", Args: "NAME", About: "Find symbols by name, part of a name, ISIN or CIK", Example: "  nfa search berkshire", MinArgs: 1, MaxArgs: -1, SetArgs: asText("query")},
		{Name: "statements", Slash: "statements", Group: groupCompanies, Tool: "financial_statements", Args: "SYMBOL [STATEMENT]", About: "Show what a company reported: income, balance, cash_flow, per_share or all", Example: "  nfa statements AAPL income", MinArgs: 1, MaxArgs: 2, SetArgs: inOrder("symbol", "statement")},
		{Name: "ratios", Slash: "ratios", Group: groupCompanies, Tool: "key_ratios", Args: "SYMBOL", About: "Show valuation, profitability and growth ratios", Example: "  nfa ratios AAPL", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol")},
		{Name: "filings", Slash: "filings", Group: groupCompanies, Tool: "filings", Args: "SYMBOL", About: "List what a company filed with the SEC", Example: "  nfa filings AAPL", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol")},
		{Name: "news", Slash: "news", Group: groupMarkets, Tool: "news", Args: "SYMBOL", About: "Show company news", Example: "  nfa news AAPL", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol")},
		{Name: "macro", Slash: "macro", Group: groupMarkets, Tool: "macro_series", Args: "SERIES", About: "Show an economic series by its FRED code", Example: "  nfa macro UNRATE", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("series_id")},
		{Name: "macro yields", Slash: "macro yields", Old: []string{"curve"}, Tool: "yield_curve", Args: "[CURVE]", About: "Show a government yield curve: us_treasury, us_treasury_real or euro_area", Example: "  nfa macro yields", MaxArgs: 1, SetArgs: inOrder("curve")},
		{Name: "fx", Slash: "fx", Group: groupMarkets, Tool: "fx_rate", Args: "PAIR [DATE]", About: "Show an exchange rate", Example: "  nfa fx EUR/USD", MinArgs: 1, MaxArgs: 2, SetArgs: inOrder("pair", "date")},
		{Name: "hours", Slash: "hours", Old: []string{"status"}, Group: groupMarkets, Tool: "market_status", Args: "[EXCHANGE]", About: "Show whether an exchange trades, and its next session", Example: "  nfa hours Xetra", MaxArgs: -1, SetArgs: asText("exchange")},
	}
}

// portfolioFlags are flags that many portfolio commands have, before those of one command.
func portfolioFlags(own ...Flag) []Flag {
	return append([]Flag{
		{"accounts", FlagList, "`names` of accounts, with commas between; all when left out"},
		{"currency", FlagText, "`code` of the currency to add up in; base_currency when left out"},
	}, own...)
}

func portfolioCommands() []Command {
	return []Command{
		{
			Name: "portfolio", Slash: "portfolio", Group: groupPortfolio, About: "Show what you hold and what it is worth", Tool: "portfolio_positions",
			Example:   "  nfa portfolio import statement.csv\n  nfa portfolio --currency EUR\n  nfa portfolio performance --benchmark VTI",
			Flags:     portfolioFlags(Flag{"at", FlagText, "`day` to look at, such as 2024-12-31"}),
			SlashArgs: "[ACCOUNT]", SlashMaxArgs: -1, SlashSetArgs: asText("account"),
		},
		{
			Name: "portfolio list", Args: "[SYMBOL]", About: "List what is recorded, the newest first", Tool: "portfolio_transactions", MaxArgs: 1, SetArgs: inOrder("symbol"),
			Flags: []Flag{
				{"account", FlagText, "`name` of an account"}, {"kind", FlagText, "`kind` of transaction, such as dividend"},
				{"from", FlagText, "first `day`"}, {"to", FlagText, "last `day`"}, {"text", FlagText, "only with this `text` in name, note, symbol, ISIN, source or ID"},
				{"limit", FlagNumber, "at most so `many`; 30 when left out"},
			},
		},
		{
			Name: "portfolio lots", Slash: "lots", Args: "[SYMBOL]", About: "Show tax lots with their costs, gains and terms", Tool: "tax_lots", MaxArgs: 1, SetArgs: inOrder("symbol"),
			Example: "  nfa portfolio lots VTI\n  nfa portfolio lots --kind closed --year 2025",
			Flags: []Flag{
				{"account", FlagText, "`name` of an account"}, {"kind", FlagText, "`what`: open, closed, harvest or wash"},
				{"year", FlagNumber, "tax `year`"}, {"jurisdiction", FlagText, "`name` of the tax rules: us or none; those of the profile when left out"},
				{"currency", FlagText, "`code` of the currency to add up in; base_currency when left out"},
			},
		},
		{
			Name: "portfolio performance", Slash: "performance", About: "Show what the portfolio earned, where it came from, and what a benchmark would have", Tool: "portfolio_performance",
			Example: "  nfa portfolio performance\n  nfa portfolio performance --range 1y --benchmark VTI",
			Flags: portfolioFlags(
				Flag{"range", FlagText, "`time` back from today: 6m, 1y, ytd, max"}, Flag{"from", FlagText, "first `day`"}, Flag{"to", FlagText, "last `day`"},
				Flag{"benchmark", FlagText, "`symbol` that the same payments would have gone into, or none; benchmark of the settings when left out"},
				Flag{"method", FlagText, "one `return` alone: time_weighted, money_weighted, modified_dietz or linked_modified_dietz"},
				Flag{"without", FlagList, "`symbols` to leave out, such as one without a price"}),
			SlashArgs: "[BENCHMARK]", SlashMaxArgs: 1, SlashSetArgs: inOrder("benchmark"),
		},
		{
			Name: "portfolio allocation", Slash: "allocation", About: "Show how the portfolio is divided: by class, currency, region, sector and account", Tool: "portfolio_allocation",
			Flags:     portfolioFlags(Flag{"at", FlagText, "`day` to look at"}),
			SlashArgs: "[ACCOUNT]", SlashMaxArgs: -1, SlashSetArgs: asText("account"),
		},
		{
			Name: "portfolio checkup", Slash: "checkup", About: "Check the portfolio by rules, each passed or failed with its number and threshold", Tool: "portfolio_checkup",
			Flags: portfolioFlags(
				Flag{"max_holding", FlagFraction, "most of one holding, a `fraction`: 10%"}, Flag{"max_five_largest", FlagFraction, "most of the five largest, a `fraction`"},
				Flag{"min_effective", FlagNumber, "least effective `number` of holdings"}, Flag{"max_foreign_currency", FlagFraction, "most in other currencies, a `fraction`"},
				Flag{"max_region", FlagFraction, "most of one region, a `fraction`"}, Flag{"max_fee", FlagFraction, "most that funds cost a year, a `fraction`"},
				Flag{"max_cash", FlagFraction, "most cash, a `fraction`"}, Flag{"max_drift", FlagFraction, "furthest from a target, a `fraction`"},
				Flag{"max_correlation", FlagNumber, "highest `correlation` of two holdings"}, Flag{"max_payer", FlagFraction, "most income from one payer, a `fraction`"},
				Flag{"min_yield", FlagFraction, "least income a year, a `fraction`"}, Flag{"max_price_days", FlagNumber, "greatest age of a price in `days`"}),
		},
		{
			Name: "portfolio rebalance", Args: "[SYMBOL=WEIGHT...]", About: "Plan the trades that bring the portfolio to its targets, with their taxes and costs", Tool: "rebalance_plan", MaxArgs: -1,
			Example: "  nfa portfolio rebalance VTI=60% BND=40%\n  nfa portfolio rebalance --new-cash 1000 --only-buy",
			SetArgs: setTargets,
			Flags: portfolioFlags(
				Flag{"band", FlagFraction, "drift that is left alone, a `fraction`: 5%"}, Flag{"relative_band", FlagFraction, "the same as a `part` of the target: 25%"},
				Flag{"aim", FlagText, "how far sales go: `target` or edge"},
				Flag{"new_cash", FlagNumber, "`sum` that comes in; below zero is taken out"}, Flag{"cash_account", FlagText, "`name` of the account that it comes into"},
				Flag{"min_trade", FlagNumber, "smallest `value` of a trade"}, Flag{"fee", FlagNumber, "`sum` for each trade"}, Flag{"fee_rate", FlagFraction, "`fraction` of each trade: 0.1%"},
				Flag{"tax_short", FlagFraction, "tax on short-term gains, a `fraction`"}, Flag{"tax_long", FlagFraction, "tax on long-term gains, a `fraction`"},
				Flag{"leave", FlagList, "`symbols` that are neither traded nor counted"}, Flag{"only_buy", FlagBool, "sell nothing"},
				Flag{"whole_shares", FlagBool, "no parts of shares, which is the standard; --whole-shares=false trades parts"}),
		},
		{
			Name: "portfolio add", Args: "KIND [SYMBOL [QUANTITY]]", About: "Record a transaction", Tool: "add_transaction", MinArgs: 1, MaxArgs: 3, Writes: true, Required: []string{"date"}, Wrap: listLots,
			Example: "  nfa portfolio add buy VTI 10 --price 250.10 --date 2025-03-03 --account ibkr --fee 1\n  nfa portfolio add deposit --amount 5000 --currency USD --date 2025-03-01 --account ibkr",
			SetArgs: func(words []string, in map[string]any) error {
				in["kind"] = words[0]
				if len(words) > 1 {
					in["symbol"] = words[1]
				}
				if len(words) < 3 {
					return nil
				}
				n, err := parseNumber("QUANTITY", words[2])
				in["quantity"] = n
				return err
			},
			Flags: []Flag{
				{"date", FlagText, "`day` of the trade, YYYY-MM-DD"}, {"account", FlagText, "`name` of the account; the only one when left out"},
				{"price", FlagNumber, "`price` of one unit"}, {"amount", FlagNumber, "whole `sum` before fee and tax"}, {"currency", FlagText, "`code` of the currency"},
				{"fee", FlagNumber, "`sum`"}, {"tax", FlagNumber, "`sum`"}, {"note", FlagText, "a remark, as `text`"},
				{"acquired", FlagText, "of a transfer_in: `day` of the purchase"}, {"cost_unknown", FlagBool, "of a transfer_in: nobody knows the cost"},
				{"to_account", FlagText, "of a transfer_out: `name` of the account that receives"}, {"to_symbol", FlagText, "of a merger or spin_off: the other `symbol`"},
				{"to_currency", FlagText, "of a currency_exchange: `code` received"}, {"to_amount", FlagNumber, "of a currency_exchange: `sum` received"},
				{"new", FlagNumber, "of a split or merger: new `shares`"}, {"old", FlagNumber, "of a split or merger: for so many old `shares`"},
				{"cost_part", FlagFraction, "of a spin_off or merger: `fraction` of the cost that goes with it"}, {"short", FlagBool, "of a sell: more than is held"},
				{"lots", FlagPairs, "of a sell or transfer_out: `LOT=QUANTITY`; else the account's cost basis chooses"},
				{"unlisted", FlagBool, "record a security that no source knows"}, {"again", FlagBool, "it happened twice"}, {"new_account", FlagBool, "make the account"},
			},
		},
		{
			Name: "portfolio import", Args: "FILE", About: "Import a broker's file, or standard input for -; what is recorded already is not counted twice", Tool: "import_transactions", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("path"), Writes: true,
			Example: "  nfa portfolio import schwab.csv --account schwab\n  nfa portfolio import trades.csv --cash untracked\n  nfa portfolio import - < book.json",
			Flags: []Flag{
				{"format", FlagText, "`name` of the format; found by the file's header when left out"}, {"account", FlagText, "`name` of the account that it is of"},
				{"cash", FlagText, "`policy` of a new account: tracked, margin or untracked"}, {"zone", FlagText, "time `zone` of the account, such as Europe/Berlin"},
				{"currency", FlagText, "`code` of the account's currency, for files that name none"}, {"mapping", FlagText, "`name` of a saved mapping of columns"},
				{"new_mapping", FlagJSON, "a mapping of columns, as `JSON` or @FILE; it is saved by its name"},
				{"symbols", FlagPairs, "`NAME=SYMBOL` of securities in the file"},
				{"skip_problems", FlagBool, "leave out the lines that cannot be recorded"}, {"opening", FlagBool, "record what the file gives away but never brought in as there before, at an unknown cost"}, {"again", FlagBool, "record also what was entered by hand or from another file"},
				{"take_settings", FlagBool, "of nfa's own JSON: take its accounts, names, facts and targets also where the book says otherwise"},
			},
		},
		{Name: "portfolio remove", Args: "ID", About: "Remove a transaction; nfa portfolio list shows the IDs", Tool: "remove_transaction", MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("id"), Writes: true},
		{Name: "portfolio export", About: "Write the portfolio for other programs: csv, json or ledger"},
	}
}

const settingsTool = "portfolio_settings"

// settingsCommands are the parts of one tool, a command each.
func settingsCommands() []Command {
	return []Command{
		{Name: "portfolio settings", About: "Show accounts, names of securities, what is known of them, and targets", Tool: settingsTool},
		{
			Name: "portfolio account", Args: "NAME", About: "Change an account, or make one with --new", Tool: settingsTool, MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("name"), Writes: true,
			Wrap:    func(in map[string]any) (map[string]any, error) { return map[string]any{"account": in}, nil },
			Example: "  nfa portfolio account ibkr --new --cash margin\n  nfa portfolio account ira --untaxed --cost-basis fifo",
			Flags: []Flag{
				{"new", FlagBool, "make it"}, {"cost_basis", FlagText, "which lots a sale takes: `fifo`, lifo, highest_cost, average or specific"},
				{"cash", FlagText, "`policy`: tracked, margin or untracked"}, {"untaxed", FlagBool, "its gains are not taxed each year"}, {"owner", FlagText, "`who` the tax office sees"},
			},
		},
		{
			Name: "portfolio map", Old: []string{"portfolio name"}, Args: "RECORDED SYMBOL", About: "Say which symbol a security has that was recorded under another name, such as an ISIN", Tool: settingsTool, MinArgs: 2, MaxArgs: 2, Writes: true,
			Example: "  nfa portfolio map IE00B4L5Y983 IWDA.AS",
			SetArgs: func(words []string, in map[string]any) error {
				in["aliases"] = map[string]string{words[0]: words[1]}
				return nil
			},
		},
		{
			Name: "portfolio classify", Old: []string{"portfolio facts"}, Args: "SYMBOL", About: "Say what no price tells of a security: its class, region, sector and yearly fee", Tool: settingsTool, MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"), Writes: true,
			Wrap:    func(in map[string]any) (map[string]any, error) { return map[string]any{"securities": []any{in}}, nil },
			Example: "  nfa portfolio classify VTI --class equity --region US --fee 0.03%",
			Flags: []Flag{
				{"class", FlagText, "`class`: equity, bond, cash, real_estate, commodity, crypto, mixed or other"}, {"region", FlagText, "`region` in your words"},
				{"sector", FlagText, "`sector` in your words"}, {"fee", FlagFraction, "of a fund a year, a `fraction`: 0.07%"},
			},
		},
		{
			Name: "portfolio targets", Args: "SYMBOL=WEIGHT...", About: "Set which part of the portfolio each security is to have; --none removes the targets", Tool: settingsTool, MaxArgs: -1, SetArgs: setTargets, Wrap: listTargets, Writes: true,
			Example: "  nfa portfolio targets VTI=60% BND=35%",
			Flags:   []Flag{{"none", FlagBool, "have no targets"}},
		},
	}
}

// personalCommands are those of the watchlist, the decision journal and the investor profile.
func personalCommands() []Command {
	action := func(name string) map[string]any { return map[string]any{"action": name} }
	return []Command{
		{Name: "profile", Slash: "profile", Group: groupPortfolio, About: "Show your investor profile, and what is not known; in the chat, edit it", Tool: "investor_profile", Example: "  nfa profile ask\n  nfa profile edit"},
		{Name: "profile ask", About: "Answer the questions that are open, one by one"},
		{Name: "profile edit", About: "Edit the profile in $VISUAL or $EDITOR"},
		{
			Name: "profile answer", Args: "ID ANSWER", About: "Answer one question of the interview", Tool: "investor_profile", Fixed: action("answer"), MinArgs: 2, MaxArgs: -1, Writes: true,
			Example: "  nfa profile answer horizon 10 years",
			SetArgs: func(words []string, in map[string]any) error {
				in["answers"] = map[string]string{words[0]: strings.Join(words[1:], " ")}
				return nil
			},
		},
		{
			Name: "profile clear", Args: "[ID...]", About: "Forget answers, or all of them", Tool: "investor_profile", Fixed: action("clear"), MaxArgs: -1, Writes: true,
			SetArgs: func(words []string, in map[string]any) error {
				if len(words) > 0 {
					in["ids"] = words
				}
				return nil
			},
		},
		{
			Name: "watchlist", Slash: "watchlist", Old: []string{"watch"}, Group: groupPortfolio, About: "Show your watchlist, with prices and how far they are from their targets", Tool: "watchlist",
			Example: "  nfa watchlist add VTI --below 250 --note \"after the split\"\n  nfa watchlist",
		},
		{
			Name: "watchlist add", Old: []string{"watch add"}, Args: "SYMBOL", About: "Watch a symbol", Tool: "watchlist", Fixed: action("add"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"), Writes: true,
			Flags: []Flag{
				{"above", FlagNumber, "`price` to look at from below"}, {"below", FlagNumber, "`price` to look at from above"},
				{"currency", FlagText, "`code` of both"}, {"note", FlagText, "why, as `text`"},
			},
		},
		{
			Name: "watchlist remove", Old: []string{"watch remove"}, Args: "SYMBOL", About: "Watch a symbol no longer", Tool: "watchlist", Fixed: action("remove"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("symbol"), Writes: true,
			Flags: []Flag{{"target", FlagText, "take away this target alone: above or `below`"}},
		},
		{
			Name: "journal", Slash: "journal", Group: groupPortfolio, Args: "[ID]", About: "List your decisions, or show one in full by its ID", Tool: "decision_journal", Fixed: action("list"), MaxArgs: 1, SetArgs: inOrder("id"),
			Flags: []Flag{{"symbol", FlagText, "only decisions about this `symbol`"}, {"limit", FlagNumber, "at most so `many`; 20 when left out"}},
		},
		{
			Name: "journal record", Args: "ACTION SYMBOL...", About: "Record a decision with its thesis and what would disprove it", Tool: "decision_journal", Fixed: action("record"), MinArgs: 2, MaxArgs: -1, Required: []string{"thesis", "disproof"}, Writes: true,
			Example: "  nfa journal record buy VTI --thesis \"cheap\" --disproof \"earnings fall two years running\" --benchmark BND",
			SetArgs: func(words []string, in map[string]any) error {
				in["decision"], in["symbols"] = words[0], words[1:]
				return nil
			},
			Flags: []Flag{
				{"thesis", FlagText, "why, as `text`"}, {"disproof", FlagText, "what would show it to be wrong, as `text`"},
				{"benchmark", FlagText, "`symbol` that the money could have gone into"}, {"review_on", FlagText, "`day` to look again"},
				{"confidence", FlagFraction, "how sure you are, a `fraction`: 60%"}, {"price", FlagNumber, "`price` of the time; that of now when left out"}, {"currency", FlagText, "`code` of the price"},
				{"date", FlagText, "earlier `day` on which it was decided"},
			},
		},
		{
			Name: "journal close", Args: "ID OUTCOME", About: "End a decision, with what came of it", Tool: "decision_journal", Fixed: action("close"), MinArgs: 1, MaxArgs: -1, Writes: true,
			SetArgs: func(words []string, in map[string]any) error {
				in["id"] = words[0]
				if len(words) > 1 {
					in["outcome"] = strings.Join(words[1:], " ")
				}
				return nil
			},
		},
		{Name: "journal remove", Args: "ID", About: "Remove a decision that was recorded by mistake", Tool: "decision_journal", Fixed: action("remove"), MinArgs: 1, MaxArgs: 1, SetArgs: inOrder("id"), Writes: true},
		{
			Name: "journal review", Slash: "journal review", Old: []string{"review"}, Args: "[ID]", About: "Score your decisions against what the money could have done instead", Tool: "decision_journal", Fixed: action("review"), MaxArgs: 1, SetArgs: inOrder("id"),
			Flags: []Flag{{"symbol", FlagText, "only decisions about this `symbol`"}},
		},
	}
}

func setupCommands() []Command {
	return []Command{
		{Name: "setup", Slash: "setup", Group: groupSetup, About: "Connect a model, and set what your portfolio needs"},
		{Name: "models", Slash: "model", SlashArgs: "[PROVIDER/MODEL]", Group: groupSetup, About: "List, choose and try the models that can answer"},
		{Name: "models list", About: "List the models that can be had"},
		{Name: "models use", Args: "PROVIDER/MODEL", About: "Let this model answer from now on"},
		{Name: "models test", Args: "[PROVIDER/MODEL]", About: "Try a model: one streamed answer and one tool call"},
		{Name: "auth", Group: groupSetup, About: "Manage the keys of models and data sources"},
		{Name: "auth set", Args: "PROVIDER", About: "Keep a provider's key"},
		{Name: "auth remove", Args: "PROVIDER", About: "Forget a provider's key"},
		{Name: "auth list", About: "List the providers that have a key, and where it is from"},
		{Name: "config", Group: groupSetup, About: "Show the settings, where each comes from, and write them"},
		{Name: "config show", About: "Print each setting, its value and its origin"},
		{Name: "config path", About: "Print where the settings file is"},
		{Name: "config keys", About: "List the keys of the chat and the names to give them others by"},
		{Name: "config set", Args: "KEY VALUE", About: "Write one setting into your file"},
		{Name: "config permissions", Old: []string{"approvals"}, About: "Show and revoke what you have allowed for always"},
		{Name: "config permissions list", Old: []string{"approvals list"}, About: "List what runs without asking"},
		{Name: "config permissions remove", Old: []string{"approvals remove"}, Args: "TOOL [PATTERN]", About: "Ask again: revoke one pattern, or all of a tool"},
		{Name: "doctor", Group: groupSetup, About: "Diagnose settings, model, data sources and skills"},
		{Name: "version", Group: groupSetup, About: "Print the version, and what the program is made of"},
		{Name: "version man", Args: "DIR", About: "Write the manual pages into a folder", Hidden: true},
	}
}

func extendCommands() []Command {
	return []Command{
		{Name: "skills", Slash: "skills", Group: groupExtend, About: "List, use and manage skills"},
		{Name: "skills list", Args: "[WORD...]", About: "List the skills, --all with what is left out or skipped and why"},
		{Name: "skills show", Args: "NAME", About: "Show a skill: what it says and where it lives"},
		{Name: "skills run", Args: "NAME [KEY=VALUE...] [-]", About: "Use a skill once, and print what comes of it"},
		{Name: "skills create", Args: "NAME", About: "Make a skill of your own to start from"},
		{Name: "skills edit", Args: "NAME", About: "Edit a skill of yours in $VISUAL or $EDITOR"},
		{Name: "skills clone", Args: "NAME AS", About: "Copy a skill of any source, with its files, into your own folder"},
		{Name: "skills delete", Args: "NAME", About: "Delete a skill of yours with all that is in its folder"},
		{Name: "skills enable", Args: "NAME", About: "Offer a disabled skill to the assistant again"},
		{Name: "skills disable", Args: "NAME", About: "Keep a skill from being offered to the assistant"},
		{Name: "skills import", Args: "PATH", About: "Import a SKILL.md, a skill's directory, or a zip archive of skills"},
		{Name: "skills export", Args: "NAME... -o FILE", About: "Write skills to a zip archive, or one to a SKILL.md"},
		{Name: "skills validate", Args: "PATH...", About: "Check skills against the rules of the format and list every problem"},
		{Name: "skills fix", Args: "PATH", About: "Repair a SKILL.md in its place, and say what is left to do"},
		{Name: "skills doctor", About: "Show which skills are usable, kept from the assistant, or skipped, and why"},
		{Name: "skills test", Args: "NAME... | --all", About: "Try skills out with their evals.yaml"},
		{Name: "skills trust", Args: "[DIR]", About: "Trust the skills that a project keeps in .nfa/skills"},
		{Name: "skills python", Old: []string{"python"}, About: "Manage what runs the Python steps of skills"},
		{Name: "skills python status", Old: []string{"python status"}, About: "Show what a Python step would run with"},
		{Name: "skills python install", Old: []string{"python install"}, About: "Fetch the sandbox for Python steps, after asking"},
		{Name: "skills python remove", Old: []string{"python remove"}, About: "Delete the sandbox that was fetched"},
		{Name: "agents", Slash: "agent", SlashArgs: "[NAME]", Group: groupExtend, About: "Show the agents that can answer, and switch between them"},
		{Name: "agents list", About: "List the agents"},
		{Name: "agents show", Args: "NAME", About: "Show an agent: its instructions, its tools and its model"},
		{Name: "tools", Slash: "tools", SlashArgs: "[NAME]", Group: groupExtend, About: "List, show and call the tools, without a model"},
		{Name: "tools list", About: "List the tools"},
		{Name: "tools show", Args: "NAME", About: "Show what a tool does and takes"},
		{Name: "tools call", Args: "NAME", About: "Call a tool and print its result"},
	}
}

// chatCommands are those that only the chat has.
func chatCommands() []Command {
	rows := []Command{
		{Slash: "symbols", Group: groupChat, Args: "[words]", About: "Browse the known symbols: your own, and all others"},
		{Slash: "why", Group: groupChat, Args: "[3 | 23.4%]", About: "Show where a figure of the last answer comes from, by its footnote or the number itself"},
		{Slash: "export", Group: groupChat, Args: "[file]", About: "Write this conversation to a file, .md to read or .json"},
		{Slash: "cost", Group: groupChat, About: "Show what the last turn and the conversation used, in tokens and money"},
		{Slash: "compact", Group: groupChat, About: "Summarise what was said, to make room; the transcript stays"},
		{Slash: "reload", Group: groupChat, About: "Scan the skills again"},
	}
	for _, c := range tui.OwnCommands() {
		rows = append(rows, Command{Slash: c.Name, Group: groupChat, Args: c.Hint, About: c.About})
	}
	return rows
}

// inOrder puts each word under the key in its place.
func inOrder(keys ...string) func([]string, map[string]any) error {
	return func(words []string, in map[string]any) error {
		for i, word := range words {
			in[keys[i]] = word
		}
		return nil
	}
}

// asText puts all words under a key, as one text.
func asText(key string) func([]string, map[string]any) error {
	return func(words []string, in map[string]any) error {
		if len(words) > 0 {
			in[key] = strings.Join(words, " ")
		}
		return nil
	}
}

// rangePattern matches what toolkit.ParsePeriod reads as a range, or what was probably meant as one.
var rangePattern = lazyregexp.New(`(?i)^(\d+[a-z]*|ytd|max|all)$`)

// setChart reads symbols separated by commas, then a range and a kind in any order. Other words are
// passed on; the tool refuses them and lists what it accepts.
func setChart(words []string, in map[string]any) error {
	n := 1
	for n < len(words) && (strings.HasSuffix(words[n-1], ",") || strings.HasPrefix(words[n], ",")) {
		n++
	}
	in["symbol"] = strings.Join(words[:n], "")
	var rest []string
	for _, word := range words[n:] {
		if _, hasRange := in["range"]; !hasRange && rangePattern().MatchString(word) {
			in["range"] = word
			continue
		}
		rest = append(rest, word)
	}
	if len(rest) > 0 {
		in["kind"] = strings.Join(rest, " ")
	}
	return nil
}

// completeChart returns ranges and kinds behind the symbol, as long as none was given.
func completeChart(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	in := map[string]any{}
	_ = setChart(words, in) // it has no error
	var offered []string
	if _, present := in["range"]; !present {
		offered = append(offered, "1m", "6m", "1y", "5y", "10y", "ytd", "max")
	}
	if _, present := in["kind"]; !present {
		several := strings.Contains(fmt.Sprint(in["symbol"]), ",")
		offered = append(offered, slices.DeleteFunc(tools.ChartKinds(), func(kind string) bool { return (kind == "compare") != several })...)
	}
	return offered
}

// listLots converts the lots of a sale to the form that the tool takes.
func listLots(in map[string]any) (map[string]any, error) {
	quantities, ok := in["lots"].(map[string]string)
	if !ok {
		return in, nil
	}
	list := []any{}
	for _, lot := range sortedKeys(quantities) {
		n, err := parseNumber("--lots "+lot, quantities[lot])
		if err != nil {
			return nil, err
		}
		list = append(list, map[string]any{"lot": lot, "quantity": n})
	}
	in["lots"] = list
	return in, nil
}

// setTargets reads "VTI=60%" and "VTI=0.6".
func setTargets(words []string, in map[string]any) error {
	if len(words) == 0 {
		return nil
	}
	out := map[string]json.Number{}
	for _, word := range words {
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

// listTargets converts targets to the form that the tool portfolio_settings takes.
func listTargets(in map[string]any) (map[string]any, error) {
	weights, ok := in["targets"].(map[string]json.Number)
	switch none := in["none"] == true; {
	case ok == none:
		return nil, usage.Errorf("say targets such as VTI=60%%, or --none; nfa portfolio settings shows them")
	case none:
		return map[string]any{"no_targets": true}, nil
	}
	var list []any
	for _, symbol := range sortedKeys(weights) {
		list = append(list, map[string]any{"symbol": symbol, "weight": weights[symbol]})
	}
	return map[string]any{"targets": list}, nil
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
