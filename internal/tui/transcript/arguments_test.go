package transcript

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBrief_ReadsArgumentsInTheOrderTheyWereWritten(t *testing.T) {
	for raw, want := range map[string]string{
		`{"symbol":"^GSPC","range":"5y","n":3}`: "^GSPC · 5y · 3",
		`{}`:                                    "",
		`{"list":["a","b"],"deep":{"x":1}}`:     `["a","b"] · {"x":1}`,
		`{"from":null,"to":""}`:                 "null · ",
		`not json`:                              "not json",
		`{"a":1} trailing`:                      `{"a":1} trailing`,
	} {
		if got := brief(raw); got != want {
			t.Errorf("brief(%s) = %q, want %q", raw, got, want)
		}
	}
}

func TestArgument_ExactHidesNothing(t *testing.T) {
	arguments, ok := ParseArguments(`{"a":"x\ny\u202e","a":"\"q\"","n":null,"e":"","list":[1, "\u200b"],"o":{"deep":true}}`)
	if !ok {
		t.Fatal("a JSON object was not read as one")
	}
	var got [][2]string
	for _, a := range arguments {
		got = append(got, [2]string{a.Name, a.Exact()})
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
		arguments, ok := ParseArguments(raw)
		var members map[string]json.RawMessage
		if valid := json.Unmarshal([]byte(raw), &members) == nil && members != nil; ok != valid {
			t.Fatalf("ParseArguments(%q) ok = %t, a JSON object: %t", raw, ok, valid)
		}
		if len(arguments) < len(members) {
			t.Fatalf("ParseArguments(%q) gives %d of %d members", raw, len(arguments), len(members))
		}
	})
}
