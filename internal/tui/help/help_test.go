package help_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui/browsing"
	"github.com/nfa-cli/nfa/internal/tui/help"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
	"github.com/nfa-cli/nfa/internal/tui/slash"
)

func subject() help.Subject {
	return help.Subject{Here: keymap.Chosen, Keys: keymap.Default(), Commands: []slash.Item{
		{Name: "get-price", Hint: "<symbol>", About: "price of a listed asset", Skill: true}, {Name: "quit", About: "leave"},
	}}
}

func groups(items []browsing.Item) (out []string) {
	for _, i := range items {
		if len(out) == 0 || out[len(out)-1] != i.Group {
			out = append(out, i.Group)
		}
	}
	return out
}

func TestShelf_BeginsWhereOneIsAndHasAllKeysOnce(t *testing.T) {
	items := help.Shelf(subject()).Items()
	got := groups(items)
	if got[0] != string(keymap.Chosen) || !slices.Equal(got[len(got)-2:], []string{"Skills", "Commands"}) {
		t.Errorf("the groups are %q", got)
	}
	bindings := 0
	for _, scope := range keymap.Scopes() {
		bindings += len(keymap.Default().Bindings(scope))
	}
	if want := bindings + len(subject().Commands); len(items) != want {
		t.Errorf("%d items, want %d", len(items), want)
	}
}

func TestShelf_HasNoKeyThatDoesNothing(t *testing.T) {
	s := subject()
	s.Without = []string{"pick"}
	if slices.ContainsFunc(help.Shelf(s).Items(), func(i browsing.Item) bool { return i.Name == "pick" }) {
		t.Error("a key is listed that does nothing here")
	}
}

func TestShelf_EveryItemHasAPageAndSaysWhatItDoesOnALineOfItsOwn(t *testing.T) {
	s := help.Shelf(subject())
	for _, i := range s.Items() {
		page, err := s.Read(i.Name)
		about := i.About + i.Words // a command's is only found
		if err != nil || page == "" || i.Alone == "" || !strings.Contains(about, strings.SplitN(i.Alone, ": ", 2)[1]) {
			t.Errorf("%s: alone %q, page %.40q, %v", i.Name, i.Alone, page, err)
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
