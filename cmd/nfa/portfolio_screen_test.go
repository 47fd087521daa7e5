package main

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/app/screens"
)

// The screen depends on the JSON field names of the tools.
func TestPortfolioScreen_ShowsWhatTheToolsReturn(t *testing.T) {
	a := newStartProgram(t, startState{portfolio: true})
	d := openStartPage(t, a)
	d.write("/portfolio")
	d.press(tea.KeyEnter)
	d.until("› AAPL")
	if v := d.view(); !strings.Contains(v, "main · USD") || !strings.Contains(v, " 40 ") {
		t.Errorf("no account, currency or quantity:\n%s", v)
	}
	d.write("h")
	d.until("AAPL")
	for strings.Contains(d.view(), " 40 ") {
		d.send(<-d.msgs)
	}
	d.press(tea.KeyEnter)
	d.until("> /lots AAPL")
}

func TestPortfolioScreen_WhenEmptySaysWhatToDo(t *testing.T) {
	a := newStartProgram(t, startState{})
	d := openStartPage(t, a)
	d.write("/portfolio")
	d.press(tea.KeyEnter)
	d.until("› Import a broker file")
	d.press(tea.KeyEnter)
	d.until("› file")
	screen := screens.Portfolio{App: a}.Screen()
	var names []string
	for _, i := range screen.Items() {
		names = append(names, i.Title)
	}
	if want := []string{"Import a broker file", "Add a purchase", "Show an example"}; !slices.Equal(names, want) {
		t.Errorf("rows %q, want %q", names, want)
	}
	if o := press(t, screen, "enter", "example"); !strings.Contains(o.Show, "/portfolio import") {
		t.Errorf("the example: %+v", o)
	}
}
