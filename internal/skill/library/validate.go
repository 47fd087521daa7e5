package library

import (
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

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
