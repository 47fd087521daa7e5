package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// messagesTranscript returns a transcript of 40 columns and 9 lines with an answer for each text.
func messagesTranscript(texts ...string) *Transcript {
	t := New(widget.NewStyles(markdown.DarkTheme()), time.Now)
	t.SetSize(40, 9, true)
	for _, text := range texts {
		t.add(newAnswer(text))
	}
	return t
}

// numbered returns n words.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", i)
	}
	return b.String()
}

func TestFind_HighlightsWrappedMatches(t *testing.T) {
	long := numbered(200) + "the worst drawdown of all of them " + numbered(200)
	for _, words := range []string{"worst drawdown", "Worst  DRAWDOWN of", "the worst drawdown of all of them word0"} {
		tr := messagesTranscript("before", long, numbered(300))
		if !tr.Find(words) {
			t.Fatalf("Find(%q) finds nothing", words)
		}
		view := tr.View()
		found := markedIn(tr, view)
		if got, want := normalizeText(strings.Join(found, " ")), normalizeText(words); got != want {
			t.Errorf("Find(%q) marks %q:\n%s", words, got, strings.Join(view, "\n"))
		}
		if head := ansi.Strip(view[0]); strings.Contains(head, "worst") || strings.Contains(ansi.Strip(view[8]), "worst") {
			t.Errorf("Find(%q) shows nothing around it:\n%s", words, strings.Join(view, "\n"))
		}
	}
}

// normalizeText returns text in lower case with single spaces.
func normalizeText(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// markedIn returns the parts of lines that are marked as matches.
func markedIn(tr *Transcript, lines []string) []string {
	var found []string
	for _, line := range lines {
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, "\x1b["+string(tr.st.Match)+"m")
			if !ok {
				break
			}
			hit, next, _ := strings.Cut(after, "\x1b")
			found, rest = append(found, hit), next
		}
	}
	return found
}

// The match is broken at a different place for each number of letters before it.
func TestFind_WordsThatAreBrokenWithoutABlankAreMarked(t *testing.T) {
	address := "https://example.com/" + strings.Repeat("filings/", 12)
	for _, row := range []struct{ name, before, unit, after, words string }{
		{"han", "", "中", strings.Repeat("文", 60), "投资组合"},
		{"han broken in the source", "", "中", "\n" + strings.Repeat("文", 60), "投资组合文文"},
		{"han with a blank", "", "中", strings.Repeat("文", 60), "投资 组合"},
		{"kana", "", "中", strings.Repeat("ん", 60), "ポートフォリオ"},
		{"hangul", "", "한", strings.Repeat("글", 60), "포트폴리오"},
		{"han behind letters", "Das Wort ", "中", strings.Repeat("文", 60), "VTI投资组合"},
		{"an address", "see ", "x", address, "EDGAR/data/320193"},
		{"an address of a list", "- see\n- ", "x", address, "EDGAR/data/320193"},
		{"a hyphen", "", "x ", " and so on", "mean-variance"},
		{"code", "```\nbuy sell ", "x", strings.Repeat(" hold", 20) + "\n```", "sell off, then"},
	} {
		for n := range 50 {
			text := row.before + strings.Repeat(row.unit, n) + row.words + row.after
			for kind, b := range map[string]block{"answer": newAnswer(text), "message": &userMessage{text: text}} {
				tr := messagesTranscript()
				tr.SetSize(40, 30, true)
				tr.add(b)
				found := tr.Find(row.words)
				want := strings.ReplaceAll(strings.Join(strings.Fields(row.words), ""), "\n", "")
				got := strings.ReplaceAll(strings.Join(markedIn(tr, tr.View()), ""), " ", "")
				if !found || got != want {
					t.Fatalf("%s, %s: Find(%q) behind %d letters = %t, marks %q:\n%s", row.name, kind, row.words, n, found, got, strings.Join(tr.View(), "\n"))
				}
			}
		}
	}
}

func TestFind_WhiteSpaceBetweenWordsIsOneBlank(t *testing.T) {
	for _, row := range []struct{ name, text, words, want string }{
		{"an empty line", "a one\n\ntwo b", "one two", "one|two"},
		{"empty lines of code", "```\na one\n\n\ntwo b\n```", "one two", "one|two"},
		{"blanks", "```\na one   two b\n```", "one two", "one   two"},
		{"blanks that are looked for", "a one two b", "one   two", "one two"},
		{"a blank is no letter", "a sin is in it", "sin", "sin"},
		{"a blank has to be there", "bananas and an as", "an as", "an as"},
		{"no word over an empty line", "an etf, set\n\nfor", "etf", "etf"},
		{"han over white space", "投资 组合", "投资组合", "投资 组合"},
	} {
		t.Run(row.name, func(t *testing.T) {
			tr := messagesTranscript(row.text)
			found := tr.Find(row.words)
			at, of := tr.MatchPosition()
			if got := strings.Join(markedIn(tr, tr.View()), "|"); !found || at != 1 || of != 1 || got != row.want {
				t.Errorf("Find(%q) = %t, %d of %d, marks %q, want %q", row.words, found, at, of, got, row.want)
			}
		})
	}
}

func TestFind_MarksTheSameWhereverTheSightBegins(t *testing.T) {
	tr := messagesTranscript()
	for _, text := range []string{
		"```\n" + strings.Repeat("worst\n\n\nof the\ndraw down ", 5) + "\n```",
		strings.Repeat("市场投资组合", 40),
	} {
		lines := newAnswer(text).lines(tr.st, 13)
		for _, words := range []string{"worst of the draw down", "的", "投资组合", "down worst"} {
			s := newTextSearch(words)
			whole := s.highlight(tr.st, lines, 0, len(lines))
			if want := s.pattern.MatchString(text); want != (len(markedIn(tr, whole)) > 0) {
				t.Errorf("%q is marked: %t, want %t", words, !want, want)
			}
			for from := range lines {
				to := min(from+3, len(lines))
				if diff := cmp.Diff(whole[from:to], s.highlight(tr.st, lines, from, to)); diff != "" {
					t.Fatalf("%q from line %d (-whole +part):\n%s", words, from, diff)
				}
			}
		}
	}
}

func FuzzFind_MarksAndChangesNoLetter(f *testing.F) {
	f.Add("投资组合", "的投资\n组合", 4)
	f.Add("one two", "a one\n\n  │ two", 20)
	f.Add("a\xff", "\xffa\xff", 2)
	f.Add("İ", "i̇ İ", 3)
	f.Add("0", "0\u031c0", 1) // a letter with an accent is one character
	f.Fuzz(func(t *testing.T, words, text string, width int) {
		tr := messagesTranscript()
		lines := newAnswer(text).lines(tr.st, min(max(width, 1), 60))
		s := newTextSearch(words)
		if s.pattern == nil {
			return
		}
		for _, i := range s.matchLines(lines) {
			if i < 0 || i >= len(lines) {
				t.Fatalf("%q begins in line %d of %d", words, i, len(lines))
			}
		}
		for i, line := range s.highlight(tr.st, lines, 0, len(lines)) {
			if got, want := ansi.Strip(line), ansi.Strip(lines[i]); got != want {
				t.Errorf("marking %q makes %q of %q", words, got, want)
			}
		}
	})
}

func TestFind_EveryPlaceIsMarkedAndGoneTo(t *testing.T) {
	tr := messagesTranscript("risk one\n\nrisk two, risk three\n\n" + numbered(100) + "risk four")
	if !tr.Find("risk") {
		t.Fatal("Find(risk) finds nothing")
	}
	stops := 1
	for tr.FindNext(-1) {
		stops++
	}
	if stops != 3 { // lines, not words
		t.Errorf("%d lines are gone to, want 3", stops)
	}
	if n := strings.Count(strings.Join(tr.View(), "\n"), "\x1b[7mrisk\x1b"); n != 3 {
		t.Errorf("%d matches are highlighted, want the 3 visible ones:\n%s", n, strings.Join(tr.View(), "\n"))
	}
	for range 2 {
		if !tr.FindNext(+1) {
			t.Fatal("FindNext(+1) does not go back down")
		}
	}
	if tr.FindNext(+1) {
		t.Error("FindNext(+1) continues after the last match")
	}
}

func TestFind_ALineMayHoldColorsAndWideLetters(t *testing.T) {
	tr := messagesTranscript("**Das** 中文摘要 `risk` and *risk*")
	tr.Find("risk")
	line := tr.View()[0]
	if want := "›Das 中文摘要 risk and risk"; strings.TrimSpace(ansi.Strip(line)) != want {
		t.Errorf("the line = %q, want %q", ansi.Strip(line), want)
	}
	if strings.Count(line, "\x1b[7mrisk\x1b") != 2 {
		t.Errorf("the line %q does not mark both", line)
	}
}

func TestFind_IgnoresMarksOfEmphasis(t *testing.T) {
	for _, c := range []struct{ name, text, words string }{
		{"one word of several", "so the **total** return is 7%", "total return"},
		{"a part of a word's end", "so the *total* return, all told", "total return, all"},
		{"a sum", "it came to **$1,200**, after fees", "$1,200, after"},
		{"a sum behind a word", "it came to **$1,200**", "to $1,200"},
		{"code", "ask for `nfa quote VTI` and see", "quote vti and"},
		{"struck out", "not ~~ten~~ eleven", "ten eleven"},
		{"a name with marks of its own", "see portfolio_list for it", "portfolio_list"},
		{"a product", "it is 2 * 3 * 4", "2 * 3 * 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := messagesTranscript("before", c.text, "behind")
			if !tr.Find(c.words) {
				t.Fatalf("Find(%q) finds nothing in %q", c.words, c.text)
			}
			if got := normalizeText(strings.Join(markedIn(tr, tr.View()), " ")); got != normalizeText(c.words) {
				t.Errorf("Find(%q) marks %q in %q", c.words, got, c.text)
			}
			if at, of := tr.MatchPosition(); at != 1 || of != 1 {
				t.Errorf("Found() = %d, %d, want 1, 1", at, of)
			}
		})
	}
	if tr := messagesTranscript("2*3 and a_b"); tr.Find("23") || tr.Find("ab") {
		t.Error("a mark within a word is left out")
	}
}

func TestFind_ALongPasteIsSearchedForByItsBeginning(t *testing.T) {
	tr := messagesTranscript("before", strings.Repeat("x", 10*maxSearchLetters))
	if !tr.Find(strings.Repeat("x", 1<<20)) {
		t.Error("Find finds no beginning of a long paste")
	}
}
