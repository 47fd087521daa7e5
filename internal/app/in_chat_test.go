package app_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
)

func TestInChat_NamesCommandsAsTheyAreTyped(t *testing.T) {
	for text, want := range map[string]string{
		"record a purchase with nfa portfolio add, or import one: nfa portfolio import FILE": "record a purchase with /portfolio add, or import one: /portfolio import FILE",
		"`nfa profile` creates it":                                  "`/profile` creates it",
		"nfa auth set PROVIDER saves it":                            "nfa auth set PROVIDER saves it", // needs a terminal
		"nfa sends no alerts":                                       "nfa sends no alerts",
		"nfa watch add VTI":                                         "/watchlist add VTI",
		"change it with portfolio_settings (nfa portfolio account)": "change it with /portfolio account",
	} {
		if got := app.InChat(text); got != want {
			t.Errorf("app.InChat(%q) = %q, want %q", text, got, want)
		}
	}
}
