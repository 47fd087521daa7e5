package main

import (
	"encoding/json"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/pattern"
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
	flagWhether  // true, or false by --flag=false
	flagList
	flagPairs // NAME=TEXT
	flagJSON  // JSON, or @FILE
)

func (f toolFlag) name() string { return strings.ReplaceAll(f.key, "_", "-") }

// declare adds the flag, and gives what reads the tool's argument from it.
func (f toolFlag) declare(flags *pflag.FlagSet, g *globals) func() (any, error) {
	switch f.kind {
	case flagWhether:
		return valueOf(flags.Bool(f.name(), false, f.about))
	case flagList:
		return valueOf(flags.StringSlice(f.name(), nil, f.about))
	case flagPairs:
		return valueOf(flags.StringToString(f.name(), nil, f.about))
	}
	text := flags.String(f.name(), "", f.about)
	switch f.kind {
	case flagNumber:
		return func() (any, error) { return numberOf("--"+f.name(), *text) }
	case flagFraction:
		return func() (any, error) { return fractionOf("--"+f.name(), *text) }
	case flagJSON:
		return func() (any, error) {
			raw, err := readArguments(*text, g.in)
			if err == nil && !json.Valid([]byte(raw)) {
				err = misuse.Errorf("--%s is no JSON; give it as JSON, or as @FILE", f.name())
			}
			return json.RawMessage(raw), err
		}
	}
	return valueOf(text)
}

func valueOf[T any](v *T) func() (any, error) { return func() (any, error) { return *v, nil } }

// aNumber is a number as JSON writes it: a tool reads it digit by digit.
var aNumber = pattern.Lazy(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func numberOf(name, text string) (json.Number, error) {
	if len(text) > 40 || !aNumber().MatchString(text) {
		return "", misuse.Errorf("%s %.40q is no number; write it as 1234.56", name, text)
	}
	return json.Number(text), nil
}

// fractionOf reads "5%" and "0.05", exactly.
func fractionOf(name, text string) (json.Number, error) {
	digits, percent := strings.CutSuffix(text, "%")
	n, err := numberOf(name, digits)
	if err != nil {
		return "", misuse.Errorf("%s %.40q is no part of one; write it as 5%% or 0.05", name, text)
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
