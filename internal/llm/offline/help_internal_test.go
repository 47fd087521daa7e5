package offline

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
)

func TestHelp_EachPhrasingFindsItsTopic(t *testing.T) {
	c := New(Options{Instruments: noInstruments{}}).catalog()
	for _, h := range helpTopics {
		for _, p := range h.phrasings {
			d := dialog{catalog: c}.decide(p, frame{}, testNow)
			want := h.english
			if isHan(p) {
				want = h.chinese
			}
			if h.name == helpIntro {
				want = overview(isHan(p))
			}
			if d.text != want || d.outcome.Kind != llm.OutcomeAnswered {
				t.Errorf("%s, %q: %.80q (%s)", h.name, p, d.text, d.outcome.Kind)
			}
		}
		if h.name != helpIntro && (h.english == "" || !isHan(h.chinese) || isHan(h.english)) {
			t.Errorf("%s has no text in both languages", h.name)
		}
	}
}

func TestPieces_TogetherAreTheText(t *testing.T) {
	for _, text := range []string{"", " ", "one", " one  two\n\nthree ", strings.Repeat("长", 100), "a\u00a0b\u3000c", overview(true), overview(false), "\xff\xfe"} {
		var all strings.Builder
		for p := range pieces(text) {
			if p == "" || len(p) > maxPieceBytes+3 && strings.TrimSpace(p) == p {
				t.Errorf("%q has the piece %q", text, p)
			}
			all.WriteString(p)
		}
		if all.String() != text {
			t.Errorf("%q became %q", text, all.String())
		}
	}
}
