package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCard_SaysItsStateWithoutColour(t *testing.T) {
	st := newStyles(ThemePlain)
	for _, tt := range []struct {
		name  string
		card  card
		width int
		want  []string
	}{
		{"running", card{name: "quote", arguments: `{"symbol":"AAPL"}`}, 40, []string{"● quote  AAPL"}},
		{"done", card{name: "quote", title: "AAPL", summary: "70.70 USD", state: cardDone, took: 3 * time.Millisecond}, 40,
			[]string{"✓ quote  AAPL            70.70 USD  3 ms"}},
		{"failed", card{name: "quote", title: "APPL", summary: "no symbol APPL", failure: "no symbol APPL; did you mean AAPL?", state: cardFailed, took: time.Second}, 30,
			[]string{"✗ quote  APPL              1 s", "  no symbol APPL; did you mean", "  AAPL?"}},
		{"a long failure is cut", card{name: "q", failure: strings.Repeat("word ", 40), state: cardFailed}, 20,
			[]string{"✗ q", "  word word word", "  word word word", "  word word word…"}},
		{"interrupted", card{name: "backtest", state: cardInterrupted}, 30, []string{"! backtest         interrupted"}},
		{"skill", card{skill: "get-price", state: cardDone}, 30, []string{"✓ skill loaded  get-price"}},
		{"opened without more to show", card{name: "quote", title: "AAPL", state: cardDone, open: true}, 20, []string{"▾ quote  AAPL", "  │ AAPL"}},
		{"summary before title", card{name: "price_history", title: "^GSPC · 2008 to 2020 · daily", summary: "3,095 bars", state: cardDone}, 40,
			[]string{"✓ price_history  ^GSPC · 20…  3,095 bars"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.card.draw(st, tt.width)); diff != "" {
				t.Errorf("drawn (-want +got):\n%s", diff)
			}
		})
	}
}

func TestHeader_ShrinksToAWordAtEachEnd(t *testing.T) {
	h := &header{st: newStyles(ThemePlain), banner: Banner{Program: "nfa 0.1", Motto: "not financial advice", Folder: "~/book", Mode: "offline"}}
	for width, want := range map[int]string{
		60: "nfa 0.1  not financial advice                ~/book  offline",
		40: "nfa                              offline",
		12: "nfa",
		2:  "n…",
	} {
		h.SetSize(width)
		if got := h.View(); got != want {
			t.Errorf("header at %d = %q, want %q", width, got, want)
		}
	}
}

func TestStatus_TheDataWordIsTheLastToGo(t *testing.T) {
	s := &statusLine{st: newStyles(ThemePlain), status: Status{Model: "openai/gpt-4o", Agent: "advisor", Data: "SAMPLE DATA"}}
	for width, want := range map[int]string{
		70: "openai/gpt-4o · advisor · SAMPLE DATA               / commands  ? help",
		40: "SAMPLE DATA                       ? help",
		12: "SAMPLE DATA",
	} {
		s.SetSize(width)
		if got := s.View(); got != want {
			t.Errorf("status at %d = %q, want %q", width, got, want)
		}
	}
	s.status.Data = ""
	s.SetSize(30)
	if got, want := s.View(), "openai/gpt-4o           ? help"; got != want {
		t.Errorf("status without data = %q, want %q", got, want)
	}
	s.warning = "press Ctrl+C again to quit"
	if got := s.View(); got != s.warning {
		t.Errorf("status with a warning = %q", got)
	}
}

func TestCommandSet_AnEarlierNameWins(t *testing.T) {
	set := newCommandSet([]Command{
		{Name: "help", Kind: KindSkill, About: "a skill"}, {Name: "model", About: "first"}, {Name: "model", About: "second"},
		{Name: "plan", Kind: KindSkill}, {Name: "clear", About: "not the view's own"},
	})
	var names []string
	for _, c := range set.sorted {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"clear", "help", "model", "plan", "quit", "skill:help"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if c := set.byName["model"]; c.About != "first" {
		t.Errorf("model is the one about %q, want the first", c.About)
	}
	if c := set.byName["clear"]; c.act == nil {
		t.Error("clear is not the view's own")
	}
	if c := set.byName["skill:plan"]; c.Kind != KindSkill {
		t.Error("a skill is not reachable by its prefix")
	}
}
