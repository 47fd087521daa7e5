package main

import (
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/usage"
)

// toolFlag is an argument of a tool as a flag, whose name is the key with dashes.
type toolFlag struct {
	key   string
	kind  flagKind
	about string
}

type flagKind int

// Kinds of toolFlag, by what the tool takes.
const (
	flagText flagKind = iota
	flagNumber
	flagFraction // of one: 0.05 or 5%
	flagBool     // true, or false by --flag=false
	flagList
	flagPairs // NAME=TEXT
	flagJSON  // JSON, or @FILE
)

func (f toolFlag) name() string { return strings.ReplaceAll(f.key, "_", "-") }

// declare adds the flag, and gives what reads the tool's argument from it.
func (f toolFlag) declare(flags *pflag.FlagSet, g *globals) func() (any, error) {
	switch f.kind {
	case flagBool:
		return valueGetter(flags.Bool(f.name(), false, f.about))
	case flagList:
		return valueGetter(flags.StringSlice(f.name(), nil, f.about))
	case flagPairs:
		return valueGetter(flags.StringToString(f.name(), nil, f.about))
	}
	text := flags.String(f.name(), "", f.about)
	switch f.kind {
	case flagNumber:
		return func() (any, error) { return parseNumber("--"+f.name(), *text) }
	case flagFraction:
		return func() (any, error) { return parseFraction("--"+f.name(), *text) }
	case flagJSON:
		return func() (any, error) {
			raw, err := readArguments(*text, g.in)
			if err == nil && !json.Valid([]byte(raw)) {
				err = usage.Errorf("--%s is no JSON; give it as JSON, or as @FILE", f.name())
			}
			return json.RawMessage(raw), err
		}
	}
	return valueGetter(text)
}

func valueGetter[T any](v *T) func() (any, error) { return func() (any, error) { return *v, nil } }

// numberPattern is a number as JSON writes it: a tool reads it digit by digit.
var numberPattern = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func parseNumber(name, text string) (json.Number, error) {
	if len(text) > 40 || !numberPattern().MatchString(text) {
		return "", usage.Errorf("%s %.40q is no number; write it as 1234.56", name, text)
	}
	return json.Number(text), nil
}

// parseFraction reads "5%" and "0.05", exactly.
func parseFraction(name, text string) (json.Number, error) {
	digits, percent := strings.CutSuffix(text, "%")
	n, err := parseNumber(name, digits)
	if err != nil {
		return "", usage.Errorf("%s %.40q is no part of one; write it as 5%% or 0.05", name, text)
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
