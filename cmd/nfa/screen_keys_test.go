package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// TestScreens_EveryActionHasItsKeyInTheTable checks that every action of a screen has a key in the
// table that users can change, and that the table has no unused key.
func TestScreens_EveryActionHasItsKeyInTheTable(t *testing.T) {
	p := newSessionProgram(t)
	acted := map[string]bool{}
	for _, s := range []*tui.ListScreen{(screens.Skills{App: p}).Screen(), (screens.Models{App: p}).Screen(), (screens.Agents{App: p}).Screen(), (screens.Sessions{App: p}).Screen(), (screens.Symbols{App: p}).Screen(), (screens.Tools{App: p}).Screen()} {
		for _, a := range s.Actions {
			b, ok := widget.DefaultKeyMap().Find(a.Action)
			if !ok {
				t.Errorf("%s: the table of keys has no %s, which is %s", s.Title, a.Action, a.Name)
			}
			if a.About == "" && b.About == "" {
				t.Errorf("%s: nothing says what %s does", s.Title, a.Name)
			}
			acted[b.Name] = true
		}
	}
	for _, scope := range []widget.KeyScope{widget.ScopeSkills, widget.ScopeModels, widget.ScopeSessions} {
		unused := slices.DeleteFunc(widget.DefaultKeyMap().Bindings(scope), func(b widget.KeyBinding) bool { return acted[b.Name] })
		if len(unused) > 0 {
			t.Errorf("the table has keys %q for which no screen has an action", fmt.Sprint(unused))
		}
	}
}
