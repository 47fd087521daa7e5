package widget_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestSpans_AreWhereTheWordsStandInAnyCase(t *testing.T) {
	tests := []struct {
		name, text string
		words      []string
		want       []string
	}{
		{"every time", "Risk and risk", []string{"risk"}, []string{"Risk", "risk"}},
		{"several words in their order", "bonds fall when rates rise", []string{"rates", "bonds"}, []string{"bonds", "rates"}},
		{"one within another", "drawdowns", []string{"draw", "drawdown"}, []string{"drawdown"}},
		{"other letters", "Die GRÖSSE zählt", []string{"größe", "grösse"}, []string{"GRÖSSE"}},
		{"a letter that is two in lower case", "İstanbul rises", []string{"rises"}, []string{"rises"}},
		{"no word", "text", []string{""}, nil},
		{"not there", "text", []string{"nothing"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range widget.FindSpans(tt.text, tt.words) {
				got = append(got, tt.text[s.From:s.To])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Spans(%q, %q) (-want +got):\n%s", tt.text, tt.words, diff)
			}
		})
	}
}

func TestAround_TheFirstHitIsInSight(t *testing.T) {
	long := strings.Repeat("words before it, ", 20) + "the worst DRAWDOWN of all" + strings.Repeat(", and after", 20)
	for width := 12; width < 120; width++ {
		got := widget.ClipAroundMatch(long, []string{"drawdown"}, width)
		if n := ansi.StringWidth(got); n > width || !strings.Contains(got, "DRAWDOWN") || !strings.HasPrefix(got, "…") {
			t.Errorf("Around(…, %d) = %q of %d columns, want DRAWDOWN in it", width, got, n)
		}
	}
	if got := widget.ClipAroundMatch("a drawdown", []string{"drawdown"}, 40); got != "a drawdown" {
		t.Errorf("Around of what fits = %q, want all of it", got)
	}
	if got := widget.ClipAroundMatch(long, []string{"nothing"}, 20); got != "words before it, wo…" {
		t.Errorf("Around of what is not there = %q, want the beginning", got)
	}
}

func TestMarked_OnlyTheHitsAreMarked(t *testing.T) {
	st := widget.NewStyles(markdown.DarkTheme())
	got := st.HighlightSpans(st.Accent, "a hit here", widget.FindSpans("a hit here", []string{"hit"}))
	if want := st.Accent.Apply("a ") + st.Accent.With(st.Match).Apply("hit") + st.Accent.Apply(" here"); got != want {
		t.Errorf("Marked = %q, want %q", got, want)
	}
}

func FuzzAround(f *testing.F) {
	f.Add("some text with 中文 in it", "中", 9)
	f.Add("👩‍👩‍👧 family", "FAMILY", 3)
	f.Add("\xff\xfe", "\xff", 1)
	f.Fuzz(func(t *testing.T, text, word string, width int) {
		width %= 200
		text, word = widget.OneLine(text), widget.OneLine(word)
		got := widget.ClipAroundMatch(text, strings.Fields(word), width)
		if n := ansi.StringWidth(got); n > max(width, 0) {
			t.Errorf("Around(%q, %q, %d) = %q of %d columns", text, word, width, got, n)
		}
		if !utf8.ValidString(got) {
			t.Errorf("Around(%q, %q, %d) = %q", text, word, width, got)
		}
	})
}
