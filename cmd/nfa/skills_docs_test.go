package main

import (
	"strings"
	"testing"
)

func TestDocs_EverySkillsVerbIsThere(t *testing.T) {
	text := page(t, "docs/skills.md")
	for _, verb := range newSkills(&globals{}).Commands() {
		if !strings.Contains(text, "`"+verb.Name()+" ") && !strings.Contains(text, "nfa skills "+verb.Name()) && !strings.Contains(text, "`"+verb.Name()+"`") {
			t.Errorf("docs/skills.md does not tell of nfa skills %s", verb.Name())
		}
	}
}
