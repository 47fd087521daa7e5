package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tools"
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
	Notes   string // what the reader must know besides; help shows it last
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
			return usage.Errorf("invalid target %.60q; write VTI=60%% or VTI=0.6", word)
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
		return nil, usage.Errorf("missing targets; pass VTI=60%% or --none (nfa portfolio settings shows the current targets)")
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
		err = fmt.Errorf("weight %s is not between 0%% and 100%%", text)
	}
	return n, err
}
