package main

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/usage"
)

// settingsSubcommands are the parts of portfolio_settings, a verb each.
func settingsSubcommands() []toolCommand {
	return []toolCommand{
		{use: "settings", short: "Show accounts, names of securities, what is known of them, and targets, which account, name, facts and targets set", tool: settingsTool},
		{
			use: "account NAME", short: "Change an account, or make one with --new", tool: settingsTool, minArgs: 1, maxArgs: 1, setArgs: firstArg("name"), wrap: nestUnder("account"), writes: true,
			example: "  nfa portfolio account ibkr --new --cash margin\n  nfa portfolio account ira --untaxed --cost-basis fifo",
			flags: []toolFlag{
				{"new", flagBool, "make it"}, {"cost_basis", flagText, "which lots a sale takes: `fifo`, lifo, highest_cost, average or specific"},
				{"cash", flagText, "`policy`: tracked, margin or untracked"}, {"untaxed", flagBool, "its gains are not taxed each year"}, {"owner", flagText, "`who` the tax office sees"},
			},
		},
		{
			use: "name RECORDED SYMBOL", short: "Say which symbol a security has that was recorded under another name, such as an ISIN", tool: settingsTool, minArgs: 2, maxArgs: 2, writes: true,
			example: "  nfa portfolio name IE00B4L5Y983 IWDA.AS",
			setArgs: func(args []string, in map[string]any) error {
				in["aliases"] = map[string]string{args[0]: args[1]}
				return nil
			},
		},
		{
			use: "facts SYMBOL", short: "Say what no price tells of a security: its class, region, sector and yearly fee", tool: settingsTool, minArgs: 1, maxArgs: 1, setArgs: firstArg("symbol"), writes: true,
			example: "  nfa portfolio facts VTI --class equity --region US --fee 0.03%",
			wrap: func(in map[string]any) (map[string]any, error) {
				return map[string]any{"securities": []any{in}}, nil
			},
			flags: []toolFlag{
				{"class", flagText, "`class`: equity, bond, cash, real_estate, commodity, crypto, mixed or other"}, {"region", flagText, "`region` in your words"},
				{"sector", flagText, "`sector` in your words"}, {"fee", flagFraction, "of a fund a year, a `fraction`: 0.07%"},
			},
		},
		{
			use: "targets SYMBOL=WEIGHT...", short: "Say which part of the book each security is to have; --none takes the targets back", tool: settingsTool, maxArgs: -1, setArgs: parseTargets, writes: true,
			example: "  nfa portfolio targets VTI=60% BND=35%", wrap: targetArguments,
			flags: []toolFlag{{"none", flagBool, "have no targets"}},
		},
	}
}

const settingsTool = "portfolio_settings"

// nestUnder puts all arguments under one key.
func nestUnder(key string) func(map[string]any) (map[string]any, error) {
	return func(in map[string]any) (map[string]any, error) { return map[string]any{key: in}, nil }
}

// targetArguments are targets as the tool takes them.
func targetArguments(in map[string]any) (map[string]any, error) {
	weights, ok := in["targets"].(map[string]json.Number)
	switch none := in["none"] == true; {
	case ok == none:
		return nil, usage.Errorf("say targets such as VTI=60%%, or --none; nfa portfolio settings shows them")
	case none:
		return map[string]any{"no_targets": true}, nil
	}
	var list []any
	for _, symbol := range slices.Sorted(maps.Keys(weights)) {
		list = append(list, map[string]any{"symbol": symbol, "weight": weights[symbol]})
	}
	return map[string]any{"targets": list}, nil
}
