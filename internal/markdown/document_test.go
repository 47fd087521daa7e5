package markdown_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// fragments are the pieces of random documents: each construct, complete and broken, and text in many
// scripts.
var fragments = []string{
	"# Heading", "###", "Setext\n===", "---", "***", "- - -", "plain words that go on for a while and wrap",
	"**bold** and *soft* and ~~gone~~", "**open", "`code", "`a b`", "a_b_c", "\\*not\\*", "&amp; &#27;[31m &#x202e; &copy;",
	"- item", "- ", "* star", "  - nested", "    - deeper", "1. one", "2. two", "10) ten", "1234567. many", "- [ ] todo", "- [x] done",
	"- item\n\n  second paragraph", "-\n  late", "-\n\n  apart", "1. a\n   ```\n   in item\n   ```",
	"> quote", "> - in quote", ">", "> > deep", "lazy", "```", "```go", "~~~", "   ```", "````", "```py\ns = \"\"\"two", "lines\"\"\" # done 中文", "~~~ SQL title", "select 'it''s' /* a", "b */ from x -- 🏳️‍🌈", "```json", "{\"k\": [1.5, \"v\"]}", "\tindented", "    code line that is quite long and has to fold somewhere",
	"| a | b |\n|---|--:|\n| x | 1.5 |", "|---|", "| long cell with words | 12,345.67 | more |", "a|b\n-|-", "Sym|Px|Chg\n:-|-:|:-:\nAAPL|184.25|+0.69%\nMSFT|n/a|-1%",
	"<div>", "<!-- comment", "-->", "<script>", "</script>", "a <b>c</b>", "<https://example.com/a>",
	"[text](https://example.com/path?q=1)", "[half](https://exam", "![alt](x.png)", "https://example.com/" + strings.Repeat("long/", 12), "me@example.com",
	"中文排版，没有空格的文字需要换行。", "日本語のテキスト「引用」です", "한국어 문장입니다", "ไทยไม่มีช่องว่างระหว่างคำ", "العربية من اليمين", "עברית", "हिन्दी पाठ", "🏳️‍🌈 ☝️ ⏺️ 👨‍👩‍👧‍👦 🇨🇭", "☝*️*", "e\u0301\u0301", "\ufe0f\u0301", "\u0600١",
	"¹ ² ³", "tab\there", "x" + strings.Repeat("y", 90), "[中文](https://例子.中国/路径)", "[tag\U000e0041](https://e.example/\u202e) \x1b]8;;https://evil.example\x1b\\x",
	"|Symbol|2019|2020|2021|2022|Total return\n|-|-|-|-|-|-\n|0700.HK 腾讯控股|1,234,567.89|-2.50|$ 1 234 567.00|(3)|n/a|\n|🏳️‍🌈 x|1|2|3|4|5|", "trailing  ", "back\\", "", "", "", " ", "   ",
}

func randomDocument(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(14) {
		b.WriteString(strings.Repeat(" ", []int{0, 0, 0, 0, 1, 2, 3, 4}[r.IntN(8)]))
		b.WriteString(fragments[r.IntN(len(fragments))])
		b.WriteString([]string{"\n", "\n", "\n\n", " ", ""}[r.IntN(5)])
	}
	return b.String()
}

func options(r *rand.Rand) markdown.Options {
	themes := []markdown.Theme{markdown.PlainTheme(), markdown.DarkTheme(), markdown.LightTheme()}
	return markdown.Options{
		Width: 1 + r.IntN(200), Theme: themes[r.IntN(len(themes))], Hyperlinks: r.IntN(2) == 0,
		ScrollTables: r.IntN(2) == 0, TableOffset: r.IntN(4) - 1,
	}
}

// checkLines checks what is guaranteed for every line of any text.
func checkLines(t *testing.T, src string, o markdown.Options, lines []string) {
	t.Helper()
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > o.Width {
			t.Fatalf("Render(%q) at width %d: line of width %d: %q", src, o.Width, w, line)
		}
		if o.Theme == markdown.PlainTheme() && !o.Hyperlinks && strings.Contains(line, "\x1b") {
			t.Fatalf("Render(%q) in plain: line %q contains an escape", src, line)
		}
		if left := own.ReplaceAllString(line, ""); strings.Contains(left, "\x1b") {
			t.Fatalf("Render(%q): line %q contains a foreign escape: %q", src, line, left)
		}
		if strings.ContainsAny(line, "\n\t\r") {
			t.Fatalf("Render(%q): line %q contains a control", src, line)
		}
		if text := ansi.Strip(line); markdown.Sanitize(text) != text {
			t.Fatalf("Render(%q): line %q contains what Sanitize removes", src, line)
		}
		if open := openAtEnd(line); open != "" {
			t.Fatalf("Render(%q): line %q ends inside %s", src, line, open)
		}
	}
}

// own matches the escapes that a line may contain: SGR with numbers, and OSC 8 that ends a hyperlink or
// starts one with an allowed scheme.
var own = regexp.MustCompile(`\x1b\[[0-9;]*m|\x1b\]8;;((https?://|mailto:)[!-~]+)?\x1b\\`)

// openAtEnd returns the style or hyperlink that a line leaves open.
func openAtEnd(line string) string {
	style, link := "", ""
	for i := strings.IndexByte(line, 0x1b); i >= 0; i = strings.IndexByte(line, 0x1b) {
		line = line[i:]
		switch {
		case strings.HasPrefix(line, "\x1b[m"):
			style = ""
		case strings.HasPrefix(line, "\x1b]8;;\x1b\\"):
			link, line = "", line[6:]
		case strings.HasPrefix(line, "\x1b]8;;"):
			link = "hyperlink"
			line = line[strings.Index(line, "\x1b\\")+1:]
		case strings.HasPrefix(line, "\x1b["):
			style = "style"
		default:
			return "an unknown sequence"
		}
		line = line[1:]
	}
	return style + link
}

func TestRender_NoLineIsWiderThanTheWidth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		src, o := randomDocument(r), options(r)
		checkLines(t, src, o, markdown.Render(src, o))
	}
}

func TestStream_EqualsRenderAtEveryCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		src, o := randomDocument(r), options(r)
		equalAtEveryCut(t, r, src, o)
	}
}

func equalAtEveryCut(t *testing.T, r *rand.Rand, src string, o markdown.Options) {
	t.Helper()
	equalAtCutsFrom(t, r, 0, src, o)
}

// equalAtCutsFrom draws src cut into small pieces, and compares from the byte first on.
func equalAtCutsFrom(t *testing.T, r *rand.Rand, first int, src string, o markdown.Options) {
	t.Helper()
	s := markdown.NewStream(o)
	for from := 0; from < len(src); {
		to := min(from+1+r.IntN(24), len(src))
		s.Write(src[from:to])
		from = to
		got := s.Lines()
		if to < first {
			continue
		}
		want := markdown.Render(s.Text(), o)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("Lines() of %q at width %d = \n%s\nwant, as Render,\n%s", s.Text(), o.Width,
				strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
