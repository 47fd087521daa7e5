package widget_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func numberedLines(n int, word string) string {
	return strings.TrimSuffix(strings.Repeat(word+"\n", n), "\n")
}

func TestPastes_OnlyALongTextBecomesALabel(t *testing.T) {
	var p widget.Pastes
	if short := numberedLines(widget.MaxUnfoldedLines, "x"); p.Fold(short) != short {
		t.Errorf("%d lines are folded", widget.MaxUnfoldedLines)
	}
	if got, want := p.Fold(numberedLines(widget.MaxUnfoldedLines+1, "x")), "[paste 1: 9 lines]"; got != want {
		t.Errorf("Fold = %q, want %q", got, want)
	}
}

func TestPastes_ALineBreakAtTheEndIsNoLineMore(t *testing.T) {
	var p widget.Pastes
	label := p.Fold(numberedLines(500, "a line of some length") + "\n")
	if want := "[paste 1: 500 lines]"; label != want {
		t.Errorf("Fold = %q, want %q", label, want)
	}
	if got, want := p.Abridge(label), "[500 pasted lines]"; got != want {
		t.Errorf("Abridge = %q, want %q", got, want)
	}
	if got := p.ExpandAll(label); strings.Count(got, "\n") != 500 {
		t.Errorf("Unfold gives %d line breaks, want all 500", strings.Count(got, "\n"))
	}
}

func TestPastes_UnfoldPutsEachTextBackOnce(t *testing.T) {
	var p widget.Pastes
	first, second := numberedLines(9, "x"), numberedLines(10, "y")+"[paste 1: 9 lines]"
	text := "see " + p.Fold(first) + " and " + p.Fold(second)
	if want := "see [paste 1: 9 lines] and [paste 2: 10 lines]"; text != want {
		t.Fatalf("folded = %q, want %q", text, want)
	}
	if got, want := p.ExpandAll(text), "see "+first+" and "+second; got != want {
		t.Errorf("Unfold = %q, want %q", got, want)
	}
	if got := p.ExpandAll("[paste 3: 9 lines]"); got != "[paste 3: 9 lines]" {
		t.Errorf("ExpandAll of a label without a paste = %q", got)
	}
}

func TestPastes_LabelBeforeMeasuresAWholeLabel(t *testing.T) {
	var p widget.Pastes
	label := p.Fold(numberedLines(9, "x"))
	for text, want := range map[string]int{
		"a" + label: len(label), label: len(label), label + "!": 0, label[:len(label)-1]: 0, "": 0,
	} {
		if got := p.LabelBefore(text); got != want {
			t.Errorf("LabelBefore(%q) = %d, want %d", text, got, want)
		}
	}
}

// recallSteps recalls messages step by step and records what is shown.
func recallSteps(h *widget.MessageHistory, written string, steps ...int) (shown []string, taken []bool) {
	for _, s := range steps {
		text, ok := h.Recall(s, written)
		if ok {
			written = text
		}
		shown, taken = append(shown, written), append(taken, ok)
	}
	return shown, taken
}

func TestHistory_IsGoneThroughBackAndForth(t *testing.T) {
	var h widget.MessageHistory
	for _, text := range []string{"one", "two", "two"} {
		h.Remember(text)
	}
	shown, taken := recallSteps(&h, "", -1, -1, -1, +1, +1, +1)
	want := []string{"two", "one", "one", "two", "", ""}
	for i := range want {
		if shown[i] != want[i] {
			t.Errorf("step %d shows %q, want %q", i+1, shown[i], want[i])
		}
		if wantTaken := i != len(want)-1; taken[i] != wantTaken {
			t.Errorf("step %d taken = %t, want %t", i+1, taken[i], wantTaken)
		}
	}
}

func TestHistory_ADraftIsNotReplaced(t *testing.T) {
	var h widget.MessageHistory
	h.Remember("one")
	if text, ok := h.Recall(-1, "a draft"); ok {
		t.Errorf("Recall over a draft = %q", text)
	}
	recalled, _ := h.Recall(-1, "")
	if text, ok := h.Recall(+1, recalled+"!"); ok {
		t.Errorf("Recall over a changed text = %q", text)
	}
	h.StopRecall()
	if text, ok := h.Recall(-1, ""); text != "one" || !ok {
		t.Errorf("Recall after Leave = %q, %t, want the latest", text, ok)
	}
}
