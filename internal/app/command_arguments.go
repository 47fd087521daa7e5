package app

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Flag is a tool argument as a flag. Its name is the key with dashes, unless flagNames has another.
type Flag struct {
	Key   string
	Kind  FlagKind
	About string
}

// FlagKind is the type of a flag's value.
type FlagKind int

// Kinds of flags.
const (
	FlagText FlagKind = iota
	FlagNumber
	FlagFraction // a fraction: 0.05 or 5%
	FlagBool     // true, or false by --flag=false
	FlagList
	FlagPairs // NAME=TEXT
	FlagJSON  // JSON, @FILE, or - for standard input
)

// flagNames maps keys to flags with another name. The key also works, as a hidden flag.
var flagNames = map[string]string{"at": "date"}

// Name returns the name of the flag.
func (f Flag) Name() string {
	if name, ok := flagNames[f.Key]; ok {
		return name
	}
	return strings.ReplaceAll(f.Key, "_", "-")
}

// WithFlags returns a text for models with the flags of the command instead of the arguments of its tool.
// It replaces a key only where it names the argument, because a one-word key may also be an English word.
func (c Command) WithFlags(text string) string {
	for _, f := range c.Flags {
		flag := "--" + f.Name()
		switch {
		case strings.Contains(f.Key, "_"):
			text = regexp.MustCompile(`\b`+f.Key+`( true)?\b`).ReplaceAllString(text, flag)
		case f.Kind == FlagBool:
			text = regexp.MustCompile(`\b`+f.Key+` true\b`).ReplaceAllString(text, flag)
		default:
			text = regexp.MustCompile(`\bname the `+f.Key+`\b`).ReplaceAllString(text, "$0 with "+flag)
			text = regexp.MustCompile(`\b(call again with|choose one with|give|set) `+f.Key+`\b`).ReplaceAllString(text, "${1} "+flag)
		}
	}
	return text
}

// AddFlags adds the flags to a command.
func (c Command) AddFlags(flags *pflag.FlagSet) {
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		for _, f := range c.Flags {
			if name == f.Key {
				name = f.Name()
			}
		}
		return pflag.NormalizedName(name)
	})
	for _, f := range c.Flags {
		switch f.Kind {
		case FlagBool:
			flags.Bool(f.Name(), false, f.About)
		case FlagList:
			flags.StringSlice(f.Name(), nil, f.About)
		case FlagPairs:
			flags.StringToString(f.Name(), nil, f.About)
		default:
			flags.String(f.Name(), "", f.About)
		}
	}
}

// value returns the tool argument for a flag.
func (f Flag) value(flags *pflag.FlagSet, stdin io.Reader) (any, error) {
	switch f.Kind {
	case FlagBool:
		return flags.GetBool(f.Name())
	case FlagList:
		return flags.GetStringSlice(f.Name())
	case FlagPairs:
		return flags.GetStringToString(f.Name())
	}
	text, err := flags.GetString(f.Name())
	if err != nil {
		return nil, err
	}
	switch f.Kind {
	case FlagNumber:
		return parseNumber("--"+f.Name(), text)
	case FlagFraction:
		return parseFraction("--"+f.Name(), text)
	case FlagJSON:
		raw, err := ReadArguments(text, stdin)
		if err == nil && !json.Valid([]byte(raw)) {
			err = usage.Errorf("--%s must be JSON or @FILE", f.Name())
		}
		return json.RawMessage(raw), err
	}
	return text, nil
}

// Arguments returns the tool arguments for the words and flags of a command line.
func (c Command) Arguments(words []string, flags *pflag.FlagSet, stdin io.Reader) (string, error) {
	in := maps.Clone(c.Fixed)
	if in == nil {
		in = map[string]any{}
	}
	for _, f := range c.Flags {
		if !flags.Changed(f.Name()) {
			continue
		}
		value, err := f.value(flags, stdin)
		if err != nil {
			return "", err
		}
		in[f.Key] = value
	}
	for _, key := range c.Required {
		if _, ok := in[key]; !ok {
			return "", usage.Errorf("missing --%s; usage: nfa %s [flags]", Flag{Key: key}.Name(), strings.TrimSpace(c.Name+" "+c.Args))
		}
	}
	return c.encode(words, in, c.SetArgs)
}

func (c Command) encode(words []string, in map[string]any, setArgs func([]string, map[string]any) error) (string, error) {
	var err error
	if setArgs != nil {
		err = setArgs(words, in)
	}
	if err == nil && c.Wrap != nil {
		in, err = c.Wrap(in)
	}
	if err != nil {
		return "", err
	}
	raw, err := json.Marshal(in)
	if err != nil {
		return "", fmt.Errorf("encode the arguments of %s: %w", c.Tool, err)
	}
	return string(raw), nil
}

// maxArgumentBytes limits arguments that are read from a file or pipe, because a file redirected by mistake
// could be large.
const maxArgumentBytes = 1 << 20

// ReadArguments returns JSON arguments: text itself, the content of @FILE, or standard input for
// "-".
func ReadArguments(value string, stdin io.Reader) (string, error) {
	switch {
	case value == "-":
		b, err := io.ReadAll(io.LimitReader(stdin, maxArgumentBytes+1))
		if err != nil {
			return "", fmt.Errorf("read the arguments from stdin: %w", err)
		}
		if len(b) > maxArgumentBytes {
			return "", usage.Errorf("stdin is larger than %d KB", maxArgumentBytes>>10)
		}
		return string(b), nil
	case strings.HasPrefix(value, "@"):
		f, err := os.Open(value[1:])
		if err != nil {
			return "", usage.Errorf("read the arguments: %v", err)
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, maxArgumentBytes+1))
		switch {
		case err != nil:
			return "", usage.Errorf("read the arguments: %v", err)
		case len(b) > maxArgumentBytes:
			return "", usage.Errorf("%s is larger than %d KB", value[1:], maxArgumentBytes>>10)
		}
		return string(b), nil
	}
	return value, nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// numberPattern matches a JSON number. Tools parse its text, so digits are not lost.
var numberPattern = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func parseNumber(name, text string) (json.Number, error) {
	if len(text) > 40 || !numberPattern().MatchString(text) {
		return "", usage.Errorf("%s %.40q is not a number; write 1234.56", name, text)
	}
	return json.Number(text), nil
}

// parseFraction parses "5%" and "0.05" exactly.
func parseFraction(name, text string) (json.Number, error) {
	digits, percent := strings.CutSuffix(text, "%")
	n, err := parseNumber(name, digits)
	if err != nil {
		return "", usage.Errorf("%s %.40q is not a percentage; write 5%% or 0.05", name, text)
	}
	if !percent {
		return n, nil
	}
	d, err := decimal.NewFromString(string(n))
	if err != nil {
		return "", err
	}
	return json.Number(d.Shift(-2).String()), nil
}
