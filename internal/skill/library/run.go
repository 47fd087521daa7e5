package library

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/skills"
	"github.com/nfa-cli/nfa/internal/usage"
)

// HasTool reports whether the agent that answers has a tool; before one does,
// whether there is such a tool.
func (lib *Library) HasTool(name string) bool {
	_, ok := lib.opts.Agent.Tools().Lookup(name)
	return ok
}

// Workflows are the skills with steps, as those who answer may run them.
func (lib *Library) Workflows() skills.Workflows {
	return skills.Workflows{
		Skills: lib.opts.Registry, Python: lib.opts.Python(), Disabled: lib.opts.State.Disabled,
		Reviewed: lib.opts.State.Reviewed, Review: lib.opts.State.SetReviewed, MayUse: lib.opts.Agent.MayUse,
	}
}

// checkAgentTools says why the agent that answers cannot run a skill's steps.
func (lib *Library) checkAgentTools(s skill.Skill) error {
	missing := lib.Workflows().MissingTools(s)
	if len(missing) == 0 {
		return nil
	}
	agentName := lib.opts.Agent.Name()
	return fmt.Errorf("the agent %s may not use %s, which its steps need; let another answer (--agent, /agent), or add it to the tools of %s",
		agentName, strings.Join(missing, ", "), agentName)
}

// WithWorkflows is router with the tools that run skills by its tools. One that
// cannot be made is logged; the others are there.
func (lib *Library) WithWorkflows(router *tool.Router) *tool.Router {
	tools, err := lib.Workflows().Tools(router)
	if err != nil {
		lib.opts.Log.Warn().Err(err).Msg("skills with steps")
	}
	extended, err := router.With(tools...)
	if err != nil {
		lib.opts.Log.Error().Err(err).Msg("skills with steps")
		return router
	}
	return extended
}

// workflowCall is the call that runs a skill's steps with these arguments, or nil
// for a skill without any.
func workflowCall(s skill.Skill, a workflow.Arguments) (*llm.ToolCall, error) {
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

// CheckAllow refuses names for --allow that would allow nothing of a skill's run.
func (lib *Library) CheckAllow(names []string, name string) error {
	for _, allowed := range names {
		if allowed != skills.WorkflowTool(name) {
			return usage.Errorf("--allow %s: the steps of %s are allowed as a whole, by the name of its tool: --allow %s", allowed, name, skills.WorkflowTool(name))
		}
	}
	return nil
}

// environmentFor returns the environment that the steps of a skill are checked against. The rules
// of the format alone have none.
func (lib *Library) environmentFor(formatOnly bool) func(skill.Skill) workflow.Environment {
	return func(s skill.Skill) workflow.Environment {
		if formatOnly {
			return workflow.Environment{}
		}
		return lib.Workflows().Environment(s, lib.opts.AllTools())
	}
}

// Validate holds a skill to the rules, on disk or under the path that it is
// shown with while it is in the database.
func (lib *Library) Validate(path string, formatOnly bool) ([]skill.Problem, error) {
	environmentOf := lib.environmentFor(formatOnly)
	name, stored := skill.ParseStorePath(path)
	if !stored {
		return skill.ValidateWith(path, environmentOf), nil
	}
	content, err := lib.Installer().ReadText(path)
	if err != nil {
		return nil, err
	}
	var environment workflow.Environment
	if k, ok := lib.opts.Registry.Lookup(name); ok {
		environment = environmentOf(k)
	}
	problems := skill.ValidateContentWith(content, name, environment)
	for i := range problems {
		problems[i].Path = path
	}
	return problems, nil
}

// ValidateContent holds a skill that was loaded to the rules.
func (lib *Library) ValidateContent(content skill.Content) []skill.Problem {
	return skill.ValidateContentWith([]byte(content.Text), content.Skill.Alias, lib.environmentFor(false)(content.Skill))
}
