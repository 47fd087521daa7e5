package main

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
)

func TestHelpWriting_HistoryIsTheUsersToSwitchOff(t *testing.T) {
	for setting, want := range map[string]bool{"": true, "on": true, "off": false} {
		g := &globals{home: t.TempDir(), offline: true}
		g.env = func(name string) string {
			if name == "NFA_HISTORY" {
				return setting
			}
			return ""
		}
		p, err := g.open(t.Context(), app.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Close)
		chat, err := screens.Chat(t.Context(), p, screens.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		if _, hasHistory := chat.InputHistory.(*cli.History); hasHistory != want {
			t.Errorf("with NFA_HISTORY=%s messages are kept: %t, want %t", setting, hasHistory, want)
		}
		if chat.InputHistory == nil {
			continue
		}
		if err := chat.InputHistory.Add(t.Context(), "one"); err != nil {
			t.Error(err)
		}
		if got, err := chat.InputHistory.Messages(t.Context()); err != nil || len(got) != 1 {
			t.Errorf("Messages = %q, %v", got, err)
		}
	}
}

func TestSymbolSearch_OfTheSampleOffersWhatItHas(t *testing.T) {
	p := newSessionProgram(t)
	chat, err := screens.Chat(t.Context(), p, screens.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	got := chat.Symbols("aap")
	if len(got) != 1 || got[0].Symbol != "AAPL" {
		t.Errorf("Symbols(aap) = %+v, want AAPL alone", got)
	}
	if got := chat.Symbols("zzzz"); len(got) != 0 {
		t.Errorf("Symbols(zzzz) = %+v", got)
	}
	if got := chat.Files(); len(got) != 0 {
		t.Errorf("in an empty folder Files = %v", got)
	}
}
