package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// marked is a theme whose code styles read as letters: k, l and c.
var marked = markdown.Theme{CodeKeyword: "11", CodeLiteral: "12", CodeComment: "13"}

// spelled writes keywords as <k>, literals as [l] and comments as {c}.
func spelled(lines []string) string {
	out := strings.Join(lines, "\n")
	for code, pair := range map[string][2]string{"11": {"<", ">"}, "12": {"[", "]"}, "13": {"{", "}"}} {
		for {
			before, after, found := strings.Cut(out, "\x1b["+code+"m")
			if !found {
				break
			}
			inside, rest, _ := strings.Cut(after, "\x1b[m")
			out = before + pair[0] + inside + pair[1] + rest
		}
	}
	return strings.ReplaceAll(out, "\n  ", "\n")
}

func TestRender_CodeIsHighlighted(t *testing.T) {
	tests := []struct{ name, info, code, want string }{
		{"go", "go", "func f(x1 int) { return \"a\\\"b\" + `c` } // why 1", "<func> f(x1 int) { <return> [\"a\\\"b\"] + [`c`] } {// why 1}"},
		{"go over lines", "go", "s := `if\n1` + 'x' /* for\n2 */ - 3.5", "s := [`if]\n[1`] + ['x'] {/* for}\n{2 */} - [3.5]"},
		{"a string that is not closed ends with its line", "go", "\"open if\nif 2", "[\"open if]\n<if> [2]"},
		{"python", "Python", "def f(): # it's\n  return r'\\'' + \"\"\"if\nx\"\"\" + other", "<def> f(): {# it's}\n  <return> r['\\''] + [\"\"\"if]\n[x\"\"\"] + other"},
		{"json names its values", "json", `{"a": 1.5, "b" : "c", "d": true, "e": -2}`, `{<"a">: [1.5], <"b"> : ["c"], <"d">: <true>, <"e">: -[2]}`},
		{"yaml", "yml", "a-b: don't # why\nkey: 'x' #y\n- name: yes\n  url: http://e#f", "a-b: don't {# why}\n<key>: ['x'] {#y}\n- <name>: <yes>\n  <url>: http://e#f"},
		{"sh", "bash title=x", "if [ $# -gt 2 ]; then # two\n  echo \"a # b\" 'c'", "<if> [ $# -gt [2] ]; <then> {# two}\n  echo [\"a # b\"] ['c']"},
		{"sql", "SQL", "SELECT a1, 'it''s' FROM t -- all\nwhere d > 2020-04-17 /* x\ny */", "<SELECT> a1, ['it''s'] <FROM> t {-- all}\n<where> d > [2020-04-17] {/* x}\n{y */}"},
		{"words are whole", "go", "iffy if_ if2 _if 中if x_1", "iffy if_ if2 _if 中if x_1"},
		{"an unknown language", "cobol", "if 1 \"x\"", "if 1 \"x\""},
		{"no language", "", "if 1 \"x\"", "if 1 \"x\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := "~~~ " + tt.info + "\n" + tt.code + "\n~~~\n"
			got := strings.TrimPrefix(spelled(markdown.Render(src, markdown.Options{Width: 100, Theme: marked})), "  ")
			if got != tt.want {
				t.Errorf("Render(%q) =\n%s\nwant\n%s", src, got, tt.want)
			}
			plain := strings.Join(markdown.Render(src, markdown.Options{Width: 100}), "\n")
			if text := "  " + strings.ReplaceAll(tt.code, "\n", "\n  "); plain != text {
				t.Errorf("Render(%q) without color = %q, want the code as it is, %q", src, plain, text)
			}
		})
	}
}

// Color changes no character and no line.
func TestRender_HighlightingChangesOnlyColor(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 15))
	pieces := []string{"if ", "\"", "'", "`", "\\", "/*", "*/", "//", "#", "--", "中文", "🏳️‍🌈", "☝", "\ufe0f", "\u0301", "12.5", "\n", "\t", ": ", "{", `"""`, " "}
	for range 300 {
		info := []string{"go", "py", "json", "yaml", "sh", "sql"}[r.IntN(6)]
		src := "```" + info + "\n"
		for range r.IntN(60) {
			src += pieces[r.IntN(len(pieces))]
		}
		o := markdown.Options{Width: 1 + r.IntN(60), Theme: markdown.DarkTheme()}
		lines := markdown.Render(src, o)
		checkLines(t, src, o, lines)
		bare := o
		bare.Theme.CodeKeyword, bare.Theme.CodeLiteral, bare.Theme.CodeComment = "", "", ""
		want := markdown.Render(src, bare)
		if got := ansi.Strip(strings.Join(lines, "\n")); got != ansi.Strip(strings.Join(want, "\n")) {
			t.Fatalf("Render(%q) at %d, highlighted,\n%s\nwant the text of\n%s", src, o.Width, got, strings.Join(want, "\n"))
		}
		equalAtEveryCut(t, r, src, o)
	}
}
