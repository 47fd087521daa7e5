package transcript_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/transcript"
)

func TestBlocks_KeepTheirTextInAColumnOfItsOwn(t *testing.T) {
	for _, tt := range []struct {
		name string
		add  func(*page)
		want string
	}{
		{"said", func(p *page) { p.Begin("one two three four five\nsix") }, " > one two three four\n   five\n   six"},
		{"information", func(p *page) { p.Say(transcript.Info, "kept as s1, to be resumed") }, " ~ kept as s1, to be\n   resumed"},
		{"warning", func(p *page) { p.Say(transcript.Warning, "stopped at the step limit") }, " ! stopped at the step\n   limit"},
		{"error", func(p *page) { p.Say(transcript.Error, "401\nrefused") }, " ✗ 401\n   refused"},
		{"Markdown", func(p *page) { p.Show("- a list whose item is long") }, " • a list whose item is\n   long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPage(t)
			p.SetSize(23, 30, true)
			tt.add(p)
			if diff := cmp.Diff(tt.want, p.text()); diff != "" {
				t.Errorf("drawn (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBlocks_OnlyCardsHaveNoBlankLineBetweenThem(t *testing.T) {
	p := newPage(t)
	handleEvents(p.Begin("go"),
		started("1", "quote"), finished("1", "quote", tool.Result{Title: "AAPL"}), finished("2", "news", tool.Result{Title: "AAPL"}),
		agent.TextDelta{Text: "Done."})
	var heads []string
	for line := range strings.SplitSeq(p.text(), "\n") {
		head, _, _ := strings.Cut(line, "  ")
		heads = append(heads, head)
	}
	if diff := cmp.Diff([]string{" > go", "", " ✓ Quote", " ✓ News", "", " Done."}, heads); diff != "" {
		t.Errorf("drawn (-want +got):\n%s", diff)
	}
}

func TestBlocks_WithoutAMarginLinesHaveNoExtraColumn(t *testing.T) {
	p := newPage(t)
	p.SetSize(10, 3, false)
	p.Say(transcript.Info, "narrow")
	if got, want := p.text(), "~ narrow"; got != want {
		t.Errorf("drawn: %q, want %q", got, want)
	}
}
