package widget

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

func TestArguments_ReadsArgumentsInTheOrderTheyWereWritten(t *testing.T) {
	for raw, want := range map[string]string{
		`{"symbol":"^GSPC","range":"5y","n":3}`: "^GSPC · 5y · 3",
		`{}`:                                    "",
		`{"list":["a","b"],"deep":{"x":1}}`:     `a, b · {"x":1}`,
		`{"from":null,"to":""}`:                 "null · ",
		`not json`:                              "not json",
		`{"a":1} trailing`:                      `{"a":1} trailing`,
	} {
		if got := FormatArguments(raw); got != want {
			t.Errorf("Arguments(%s) = %q, want %q", raw, got, want)
		}
	}
}

func TestArgument_ExactHidesNothing(t *testing.T) {
	arguments, ok := parseArguments(`{"a":"x\ny\u202e","a":"\"q\"","n":null,"e":"","list":[1, "\u200b"],"o":{"deep":true}}`)
	if !ok {
		t.Fatal("a JSON object was not read as one")
	}
	var got [][2]string
	for _, a := range arguments {
		got = append(got, [2]string{a.name, a.exact()})
	}
	want := [][2]string{
		{"a", `"x\ny\u202e"`}, {"a", `"\"q\""`}, {"n", "null"}, {"e", `""`}, {"list", `[1, "\\u200b"]`}, {"o", `{"deep":true}`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

// Every member of an object is there, and nothing else is taken for an object.
func FuzzParseArguments(f *testing.F) {
	f.Add(`{"path":"a.md","path":"b"}`)
	f.Add(`{"a":"\u202e\n\u001b[2J"}`)
	f.Add(`{"a":[1,{"b":null}]} `)
	f.Add("{\x1b")
	f.Fuzz(func(t *testing.T, raw string) {
		arguments, ok := parseArguments(raw)
		var members map[string]json.RawMessage
		if valid := json.Unmarshal([]byte(raw), &members) == nil && members != nil; ok != valid {
			t.Fatalf("parseArguments(%q) ok = %t, a JSON object: %t", raw, ok, valid)
		}
		if len(arguments) < len(members) {
			t.Fatalf("parseArguments(%q) gives %d of %d members", raw, len(arguments), len(members))
		}
	})
}

// For any arguments, the approval shows all of them, and
// nothing in it can act or hide.
func FuzzExactArguments(f *testing.F) {
	f.Add(`{"path":"a.md","path":"b"}`)
	f.Add(`{"a":"\u202e\n\u001b[2J"}`)
	f.Add(`{"a":[1,{"b":null}]} `)
	f.Add("{\x1b")
	f.Fuzz(func(t *testing.T, raw string) {
		for _, row := range FormatExactArguments(raw, 40) {
			if ansi.StringWidth(row) > 40 {
				t.Fatalf("row %q of %q is too wide", row, raw)
			}
			for _, r := range row {
				if !unicode.IsPrint(r) && r != ' ' {
					t.Fatalf("row %q of %q holds %U", row, raw, r)
				}
			}
		}
	})
}
