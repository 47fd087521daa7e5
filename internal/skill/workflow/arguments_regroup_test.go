package workflow_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

var (
	savingParameters = []workflow.Parameter{
		{Name: "monthly", Type: "money", Required: true}, {Name: "years", Type: "integer", Required: true}, {Name: "until", Type: "date"},
	}
	versusParameters = []workflow.Parameter{
		{Name: "symbols", Type: "list", Required: true}, {Name: "range", Type: "enum", Enum: []string{"1y", "5y", "max"}}, {Name: "base", Type: "string"},
	}
)

func typedValues(a workflow.Arguments) map[string]any {
	out := map[string]any{}
	for name, v := range a.Values {
		out[name] = v.Typed
	}
	return out
}

func TestParse_WordsThatAreOneValueAreReadAsOne(t *testing.T) {
	for _, row := range []struct {
		declared []workflow.Parameter
		line     string
		want     map[string]any
	}{
		{savingParameters, "500 EUR 20", map[string]any{"monthly": "500 EUR", "years": json.Number("20")}},
		{savingParameters, "1,000.50 € 20", map[string]any{"monthly": "€1000.50", "years": json.Number("20")}},
		{savingParameters, "years=20 500 EUR", map[string]any{"monthly": "500 EUR", "years": json.Number("20")}},
		{savingParameters, "500 20", map[string]any{"monthly": "500", "years": json.Number("20")}},
		{versusParameters, "AAPL MSFT", map[string]any{"symbols": []string{"AAPL", "MSFT"}}},
		{versusParameters, "AAPL MSFT ^GSPC 5y", map[string]any{"symbols": []string{"AAPL", "MSFT", "^GSPC"}, "range": "5y"}},
		{versusParameters, "AAPL, MSFT BRK-B max EUR", map[string]any{"symbols": []string{"AAPL", "MSFT", "BRK-B"}, "range": "max", "base": "EUR"}},
		{versusParameters, "AAPL,MSFT 5y", map[string]any{"symbols": []string{"AAPL", "MSFT"}, "range": "5y"}},
		{versusParameters, "range=1y AAPL", map[string]any{"symbols": []string{"AAPL"}, "range": "1y"}},
	} {
		a, err := workflow.ParseArguments(row.declared, row.line)
		if diff := cmp.Diff(row.want, typedValues(a)); err != nil || diff != "" {
			t.Errorf("Parse(%q) = %v (-want +got):\n%s", row.line, err, diff)
		}
	}
}

func TestParse_AMissingValueIsMissingAndNotTheCurrency(t *testing.T) {
	a, err := workflow.ParseArguments(savingParameters, "500 EUR")
	var wrong *workflow.ArgumentError
	if !errors.As(err, &wrong) || !cmp.Equal(wrong.Missing, []string{"years"}) || len(wrong.Invalid) > 0 || a.Values["monthly"].Typed != "500 EUR" {
		t.Errorf("Parse = %v, %v; want the years missing alone", typedValues(a), err)
	}
}

func TestParse_WhatIsNoSumAndNoListStaysAFault(t *testing.T) {
	for line, declared := range map[string][]workflow.Parameter{
		`500 "EUR" 20`:   savingParameters,
		`"500" EUR 20`:   savingParameters,
		"500 eur 20":     savingParameters, // a word, as all and try are
		"500 XYZZY 20":   savingParameters,
		"five EUR 20":    savingParameters,
		"AAPL because":   versusParameters,
		`AAPL "MSFT"`:    versusParameters,
		`"AAPL" MSFT`:    versusParameters,
		"symbols=A MSFT": versusParameters,
	} {
		if a, err := workflow.ParseArguments(declared, line); err == nil {
			t.Errorf("Parse(%q) = %v, want a fault", line, typedValues(a))
		}
	}
}

func TestParse_WhatFitsAsItStandsIsNotReadOtherwise(t *testing.T) {
	exchange := []workflow.Parameter{{Name: "amount", Type: "money", Required: true}, {Name: "to", Type: "string"}}
	a, err := workflow.ParseArguments(exchange, "500 EUR")
	if diff := cmp.Diff(map[string]any{"amount": "500", "to": "EUR"}, typedValues(a)); err != nil || diff != "" {
		t.Errorf("Parse = %v (-want +got):\n%s", err, diff)
	}
}

// FuzzParseExplicit holds words that say what they are: given by name or in quotes,
// each is its parameter's value and no other's, whatever stands beside it.
func FuzzParseExplicit(f *testing.F) {
	for _, seed := range [][2]string{{"500", "EUR"}, {"AAPL", "MSFT"}, {"€", "20"}, {`a "b"`, `\`}, {"x=1", ","}} {
		f.Add(seed[0], seed[1])
	}
	quote := func(s string) string { return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"` }
	declared := []workflow.Parameter{{Name: "sum", Type: "money"}, {Name: "list", Type: "list"}, {Name: "text", Type: "string"}}
	f.Fuzz(func(t *testing.T, first, second string) {
		first, second = strings.TrimSpace(first), strings.TrimSpace(second)
		if first == "" || second == "" {
			t.Skip("an empty value is none")
		}
		for _, line := range []string{
			"sum=" + quote(first) + " list=" + quote(second) + " text=" + quote(first),
			quote(first) + " " + quote(second) + " " + quote(first),
		} {
			a, _ := workflow.ParseArguments(declared, line)
			for name, want := range map[string]string{"sum": first, "list": second, "text": first} {
				if v, read := a.Values[name]; read && v.Text != want {
					t.Fatalf("Parse(%q): %s = %q, want %q", line, name, v.Text, want)
				}
			}
		}
	})
}
