package app

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Command is a row of the command table. The command line, the slash commands with their completion
// and help, and docs/commands.md are made from it.
//
// A row with a Tool needs no other code: `nfa quote VTI`, /quote VTI and a model's call run the
// same tool and show the same result. Other rows are implemented in cmd/nfa for the command line
// and in internal/app/screens for the chat.
type Command struct {
	Name string // the words after nfa, such as "portfolio lots"; "" for the chat only
	// Slash is a shorter name in the chat, such as "lots" for /portfolio lots. Name works there too.
	Slash   string
	Group   string // heading in help
	About   string // one-line description
	Args    string // arguments, such as "SYMBOL [RANGE]"
	Example string // command lines, one per line
	Notes   string // shown at the end of help
	Hidden  bool   // not listed in help
	// Old are former names. They work but are hidden.
	Old []string
	// NeedsTerminal means that the chat cannot run it, for example because it asks for a secret.
	NeedsTerminal bool

	Tool     string
	Fixed    map[string]any // tool arguments that are the same in each call
	Flags    []Flag
	Required []string // keys of required flags
	// MinArgs and MaxArgs limit the number of arguments; a negative maximum means no limit.
	MinArgs, MaxArgs int
	// SetArgs converts the words to tool arguments; nil takes none.
	SetArgs func(words []string, in map[string]any) error
	// Wrap converts all collected arguments to the final ones; nil returns them unchanged.
	Wrap func(in map[string]any) (map[string]any, error)
	// Writes means that the planned change is shown and confirmed, unless --yes is given.
	Writes bool
	// Unasked means that the command runs without confirmation although it Writes: its arguments say
	// everything, and it is easy to undo.
	Unasked bool
	// Activity is shown while the command runs in the chat: "Checking your portfolio".
	Activity string
	// Complete returns completions for the next word; nil completes nothing.
	Complete func(words []string) []string

	// SlashArgs is the hint in the chat, if it differs from Args.
	SlashArgs string
}

// SplitCommand splits a command line name into its parent ("" at the top level) and its last word.
func SplitCommand(name string) (parent, word string) {
	i := strings.LastIndex(name, " ")
	return name[:max(i, 0)], name[i+1:]
}

// Hint returns the arguments of the slash command.
func (c Command) Hint() string {
	if c.SlashArgs != "" {
		return strings.ToLower(c.SlashArgs)
	}
	return strings.ToLower(c.Args)
}

// LookupCommand returns the row with a current or former command line name.
func LookupCommand(name string) (Command, bool) {
	return findCommand(func(c Command) bool { return c.Name == name || slices.Contains(c.Old, name) })
}

// LookupSlash returns the row for the words of a slash command, by the longest name, and the words
// after the name.
func LookupSlash(words []string) (row Command, rest []string, ok bool) {
	for n := min(len(words), 3); n > 0; n-- {
		name := strings.Join(words[:n], " ")
		row, ok = findCommand(func(c Command) bool { return c.Slash == name || c.Name == name || slices.Contains(c.Old, name) })
		if ok {
			return row, words[n:], true
		}
	}
	if len(words) > 1 {
		if parent, ok := findCommand(func(c Command) bool { return c.Slash == words[0] && c.Name != c.Slash && c.Name != "" }); ok {
			return LookupSlash(append([]string{parent.Name}, words[1:]...))
		}
	}
	return Command{}, nil, false
}

// SlashNames returns the one-word names in the chat and which of them is listed. A command such as
// /portfolio import has none: its parent runs it.
func (c Command) SlashNames() (listed string, names []string) {
	for i, name := range append([]string{c.Slash, c.Name}, c.Old...) {
		if name == "" || strings.Contains(name, " ") || slices.Contains(names, name) {
			continue
		}
		if names = append(names, name); i < 2 && listed == "" {
			listed = name
		}
	}
	return listed, names
}

// InChat returns the command as it is typed in the chat, or "" if it works only on the command line.
func (c Command) InChat() string {
	if c.NeedsTerminal || c.Hidden && c.Slash == "" {
		return ""
	}
	return "/" + cmp.Or(c.Slash, c.Name)
}

// commandLinePattern matches a command line in a text.
var commandLinePattern = lazyregexp.New(`\bnfa( [a-z][a-z-]*){1,3}`)

// InChat writes the commands in a text as they are typed in the chat: /portfolio import.
func InChat(text string) string {
	return commandLinePattern().ReplaceAllStringFunc(humanize.ForPeople(text), func(line string) string {
		row, rest, ok := LookupSlash(strings.Fields(line)[1:])
		if !ok || row.InChat() == "" {
			return line
		}
		return strings.Join(append([]string{"/" + row.Name}, rest...), " ")
	})
}

// Subcommands returns the last words of the commands below a name.
func Subcommands(name string) []string {
	var words []string
	for _, c := range commandTable() {
		if parent, word := SplitCommand(c.Name); parent == name && parent != "" && !c.Hidden && !c.NeedsTerminal {
			words = append(words, word)
		}
	}
	return words
}

func findCommand(matches func(Command) bool) (Command, bool) {
	all := commandTable()
	if i := slices.IndexFunc(all, matches); i >= 0 {
		return all[i], true
	}
	return Command{}, false
}

// The headings in help.
const (
	groupAsk       = "Ask"
	groupMarkets   = "Markets"
	groupCompanies = "Companies"
	groupPortfolio = "Portfolio"
	groupSetup     = "Setup"
	groupExtend    = "Extend"
	groupChat      = "Chat"
)

// CommandGroups returns the headings in the order of help.
func CommandGroups() []string {
	return []string{groupAsk, groupMarkets, groupCompanies, groupPortfolio, groupSetup, groupExtend}
}

// inOrder assigns words to keys by position.
func inOrder(keys ...string) func([]string, map[string]any) error {
	return func(words []string, in map[string]any) error {
		for i, word := range words {
			in[keys[i]] = word
		}
		return nil
	}
}

// asText joins all words into one text.
func asText(key string) func([]string, map[string]any) error {
	return func(words []string, in map[string]any) error {
		if len(words) > 0 {
			in[key] = strings.Join(words, " ")
		}
		return nil
	}
}

// rangePattern matches a range, or a likely misspelling of one, for toolkit.ParsePeriod.
var rangePattern = lazyregexp.New(`(?i)^(\d+[a-z]*|ytd|max|all)$`)

// setChart parses comma-separated symbols, then a range and a kind in any order. It passes other
// words on: the tool rejects them and lists the allowed values.
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

// completeChart returns ranges and kinds after the symbol, until one is typed.
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

// listLots converts lots of a sale to the form of the tool.
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

// setTargets parses "VTI=60%" and "VTI=0.6".
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

// listTargets converts targets to the form of the tool portfolio_settings.
func listTargets(in map[string]any) (map[string]any, error) {
	weights, ok := in["targets"].(map[string]json.Number)
	switch none := in["none"] == true; {
	case ok == none:
		return nil, usage.Errorf("missing targets; pass targets such as VTI=60%%, or --none (nfa portfolio settings shows the current targets)")
	case none:
		return map[string]any{"no_targets": true}, nil
	}
	var list []any
	for _, symbol := range sortedKeys(weights) {
		list = append(list, map[string]any{"symbol": symbol, "weight": weights[symbol]})
	}
	return map[string]any{"targets": list}, nil
}

// parseWeight parses a weight from 0 to 1.
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
