package frontmatter_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// Inside lists and maps text stays as written, as in YAML 1.2
// (https://yaml.org/spec/1.2.2/#103-core-schema).
func TestRead_TextInListsStaysAsWritten(t *testing.T) {
	fm, err := frontmatter.Read([]byte(`
words: [ON, NO, Y, n, off, yes, 007, 010, 1_000, 2026-01-31, 1:30, ~, true, False]
fields: {n: 1, y: 1.50, on: -3, codes: [0x1F, .5, +1, 1e3, "12"]}
`), 2)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"words": []any{"ON", "NO", "Y", "n", "off", "yes", "007", "010", "1_000", "2026-01-31", "1:30", nil, true, false},
		"fields": map[string]any{
			"n": json.Number("1"), "y": json.Number("1.50"), "on": json.Number("-3"),
			"codes": []any{31, 0.5, 1, json.Number("1e3"), "12"},
		},
	}
	if diff := cmp.Diff(want, fm.Values); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

// A name is not repaired, so that no skill is loaded under a wrong one.
func TestRead_AMalformedNameIsAnError(t *testing.T) {
	if fm, err := frontmatter.Read([]byte("name: [bad\ndescription: d\n"), 2); err == nil {
		t.Errorf("Read = %v, want an error", fm.Values)
	}
}
