package markdown_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/markdown"
)

var payloads = []struct{ name, in, want string }{
	{"clean", "AAPL 184.25\n\t+0.69%", "AAPL 184.25\n\t+0.69%"},
	{"title by OSC 0", "a\x1b]0;pwned\x07b", "ab"},
	{"title ended by ST", "a\x1b]0;pwned\x1b\\b", "ab"},
	{"clipboard by OSC 52", "a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"},
	{"hyperlink by OSC 8", "see \x1b]8;;https://evil.example\x1b\\bank\x1b]8;;\x1b\\ now", "see bank now"},
	{"erase", "a\x1b[2J\x1b[3J\x1b[Hb", "ab"},
	{"color", "\x1b[1;31mred\x1b[0m", "red"},
	{"CSI with intermediates", "a\x1b[!p\x1b[2 qb", "ab"},
	{"C1 CSI", "a\u009b31mb", "ab"},
	{"raw 8-bit CSI", "a\x9b31mb", "ab"},
	{"raw 8-bit OSC", "a\x9d0;x\x9cb", "ab"},
	{"DCS", "a\x1bP$q\"p\x1b\\b", "ab"},
	{"APC", "a\x1b_Gf=100;AAAA\x1b\\b", "ab"},
	{"PM", "a\x1b^x\x1b\\b", "ab"},
	{"SOS", "a\x1bXx\x1b\\b", "ab"},
	{"charset", "a\x1b(0b\x1b(B", "ab"},
	{"reset", "a\x1bcb", "ab"},
	{"two escapes", "a\x1b\x1b[31mb", "ab"},
	{"canceled", "a\x1b]0;x\x18b", "ab"},
	{"escape at the end", "a\x1b", "a"},
	{"CSI cut by a newline", "a\x1b[31\nb", "a\nb"},
	{"CSI cut by text", "a\x1b[31中", "a中"},
	{"OSC never ended", "a\x1b]0;x\nb", "a\nb"},
	{"OSC cut by another", "a\x1b]0;x\x1b[31mb", "ab"},
	{"backspace, bell, NUL, DEL", "a\b\a\x00\x7fb", "ab"},
	{"CRLF and lone CR", "a\r\nb\rc\r\r\nd", "a\nb\nc\n\nd"},
	{"override", "a\u202eb\u202cc", "abc"},
	{"isolates and marks", "\u2066a\u2069\u200e\u200f\u061cb", "ab"},
	{"Unicode's own line ends", "a\u2028b\u2029c", "a\nb\nc"},
	{"annotations and retired formats", "a\ufff9b\ufffbc\u206ad", "abcd"},
	{"what is not assigned beside the tags", "a\U000e0080\U000e0fffb\U000e01efc", "ab\U000e01efc"},
	{"what is never seen", "soft\u00adhy\u200bphen\u2060s\u2063\ufeff\u180e", "softhyphens"},
	{"a flag of tags", "🏴\U000e0067\U000e0062\U000e007f", "🏴"},
	{"tags", "a\U000e0041\U000e007fb", "ab"},
	{"emoji keep joiners", "🏳️‍🌈 ☝️ ⏺️", "🏳️‍🌈 ☝️ ⏺️"},
	{"invalid UTF-8", "a\xffb\xe4\xb8", "a\ufffdb\ufffd\ufffd"},
	{"CJK", "中文 日本 한국", "中文 日本 한국"},
}

func TestSanitize_TakesOutWhatATerminalObeys(t *testing.T) {
	for _, p := range payloads {
		t.Run(p.name, func(t *testing.T) {
			if got := markdown.Sanitize(p.in); got != p.want {
				t.Errorf("Sanitize(%q) = %q, want %q", p.in, got, p.want)
			}
		})
	}
}

func TestSanitizer_CutAnywhereEqualsTheWhole(t *testing.T) {
	all := ""
	for _, p := range payloads {
		all += p.in + "|"
	}
	for _, p := range append(payloads, struct{ name, in, want string }{"all", all, markdown.Sanitize(all)}) {
		for i := range len(p.in) + 1 {
			var z markdown.Sanitizer
			if got := z.Clean(p.in[:i]) + z.Clean(p.in[i:]) + z.Close(); got != p.want {
				t.Errorf("%s cut at %d = %q, want %q", p.name, i, got, p.want)
			}
		}
		var z markdown.Sanitizer
		got := ""
		for i := range len(p.in) {
			got += z.Clean(p.in[i : i+1])
		}
		if got += z.Close(); got != p.want {
			t.Errorf("%s byte by byte = %q, want %q", p.name, got, p.want)
		}
	}
}

func TestSanitize_AnUnendedSequenceCostsABoundedStretch(t *testing.T) {
	for _, open := range []string{"\x1b]0;", "\x1bP", "\x1b_", "\u009d", "\x1b[", "\x1b("} {
		long := open + strings.Repeat("1", 5000) + " the rest"
		if got := markdown.Sanitize(long); !strings.HasSuffix(got, " the rest") {
			t.Errorf("Sanitize(%q then 5000 digits) lost the text after them", open)
		}
		if got := markdown.Sanitize(open + "\nsecond line"); got != "\nsecond line" {
			t.Errorf("Sanitize(%q then a line) = %q, want the line", open, got)
		}
	}
}

func TestSanitizeLine_HoldsOneLine(t *testing.T) {
	if got, want := markdown.SanitizeLine("a\tb\r\nc\u2028d\x1b[2Je"), "a b c de"; got != want {
		t.Errorf("SanitizeLine = %q, want %q", got, want)
	}
}

func TestSanitize_CleanTextCostsNoAllocation(t *testing.T) {
	clean := strings.Repeat("From 2008 to 2020 the index rose 98.6%. 中文 🏳️‍🌈\n", 50)
	var z markdown.Sanitizer
	n := testing.AllocsPerRun(100, func() {
		markdown.Sanitize(clean)
		markdown.SanitizeLine("one line")
		z.Clean(clean)
	})
	if n != 0 {
		t.Errorf("sanitizing clean text allocates %v times, want 0", n)
	}
}

func FuzzSanitize(f *testing.F) {
	for _, p := range payloads {
		f.Add(p.in, 1)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		got := markdown.Sanitize(s)
		if !utf8.ValidString(got) {
			t.Fatalf("Sanitize(%q) = %q, not UTF-8", s, got)
		}
		for _, r := range got {
			if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r >= 0x202a && r <= 0x202e {
				t.Fatalf("Sanitize(%q) = %q, which holds %U", s, got, r)
			}
		}
		if again := markdown.Sanitize(got); again != got {
			t.Fatalf("Sanitize(Sanitize(%q)) = %q, want %q", s, again, got)
		}
		cut = max(0, min(cut, len(s)))
		var z markdown.Sanitizer
		if parts := z.Clean(s[:cut]) + z.Clean(s[cut:]) + z.Close(); parts != got {
			t.Fatalf("%q cut at %d = %q, want %q", s, cut, parts, got)
		}
	})
}

// Chat, section 11: a pipe gets Markdown without escapes.
func TestUnescape_LeavesCodeAndCells(t *testing.T) {
	for text, want := range map[string]string{
		`10000 \* (1 + 5%)^10`: `10000 * (1 + 5%)^10`,
		`\^GSPC and \_x\_ \\`:  `^GSPC and _x_ \`,
		"`a \\* b` and \\*":    "`a \\* b` and *",
		"```\n\\*\n```\n\\*":   "```\n\\*\n```\n*",
		`| a \| b |`:           `| a \| b |`,
		`C:\new`:               `C:\new`,
	} {
		if got := markdown.Unescape(text); got != want {
			t.Errorf("Unescape(%q) = %q, want %q", text, got, want)
		}
	}
}

// All characters become visible, so that an address or a report that a person approves has no part that only
// a program or a model reads.
func TestEscapeInvisible_NothingHides(t *testing.T) {
	for text, want := range map[string]string{
		"plain 漢字 é \"q\"":         "plain 漢字 é \"q\"",
		`C:\a\`:                    `C:\\a\\`,
		"⚠\ufe0f and ❤\ufe0f":      "⚠\ufe0f and ❤\ufe0f", // the style of a symbol
		"a\ufe0fb\U000e0141":       `a\ufe0fb\U000e0141`,
		"\u3164\u115f\uffa0\u034f": `\u3164\u115f\uffa0\u034f`,
		"\u2800\u17b4\u202e\u200b": `\u2800\u17b4\u202e\u200b`,
		"a\nb\x1b[2J":              `a\nb\x1b[2J`,
	} {
		if got := markdown.EscapeInvisible(text); got != want {
			t.Errorf("EscapeInvisible(%+q) = %q, want %q", text, got, want)
		}
	}
}
