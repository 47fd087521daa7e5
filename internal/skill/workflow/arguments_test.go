package workflow_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func TestK22_ValuesAreReadByTheirType(t *testing.T) {
	for _, row := range []struct {
		kind, written string
		typed         any
	}{
		{"string", " as it is ", "as it is"},
		{"", "$1,000", "$1,000"},
		{"poem", "unknown types are text", "unknown types are text"},
		{"number", "1,250.50", json.Number("1250.50")},
		{"number", "-.5", json.Number("-0.5")},
		{"number", "−3", json.Number("-3")},
		{"float", "007", json.Number("7")},
		{"number", "0.1000000000000000055511151231257827", json.Number("0.1000000000000000055511151231257827")},
		{"integer", "1,000,000", json.Number("1000000")},
		{"int", "+12", json.Number("12")},
		{"boolean", "Yes", true},
		{"bool", "false", false},
		{"date", "2024-02-29", "2024-02-29"},
		{"percent", "2.5%", json.Number("2.5")},
		{"percent", "5 %", json.Number("5")},
		{"percent", "5", json.Number("5")},
		{"money", "$1,000", "$1000"},
		{"money", "-$0.50", "-$0.50"},
		{"money", "1000.50 usd", "1000.50 USD"},
		{"money", "EUR 5", "5 EUR"},
		{"money", "$1,000 CAD", "1000 CAD"},
		{"money", "US$20", "US$20"},
		{"money", "5€", "€5"},
		{"money", "1000", "1000"},
		{"symbol", "aapl", "AAPL"},
		{"symbol", "$AAPL", "AAPL"},
		{"ticker", "^GSPC", "^GSPC"},
		{"symbol", "brk-b", "BRK-B"},
		{"symbol", "7203.T", "7203.T"},
		{"symbol", "EURUSD=X", "EURUSD=X"},
	} {
		v, err := workflow.Parameter{Name: "p", Type: row.kind}.Read(row.written)
		if err != nil || v.Typed != row.typed || v.Text != strings.TrimSpace(row.written) {
			t.Errorf("%s %q = %#v, %v, want %#v with the text as written", row.kind, row.written, v, err, row.typed)
		}
	}
}

func TestK22_ValuesThatDoNotFitAreRefusedClearly(t *testing.T) {
	for kind, all := range map[string][]string{
		"number":  {"", "x", "1,5", "1.000,50", "1e9", "1e999999999", "NaN", "Inf", "0x10", "1 000", "-", ".", "5.", "1,0000", strings.Repeat("9", 41)},
		"integer": {"1.5", "9223372036854775808", "ten"},
		"boolean": {"maybe", "2"},
		"date":    {"2023-02-29", "31.01.2026", "2026-1-5", "today", "2026-01-31T00:00:00Z"},
		"percent": {"%", "five", "5%%", "1e3%"},
		"money":   {"$", "1.000,50", "$1,00", "USD", "5 EURO", "$5 €", "EUR 5 USD", "50k"},
		"symbol":  {"", "AAPL MSFT", "a/../b c", "$", "<b>", strings.Repeat("A", 40)},
	} {
		for _, written := range all {
			v, err := workflow.Parameter{Name: "p", Type: kind}.Read(written)
			if err == nil {
				t.Errorf("%s %q = %#v, want a refusal", kind, written, v)
			} else if len(err.Error()) > 250 {
				t.Errorf("%s: the refusal has %d bytes", kind, len(err.Error()))
			}
		}
	}
}

func TestK22_EnumTakesTheDeclaredSpelling(t *testing.T) {
	p := workflow.Parameter{Name: "range", Type: "enum", Enum: []string{"1y", "5Y"}}
	if v, err := p.Read("5y"); err != nil || v.Text != "5Y" || v.Typed != "5Y" {
		t.Errorf("Read(5y) = %#v, %v, want 5Y", v, err)
	}
	if _, err := p.Read("2y"); err == nil || err.Error() != `"2y" is not one of 1y, 5Y` {
		t.Errorf("Read(2y) = %v, want the choices", err)
	}
}

// compareParameters returns parameters as read from a SKILL.md.
func compareParameters(t testing.TB) []workflow.Parameter {
	t.Helper()
	s, _, err := skill.Parse([]byte(`---
name: compare-assets
description: Compares
parameters:
  - {name: symbols, required: true, description: Two or more}
  - {name: range, type: enum, enum: [1y, 5y], default: 5y}
  - {name: since, type: date, default: 2020-01-31}
  - {name: fee_rate, type: percent, default: 0.5}
  - {name: budget, type: money}
  - {name: top, type: integer, required: true, default: 3}
---
`))
	if err != nil {
		t.Fatal(err)
	}
	return s.Parameters
}

func argumentTexts(a workflow.Arguments) map[string]string {
	out := map[string]string{}
	for name, v := range a.Values {
		out[name] = v.Text
	}
	return out
}

func TestK21_PositionalWordsAndKeyValue(t *testing.T) {
	defaults := map[string]string{"range": "5y", "since": "2020-01-31", "fee_rate": "0.5", "top": "3"}
	for _, row := range []struct {
		name, line string
		want       map[string]string
	}{
		{"a word", "AAPL", map[string]string{"symbols": "AAPL"}},
		{"commas join words", "AAPL, MSFT,  GOOGL 1y", map[string]string{"symbols": "AAPL, MSFT, GOOGL", "range": "1y"}},
		{"double quotes", `"AAPL MSFT" 1y`, map[string]string{"symbols": "AAPL MSFT", "range": "1y"}},
		{"quotes with commas", `"AAPL","MSFT" 1y`, map[string]string{"symbols": "AAPL,MSFT", "range": "1y"}},
		{"quotes in quotes", `"say \"A\\B\" \n"`, map[string]string{"symbols": `say "A\B" \n`}},
		{"single quotes hold apostrophes", `'don't panic' 1y`, map[string]string{"symbols": "don't panic", "range": "1y"}},
		{"bytes that are no characters", "\"\x80\\\"\"", map[string]string{"symbols": "\x80\""}},
		{"a lone apostrophe", `'tis`, map[string]string{"symbols": "'tis"}},
		{"named", "budget=$1,000 symbols=AAPL", map[string]string{"symbols": "AAPL", "budget": "$1,000"}},
		{"named with quotes", `budget="1,000 USD" AAPL`, map[string]string{"symbols": "AAPL", "budget": "1,000 USD"}},
		{"named loosely", "AAPL Fee-Rate=2%", map[string]string{"symbols": "AAPL", "fee_rate": "2%"}},
		{"named first, words around", "range=1y AAPL 2021-02-03", map[string]string{"symbols": "AAPL", "range": "1y", "since": "2021-02-03"}},
		{"quoted = is text", `"range=1y"`, map[string]string{"symbols": "range=1y"}},
		{"an address is text", "https://example.org/?a=b", map[string]string{"symbols": "https://example.org/?a=b"}},
	} {
		a, err := workflow.ParseArguments(compareParameters(t), "  "+row.line+"\n")
		want := map[string]string{}
		for name, text := range defaults {
			want[name] = text
		}
		for name, text := range row.want {
			want[name] = text
		}
		if diff := cmp.Diff(want, argumentTexts(a)); diff != "" || err != nil || a.Text != row.line {
			t.Errorf("%s: ParseArguments(%q): %v, text %q (-want +got):\n%s", row.name, row.line, err, a.Text, diff)
		}
	}
}

func TestK21_LastTextTakesTheWordsThatAreLeft(t *testing.T) {
	params := []workflow.Parameter{{Name: "file", Type: "string"}, {Name: "language", Type: "string"}}
	a, err := workflow.ParseArguments(params, "notes.txt Brazilian Portuguese")
	if err != nil || a.Values["language"].Text != "Brazilian Portuguese" {
		t.Errorf("language = %q, %v", a.Values["language"].Text, err)
	}
	a, err = workflow.ParseArguments(nil, `what if x=1 "and`)
	if err != nil || a.Text != `what if x=1 "and` {
		t.Errorf("without parameters = %q, %v, want any text", a.Text, err)
	}
}

func TestK21_AllThatIsWrongIsNamedAtOnce(t *testing.T) {
	for _, row := range []struct {
		line string
		want workflow.ArgumentError
		text string
	}{
		{"", workflow.ArgumentError{Missing: []string{"symbols"}}, "missing: symbols"},
		{"\"\r\" 1y", workflow.ArgumentError{Missing: []string{"symbols"}}, "missing: symbols"},
		{"symbols= since=soon", workflow.ArgumentError{
			Missing: []string{"symbols"},
			Invalid: []workflow.InvalidValue{{"since", `"soon" is not a date such as 2026-01-31`}},
		}, `missing: symbols; since: "soon" is not a date`},
		{"A top=1 top=2", workflow.ArgumentError{Invalid: []workflow.InvalidValue{{"top", "given twice"}}}, "top: given twice"},
		{"A rnage=5y", workflow.ArgumentError{Other: []string{"unknown parameter rnage; use one of: symbols, range, since, fee_rate, budget, top (quote text that contains =)"}}, "unknown parameter rnage"},
		{"A 1y 2020-01-02 1% $5 7 more words", workflow.ArgumentError{Other: []string{"too many arguments: more words"}}, "more words"},
		{`A budget="5`, workflow.ArgumentError{
			Invalid: []workflow.InvalidValue{{"budget", `"\"5" is not an amount such as $1,000 or 1000.50 USD`}},
			Other:   []string{`missing closing quote after "5`},
		}, "missing closing quote"},
	} {
		a, err := workflow.ParseArguments(compareParameters(t), row.line)
		var argumentErr *workflow.ArgumentError
		if !errors.As(err, &argumentErr) {
			t.Errorf("ParseArguments(%q) = %v, want an ArgumentsError", row.line, err)
			continue
		}
		if diff := cmp.Diff(&row.want, argumentErr); diff != "" || !strings.Contains(err.Error(), row.text) {
			t.Errorf("ParseArguments(%q) = %q (-want +got):\n%s", row.line, err, diff)
		}
		if a.Values["range"].Text == "" {
			t.Errorf("ParseArguments(%q) gave no values to begin a form with", row.line)
		}
	}
}

func TestK21_ArgumentsByNameAsFormsAndModelsGiveThem(t *testing.T) {
	a, err := workflow.ReadArguments(compareParameters(t), map[string]any{
		"symbols": []any{"AAPL", "MSFT"}, "fee_rate": 0.25, "top": json.Number("5"), "budget": "", "since": nil,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"symbols": "AAPL, MSFT", "range": "5y", "since": "2020-01-31", "fee_rate": "0.25", "top": "5"}
	if diff := cmp.Diff(want, argumentTexts(a)); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if a.Text != `symbols="AAPL, MSFT" fee_rate=0.25 top=5` {
		t.Errorf("text = %q, want what was given, in the declared order", a.Text)
	}
	_, err = workflow.ReadArguments(compareParameters(t), map[string]any{"symbols": map[string]any{}, "nope": 1, "top": math.NaN()})
	const wrong = `symbols: must be a single value; top: "NaN" is not a whole number such as 12; unknown parameter nope; use one of: symbols, range, since, fee_rate, budget, top (quote text that contains =)`
	if err == nil || err.Error() != wrong {
		t.Errorf("ReadArguments = %v, want %s", err, wrong)
	}
}

func TestK21_ABadDefaultIsTheSkillsFault(t *testing.T) {
	_, err := workflow.ParseArguments([]workflow.Parameter{{Name: "n", Type: "integer", Default: "many"}}, "")
	if err == nil || !strings.Contains(err.Error(), `n: the skill's default: "many" is not a whole number`) {
		t.Errorf("ParseArguments = %v, want the default named", err)
	}
}

func TestK22_SchemaAcceptsWhatReadArgumentsDoes(t *testing.T) {
	params := compareParameters(t)
	raw, err := workflow.ParameterSchema(append(params, workflow.Parameter{Name: "top", Type: "string"}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"type":"object","properties":{` +
		`"symbols":{"type":"string","description":"Two or more"},` +
		`"range":{"type":"string","default":"5y","enum":["1y","5y"]},` +
		`"since":{"type":"string","description":"A date such as 2026-01-31.","default":"2020-01-31","format":"date"},` +
		`"fee_rate":{"type":"number","description":"In percent: 5 means 5%.","default":0.5},` +
		`"budget":{"type":"string","description":"An amount with its currency, such as 1000.50 USD."},` +
		`"top":{"type":"integer","default":3}},"required":["symbols"],"additionalProperties":false}`
	var got, wanted any
	if err := errors.Join(json.Unmarshal(raw, &got), json.Unmarshal([]byte(want), &wanted)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("schema %s (-want +got):\n%s", raw, diff)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args map[string]any
		ok   bool
	}{
		{map[string]any{"symbols": "AAPL", "fee_rate": 2.5, "top": 3.0, "range": "1y"}, true},
		{map[string]any{}, false},
		{map[string]any{"symbols": "AAPL", "range": "2y"}, false},
		{map[string]any{"symbols": "AAPL", "nope": true}, false},
	} {
		_, err := workflow.ReadArguments(params, row.args)
		if bySchema := resolved.Validate(row.args) == nil; bySchema != row.ok || (err == nil) != row.ok {
			t.Errorf("%v: schema says %t, ReadArguments %v, want %t", row.args, bySchema, err, row.ok)
		}
	}
}

func FuzzParseArguments(f *testing.F) {
	f.Add(`AAPL, MSFT range=5y "a b" 'c'`)
	f.Add(`since="2020-01-31" budget=$1,000 x=`)
	f.Add("symbols=\"\\\"\\\\\" 'don't'")
	f.Fuzz(func(t *testing.T, line string) {
		params := []workflow.Parameter{{Name: "a", Type: "string"}, {Name: "b", Type: "money"}, {Name: "c", Type: "string"}}
		first, err := workflow.ParseArguments(params, line)
		if err != nil {
			return
		}
		byName := map[string]any{}
		for name, v := range first.Values {
			byName[name] = v.Text
		}
		again, err := workflow.ReadArguments(params, byName)
		if err != nil {
			t.Fatalf("values of %q by name = %v", line, err)
		}
		back, err := workflow.ParseArguments(params, again.Text)
		if diff := cmp.Diff(first.Values, back.Values); err != nil || diff != "" {
			t.Fatalf("%q written out as %q reads as (%v):\n%s", line, again.Text, err, diff)
		}
	})
}

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
		"500 eur 20":     savingParameters, // a word, like all and try
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

// FuzzParseExplicit checks that words given by name or in quotes are always the value of their
// parameter, whatever is next to them.
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
