package skills

import (
	"encoding/json"

	"github.com/nfa-cli/nfa/internal/tool"
)

// RunPlan is what a run of a skill's steps would do, for programs to read.
type RunPlan struct {
	Skill    string     `json:"skill"`
	Source   string     `json:"source"`
	Effect   string     `json:"effect"`   // the strongest among the steps
	Asks     bool       `json:"asks"`     // somebody would be asked first
	Reviewed bool       `json:"reviewed"` // it has run here as it is now, or came with the program
	Hash     string     `json:"hash"`     // of the skill's text and all that it would run
	Steps    []StepPlan `json:"steps"`
}

// StepPlan is one step of a RunPlan.
type StepPlan struct {
	ID        string          `json:"id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"` // templates where they are not known yet
	Needs     []string        `json:"needs,omitempty"`
	Effect    string          `json:"effect"`
	Runtime   string          `json:"runtime,omitempty"` // of a script
	Sandboxed bool            `json:"sandboxed,omitempty"`
	Scripts   []ScriptFile    `json:"scripts,omitempty"`
	Code      string          `json:"code,omitempty"` // where it stands in the skill itself
}

// ScriptFile is a file that a step would run, the script before its modules.
type ScriptFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// RunPlanOf is the plan that a preview of a skill's tool shows, if it is one.
func RunPlanOf(p tool.Preview, effect tool.Effect) (RunPlan, bool) {
	state, ok := p.State.(*preparedRun)
	if !ok {
		return RunPlan{}, false
	}
	plan := RunPlan{
		Skill: state.skill.Name, Source: string(state.skill.Source), Effect: effect.String(),
		Asks: p.Ask || effect != tool.Reads, Reviewed: !p.Ask, Hash: state.hash, Steps: []StepPlan{},
	}
	for _, step := range state.plan.Steps {
		call := step.Call()
		row := StepPlan{ID: step.ID, Tool: call.Tool, Arguments: call.Arguments, Needs: step.Needs, Code: step.Code}
		if t, ok := state.router.Lookup(call.Tool); ok {
			row.Effect = t.Effect.String()
		}
		if s, ok := state.scripts[step.ID]; ok {
			row.Runtime, row.Sandboxed = s.plan.Runtime, s.plan.Sandboxed
			for _, file := range s.plan.Files {
				row.Scripts = append(row.Scripts, ScriptFile{file.Path, file.SHA256})
			}
		}
		plan.Steps = append(plan.Steps, row)
	}
	return plan, true
}
