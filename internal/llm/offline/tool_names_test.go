package offline_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

func TestIsWorkflow_OnlyWhatRunsASkillsSteps(t *testing.T) {
	for name, want := range map[string]bool{"skill_what_if": true, offline.ToolSkill: false, offline.ToolSkillFile: false, "": false} {
		if got := offline.IsWorkflowTool(name); got != want {
			t.Errorf("IsWorkflowTool(%q) = %t, want %t", name, got, want)
		}
	}
}
