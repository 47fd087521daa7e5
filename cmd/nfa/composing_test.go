package main

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/history"
	"github.com/nfa-cli/nfa/internal/tui"
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
		h, err := wire(t.Context(), g, wiring{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(h.close)
		var chat tui.Config
		h.helpWriting(t.Context(), g, &chat)
		if _, kept := chat.Memory.(*history.File); kept != want {
			t.Errorf("with NFA_HISTORY=%s messages are kept: %t, want %t", setting, kept, want)
		}
		if chat.Memory == nil {
			continue
		}
		if err := chat.Memory.Add(t.Context(), "one"); err != nil {
			t.Error(err)
		}
		if got, err := chat.Memory.Messages(t.Context()); err != nil || len(got) != 1 {
			t.Errorf("Messages = %q, %v", got, err)
		}
	}
}

func TestSymbolSearch_OfTheSampleOffersWhatItHas(t *testing.T) {
	h := sessionHouse(t)
	var chat tui.Config
	h.helpWriting(t.Context(), &globals{}, &chat)
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
