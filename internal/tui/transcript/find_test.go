package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

// said40 is a transcript of 40 columns and 9 lines that holds texts, each an answer.
func said40(texts ...string) *Transcript {
	t := New(draw.NewStyles(markdown.Dark()), time.Now)
	t.SetSize(40, 9, true)
	for _, text := range texts {
		t.add(newAnswer(text))
	}
	return t
}

// numbered is so many words to read before something.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d ", i)
	}
	return b.String()
}

func TestFind_WordsThatAreBrokenOverLinesAreShownWhereTheyStand(t *testing.T) {
	long := numbered(200) + "the worst drawdown of all of them " + numbered(200)
	for _, words := range []string{"worst drawdown", "Worst  DRAWDOWN of", "the worst drawdown of all of them word0"} {
		tr := said40("before", long, numbered(300))
		if !tr.Find(words) {
			t.Fatalf("Find(%q) finds nothing", words)
		}
		view := tr.View()
		var found []string
		for _, line := range view {
			for rest := line; ; {
				_, after, ok := strings.Cut(rest, "\x1b["+string(tr.st.Found)+"m")
				if !ok {
					break
				}
				hit, next, _ := strings.Cut(after, "\x1b")
				found, rest = append(found, hit), next
			}
		}
		if got, want := flat(strings.Join(found, " ")), flat(words); got != want {
			t.Errorf("Find(%q) marks %q:\n%s", words, got, strings.Join(view, "\n"))
		}
		if head := ansi.Strip(view[0]); strings.Contains(head, "worst") || strings.Contains(ansi.Strip(view[8]), "worst") {
			t.Errorf("Find(%q) shows nothing around it:\n%s", words, strings.Join(view, "\n"))
		}
	}
}

func TestFind_EveryPlaceIsMarkedAndGoneTo(t *testing.T) {
	tr := said40("risk one\n\nrisk two, risk three\n\n" + numbered(100) + "risk four")
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
		t.Errorf("%d places are marked, want the 3 in sight:\n%s", n, strings.Join(tr.View(), "\n"))
	}
	for range 2 {
		if !tr.FindNext(+1) {
			t.Fatal("FindNext(+1) does not go back down")
		}
	}
	if tr.FindNext(+1) {
		t.Error("FindNext(+1) goes on behind the last")
	}
}

func TestFind_ALineMayHoldColoursAndWideLetters(t *testing.T) {
	tr := said40("**Das** 中文摘要 `risk` and *risk*")
	tr.Find("risk")
	line := tr.View()[0]
	if want := "›Das 中文摘要 risk and risk"; strings.TrimSpace(ansi.Strip(line)) != want {
		t.Errorf("the line = %q, want %q", ansi.Strip(line), want)
	}
	if strings.Count(line, "\x1b[7mrisk\x1b") != 2 {
		t.Errorf("the line %q does not mark both", line)
	}
}
