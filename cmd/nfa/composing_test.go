package main

import (
	"context"
	"strings"
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

func TestSymbolOffers_TheUsersOwnComeFirstAndOnce(t *testing.T) {
	o := &symbolOffers{
		held: func(context.Context) []tui.Symbol {
			return []tui.Symbol{{Symbol: "VXUS", Name: "Vanguard Total International", Kind: "held"}, {Symbol: "AAPL", Name: "Apple Inc.", Kind: "watched"}}
		},
		search: func(_ context.Context, typed string) []tui.Symbol {
			return []tui.Symbol{{Symbol: "V", Kind: "equity"}, {Symbol: "VXUS", Kind: "fund"}}
		},
	}
	for typed, want := range map[string]string{
		"v": "VXUS held, V equity", "VX": "VXUS held, V equity", "app": "AAPL watched, V equity, VXUS fund", "tot": "VXUS held, V equity",
	} {
		var got []string
		for _, s := range o.find(t.Context(), typed) {
			got = append(got, s.Symbol+" "+s.Kind)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("find(%q) = %v, want %s", typed, got, want)
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
