package tui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// withKeys is a chat whose user chose keys.
func withKeys(t *testing.T, choices ...keymap.Choice) func() tui.Config {
	t.Helper()
	keys, err := keymap.New(choices)
	if err != nil {
		t.Fatal(err)
	}
	return func() tui.Config {
		cfg := talk(answers("Hello."))()
		cfg.Keys = keys
		return cfg
	}
}

func TestHelp_IsMadeOfTheKeysInUse(t *testing.T) {
	chosen := withKeys(t, keymap.Choice{Name: "help", Keys: []string{"f1"}}, keymap.Choice{Name: "page-up", Keys: nil})
	onScreen(t, chosen, 100, 70, func(s *screen) {
		s.press("?")
		s.shows("> ?") // no longer a key
		s.press("backspace", "f1", "/")
		s.write("page up")
		s.shows("no key", "page-up: []")
	})
}

func TestHelp_SaysOnceWhatACommandIsAboutAndFindsItByThat(t *testing.T) {
	commands := func() tui.Config { return tui.Config{Commands: demoCommands()} }
	for _, width := range []int{80, 200} {
		onScreen(t, commands, width, 24, func(s *screen) {
			s.press("?", "/")
			s.write("/get-price")
			s.shows("/get-price <symbol>")
			if n := strings.Count(s.view(), "price of a listed asset"); n != 1 {
				t.Errorf("at %d columns it is said %d times:\n%s", width, n, s.view())
			}
			s.press("esc", "/")
			s.write("listed asset")
			s.shows("1 of 1", "/get-price <symbol>")
		})
	}
}

func TestHelp_WritesACommandIntoTheLine(t *testing.T) {
	onScreen(t, talk(), 80, 24, func(s *screen) {
		s.press("?", "/")
		s.write("/quit")
		s.press("enter")
		s.shows("> /quit")
	})
}

func TestKeys_AChosenKeyWorksAndTheOldOneDoesNot(t *testing.T) {
	chosen := withKeys(t, keymap.Choice{Name: "send", Keys: []string{"f2"}})
	onScreen(t, chosen, 80, 24, func(s *screen) {
		s.write("hi")
		s.press("f2")
		s.shows("Hello.")
	})
}

// What the screen offers has to be what works.
func TestKeys_TheScreenNamesThoseInUse(t *testing.T) {
	var got tool.Answer
	keys, err := keymap.New([]keymap.Choice{
		{Name: "help", Keys: []string{"f1"}}, {Name: "stop", Keys: []string{"f9"}}, {Name: "list-close", Keys: []string{"f10"}},
		{Name: "refuse", Keys: []string{"f3"}}, {Name: "allow-once", Keys: []string{"f4"}}, {Name: "allow-session", Keys: nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	chosen := func() tui.Config {
		cfg := asking(`{"path":"a.md"}`, &got)()
		cfg.Keys = keys
		return cfg
	}
	onScreen(t, chosen, 80, 24, func(s *screen) {
		s.shows("/ commands  F1 help")
		s.press("ctrl+r")
		s.write("nowhere")
		s.shows("nothing found; F10 goes back")
		s.press("f10")
		s.ask("save")
		s.shows("F3 no, and say why   F4 once")
		s.showsNot("this session")
		s.wait(time.Second)
		s.press("f3")
		s.write("not yet")
		s.press("enter")
		s.wait(100 * time.Millisecond)
		s.showsNot("wants to make a change")
	})
	if want := (tool.Answer{Reason: "not yet", Person: true}); got != want {
		t.Errorf("the tool got %+v, want %+v", got, want)
	}
}

func TestKeys_TheKeyThatStopsIsNamed(t *testing.T) {
	chosen := withKeys(t, keymap.Choice{Name: "stop", Keys: []string{"f9"}})
	endless := func() tui.Config {
		cfg := chosen()
		cfg.Conversation = talk(hangs("Well"))().Conversation
		return cfg
	}
	onScreen(t, endless, 80, 24, func(s *screen) {
		s.ask("hi")
		s.shows("F9 stops")
		s.press("f9")
		s.shows("cancelled; what came was kept")
	})
}
