package widget

import (
	"encoding/json"
	"testing"
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

// Every member of an object is returned, and nothing else counts as an object.
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
