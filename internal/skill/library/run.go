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

// HasTool reports whether the current agent has a tool or, before an agent is chosen, whether the
// tool exists.
func (lib *Library) HasTool(name string) bool {
	_, ok := lib.opts.Agent.Tools().Lookup(name)
	return ok
}

// Workflows returns the skills with steps that the current agent may run.
func (lib *Library) Workflows() skills.Workflows {
	w := skills.Workflows{
		Skills: lib.opts.Registry, Python: lib.opts.Python(), Disabled: lib.opts.State.Disabled,
		Imported: lib.imported, Reviewed: lib.opts.State.Reviewed, Review: lib.opts.State.SetReviewed, MayUse: lib.opts.Agent.MayUse,
		Data: skills.DataCalls{Parse: lib.opts.ParseCommand, Router: lib.opts.Agent.Tools()},
	}
	if s := lib.opts.Subsessions; s != nil && s.Available() {
		w.Subsession = lib.runSubsession
	}
	return w
}

// imported reports whether somebody else wrote a skill in the user's folder. If the record cannot be
// read, every skill counts as imported.
func (lib *Library) imported(name string) bool {
	origins, err := lib.Lock().Origins()
	return err != nil || origins[name].Source != ""
}

// checkAgentTools returns why the current agent cannot run a skill's steps.
func (lib *Library) checkAgentTools(s skill.Skill) error {
	missing := lib.Workflows().MissingTools(s)
	if len(missing) == 0 {
		return nil
	}
	agentName := lib.opts.Agent.Name()
	return fmt.Errorf("agent %s may not use %s, which the steps need; choose another agent (--agent, /agent), or add the tools to agent %s",
		agentName, strings.Join(missing, ", "), agentName)
}

// WithWorkflows returns router with the tools that run skills. Tools that cannot be created are
// logged and skipped.
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

// StepsOf returns the steps that a tool runs; none if it runs no workflow.
func (lib *Library) StepsOf(tool string) []workflow.Step {
	for _, s := range lib.opts.Registry.List() {
		if len(s.Steps) > 0 && skills.WorkflowTool(s.Name) == tool {
			return s.Steps
		}
	}
	return nil
}

// runCall returns the call that runs a skill with these arguments, or nil for a skill that the model of
// the session follows.
func (lib *Library) runCall(s skill.Skill, a workflow.Arguments) (*llm.ToolCall, error) {
	if !lib.Workflows().HasTool(s) {
		return nil, nil
	}
	values := map[string]any{}
	if s.Subsession && len(s.Parameters) == 0 && a.Text != "" {
		values[skills.RequestArgument] = a.Text
	}
	for name, value := range a.Values {
		values[name] = value.Typed
	}
	args, err := json.Marshal(values)
	if err != nil {
		return nil, fmt.Errorf("encode the arguments of %s: %w", s.Name, err)
	}
	return &llm.ToolCall{ID: "run", Name: skills.WorkflowTool(s.Name), Arguments: string(args)}, nil
}

// CheckAllow rejects names for --allow that would have no effect on a skill's run.
func (lib *Library) CheckAllow(names []string, name string) error {
	for _, allowed := range names {
		if allowed != skills.WorkflowTool(name) {
			return usage.Errorf("--allow %s: the steps of %s can only be allowed together; pass --allow %s", allowed, name, skills.WorkflowTool(name))
		}
	}
	return nil
}

// environmentFor returns the environment for checking the steps of a skill, or none for checking
// only the format.
func (lib *Library) environmentFor(formatOnly bool) func(skill.Skill) workflow.Environment {
	return func(s skill.Skill) workflow.Environment {
		if formatOnly {
			return workflow.Environment{}
		}
		return lib.Workflows().Environment(s, lib.opts.AllTools())
	}
}

// Validate validates a skill, on disk or under its displayed path in the database.
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

// ValidateContent validates a loaded skill.
func (lib *Library) ValidateContent(content skill.Content) []skill.Problem {
	return skill.ValidateContentWith([]byte(content.Text), content.Skill.Alias, lib.environmentFor(false)(content.Skill))
}
