package tui_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func helpSubject() tui.HelpSubject {
	return tui.HelpSubject{Scope: widget.ScopeSelection, Keys: widget.DefaultKeyMap(), Commands: []widget.CommandItem{
		{Name: "get-price", Hint: "<symbol>", About: "price of a listed asset", Skill: true}, {Name: "quit", About: "leave"},
	}}
}

func itemGroups(items []tui.ListItem) (out []string) {
	for _, i := range items {
		if len(out) == 0 || out[len(out)-1] != i.Group {
			out = append(out, i.Group)
		}
	}
	return out
}

func TestHelpScreen_StartsAtTheScopeAndHasAllKeysOnce(t *testing.T) {
	items := tui.HelpScreen(helpSubject()).Items()
	got := itemGroups(items)
	if got[0] != string(widget.ScopeSelection) || !slices.Equal(got[len(got)-2:], []string{"Skills", "Commands"}) {
		t.Errorf("the groups are %q", got)
	}
	bindings := 0
	for _, scope := range widget.KeyScopes() {
		bindings += len(widget.DefaultKeyMap().Bindings(scope))
	}
	if want := bindings + len(helpSubject().Commands); len(items) != want {
		t.Errorf("%d items, want %d", len(items), want)
	}
}

func TestHelpScreen_HasNoKeyThatDoesNothing(t *testing.T) {
	s := helpSubject()
	s.HiddenKeys = []string{"pick"}
	if slices.ContainsFunc(tui.HelpScreen(s).Items(), func(i tui.ListItem) bool { return i.Name == "pick" }) {
		t.Error("a key is listed that does nothing here")
	}
}

func TestHelpScreen_EveryItemHasAPageAndADescription(t *testing.T) {
	s := tui.HelpScreen(helpSubject())
	for _, i := range s.Items() {
		page, err := s.Read(i.Name)
		about := i.About + i.SearchTerms // only the filter uses the description of a command
		if err != nil || page == "" || i.FullText == "" || !strings.Contains(about, strings.SplitN(i.FullText, ": ", 2)[1]) {
			t.Errorf("%s: full text %q, page %.40q, %v", i.Name, i.FullText, page, err)
		}
	}
	page, _ := s.Read("/get-price")
	if want := "`/get-price <symbol>`\n\nprice of a listed asset\n"; page != want {
		t.Errorf("page = %q, want %q", page, want)
	}
	if out, err := s.Actions[0].Run("/quit"); err != nil || out.Compose != "/quit " {
		t.Errorf("enter on a command = %+v, %v", out, err)
	}
}
