package toolname_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

func TestIsWorkflow_OnlyWhatRunsASkillsSteps(t *testing.T) {
	for name, want := range map[string]bool{"skill_what_if": true, toolname.Skill: false, toolname.SkillFile: false, "": false} {
		if got := toolname.IsWorkflow(name); got != want {
			t.Errorf("IsWorkflow(%q) = %t, want %t", name, got, want)
		}
	}
}
