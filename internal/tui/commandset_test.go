package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseSlash_TellsNamesFromArguments(t *testing.T) {
	for text, want := range map[string][3]string{
		"/help":            {"help", "", "true"},
		"/get-price  AAPL": {"get-price", "AAPL", "true"},
		"/plan\nline two":  {"plan", "line two", "true"},
		"/etc/hosts":       {"etc/hosts", "", "true"},
		"no /slash":        {"", "", "false"},
		"/":                {"", "", "true"},
	} {
		name, args, ok := parseSlash(text)
		if got := [3]string{name, args, map[bool]string{true: "true", false: "false"}[ok]}; got != want {
			t.Errorf("parseSlash(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestCommandSet_AnEarlierNameWins(t *testing.T) {
	set := newCommandSet([]Command{
		{Name: "help", Kind: KindSkill, About: "a skill"}, {Name: "model", About: "first"}, {Name: "model", About: "second"},
		{Name: "plan", Kind: KindSkill}, {Name: "clear", About: "not the view's own"},
	})
	var names []string
	for _, c := range set.sorted {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"clear", "help", "model", "plan", "quit", "skill:help"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if c := set.byName["model"]; c.About != "first" {
		t.Errorf("model is the one about %q, want the first", c.About)
	}
	if c := set.byName["clear"]; c.act == nil {
		t.Error("clear is not the view's own")
	}
	if c := set.byName["skill:plan"]; c.Kind != KindSkill {
		t.Error("a skill is not reachable by its prefix")
	}
}
