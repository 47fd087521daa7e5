package highlight_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown/highlight"
)

// read writes keywords as <k>, literals as [l] and comments as {c}.
func read(c *highlight.Code, line string) string {
	var out strings.Builder
	c.Line([]byte(line), func(text []byte, r highlight.Role) {
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
		c := highlight.Of([]byte(row.info))
		var got []string
		for line := range strings.SplitSeq(row.code, "\n") {
			got = append(got, read(&c, line))
		}
		if all := strings.Join(got, "\n"); all != row.want {
			t.Errorf("%s: %q is read as\n%s\nwant\n%s", row.info, row.code, all, row.want)
		}
	}
}

func TestCode_ACopyGoesOnByItself(t *testing.T) {
	open := highlight.Of([]byte("go"))
	read(&open, "x := `left open")
	copied := open
	if got := read(&copied, "if` + 1"); got != "[if`] + [1]" {
		t.Errorf("the copy reads %q, want the string to go on", got)
	}
	if got := read(&open, "still"); got != "[still]" {
		t.Errorf("the first reads %q after its copy, want the string still open", got)
	}
}
