package main

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
)

func TestDocs_EverySkillsVerbIsThere(t *testing.T) {
	text := page(t, "docs/skills.md")
	for _, c := range app.Commands() {
		_, word := app.SplitCommand(c.Name)
		if strings.HasPrefix(c.Name, "skills ") && !strings.Contains(text, "`"+word+" ") && !strings.Contains(text, "nfa "+c.Name) && !strings.Contains(text, "`"+word+"`") {
			t.Errorf("docs/skills.md does not tell of nfa %s", c.Name)
		}
	}
}
