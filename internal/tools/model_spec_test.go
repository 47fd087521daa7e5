package tools_test

import (
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/tools"
)

// The schema for the model stays small, and each tool can be found in English and Chinese.
func TestAll_AModelReceivesLittleOfEachTool(t *testing.T) {
	const maxDescription, maxProperty, maxBytes, maxTotal = 260, 70, 1_600, 50_000
	total := 0
	for _, tl := range tools.All(systemDeps(t)) {
		spec := tl.ModelSpec()
		raw, err := json.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		total += len(raw)
		if n := utf8.RuneCountInString(spec.Description); n == 0 || n > maxDescription {
			t.Errorf("%s: the description has %d characters, want at most %d", tl.Name, n, maxDescription)
		}
		if len(raw) > maxBytes {
			t.Errorf("%s: %d bytes are sent, want at most %d", tl.Name, len(raw), maxBytes)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(spec.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		for name, p := range schema.Properties {
			if n := utf8.RuneCountInString(p.Description); n > maxProperty && name != "details" {
				t.Errorf("%s: %s is described in %d characters, want at most %d", tl.Name, name, n, maxProperty)
			}
		}
		english, chinese := false, false
		for _, r := range tl.Keywords {
			english = english || r < unicode.MaxASCII && unicode.IsLetter(r)
			chinese = chinese || unicode.Is(unicode.Han, r)
		}
		if !english || !chinese || tl.Group == "" || len(tl.Phrasings) < 3 {
			t.Errorf("%s: group %q, %d phrasings, keywords in English %v and Chinese %v", tl.Name, tl.Group, len(tl.Phrasings), english, chinese)
		}
	}
	if total > maxTotal {
		t.Errorf("all tools together take %d bytes, want at most %d", total, maxTotal)
	}
	t.Logf("%d bytes for all tools", total)
}
