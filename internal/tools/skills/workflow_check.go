package skills

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Runnable says why the steps of a skill cannot be run by the tools of router,
// whatever they are given: all reasons at once, in a *workflow.PlanError. Nothing but
// the skill's own scripts is read, and no Python is looked for.
func (w Workflows) Runnable(s skill.Skill, router *tool.Router) error {
	return workflow.Plan{Problems: workflow.Check(s.Steps, s.Parameters, w.Environment(s, router))}.Err()
}

// Environment is what the steps of a skill find: the tools of router, and the scripts
// that lie in the skill's directory.
func (w Workflows) Environment(s skill.Skill, router *tool.Router) workflow.Environment {
	environment := newEnvironment(s, router)
	environment.CheckScript = func(path string) error {
		_, err := w.readScript(s, workflow.Step{Python: path})
		return err
	}
	return environment
}

// newEnvironment is what the steps of a skill find around them.
func newEnvironment(s skill.Skill, router *tool.Router) workflow.Environment {
	return workflow.Environment{
		AllowedTools: s.AllowedTools,
		CheckTool: func(name string) error {
			if _, ok := router.Lookup(name); ok || name == workflow.PythonTool {
				return nil
			}
			return fmt.Errorf("there is no tool %s; there are: %s", name, strings.Join(toolNames(router), ", "))
		},
		CheckArguments: func(name string, args json.RawMessage) error {
			t, ok := router.Lookup(name)
			if !ok {
				return nil
			}
			return t.Check(args)
		},
		CheckArgumentNames: func(name string, names []string) error {
			t, ok := router.Lookup(name)
			if !ok {
				return nil
			}
			return checkArgumentNames(t.Spec().Parameters, names)
		},
	}
}

func toolNames(router *tool.Router) []string {
	var names []string
	for _, t := range router.Tools() {
		names = append(names, t.Name)
	}
	return names
}

// checkArgumentNames holds the names of arguments against a tool's schema, which closes an
// object by refusing every further member.
func checkArgumentNames(parameters json.RawMessage, names []string) error {
	var schema struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		Required             []string                   `json:"required"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
	}
	if err := json.Unmarshal(parameters, &schema); err != nil {
		return fmt.Errorf("reading the schema of its arguments: %w", err)
	}
	for _, name := range schema.Required {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the argument %s is missing", name)
		}
	}
	further := string(schema.AdditionalProperties)
	for _, name := range names {
		_, known := schema.Properties[name]
		if !known && further != "" && further != "true" && further != "{}" {
			return fmt.Errorf("there is no argument %s; there are: %s", name, strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ", "))
		}
	}
	return nil
}
