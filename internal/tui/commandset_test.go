package tui

import "testing"

func TestCommandSet_TheViewsOwnWinAndASkillThatLosesKeepsItsPrefix(t *testing.T) {
	set := newCommandSet([]Command{
		{Name: "help", Kind: KindSkill, About: "a skill"}, {Name: "clear", About: "not the view's own"},
		{Name: "plan", Kind: KindSkill, About: "another skill"},
	})
	for _, tt := range []struct {
		name      string
		own       bool
		wantName  string
		wantAbout string
	}{
		{"clear", true, "clear", "begin a new conversation; this one is kept"},
		{"help", true, "help", "keys and commands"},
		{"skill:help", false, "skill:help", "a skill"},
		{"skill:plan", false, "plan", "another skill"},
	} {
		c, ok := set.named(tt.name)
		if !ok || c.Name != tt.wantName || c.About != tt.wantAbout || (c.act != nil) != tt.own {
			t.Errorf("named(%q) = %+v, %t, want %q about %q, own %t", tt.name, c, ok, tt.wantName, tt.wantAbout, tt.own)
		}
	}
	if c, ok := set.named("nonsense"); ok {
		t.Errorf(`named("nonsense") = %+v, want none`, c)
	}
}
