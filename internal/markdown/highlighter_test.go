package markdown_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// highlightLine writes keywords as <k>, literals as [l] and comments as {c}.
func highlightLine(c *markdown.Highlighter, line string) string {
	var out strings.Builder
	c.HighlightLine([]byte(line), func(text []byte, r markdown.CodeRole) {
		pair := []string{"", "<>", "[]", "{}"}[r]
		if pair == "" {
			out.Write(text)
			return
		}
		out.WriteString(pair[:1] + string(text) + pair[1:])
	})
	return out.String()
}

func TestCode_TellsWordsApartLineByLine(t *testing.T) {
	for _, row := range []struct {
		info, code, want string
	}{
		{"go", "s := `if\n1` + 'x' /* for\n2 */ - 3.5 // why", "s := [`if]\n[1`] + ['x'] {/* for}\n{2 */} - [3.5] {// why}"},
		{" SQL title=x", "SELECT a1 -- all", "<SELECT> a1 {-- all}"},
		{"yaml", "key: 'x' #y", "<key>: ['x'] {#y}"},
		{"cobol", "if 1 \"x\"", "if 1 \"x\""},
		{"", "if 1", "if 1"},
	} {
		c := markdown.NewHighlighter([]byte(row.info))
		var got []string
		for line := range strings.SplitSeq(row.code, "\n") {
			got = append(got, highlightLine(&c, line))
		}
		if all := strings.Join(got, "\n"); all != row.want {
			t.Errorf("%s: %q is read as\n%s\nwant\n%s", row.info, row.code, all, row.want)
		}
	}
}

func TestCode_ACopyContinuesIndependently(t *testing.T) {
	open := markdown.NewHighlighter([]byte("go"))
	highlightLine(&open, "x := `left open")
	copied := open
	if got := highlightLine(&copied, "if` + 1"); got != "[if`] + [1]" {
		t.Errorf("the copy reads %q, want the string to continue", got)
	}
	if got := highlightLine(&open, "still"); got != "[still]" {
		t.Errorf("the first reads %q after its copy, want the string still open", got)
	}
}
