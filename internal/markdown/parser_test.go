package markdown_test

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// nodeKinds counts the nodes of a document by their kind.
func nodeKinds(src string) map[string]int {
	spaceless := func(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }
	found := map[string]int{}
	root := markdown.NewParser(spaceless).Parse(text.NewReader([]byte(src)))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			found[n.Kind().String()]++
		}
		return ast.WalkContinue, nil
	})
	return found
}

func TestNew_ParsesWhatModelsWrite(t *testing.T) {
	for _, row := range []struct {
		name, src, kind string
		want            int
	}{
		{"a table", "a|b\n-|-\n1|2\n", "Table", 1},
		{"struck text", "~~old~~", "Strikethrough", 1},
		{"a bare link", "see https://example.com/a", "AutoLink", 1},
		{"a task", "- [x] done\n", "TaskCheckBox", 1},
		{"emphasis before a footnote", "**53.3%**⁴", "Emphasis", 1},
		{"emphasis without spaces", "涨幅**53.3%**以上", "Emphasis", 1},
		{"emphasis in a word needs its space", "a**53.3%**b", "Emphasis", 0},
		{"64 columns", strings.Repeat("|a", 64) + "|\n" + strings.Repeat("|-", 64) + "|\n", "Table", 1},
		{"65 columns", strings.Repeat("|a", 65) + "|\n" + strings.Repeat("|-", 65) + "|\n", "Table", 0},
		{"quotes in each other", strings.Repeat(">", 500) + "a\n", "Blockquote", 24},
		{"no heading below a table", "a|b\n-|-\n1|2\n---\n", "Heading", 0},
		{"a link", "[a](b)", "Link", 1},
		{"a link after 20,000 open targets", strings.Repeat("[](", 20_000) + " [a](b)", "Link", 0},
		{"in the next block", strings.Repeat("[](", 20_000) + "\n\n[a](b)", "Link", 1},
	} {
		if got := nodeKinds(row.src)[row.kind]; got != row.want {
			t.Errorf("%s: %d of %s, want %d", row.name, got, row.kind, row.want)
		}
	}
}
