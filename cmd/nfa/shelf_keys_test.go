package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// What the screens do has its keys in the table, where users give it others, and no
// key stands there for nothing.
func TestShelves_EveryActionHasItsKeyInTheTable(t *testing.T) {
	h, g := sessionHouse(t), &globals{}
	acted := map[string]bool{}
	for _, s := range []*tui.Shelf{h.skillList(g).Shelf(), h.skillList(g).Picker(), h.modelList(g).Shelf(), h.agents().Shelf(), h.sessionList().Shelf(), h.symbols().Shelf(), h.toolList().Shelf()} {
		for _, a := range s.Actions {
			scope := s.Scope
			if a.Key == "enter" {
				scope = keymap.Shelf
			}
			b, ok := keymap.Default().Find(scope, a.Key)
			if !ok {
				t.Errorf("%s: %s is on %q, which the table of keys has not in %q", s.Title, a.Name, a.Key, scope)
			}
			if a.About == "" && b.About == "" {
				t.Errorf("%s: nothing says what %s does", s.Title, a.Name)
			}
			acted[b.Name] = true
		}
	}
	for _, scope := range []keymap.Scope{keymap.Skills, keymap.Models, keymap.Sessions} {
		unused := slices.DeleteFunc(keymap.Default().Bindings(scope), func(b keymap.Binding) bool { return acted[b.Name] })
		if len(unused) > 0 {
			t.Errorf("the table has keys %q for which no screen has an action", fmt.Sprint(unused))
		}
	}
}
