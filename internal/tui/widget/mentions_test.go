package widget_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestWordAt_FindsWhatIsBeingTypedBehindASign(t *testing.T) {
	for before, want := range map[string]widget.CompletionWord{
		"@":                     {Prefix: '@', Text: "", Len: 1},
		"see @no":               {Prefix: '@', Text: "no", Len: 3},
		"(@sub/no":              {Prefix: '@', Text: "sub/no", Len: 7},
		`see @"my no`:           {Prefix: '@', Text: "my no", Len: 7},
		"one\n@中文":              {Prefix: '@', Text: "中文", Len: 3},
		"$A":                    {Prefix: '$', Text: "A", Len: 2},
		"of $BRK-B":             {Prefix: '$', Text: "BRK-B", Len: 6},
		"$^GS":                  {Prefix: '$', Text: "^GS", Len: 4},
		"costs $AAPL or @fi":    {Prefix: '@', Text: "fi", Len: 3},
		"me@example.com":        {},
		"@notes.txt ":           {},
		"@notes.txt and":        {},
		`@"my notes.txt" and x`: {},
		"$":                     {},
		"$1,000":                {},
		"US$A":                  {},
		"@one\n":                {},
		"$A/B":                  {},
		"":                      {},
	} {
		got, ok := widget.CompletionWordAt(before)
		if !ok {
			got = widget.CompletionWord{}
		}
		if got != want {
			t.Errorf("WordAt(%q) = %+v, %t, want %+v", before, got, ok, want)
		}
	}
}

func TestMentions_AreThePathsAfterThePrefix(t *testing.T) {
	for text, want := range map[string][]string{
		"see @a.txt and @sub/b.csv, (@c)":      {"a.txt", "sub/b.csv,", "c)"},
		`@"my notes.txt" @a.txt @a.txt`:        {"my notes.txt", "a.txt"},
		"me@example.com or @ nothing":          nil,
		"line\n@b\n":                           {"b"},
		`@"never closed`:                       nil,
		"@~/x @/etc/passwd @../y":              {"~/x", "/etc/passwd", "../y"},
		strings.Repeat("@same ", 300) + "@end": {"same", "end"},
	} {
		if diff := cmp.Diff(want, widget.FindMentions(text)); diff != "" {
			t.Errorf("Mentions(%.40q) (-want +got):\n%s", text, diff)
		}
	}
	for mention, want := range map[string]string{"sub/b.csv,": "sub/b.csv", "c)": "c", "a.b": "a.b", "...": ""} {
		if got := widget.TrimMention(mention); got != want {
			t.Errorf("Bare(%q) = %q, want %q", mention, got, want)
		}
	}
}

func TestTyped_TakesTheLineOfAttachmentsOff(t *testing.T) {
	for _, text := range []string{"see @a", "one\ntwo", "", "(attached: x)"} {
		if got := widget.TrimAttachmentNote(widget.AddAttachmentNote(text, []string{"a", "b (1).txt"})); got != text {
			t.Errorf("Typed(WithAttached(%q)) = %q", text, got)
		}
		if got := widget.TrimAttachmentNote(text); got != text {
			t.Errorf("Typed(%q) = %q, want it as it is", text, got)
		}
	}
}

// The text written for a path is found again as that path.
func FuzzFileWord(f *testing.F) {
	for _, seed := range []string{"a.txt", "my notes.txt", "sub/中文 x", "\t", `q"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		widget.CompletionWordAt(path)
		widget.CompletionWordAt("@" + path)
		widget.CompletionWordAt("$" + path)
		got := widget.FindMentions("see " + widget.FormatMention(path) + " please")
		if strings.ContainsAny(path, "\"\n") || path == "" {
			return
		}
		if len(got) == 0 || got[0] != path {
			t.Fatalf("Mentions of %q = %q", path, got)
		}
	})
}
