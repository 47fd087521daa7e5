package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
	"github.com/nfa-cli/nfa/internal/usage"
)

// SlashCall is a parsed slash command of a row with a Tool.
type SlashCall struct {
	Arguments string // of the tool, as JSON
	JSON      bool   // print JSON
	Yes       bool   // do not ask for confirmation
}

// ParseSlash parses the words after a slash command as the command line does. If arguments are
// missing, the error is a *tui.MissingInputError that asks for them.
func (c Command) ParseSlash(words []string) (SlashCall, error) {
	flags := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	var call SlashCall
	c.AddFlags(flags)
	flags.BoolVar(&call.JSON, "json", false, "")
	if c.Writes {
		flags.BoolVarP(&call.Yes, "yes", "y", false, "")
	}
	if err := flags.Parse(words); err != nil {
		return call, c.UsageError(err)
	}
	args := flags.Args()
	if c.MaxArgs >= 0 && len(args) > c.MaxArgs {
		if c.MaxArgs == 0 && len(Subcommands(c.Name)) > 0 {
			return call, c.UsageError(fmt.Errorf("unknown subcommand %q", args[0]))
		}
		return call, c.UsageError(nil)
	}
	if missing := c.missingFields(args, flags); len(missing) > 0 {
		return call, c.askFor(missing, words)
	}
	for i, word := range args {
		args[i] = cli.ExpandHome(word)
	}
	var err error
	if call.Arguments, err = c.Arguments(args, flags, strings.NewReader("")); err != nil {
		return call, c.UsageError(err)
	}
	return call, nil
}

// Usage returns the usage of a slash command with an example.
func (c Command) Usage() string {
	args := c.Args
	if subcommands := Subcommands(c.Name); args == "" && len(subcommands) > 0 {
		args = "[" + strings.Join(subcommands, " | ") + "]"
	}
	text := strings.TrimSpace("usage: /" + c.Name + " " + args)
	example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
	if line, ok := strings.CutPrefix(example, "nfa "); ok {
		text += "   e.g. /" + line
	}
	return text
}

// UsageError returns an error with the usage, after the reason if there is one.
func (c Command) UsageError(reason error) error {
	if reason == nil {
		return usage.Errorf("%s", c.Usage())
	}
	return usage.Errorf("%w; %s", reason, c.Usage())
}

// argumentNames returns the names in Args, such as KIND, SYMBOL and QUANTITY of "KIND [SYMBOL
// [QUANTITY]]", and how many of them are required.
func (c Command) argumentNames() (names []string, required int) {
	for _, word := range strings.Fields(c.Args) {
		if word == "|" || strings.HasPrefix(word, "-") {
			break
		}
		if !strings.HasPrefix(word, "[") && required == len(names) {
			required++
		}
		name, _, _ := strings.Cut(strings.Trim(word, "[]."), "[")
		names = append(names, strings.TrimSuffix(name, "..."))
	}
	return names, required
}

// missingFields returns the fields of a form for required arguments and flags that are missing, with
// the optional arguments after them. It returns none if nothing required is missing.
func (c Command) missingFields(args []string, flags *pflag.FlagSet) []widget.FormField {
	var fields []widget.FormField
	complete := true
	names, required := c.argumentNames()
	for i := len(args); i < len(names); i++ {
		complete = complete && i >= required
		fields = append(fields, widget.FormField{Name: strings.ToLower(names[i]), Required: i < required})
	}
	for _, key := range c.Required {
		if flag, name := c.flagOf(key); flags != nil && !flags.Changed(name) {
			complete = false
			field := widget.FormField{Name: name, Required: true, About: strings.TrimSuffix(strings.ReplaceAll(flag.About, "`", ""), " (required)")}
			if key == "date" {
				field.Value = time.Now().Format(time.DateOnly)
			}
			fields = append(fields, field)
		}
	}
	if complete {
		return nil
	}
	return fields
}

func (c Command) flagOf(key string) (f Flag, name string) {
	if i := slices.IndexFunc(c.Flags, func(f Flag) bool { return f.Key == key }); i >= 0 {
		f = c.Flags[i]
	}
	return f, Flag{Key: key}.Name()
}

// MissingArguments returns the form that asks for required arguments if none is given, or nil. It is
// for rows without a Tool, whose flags are parsed elsewhere.
func (c Command) MissingArguments(words []string) error {
	if len(words) > 0 {
		return nil
	}
	fields := c.missingFields(nil, nil)
	if len(fields) == 0 {
		return nil
	}
	return c.askFor(fields, nil)
}

// askFor returns an error that asks for the fields in a form. The form sends the complete command line.
func (c Command) askFor(fields []widget.FormField, words []string) error {
	return &tui.MissingInputError{Title: c.Name, Fields: fields, Line: func(values map[string]string) (string, error) {
		line := append([]string{"/" + c.Name}, words...)
		for _, f := range fields {
			value := values[f.Name]
			if value == "" {
				continue
			}
			if slices.Contains(c.Required, strings.ReplaceAll(f.Name, "-", "_")) {
				line = append(line, "--"+f.Name)
			}
			line = append(line, cli.QuoteWord(value))
		}
		return strings.Join(line, " "), nil
	}}
}

// ResultJSON formats JSON for the chat.
func ResultJSON(value any) (string, error) {
	raw, err := json.MarshalIndent(value, "", "  ")
	return "```json\n" + string(raw) + "\n```\n", err
}

// parseCommand returns the tool and the arguments of a command such as "quote AAPL", or of a tool with JSON
// such as `returns_stats {"symbol":"AAPL"}`. It reads no files.
func (a *App) parseCommand(command string) (name, args string, err error) {
	name, args, _ = strings.Cut(command, " ")
	if args = strings.TrimSpace(args); args == "" {
		args = "{}"
	}
	if _, isTool := a.Tools.Lookup(name); isTool && strings.HasPrefix(args, "{") {
		return name, args, nil
	}
	words, err := cli.SplitWords(command)
	if err != nil {
		return "", "", err
	}
	row, rest, ok := LookupSlash(words)
	if !ok || row.Tool == "" {
		return "", "", fmt.Errorf("no command or tool %s; nfa does not run shell commands", words[0])
	}
	if slices.ContainsFunc(rest, func(word string) bool { return strings.HasPrefix(word, "@") || strings.Contains(word, "=@") }) {
		return "", "", errors.New("arguments cannot come from a file here")
	}
	call, err := row.ParseSlash(rest)
	return row.Tool, call.Arguments, err
}
