package frontmatter_test

import (
	"errors"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// TestLocateYAMLError_NamesTheLineAsAnEditorCountsIt checks that the line is that of the word, or of the list or
// mapping that it ends.
func TestLocateYAMLError_NamesTheLineAsAnEditorCountsIt(t *testing.T) {
	for _, row := range []struct {
		src     string
		line    int
		message string
	}{
		{"a: 1\nb: x: y\n", 2, "mapping values are not allowed in this context"},
		{"a: 1\nb: @x\n", 2, "found character that cannot start any token"},
		{"a: 1\nb: 'x\n", 2, "found unexpected end of stream"},
		{"a: 1\nb: |x\n", 2, "did not find expected comment or line break"},
		{"a: 1\nb: !<x y\n", 2, "did not find the expected '>'"},
		{"a: 1\n%x\n", 2, "found unknown directive name"},
		{"a: 1\nb: [x\nc: 2\n", 2, "did not find expected ',' or ']'"},
		{"a: 1\nb: {x: 1\nc: 2", 2, "did not find expected ',' or '}'"},
		{"a: 1\nb: ]\n", 2, "did not find expected node content"},
		{"a: 1\n- b\n", 2, "did not find expected key"},
		{"a:\n  - b\n  c\n  - d\n", 3, "could not find expected ':'"},
		{"a:\n  - b\n  c: d\n", 2, "did not find expected '-' indicator"},
		// The end of the file is beyond its last line.
		{"[a", 2, "did not find expected ',' or ']'"},
		{"a: *x\n", 0, "unknown anchor 'x' referenced"},
		{"a: \x01\n", 0, "control characters are not allowed"},
	} {
		var doc yaml.Node
		err := yaml.Unmarshal([]byte(row.src), &doc)
		if err == nil {
			t.Errorf("%q is no fault", row.src)
			continue
		}
		if line, message := frontmatter.LocateYAMLError(err); line != row.line || message != row.message {
			t.Errorf("Of(%q) of %q = line %d, %q; want line %d, %q", err, row.src, line, message, row.line, row.message)
		}
	}
}

func TestLocateYAMLError_AnErrorOfAnythingElseIsItsText(t *testing.T) {
	for text, want := range map[string]string{"unexpected EOF": "unexpected EOF", "yaml: line x: y": "line x: y", "yaml: line 3: y": "y"} {
		line, message := frontmatter.LocateYAMLError(errors.New(text))
		if message != want || line != map[bool]int{true: 3}[text == "yaml: line 3: y"] {
			t.Errorf("Of(%q) = %d, %q; want %q", text, line, message, want)
		}
	}
}
