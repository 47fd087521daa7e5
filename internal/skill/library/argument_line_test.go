package library_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func TestK21_WhatTheShellKeptTogetherStaysOneValue(t *testing.T) {
	declared := []workflow.Parameter{{Name: "symbols", Type: "string"}, {Name: "note", Type: "string"}}
	for _, tc := range []struct {
		name          string
		words         []string
		symbols, note string
	}{
		{"plain words", []string{"AAPL", "bonds"}, "AAPL", "bonds"},
		{"by name", []string{"note=bonds", "symbols=AAPL"}, "AAPL", "bonds"},
		{"blanks", []string{"symbols=AAPL MSFT", "note=two words"}, "AAPL MSFT", "two words"},
		{"blanks in order", []string{"AAPL MSFT", "two words"}, "AAPL MSFT", "two words"},
		{"quotes and backslashes", []string{"AAPL", `note=the "best" \n it's`}, "AAPL", `the "best" \n it's`},
		{"money", []string{"symbols=$AAPL", "note=$1,000 of $B$6 at $0.50 in $$"}, "$AAPL", "$1,000 of $B$6 at $0.50 in $$"},
		{"no name before the sign", []string{"a b=c", "x"}, "a b=c", "x"},
		{"lines", []string{"AAPL", "note=one\ntwo"}, "AAPL", "one\ntwo"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			line := library.ArgumentLine(declared, tc.words)
			got, err := workflow.ParseArguments(declared, line)
			if err != nil {
				t.Fatalf("ParseArguments(%q) = %v", line, err)
			}
			if got.Values["symbols"].Text != tc.symbols || got.Values["note"].Text != tc.note {
				t.Errorf("ParseArguments(%q) = %q, %q; want %q, %q", line,
					got.Values["symbols"].Text, got.Values["note"].Text, tc.symbols, tc.note)
			}
		})
	}
}

func TestK21_WithoutParametersWordsStayAsTheyAre(t *testing.T) {
	words := []string{"what", `is "this"`, "a=b c"}
	if got, want := library.ArgumentLine(nil, words), `what is "this" a=b c`; got != want {
		t.Errorf("ArgumentLine() = %q, want %q", got, want)
	}
}
