package markdown_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/markdown"
)

func TestRender_Constructs(t *testing.T) {
	tests := []struct {
		name, src string
		width     int
		want      []string
	}{
		{"nothing", "", 20, nil},
		{"blank", " \n\n ", 20, nil},
		{"a footnote index may follow strong text", "**53.3%**⁴ and *“中文”*是", 40, []string{"53.3%⁴ and “中文”是"}},
		{"struck text keeps its marks without color", "~~gone~~", 20, []string{"~~gone~~"}},
		{"entities cannot spell controls", "a&#27;[31mb&#x202e;c&#0;d&amp;e &nosuch; &#x110000;", 60, []string{"a[31mbc\ufffdd&e &nosuch; \ufffd"}},
		{"escapes", `\*a\* \q \\`, 20, []string{`*a* \q \`}},
		{"words wrap, long words are cut", "aa bbb cccccccccccc d", 6, []string{"aa bbb", "cccccc", "cccccc", "d"}},
		{"spaces at a break are not drawn", "aaaa     bbbb", 6, []string{"aaaa", "bbbb"}},
		{"ideographs wrap anywhere but before closing marks", "一二三四五，六", 10, []string{"一二三四", "五，六"}},
		{"an emoji is not torn by a style", "☝*️*x", 20, []string{"☝️x"}},
		{"unclosed emphasis is text", "**bold tex", 20, []string{"**bold tex"}},
		{"an underline below a table is a row of it", "a|b\n-|-\n1|2\n===", 60, []string{"a    b", "───  ─", "1    2", "==="}},
		{"numbers count on from the first", "7. a\n7. b", 20, []string{"7. a", "8. b"}},
		{"a blank line between items is kept", "- a\n- b\n\n- c", 20, []string{"• a", "• b", "", "• c"}},
		{"an empty item has its bullet", "- a\n-\n- c", 20, []string{"• a", "•", "• c"}},
		{"an empty quote leaves nothing behind", ">\n\ntext", 20, []string{"text"}},
		{"deep nesting gives up indentation, not text", "> > > > > > deep words", 10, []string{"│ │ deep", "│ │ words"}},
		{"code keeps its spaces and folds", "```\na  b\n\n0123456789abcdef\n```", 14, []string{"  a  b", "", "  0123456789ab", "  ↳ cdef"}},
		{"header only", "a|b\n-|-", 60, []string{"a  b", "─  ─"}},
		{"numbers go right, marks for none do not count", "x|n\n-|-\na|(1,200.5)\nb|–\nc|3%", 60,
			[]string{"x          n", "─  ─────────", "a  (1,200.5)", "b          –", "c         3%"}},
		{"one word makes a column text", "x|n\n-|-\na|1\nb|22 apples", 60, []string{"x  n", "─  ─────────", "a  1", "b  22 apples"}},
		{"an explicit alignment stands", "x|n\n-|:-\na|1\nb|22", 60, []string{"x  n", "─  ──", "a  1", "b  22"}},
		{"narrow tables become labeled lines", "x|n\n-|-\na|1\n|\nb|2", 40, []string{"x: a  n: 1", "", "", "", "x: b  n: 2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := markdown.Render(tt.src, markdown.Options{Width: tt.width})
			if !slices.Equal(got, tt.want) {
				t.Errorf("Render(%q) =\n%q\nwant\n%q", tt.src, got, tt.want)
			}
		})
	}
}

func TestRender_ALinkShowsWhereItLeads(t *testing.T) {
	tests := []struct{ src, plain, linked string }{
		{"[bank](https://evil.example/a)", "bank (https://evil.example/a)", "bank (evil.example)"},
		{"[https://bank.example](https://evil.example)", "https://bank.example (https://evil.example)", "https://bank.example (evil.example)"},
		{"[x](https://bank.example@evil.example/)", "x (https://evil.example/)", "x (evil.example)"},
		{"<https://bank.example@evil.example/>", "https://bank.example@evil.example/ (evil.example)", "https://bank.example@evil.example/ (evil.example)"},
		{"[x](javascript:alert(1))", "x (javascript:alert(1))", "x (javascript:alert(1))"},
		{"https://example.com", "https://example.com", "https://example.com"},
		{"[mail](mailto:me@example.com)", "mail (mailto:me@example.com)", "mail (mailto:me@example.com)"},
		{"[x](ftp://e.example/)", "x (ftp://e.example/)", "x (ftp://e.example/)"},
		{"[x](http:///path)", "x (http:///path)", "x (http:///path)"},
		{"[a\u200bpple.com](https://evil.example/)", "apple.com (https://evil.example/)", "apple.com (evil.example)"},
		{"[https://аpple.com/](https://аpple.com/)", "https://аpple.com/ (https://xn--pple-43d.com/)", "https://аpple.com/ (xn--pple-43d.com)"},
		{"<https://аpple.com:8443/x>", "https://аpple.com:8443/x (xn--pple-43d.com)", "https://аpple.com:8443/x (xn--pple-43d.com)"},
		{"[x](https://-é.example/)", "x (https://-é.example/)", "x (https://-é.example/)"},
		{"[](https://example.com/a)", "https://example.com/a", "example.com"},
		{"[![chart](https://a.example/x.png)](https://evil.example/y)", "chart (https://evil.example/y)", "chart (evil.example)"},
		{"[x](<https://e.example/\u202e&#27;]8;;>)", "x (https://e.example/]8;;)", "x (e.example)"},
	}
	for _, tt := range tests {
		if got := strings.Join(markdown.Render(tt.src, markdown.Options{Width: 120}), "\n"); got != tt.plain {
			t.Errorf("Render(%q) = %q, want %q", tt.src, got, tt.plain)
		}
		got := strings.Join(markdown.Render(tt.src, markdown.Options{Width: 120, Hyperlinks: true}), "\n")
		if text := withoutHyperlinks(got); text != tt.linked {
			t.Errorf("Render(%q) with hyperlinks = %q, want %q", tt.src, text, tt.linked)
		}
		if strings.Contains(got, "]8;;javascript") {
			t.Errorf("Render(%q) makes a script clickable: %q", tt.src, got)
		}
	}
}

func TestRender_WhatIsClickable(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("a", 3000)
	tests := []struct{ src, target string }{
		{"[x](https://example.com/a?b=c&amp;d#e)", "https://example.com/a?b=c&d#e"},
		{"[x](HTTP://example.com/)", "http://example.com/"},
		{"<me@example.com>", "mailto:me@example.com"},
		{"[x](https://user:secret@example.com/)", "https://example.com/"},
		{"[x](https://例子.中国/路径)", "https://xn--fsqu00a.xn--fiqs8s/%E8%B7%AF%E5%BE%84"},
		{"[x](https://e.example/&#27;]8;;https://evil.example&#7;)", "https://e.example/]8;;https://evil.example"},
		{"[x](javascript:alert(1))", ""},
		{"[x](data:text/html,x)", ""},
		{"[x](file:///etc/passwd)", ""},
		{"[x](//example.com/)", ""},
		{"[x](https://e.example\\\\@evil.example/)", ""},
		{"[x](https://-é.example/)", ""},
		{"[x](" + long + ")", ""},
	}
	for _, tt := range tests {
		lines := markdown.Render(tt.src, markdown.Options{Width: 120, Hyperlinks: true})
		if got := targets(strings.Join(lines, "")); tt.target == "" && len(got) > 0 || tt.target != "" && !slices.Equal(got, []string{tt.target}) {
			t.Errorf("Render(%q) leads to %q, want %q", tt.src, got, tt.target)
		}
	}
}

// targets returns the targets of the hyperlinks in s.
func targets(s string) []string {
	var out []string
	for _, part := range strings.Split(s, "\x1b]8;;")[1:] {
		if target, _, _ := strings.Cut(part, "\x1b\\"); target != "" {
			out = append(out, target)
		}
	}
	return out
}

// A link that is wrapped in a cell is complete on each of its lines: each has the whole target, and none
// continues in the next cell.
func TestRender_AFoldedLinkIsWholeOnEachLine(t *testing.T) {
	const target = "https://example.com/an/identifier/that/does/not/fit"
	src := "|Source|Words|Price|\n|-|-|-|\n|<" + target + ">|" + strings.Repeat("words ", 9) + "|1,234.50|\n"
	o := markdown.Options{Width: 50, Hyperlinks: true}
	lines := markdown.Render(src, o)
	checkLines(t, src, o, lines)
	shown := ""
	for _, line := range lines[2:] {
		for _, part := range strings.Split(line, "\x1b]8;;"+target+"\x1b\\")[1:] {
			label, _, closed := strings.Cut(part, "\x1b]8;;\x1b\\")
			if !closed || strings.ContainsAny(label, " \x1b") {
				t.Errorf("line %q does not close its link after the words of the cell", line)
			}
			shown += label
		}
		if left := targets(line); len(slices.Compact(left)) > 1 || len(left) == 1 && left[0] != target {
			t.Errorf("line %q leads to %q, want only %q", line, left, target)
		}
	}
	if shown != target {
		t.Errorf("the pieces of the link read %q, want %q", shown, target)
	}
}

func withoutHyperlinks(s string) string {
	for {
		from := strings.Index(s, "\x1b]8;;")
		if from < 0 {
			return s
		}
		to := from + strings.Index(s[from:], "\x1b\\") + 2
		s = s[:from] + s[to:]
	}
}

func TestRender_WidthZeroIsEighty(t *testing.T) {
	got := markdown.Render("---", markdown.Options{})
	if want := strings.Repeat("─", 80); len(got) != 1 || got[0] != want {
		t.Errorf("Render of a rule at width 0 = %q, want 80 cells", got)
	}
}

func TestRender_TheSmallestWidthsHold(t *testing.T) {
	for width := 1; width < 10; width++ {
		for _, src := range fragments {
			o := markdown.Options{Width: width, ScrollTables: true}
			checkLines(t, src, o, markdown.Render(src, o))
		}
	}
}

func TestStyle_Apply(t *testing.T) {
	if got, want := markdown.DarkTheme().Gain.Apply("+1%"), "\x1b[38;5;78m+1%\x1b[m"; got != want {
		t.Errorf("Gain.Apply = %q, want %q", got, want)
	}
	if got := markdown.PlainTheme().Loss.Apply("-1%"); got != "-1%" {
		t.Errorf("plain Loss.Apply = %q, want it untouched", got)
	}
	if got, want := markdown.Style("1").With("3").With(""), markdown.Style("1;3"); got != want {
		t.Errorf("With = %q, want %q", got, want)
	}
}
