package tui_test

import (
	"testing"

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
