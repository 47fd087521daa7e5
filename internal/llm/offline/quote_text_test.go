package offline_test

import (
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

func TestLine_IsOneLineWithoutControlCharacters(t *testing.T) {
	for input, want := range map[string]string{
		" a\n\tb  c ": "a b c", "x\x1b[31my": "x [31my", "a\u202eb\u200bc": "abc", "\xff\xfeok": "ok", "": "",
	} {
		if got := offline.CleanLine(input, 100); got != want {
			t.Errorf("CleanLine(%q) = %q, want %q", input, got, want)
		}
	}
}

func TestCut_NeitherARuneNorAWordIsCutInTwo(t *testing.T) {
	if got := offline.CutBytes("aÄÄ", 2); got != "a" || !utf8.ValidString(got) {
		t.Errorf("Cut = %q, want the one rune that fits", got)
	}
	for input, want := range map[string]string{"price of AAPL": "price of", "price": "price", "abcdefghijkl": "abcdefghij"} {
		if got := offline.CutAtWord(input, 10); got != want {
			t.Errorf("CutAtWord(%q) = %q, want %q", input, got, want)
		}
	}
}

func TestEscaped_ForeignSignsDrawNothing(t *testing.T) {
	if got, want := offline.EscapeMarkdown("a|b *c* `d` <e> [f](g) \\"), `a\|b \*c\* 'd' \<e> \[f\](g) \\`; got != want {
		t.Errorf("EscapeMarkdown = %q, want %q", got, want)
	}
}

func TestCode_ListsNamesAsInASentence(t *testing.T) {
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{nil, ""}, {[]string{"a"}, "`a`"}, {[]string{"a", "b"}, "`a` and `b`"}, {[]string{"a", "b`c", "d\ne"}, "`a`, `b'c` and `d e`"},
	} {
		if got := offline.InlineCode(tt.names...); got != tt.want {
			t.Errorf("Code(%q) = %q, want %q", tt.names, got, tt.want)
		}
	}
}
