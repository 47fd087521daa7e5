package workflow_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

func TestK30_ATemplateAloneKeepsItsType(t *testing.T) {
	given := map[string]any{"symbol": "$aapl", "amount": "1,250.50", "years": "+07", "fee": "2.5%", "deep": "yes", "note": "1"}
	result := `{"n": 0.1000000000000000055511151231257827, "big": 123456789012345678901234567890, "e": 1.0E+2, "t": "a\nb", "l": [1, [2.50], {"k": null}], "o": {"z": 1, "a": 2}, "f": false, "nil": null}`
	for _, row := range []struct{ name, template, want string }{
		{"number of a person", "{{amount}}", `1250.50`},
		{"integer", "{{years}}", `7`},
		{"percent", "{{fee}}", `2.5`},
		{"boolean", "{{deep}}", `true`},
		{"symbol", "{{symbol}}", `"AAPL"`},
		{"text that looks like a number", "{{note}}", `"1"`},
		{"every digit", "{{steps.a.n}}", `0.1000000000000000055511151231257827`},
		{"beyond 64 bits", "{{steps.a.big}}", `123456789012345678901234567890`},
		{"exponent", "{{steps.a.e}}", `1.0E+2`},
		{"text", "{{steps.a.t}}", `"a\nb"`},
		{"list", "{{steps.a.l}}", `[1,[2.50],{"k":null}]`},
		{"object in its order", "{{steps.a.o}}", `{"z":1,"a":2}`},
		{"false", "{{steps.a.f}}", `false`},
		{"null", "{{steps.a.nil}}", `null`},
		{"all of it", "{{steps.a}}", ``},
	} {
		t.Run(row.name, func(t *testing.T) {
			want := row.want
			if want == "" {
				want = compactJSON(t, result)
			}
			got, err := passArgument(t, strconv.Quote(row.template), result, given)
			if want = `{"x":` + want + `}`; err != nil || got != want {
				t.Errorf("arguments = %s, %v, want %s", got, err, want)
			}
		})
	}
}

func TestK30_InsideATextTheValuesTextIsPutIn(t *testing.T) {
	given := map[string]any{"symbol": "aapl", "amount": "1,250.50", "fee": "2.5%", "deep": "no", "note": `{{symbol}} "q" \ $1`}
	result := `{"n": 1.50, "t": "so \"far\"", "l": [1, {"k": "v"}], "nil": null, "h": "<b> & é"}`
	for _, row := range []struct{ name, text, want string }{
		{"numbers as tools take them", "{{amount}} * {{fee}}", "1250.50 * 2.5"},
		{"symbol", "of {{symbol}}.", "of AAPL."},
		{"boolean", "deep={{deep}}", "deep=false"},
		{"nothing for what was not given", "in {{other}}.", "in ."},
		{"values are not searched again", "say {{note}} {{symbol}}", `say {{symbol}} "q" \ $1 AAPL`},
		{"number with its zero", "n={{steps.a.n}}", "n=1.50"},
		{"text without quotes", "it is {{steps.a.t}}", `it is so "far"`},
		{"list as JSON", "l: {{steps.a.l}}", `l: [1,{"k":"v"}]`},
		{"null", "nil: {{steps.a.nil}}", "nil: null"},
		{"side by side", "{{symbol}}{{steps.a.n}}", "AAPL1.50"},
		{"in braces of its own", "{{{symbol}}}", "{AAPL}"},
		{"after one that does not end", "{{ and {{symbol}}", "{{ and AAPL"},
		{"before one that does not begin", "{{symbol}}}} }}", "AAPL}} }}"},
		{"blanks make a text of it", " {{steps.a.n}}", " 1.50"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := passArgument(t, strconv.Quote(row.text), result, given)
			want, _ := json.Marshal(row.want)
			if want := `{"x":` + string(want) + `}`; err != nil || got != want {
				t.Errorf("arguments = %s, %v, want %s", got, err, want)
			}
		})
	}
	if got, err := passArgument(t, `"{{steps.a.h}}!"`, result, given); err != nil || got != `{"x":"<b> & é!"}` {
		t.Errorf("arguments = %s, %v, want no character escaped that need not be", got, err)
	}
}

func TestK30_NothingElseInATextIsTouched(t *testing.T) {
	for _, literal := range []string{
		"$1,000", "$AAPL", "$B$6", "${x}", "{symbol}", "{{symbol", "symbol}}", "{ {symbol} }", "$ARGUMENTS", "$1", "%s %d", "\\{\\}", "}}{{",
		"{}", "{{", "}}", `{"a": {"b": 1}}`, "f'{x}'", "=SUM($B$6:$B$12)", "\r\n\t", "100 %",
	} {
		got, err := passArgument(t, strconv.Quote(literal), "null", nil)
		var out struct{ X string }
		if err == nil {
			err = json.Unmarshal([]byte(got), &out)
		}
		if err != nil || out.X != literal {
			t.Errorf("%q arrived as %s, %v", literal, got, err)
		}
	}
}

func TestK30_PathsLeadIntoResults(t *testing.T) {
	result := `{"bars": [{"close": 1.5, "tags": ["x", "y"]}, {"close": 2}], "a.b": {"c d": 3}, "": 4, "é": 5, "day-1": 6, "7": 7, "\"q\"": 8, "]": 9, "twice": 1, "twice": 10}`
	for path, want := range map[string]string{
		".bars[0].close": "1.5", ".bars[1].close": "2", ".bars[0].tags[1]": `"y"`, `["a.b"]["c d"]`: "3", `["bars"][1]["close"]`: "2",
		`[""]`: "4", ".é": "5", ".day-1": "6", ".7": "7", `["\"q\""]`: "8", `["]"]`: "9", ".twice": "10", `["\u00e9"]`: "5",
	} {
		got, err := passArgument(t, strconv.Quote("{{steps.a"+path+"}}"), result, nil)
		if err != nil || got != `{"x":`+want+`}` {
			t.Errorf("%s = %s, %v, want %s", path, got, err, want)
		}
	}
}

func TestK33_APathThatIsNotThereNamesItselfAndWhatIs(t *testing.T) {
	many := make([]string, 15)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%02d": 0`, i)
	}
	for _, row := range []struct{ path, result, want string }{
		{".bar", `{"bars": [], "as of": 1}`, `steps.a has no .bar; it has ["as of"], .bars`},
		{".bars[2].close", `{"bars": [{}, {}]}`, `{{steps.a.bars[2].close}}: steps.a.bars has no [2]; it is a list of length 2, starting at [0]`},
		{".bars.close", `{"bars": [1]}`, `steps.a.bars has no .close; it is a list of length 1, starting at [0]`},
		{"[0]", `{"bars": []}`, `steps.a has no [0]; it has .bars`},
		{".x", `{}`, `steps.a has no .x; it is an empty object`},
		{`["x y"]`, `{"z": 1}`, `steps.a has no ["x y"]; it has .z`},
		{".t.x", `{"t": "text"}`, `steps.a.t has no .x; it is text`},
		{".n[0]", `{"n": 12.50}`, `steps.a.n has no [0]; it is 12.50`},
		{".x", `null`, `steps.a has no .x; it is null`},
		{".x", ``, `steps.a has no .x; it is null`},
		{".x", "{" + strings.Join(many, ",") + "}", `it has .k00, .k01, .k02, .k03, .k04, .k05, .k06, .k07, .k08, .k09, .k10, .k11 and 3 others`},
	} {
		_, err := passArgument(t, strconv.Quote("{{steps.a"+row.path+"}}"), row.result, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "step b: {{steps.a") || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s of %s: %v, want step b to fail with %q", row.path, row.result, err, row.want)
		}
	}
	if _, err := passArgument(t, `"so {{steps.a.x}}"`, "{}", nil); err == nil || !strings.Contains(err.Error(), "has no .x") {
		t.Errorf("inside a text: %v, want the same failure", err)
	}
}

func TestK30_WhatWasNotGivenIsLeftOut(t *testing.T) {
	p := newPlan(t, `
parameters: [note, other]
steps:
  - tool: quote
    with:
      gone: "{{note}}"
      kept: "{{other}}"
      text: "<{{note}}>"
      none: ~
      list: ["{{note}}", "{{other}}", {gone: "{{note}}"}, ~]
`, map[string]any{"other": "o"})
	if err := p.Err(); err != nil {
		t.Fatal(err)
	}
	want := `{"kept":"o","list":["o",{},null],"none":null,"text":"<>"}`
	if got := string(p.Steps[0].Arguments); got != want || !p.Steps[0].Complete {
		t.Errorf("arguments = %s, complete %v, want %s", got, p.Steps[0].Complete, want)
	}
}

func TestK30_KeysAreNoTemplates(t *testing.T) {
	p := newPlan(t, `
parameters: [note]
steps: [{tool: quote, with: {"{{note}}": 1, "{{nowhere}}": {"{{steps.x}}": "{{note}}"}}}]
`, map[string]any{"note": "n"})
	want := `{"{{note}}":1,"{{nowhere}}":{"{{steps.x}}":"n"}}`
	if err := p.Err(); err != nil || string(p.Steps[0].Arguments) != want {
		t.Errorf("arguments = %s, %v, want %s", p.Steps[0].Arguments, err, want)
	}
}

func TestK22_AListIsAListAloneAndAsWrittenInAText(t *testing.T) {
	p := newPlan(t, `
parameters: [{name: symbols, type: list}]
steps: [{tool: quote, with: {symbols: "{{symbols}}", title: "Of {{symbols}}."}}]
`, map[string]any{"symbols": []any{"AAPL", "MSFT"}})
	want := `{"symbols":["AAPL","MSFT"],"title":"Of AAPL, MSFT."}`
	if err := p.Err(); err != nil || string(p.Steps[0].Arguments) != want {
		t.Errorf("arguments = %s, %v, want %s", p.Steps[0].Arguments, err, want)
	}
}

// A parameter may have any name that front matter allows.
func TestK30_AParameterWinsOverAStepOfItsName(t *testing.T) {
	p := newPlan(t, `
parameters: [steps, steps.a, 名, "a b"]
steps:
  - {id: a, tool: quote}
  - {id: b, tool: quote, with: {x: "{{steps}}{{steps.a}}{{名}}{{a b}}"}}
`, map[string]any{"steps": "1", "steps.a": "2", "名": "3", "a b": "4"})
	if err := p.Err(); err != nil || string(p.Steps[1].Arguments) != `{"x":"1234"}` {
		t.Errorf("arguments = %s, %v, want 1234", p.Steps[1].Arguments, err)
	}
}

// randomJSON formats a value as another program might, including odd numbers.
func randomJSON(r *rand.Rand, depth int) string {
	scalars := []string{"null", "true", "false", `""`, `"é\u0000\ud83d\ude00 {{note}}"`, `"\ud800"`, "-0", "0.10", "1e400", "-12345678901234567890.5", `"<&>"`, `"2026-01-31"`}
	choice := r.IntN(4)
	switch {
	case depth > 0 && choice == 0:
		items := make([]string, r.IntN(4))
		for i := range items {
			items[i] = randomJSON(r, depth-1)
		}
		return "[" + strings.Join(items, " ,") + "]"
	case depth > 0 && choice == 1:
		members := make([]string, r.IntN(4))
		for i := range members {
			members[i] = strconv.Quote(strconv.Itoa(r.IntN(100))) + ": " + randomJSON(r, depth-1)
		}
		return "{" + strings.Join(members, ",\n") + "}"
	}
	return scalars[r.IntN(len(scalars))]
}

func TestK30_AnyResultPassesThroughATemplateUnchanged(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 33))
	steps, declared := parseSkill(t, fmt.Sprintf(twoSteps, `["{{steps.a}}", {deep: "{{steps.a.inner[0]}}"}]`))
	p := workflow.NewPlan(steps, declared, workflow.Arguments{}, workflow.Environment{})
	for range 2000 {
		value := randomJSON(r, 5)
		result := `{"inner": [` + value + `]}`
		c := &fakeCaller{results: map[string]string{"a": result}}
		if _, err := workflow.Run(context.Background(), p, c); err != nil {
			t.Fatalf("passing %s on: %v", result, err)
		}
		want := `{"x":[` + compactJSON(t, result) + `,{"deep":` + compactJSON(t, value) + `}]}`
		if got := c.argumentsOf(t, "b"); got != want {
			t.Fatalf("passed %s on as\n%s, want\n%s", result, got, want)
		}
	}
}
