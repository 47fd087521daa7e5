package widget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func TestHistory_MessagesOfOtherChatsComeFirst(t *testing.T) {
	var h widget.MessageHistory
	h.Remember("mine")
	h.Prepend([]string{"old", "old", "mine", "older chat"})
	shown, _ := recallSteps(&h, "", -1, -1, -1, -1)
	if diff := cmp.Diff([]string{"mine", "older chat", "old", "old"}, shown); diff != "" {
		t.Errorf("recalled (-want +got):\n%s", diff)
	}
}

func TestHistory_LateMessagesDoNotMoveTheRecall(t *testing.T) {
	var h widget.MessageHistory
	h.Remember("one")
	h.Remember("two")
	written, _ := h.Recall(-1, "")
	h.Prepend([]string{"old"})
	if text, ok := h.Recall(-1, written); text != "one" || !ok {
		t.Errorf("Recall = %q, %t, want one", text, ok)
	}
}

func TestHistory_MergeWithAddsTheMessagesOfThisChat(t *testing.T) {
	var h widget.MessageHistory
	h.Remember("secret")
	h.Remember("kept")
	kept := []string{"old", "kept", "of another chat"}
	if diff := cmp.Diff([]string{"old", "kept", "of another chat", "secret"}, h.MergeWith(kept)); diff != "" {
		t.Errorf("Merged (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"old", "kept", "of another chat"}, kept); diff != "" {
		t.Errorf("what was given changed:\n%s", diff)
	}
}

func TestFind_HasAllWordsTheNewestFirstAndEachOnce(t *testing.T) {
	messages := []string{"Price of VTI", "compare VTI and BND", "price of vti", "Price of VTI", "other"}
	for words, want := range map[string][]string{
		"vti":       {"Price of VTI", "price of vti", "compare VTI and BND"},
		"VTI price": {"Price of VTI", "price of vti"},
		"nothing":   nil,
		"":          {"other", "Price of VTI", "price of vti", "compare VTI and BND"},
	} {
		if diff := cmp.Diff(want, widget.FindMessages(messages, words, 10)); diff != "" {
			t.Errorf("Find(%q) (-want +got):\n%s", words, diff)
		}
	}
	if got := widget.FindMessages(messages, "", 2); len(got) != 2 {
		t.Errorf("Find of at most 2 = %q", got)
	}
}

func TestPastes_AbridgeKeepsShortPastesAndCountsOthers(t *testing.T) {
	var p widget.Pastes
	short, long := numberedLines(10, "x"), numberedLines(500, "a line of a statement")
	text := "see " + p.Fold(short) + " and " + p.Fold(long)
	if got, want := p.Abridge(text), "see "+short+" and [500 pasted lines]"; got != want {
		t.Errorf("Abridge = %.80q, want %.80q", got, want)
	}
}

func TestPastes_AnOlderStateKeepsItsTexts(t *testing.T) {
	var p widget.Pastes
	p.Fold(numberedLines(9, "a"))
	before := p
	first := before.Fold(numberedLines(9, "b"))
	p.Fold(numberedLines(9, "c"))
	if got := before.ExpandAll(first); got != numberedLines(9, "b") {
		t.Errorf("the paste of one state became that of another: %q", got)
	}
}

func TestPastes_LabelsAreFoundFromBothSides(t *testing.T) {
	var p widget.Pastes
	text := numberedLines(9, "x")
	label := p.Fold(text)
	if got, ok := p.PasteBefore("see " + label); got != text || !ok {
		t.Errorf("TextBefore = %q, %t", got, ok)
	}
	if got, ok := p.PasteBefore(label + "!"); ok {
		t.Errorf("TextBefore a sign = %q", got)
	}
	if got := p.LabelAfter(label + "!"); got != len(label) {
		t.Errorf("LabelAfter = %d, want %d", got, len(label))
	}
	if got := p.LabelAfter("!" + label); got != 0 {
		t.Errorf("LabelAfter a sign = %d", got)
	}
}

// Searching the largest possible history takes no longer per key than a frame.
func BenchmarkFind(b *testing.B) {
	var messages []string
	for i := range 2_000 {
		messages = append(messages, fmt.Sprintf("message %d %s", i, strings.Repeat("Words of a question ", 25)))
	}
	slices.Reverse(messages)
	for b.Loop() {
		widget.FindMessages(messages, "zebra words", 200)
	}
}
