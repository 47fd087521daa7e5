package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/tool"
)

// schema holds the parts of JSON Schema that the tools' arguments use.
type schema struct {
	Properties           map[string]schema `json:"properties"`
	Required             []string          `json:"required"`
	Items                *schema           `json:"items"`
	AdditionalProperties json.RawMessage   `json:"additionalProperties"`
}

// mismatches returns the keys of a value that the schema does not have, and the required keys that the value
// lacks.
func (s schema) mismatches(at string, value any) []string {
	var out []string
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			known, ok := s.Properties[key]
			if !ok && string(s.AdditionalProperties) == "false" {
				out = append(out, at+"."+key+" is unknown")
			}
			out = append(out, known.mismatches(at+"."+key, v[key])...)
		}
		for _, key := range s.Required {
			if _, ok := v[key]; !ok {
				out = append(out, at+"."+key+" is missing")
			}
		}
	case []any:
		for i, item := range v {
			if s.Items != nil {
				out = append(out, s.Items.mismatches(fmt.Sprintf("%s[%d]", at, i), item)...)
			}
		}
	}
	return out
}

// openTestApp opens a program in an empty home. No request is sent.
func openTestApp(t *testing.T) *App {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	a, err := Open(t.Context(), Options{CommandLine: CommandLine{Home: home}, Env: func(string) string { return "" }, Now: time.Now, Warn: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func schemaOf(t *testing.T, definition tool.Tool) schema {
	t.Helper()
	var s schema
	if err := json.Unmarshal(definition.Spec().Parameters, &s); err != nil {
		t.Fatalf("the schema of %s: %v", definition.Name, err)
	}
	return s
}

// allArguments returns words and flags that set all arguments of a command.
func allArguments(c Command) (words []string, flags map[string]string) {
	switch c.Name {
	case "portfolio add":
		words = []string{"buy", "AAPL", "1"}
	case "portfolio rebalance", "portfolio targets":
		words = []string{"AAPL=50%"}
	default:
		for range max(c.MinArgs, c.MaxArgs) {
			words = append(words, "x")
		}
		if c.MaxArgs < 0 && c.SetArgs != nil {
			words = append(words, "y")
		}
	}
	flags = map[string]string{}
	for _, f := range c.Flags {
		flags[f.Name()] = map[FlagKind]string{
			FlagText: "x", FlagNumber: "-1.5", FlagFraction: "5%", FlagBool: "true", FlagList: "a,b", FlagPairs: "a=1", FlagJSON: `{"name":"x","decimal":".","date":"x","columns":{}}`,
		}[f.Kind]
	}
	if c.Name == "portfolio targets" {
		delete(flags, "none") // instead of the words
	}
	return words, flags
}

// argumentsOf returns the tool arguments that a command line produces.
func argumentsOf(t *testing.T, c Command) map[string]any {
	t.Helper()
	words, values := allArguments(c)
	flags := pflag.NewFlagSet(c.Name, pflag.ContinueOnError)
	c.AddFlags(flags)
	for name, value := range values {
		if err := flags.Set(name, value); err != nil {
			t.Fatalf("--%s %s: %v", name, value, err)
		}
	}
	raw, err := c.Arguments(words, flags, strings.NewReader(""))
	if err != nil {
		t.Fatalf("%s %v %v: %v", c.Name, words, values, err)
	}
	var in map[string]any
	if err := json.Unmarshal([]byte(raw), &in); err != nil {
		t.Fatal(err)
	}
	return in
}

func TestCommands_EachNameIsThereOnceBelowAnother(t *testing.T) {
	names, slashes := map[string]bool{"": true}, map[string]bool{"": true}
	for _, c := range Commands() {
		if c.Name == "" && c.Slash == "" || c.About == "" || c.Name != "" && names[c.Name] || c.Slash != "" && slashes[c.Slash] {
			t.Errorf("%+v has no name or no help, or a name that another has", c)
		}
		if parent, _ := SplitCommand(c.Name); !names[parent] {
			t.Errorf("%s comes before %s", c.Name, parent)
		}
		names[c.Name], slashes[c.Slash] = true, true
	}
}

func TestCommands_WhatTheySendIsWhatTheirToolsTake(t *testing.T) {
	a := openTestApp(t)
	for _, c := range Commands() {
		if c.Tool == "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			tool, ok := a.Tools.Lookup(c.Tool)
			if !ok {
				t.Skipf("%s has no source without a key", c.Tool)
			}
			in := argumentsOf(t, c)
			if wrong := schemaOf(t, tool).mismatches(c.Tool, in); len(wrong) > 0 {
				t.Errorf("%s sends %v: %v", c.Name, in, wrong)
			}
		})
	}
}

// Except for these, a person can set with a command every argument that a model can pass to a tool of the
// user's data.
func TestCommands_EveryArgumentOfAPrivateToolCanBeSaid(t *testing.T) {
	elsewhere := []string{
		"portfolio_positions.account", "portfolio_performance.account", "portfolio_allocation.account", // accounts with one name
		"investor_profile.for", "investor_profile.count", // nfa profile ask asks all
		"decision_journal.symbol",       // of list and review
		"portfolio_settings.no_targets", // targets --none
	}
	a, said := openTestApp(t), map[string]bool{}
	for _, c := range Commands() {
		if c.Tool == "" {
			continue
		}
		for key := range argumentsOf(t, c) {
			said[c.Tool+"."+key] = true
		}
	}
	checked := 0
	for _, c := range Commands() {
		tool, ok := a.Tools.Lookup(c.Tool)
		if !ok || !tool.Private {
			continue
		}
		for key := range schemaOf(t, tool).Properties {
			checked++
			if name := c.Tool + "." + key; !said[name] && !slices.Contains(elsewhere, name) {
				t.Errorf("no command says %s", name)
			}
		}
	}
	if checked < 50 {
		t.Errorf("%d arguments were checked", checked)
	}
}

func TestCommands_NumbersArriveDigitByDigit(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"0.05", "0.05"}, {"5%", "0.05"}, {"12.345%", "0.12345"}, {"100%", "1"}, {"0", "0"}, {"-3%", "-0.03"},
		{"0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"},
	} {
		if got, err := parseFraction("--band", tc.text); err != nil || string(got) != tc.want {
			t.Errorf("fractionOf(%q) = %s, %v, want %s", tc.text, got, err, tc.want)
		}
	}
	for _, text := range []string{"", "%", "five", "1e3", "1,5", "0x10", ".5", "5 %", "5%%", "٣", strings.Repeat("1", 41)} {
		if got, err := parseFraction("--band", text); err == nil {
			t.Errorf("fractionOf(%q) = %s, want an error", text, got)
		}
	}
}

func TestChartWords_AreSymbolsRangeAndKind(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  map[string]any
	}{
		{[]string{"VTI"}, map[string]any{"symbol": "VTI"}},
		{[]string{"VTI", "5y"}, map[string]any{"symbol": "VTI", "range": "5y"}},
		{[]string{"VTI", "candles"}, map[string]any{"symbol": "VTI", "kind": "candles"}},
		{[]string{"VTI", "candles", "YTD"}, map[string]any{"symbol": "VTI", "kind": "candles", "range": "YTD"}},
		{[]string{"VTI", "5x", "line"}, map[string]any{"symbol": "VTI", "kind": "line", "range": "5x"}},
		{[]string{"AAPL,MSFT", "max"}, map[string]any{"symbol": "AAPL,MSFT", "range": "max"}},
		{[]string{"AAPL,", "MSFT", ",VTI", "max"}, map[string]any{"symbol": "AAPL,MSFT,VTI", "range": "max"}},
		// Surplus words are passed to the tool, which refuses them. Nothing is dropped silently.
		{[]string{"VTI", "5y", "1y"}, map[string]any{"symbol": "VTI", "range": "5y", "kind": "1y"}},
		{[]string{"VTI", "line", "area"}, map[string]any{"symbol": "VTI", "kind": "line area"}},
	} {
		got := map[string]any{}
		if err := setChart(tt.words, got); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("setChart(%q) (-want +got):\n%s", tt.words, diff)
		}
	}
}

func TestComparison_TheLastWordMayBeARange(t *testing.T) {
	for _, tt := range []struct {
		words []string
		want  map[string]any
	}{
		{[]string{"VTI", "BND"}, map[string]any{"symbols": []string{"VTI", "BND"}}},
		{[]string{"VTI,BND", "5y"}, map[string]any{"symbols": []string{"VTI", "BND"}, "range": "5y"}},
		{[]string{"VTI", "max"}, map[string]any{"symbols": []string{"VTI", "max"}}},               // two symbols at least
		{[]string{"PGR", "TRV", "ALL"}, map[string]any{"symbols": []string{"PGR", "TRV", "ALL"}}}, // Allstate
	} {
		got := map[string]any{}
		if err := setComparison(tt.words, got); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("setComparison(%q) (-want +got):\n%s", tt.words, diff)
		}
	}
}

func TestCommands_EachHasExamplesOfItself(t *testing.T) {
	for _, c := range Commands() {
		if c.Name == "" {
			continue
		}
		lines := strings.Split(c.Example, "\n")
		if len(lines) != 2 || !strings.Contains(lines[0], "nfa "+c.Name) {
			t.Errorf("%s has the examples %q, want two of its own", c.Name, c.Example)
		}
	}
}
