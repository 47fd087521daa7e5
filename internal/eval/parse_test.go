package eval_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/eval"
)

func TestParse_ReadsEveryField(t *testing.T) {
	got, err := eval.Parse([]byte(`prompts:
  select: ["What does Apple cost?"]
  avoid:
    - "How volatile is it?"
cases:
  - arguments: AAPL 5y
    calls:
      - {tool: quote, arguments: {symbols: [AAPL], limit: 5.50, deep: {on: true, off: null, from: 2017-05-31}}}
    turns:
      - calls: [{tool: current_time}]
        text: A moment.
      - text: >-
          It is
          137.44.
    expect: {errors: 1, untraced: 2, contains: ["137.44", index points]}
`))
	want := eval.Suite{
		Select: []eval.Prompt{{Text: "What does Apple cost?", Line: 2}},
		Avoid:  []eval.Prompt{{Text: "How volatile is it?", Line: 4}},
		Cases: []eval.Case{{
			Line: 6, Arguments: "AAPL 5y",
			Calls: []eval.Call{{Tool: "quote", Arguments: map[string]any{
				"symbols": []any{"AAPL"}, "limit": json.Number("5.50"),
				"deep": map[string]any{"on": true, "off": nil, "from": "2017-05-31"},
			}}},
			Turns:  []eval.Turn{{Calls: []eval.Call{{Tool: "current_time"}}, Text: "A moment."}, {Text: "It is 137.44."}},
			Expect: eval.Expect{Errors: 1, Untraced: 2, Contains: []string{"137.44", "index points"}},
		}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("Parse() = %v (-want +got):\n%s", err, diff)
	}
}

func TestParse_WithoutCasesIsFine(t *testing.T) {
	if s, err := eval.Parse([]byte("prompts: {select: [a], avoid: []}\ncases: []\n")); err != nil || len(s.Select) != 1 || len(s.Cases) != 0 {
		t.Errorf("Parse() = %+v, %v; want one prompt", s, err)
	}
}

func TestParse_APortfolioIsThereOrNotAndArgumentsMayBeNone(t *testing.T) {
	for _, tc := range []struct {
		name, keys, arguments string
		book                  []eval.Call
	}{
		{"neither", "", "", nil},
		{"empty arguments", "arguments: ''", "", nil},
		{"blank arguments", "arguments: '  '", "", nil},
		{"arguments without a value", "arguments:", "", nil},
		{"an empty book", "book: []", "", []eval.Call{}},
		{"both", "arguments: AAPL\n    book: [{tool: add, arguments: {amount: 5.50}}, {tool: look}]", "AAPL",
			[]eval.Call{{Tool: "add", Arguments: map[string]any{"amount": json.Number("5.50")}}, {Tool: "look"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, err := eval.Parse([]byte("cases:\n  - turns: [{text: Done.}]\n    " + tc.keys + "\n"))
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Cases[0]; got.Arguments != tc.arguments || !cmp.Equal(got.Portfolio, tc.book) {
				t.Errorf("arguments %q, book %#v, want %q, %#v", got.Arguments, got.Portfolio, tc.arguments, tc.book)
			}
		})
	}
}

func TestParse_NumbersReachToolsAsJSONHasThem(t *testing.T) {
	for written, want := range map[string]string{
		"7": "7", "-0.50": "-0.50", "1e3": "1e3", "0x1F": "31", "1_000": "1000", "+5": "5", ".5": "0.5",
	} {
		s, err := eval.Parse([]byte("cases: [{turns: [{calls: [{tool: t, arguments: {n: " + written + "}}]}]}]"))
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		if got := s.Cases[0].Turns[0].Calls[0].String(); got != `t {"n":`+want+`}` {
			t.Errorf("%s is sent as %s, want %s", written, got, want)
		}
	}
}

func TestParse_RefusesWithTheLine(t *testing.T) {
	turns := "\n    turns: [{text: Done.}]"
	for _, tc := range []struct{ name, yaml, want string }{
		{"nothing", "# to do\n", "line 1: empty file; expected prompts and cases"},
		{"an empty mapping", "{}", "line 1: empty file; expected prompts and cases"},
		{"a list", "- a\n", "line 1: the file holds a list; expected prompts, cases"},
		{"broken YAML", "cases:\n  - {arguments: [}\n", "line 2: not valid YAML: did not find expected node content"},
		{"a tab", "cases:\n\t- a\n", "line 2: not valid YAML: found character that cannot start any token"},
		{"an unknown key", "case: []\n", `line 1: unknown key "case" in the file; known: prompts, cases`},
		{"an unknown key of a case", "cases:\n  - argument: x" + turns, `line 2: unknown key "argument" in a case; known: arguments, book, calls, turns, expect`},
		{"an unknown expectation", "cases:\n  - expect: {contain: [a]}" + turns, `line 2: unknown key "contain" in expect; known: errors, untraced, contains`},
		{"a key twice", "cases: []\ncases: []\n", "line 2: cases is set twice, first on line 1"},
		{"a key that is a list", "? [a]\n: b\n", "line 1: keys must be text, not a list"},
		{"cases of the wrong type", "cases: none\n", "line 1: cases holds text; expected a list"},
		{"cases without a value", "cases:\n", "line 1: cases holds nothing; expected a list"},
		{"prompts of the wrong type", "prompts: [a]\n", "line 1: prompts holds a list; expected select, avoid"},
		{"an empty prompt", "prompts:\n  select:\n    - ''\n", "line 3: a prompt is empty"},
		{"a prompt that YAML takes apart", "prompts:\n  select:\n    - Summarise this: text\n", "line 3: a prompt holds a section; expected text (quote it if needed)"},
		{"a case without turns", "cases:\n  - arguments: x\n", "line 2: a case needs turns (the answers of the model)"},
		{"an empty turn", "cases:\n  - turns:\n    - calls: []\n", "line 3: a turn needs calls or text"},
		{"a call without a tool", "cases:\n  - turns:\n    - calls: [{arguments: {a: 1}}]\n", "line 3: a call needs a tool"},
		{"arguments of a call as text", "cases:\n  - turns:\n    - calls: [{tool: t, arguments: AAPL}]\n", "line 3: arguments holds text; expected names with values"},
		{"a book without a value", "cases:\n  - book:" + turns, "line 2: book holds nothing; expected a list"},
		{"a book of text", "cases:\n  - book: [book.csv]" + turns, "line 2: a call holds text; expected tool, arguments"},
		{"arguments of a case as a number", "cases:\n  - arguments: 5" + turns, "line 2: arguments holds the number 5; expected text (quote it if needed)"},
		{"a number to find", "cases:\n  - expect: {contains: [5.70]}" + turns, "line 2: text to find holds the number 5.70; expected text (quote it if needed)"},
		{"a date to find", "cases:\n  - expect: {contains: [2022-06-28]}" + turns, "line 2: text to find holds the date 2022-06-28; expected text (quote it if needed)"},
		{"errors as a word", "cases:\n  - expect: {errors: none}" + turns, "line 2: errors holds text; expected a number of 0 or more"},
		{"fewer errors than none", "cases:\n  - expect: {errors: -1}" + turns, "line 2: errors holds the number -1; expected a number of 0 or more"},
		{"infinity", "cases:\n  - turns:\n    - calls: [{tool: t, arguments: {a: .inf}}]\n", `line 3: ".inf" is not a valid JSON value`},
		{"a type of its own", "cases:\n  - turns:\n    - calls: [{tool: t, arguments: {a: !secret x}}]\n", `line 3: "x" is not a valid JSON value`},
		{"a false number", "cases:\n  - turns:\n    - calls: [{tool: t, arguments: {a: !!int x}}]\n", `line 3: "x" is not a valid JSON value`},
		{"an anchor", "cases: &a []\n", "line 1: YAML anchors and aliases are not supported; write the value itself"},
		{"a merge", "cases:\n  - <<: {arguments: x}" + turns, "line 2: YAML anchors and aliases are not supported; write the value itself"},
		{"two documents", "cases: []\n---\ncases: []\n", "line 2: second YAML document; use only one"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := eval.Parse([]byte(tc.yaml))
			if err == nil || err.Error() != tc.want {
				t.Errorf("Parse(%q)\n got %v\nwant %s", tc.yaml, err, tc.want)
			}
		})
	}
}

func TestParse_GivesAllProblemsInTheOrderOfTheLines(t *testing.T) {
	_, err := eval.Parse([]byte("cases:\n  - argument: x\nprompts:\n  select: [a, 5]\nmore: 1\n"))
	var problems eval.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("Parse() = %v, want Problems", err)
	}
	var lines []int
	for _, p := range problems {
		lines = append(lines, p.Line)
	}
	if diff := cmp.Diff([]int{2, 2, 4, 5}, lines); diff != "" {
		t.Errorf("lines of %v (-want +got):\n%s", err, diff)
	}
	if got, want := problems[3].At("evals.yaml"), `evals.yaml:5: unknown key "more" in the file; known: prompts, cases`; got != want {
		t.Errorf("At() = %s, want %s", got, want)
	}
}

// hostile returns files that would be expensive to read or crash a careless parser.
func hostile() map[string]string {
	return map[string]string{
		"too long":         "cases: []\n#" + strings.Repeat("x", eval.MaxSize),
		"aliases of alias": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nprompts: {select: *c}\n",
		"itself within":    "cases: &a [*a]\n",
		"deep":             "cases: " + strings.Repeat("[", 30_000),
		"deep and closed":  "cases: [{turns: [{calls: [{tool: t, arguments: {a: " + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}}]}]}]",
		"not UTF-8":        "prompts: {select: [\"\xff\xfe\"]}\n",
		"a NUL":            "prompts: {select: [\"a\x00\"]}\n",
		"UTF-16":           "\xff\xfec\x00a\x00",
	}
}

func TestParse_RefusesHostileFiles(t *testing.T) {
	for name, text := range hostile() {
		if _, err := eval.Parse([]byte(text)); err == nil {
			t.Errorf("%s: parsed; want it refused", name)
		} else if len(err.Error()) > 10_000 || strings.Contains(err.Error(), "line 0") {
			t.Errorf("%s: refused in %d bytes, %.100s; want words that can be read, and a line that there is", name, len(err.Error()), err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(eval.Example))
	for _, text := range hostile() {
		f.Add([]byte(text[:min(len(text), 2_000)]))
	}
	f.Add([]byte("cases:\n  - turns:\n    - calls: [{tool: t, arguments: {a: [1, .5, 0x1, true, ~, 2001-01-01]}}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		suite, err := eval.Parse(data)
		var problems eval.Problems
		switch {
		case err == nil:
		case !errors.As(err, &problems) || len(problems) == 0:
			t.Fatalf("Parse() = %#v, want Problems", err)
		default:
			return
		}
		for _, p := range append(suite.Select, suite.Avoid...) {
			if strings.TrimSpace(p.Text) == "" || p.Line < 1 {
				t.Errorf("prompt %+v, want text with its line", p)
			}
		}
		for _, c := range suite.Cases {
			if len(c.Turns) == 0 || c.Line < 1 || c.Expect.Errors < 0 || c.Expect.Untraced < 0 {
				t.Errorf("case %+v, want one that can be played", c)
			}
			for _, turn := range append(c.Turns, eval.Turn{Calls: c.Portfolio}) {
				for _, call := range turn.Calls {
					if _, arguments, _ := strings.Cut(call.String(), call.Tool+" "); call.Tool == "" || !json.Valid([]byte(arguments)) {
						t.Errorf("call %q, want a tool and JSON", call)
					}
				}
			}
		}
	})
}
