package tui_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/tui"
)

func TestCommandSet_OwnCommandsWinAndASkillKeepsItsPrefix(t *testing.T) {
	set := tui.NewCommandSet([]tui.Command{{Name: "help", About: "its own"}, {Name: "clear", About: "its own"}}, []tui.Command{
		{Name: "help", Kind: tui.KindSkill, About: "a skill"}, {Name: "clear", About: "not its own"},
		{Name: "plan", Kind: tui.KindSkill, About: "another skill"},
	})
	for _, tt := range []struct {
		name      string
		wantName  string
		wantAbout string
	}{
		{"clear", "clear", "its own"},
		{"help", "help", "its own"},
		{"skill:help", "skill:help", "a skill"},
		{"plan", "plan", "another skill"},
		{"skill:plan", "plan", "another skill"},
	} {
		c, ok := set.Lookup(tt.name)
		if !ok || c.Name != tt.wantName || c.About != tt.wantAbout {
			t.Errorf("Named(%q) = %+v, %t, want %q about %q", tt.name, c, ok, tt.wantName, tt.wantAbout)
		}
	}
	if c, ok := set.Lookup("nonsense"); ok {
		t.Errorf(`Named("nonsense") = %+v, want none`, c)
	}
}
