package skillset

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/skills"
)

// HasTool reports whether the agent that answers has a tool; before one does,
// whether there is such a tool.
func (set *Set) HasTool(name string) bool {
	_, ok := set.o.Tools().Lookup(name)
	return ok
}

// Workflows are the skills with steps, as those who answer may run them.
func (set *Set) Workflows() skills.Workflows {
	return skills.Workflows{
		Skills: set.o.Registry, Python: set.o.Python(), Disabled: set.o.State.Disabled,
		Reviewed: set.o.State.Reviewed, Review: set.o.State.SetReviewed, May: set.o.May(),
	}
}

// withinReach says why the agent that answers cannot run a skill's steps.
func (set *Set) withinReach(s skill.Skill) error {
	lacks := set.Workflows().Lacks(s)
	if len(lacks) == 0 {
		return nil
	}
	who := set.o.Answers()
	return fmt.Errorf("the agent %s may not use %s, which its steps need; let another answer (--agent, /agent), or add it to the tools of %s",
		who, strings.Join(lacks, ", "), who)
}

// WithWorkflows is router with the tools that run skills by its tools. One that
// cannot be made is logged; the others are there.
func (set *Set) WithWorkflows(router *tool.Router) *tool.Router {
	tools, err := set.Workflows().Tools(router)
	if err != nil {
		set.o.Log.Warn().Err(err).Msg("skills with steps")
	}
	more, err := router.With(tools...)
	if err != nil {
		set.o.Log.Error().Err(err).Msg("skills with steps")
		return router
	}
	return more
}

// workflowCall is the call that runs a skill's steps with these arguments, or nil
// for a skill without any.
func workflowCall(s skill.Skill, a parameter.Arguments) (*llm.ToolCall, error) {
	if len(s.Steps) == 0 {
		return nil, nil
	}
	values := map[string]any{}
	for name, value := range a.Values {
		values[name] = value.Typed
	}
	args, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("encoding the arguments of %s: %w", s.Name, err)
	}
	return &llm.ToolCall{ID: "run", Name: skills.WorkflowTool(s.Name), Arguments: string(args)}, nil
}

// Allowable refuses names for --allow that would allow nothing of a skill's run.
func (set *Set) Allowable(names []string, name string) error {
	for _, allowed := range names {
		if allowed != skills.WorkflowTool(name) {
			return misuse.Errorf("--allow %s: the steps of %s are allowed as a whole, by the name of its tool: --allow %s", allowed, name, skills.WorkflowTool(name))
		}
	}
	return nil
}
