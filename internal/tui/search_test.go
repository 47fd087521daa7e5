package tui_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// searchConfig returns a chat with something of each kind to find. Each message is answered.
func searchConfig() tui.Config {
	cfg := talk(turnAnswering("one"), turnAnswering("two"), turnAnswering("three"))()
	cfg.Commands = demoCommands()
	for _, name := range []string{"quote", "chart"} {
		cfg.Commands = append(cfg.Commands, tui.Command{Name: name, Hint: "symbol", About: "prices", Run: tui.TextCommand(func(args string) (string, error) { return name + " of " + args, nil })})
	}
	cfg.Search = func() []tui.SearchItem {
		return []tui.SearchItem{
			{SearchEntry: widget.SearchEntry{Label: "openai/gpt-5-mini", About: "400k", Kind: "model"}, Send: []string{"/model openai/gpt-5-mini"}},
			{SearchEntry: widget.SearchEntry{Label: "base_currency", About: "currency of totals", Kind: "setting"}, Write: "/config set base_currency "},
			{SearchEntry: widget.SearchEntry{Label: "What about the dividends of Coca-Cola?", About: "yesterday, 3 questions", Kind: "session"}, Resume: func() (*tui.ResumeRequest, error) {
				return &tui.ResumeRequest{Conversation: &scripted{id: "s7"}, History: recorded(), Done: func(bool) {}}, nil
			}},
			{SearchEntry: widget.SearchEntry{Label: "a session that is gone", Kind: "session"}, Resume: func() (*tui.ResumeRequest, error) { return nil, errors.New("no such session") }},
			{SearchEntry: widget.SearchEntry{Label: "AAPL", About: "Apple Inc.", Kind: "symbol", Late: true}, Send: []string{"/quote AAPL", "/chart AAPL"}, Write: "$AAPL "},
			{SearchEntry: widget.SearchEntry{Label: "PFE", About: "Pfizer Inc.", Kind: "symbol", Late: true}, Send: []string{"/quote PFE"}},
		}
	}
	return cfg
}

// Chat, section 9: each of these finds its row first.
func TestSearch_FindsTheRowFirst(t *testing.T) {
	for typed, want := range map[string]string{
		"apple": "› AAPL ", "AAPL": "› AAPL ", "pf": "› /portfolio ", "dark": "› /theme dark", "gpt": "› openai/gpt-5-mini", "dividends": "› What about the div",
		"pfe": "› PFE ", "currency": "› base_currency", "rp": "› /retirement-plan", "S&P": "› How has the S&P 500",
	} {
		for _, width := range []int{60, 100} {
			onScreen(t, searchConfig, width, 20, func(s *screen) {
				s.press("ctrl+p")
				s.shows("Search", "Ctrl+P", "Esc close")
				s.write(typed)
				s.shows(want)
			})
		}
	}
}

func TestSearch_EnterOpensAndTabWrites(t *testing.T) {
	open := func(s *screen, typed, key string) {
		s.press("ctrl+p")
		s.write(typed)
		s.press(key)
		s.wait(100 * time.Millisecond)
	}
	onScreen(t, searchConfig, 80, 30, func(s *screen) {
		s.write("draft")
		open(s, "apple", "enter")
		s.shows("> /quote AAPL", "quote of AAPL", "> /chart AAPL", "chart of AAPL", "> draft")
		open(s, "apple", "tab")
		s.shows("> $AAPL draft")
		open(s, "gone", "enter")
		s.shows("✗ no such session", "$AAPL draft")
		open(s, "nothing at all", "enter")
		s.shows("$AAPL draft")
		open(s, "coca", "enter")
		s.shows("What does AAPL cost?")
		if id := s.model.SessionID(); id != "s7" {
			t.Errorf("the session is %q, want the one that was chosen", id)
		}
	})
	onScreen(t, searchConfig, 80, 30, func(s *screen) {
		open(s, "currency", "enter")
		s.shows("> /config set base_currency\n")
		s.press("ctrl+u")
		open(s, "get-price", "enter")
		s.shows("> /get-price ")
	})
}

// An empty search shows the last five used entries and the questions of the start page.
func TestSearch_EmptyShowsTheLastFive(t *testing.T) {
	onScreen(t, searchConfig, 80, 24, func(s *screen) {
		for _, line := range []string{"a question", "/quote MSFT"} {
			s.ask(line)
			s.wait(100 * time.Millisecond)
		}
		s.press("ctrl+p")
		s.shows("› /quote MSFT", "a question", "How has the S&P 500")
		s.press("esc")
		s.showsNot("Esc close")
	})
}

// Chat, section 9: it opens in 50 ms with 1,000 skills and 2,000 symbols.
func BenchmarkSearch(b *testing.B) {
	for b.Loop() {
		searchMany(b)
	}
}

func TestSearch_FindsAmongManySkillsAndSymbols(t *testing.T) { searchMany(t) }

func searchMany(tb testing.TB) {
	tb.Helper()
	list := widget.NewSearchList(widget.NewStyles(markdown.PlainTheme()), widget.DefaultKeyMap())
	var entries []widget.SearchEntry
	for i := range 1000 {
		entries = append(entries, widget.SearchEntry{Label: fmt.Sprintf("/skill-number-%d", i), About: "does what skill number " + fmt.Sprint(i) + " does, and says so in a sentence", Kind: "skill", Fuzzy: true})
	}
	for i := range 2000 {
		entries = append(entries, widget.SearchEntry{Label: fmt.Sprintf("S%d", i), About: fmt.Sprintf("Company number %d Incorporated", i), Kind: "symbol", Late: true})
	}
	entries = append(entries, widget.SearchEntry{Label: "AAPL", About: "Apple Inc.", Kind: "symbol", Late: true})
	list.SetEntries(entries, 0)
	for _, letter := range "apple" {
		list.Write(tea.KeyPressMsg{Text: string(letter), Code: letter})
	}
	list.View(100, 30)
	if at, ok := list.Chosen(); !ok || !cmp.Equal(entries[at].Label, "AAPL") {
		tb.Errorf("found %d, %t", at, ok)
	}
}
