package main

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/cli"
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
		p, err := openProgram(t.Context(), g, programOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.close)
		var chat tui.Config
		p.addInputHelp(t.Context(), g, &chat)
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
	var chat tui.Config
	p.addInputHelp(t.Context(), &globals{}, &chat)
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
