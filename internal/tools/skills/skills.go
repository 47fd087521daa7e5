package skills

import (
	"time"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Deps is what the tools that load skills stand on.
type Deps struct {
	Skills   *skill.Registry        // nil for none
	Cache    *skill.Cache           // of Skills: what each conversation has had; nil for one of the tool's own
	Disabled func(name string) bool // switched off by the user; nil for none
	HasTool  func(tool string) bool // what the agent that answers can call
	Now      func() time.Time
}

// Tools returns the tools Skill and read_skill_file. Without skills it returns none, because a
// tool to load them would only mislead.
func Tools(d Deps) []tool.Tool {
	if d.Skills == nil || len(d.Skills.List()) == 0 {
		return nil
	}
	return []tool.Tool{
		newSkillTool(d),
		newReadSkillFile(d.Skills, d.Disabled),
	}
}
