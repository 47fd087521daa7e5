package skillset

import (
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/lint"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// around is the world that the steps of a skill are held against; the rules of
// the format alone know none.
func (set *Set) around(formatOnly bool) func(skill.Skill) workflow.World {
	return func(s skill.Skill) workflow.World {
		if formatOnly {
			return workflow.World{}
		}
		return set.Workflows().World(s, set.o.All())
	}
}

// Problems holds a skill to the rules, on disk or under the path that it is
// shown with while it is in the database.
func (set *Set) Problems(path string, formatOnly bool) ([]lint.Problem, error) {
	around := set.around(formatOnly)
	name, stored := skill.StoredName(path)
	if !stored {
		return lint.ValidateIn(path, around), nil
	}
	content, err := set.Installer().Text(path)
	if err != nil {
		return nil, err
	}
	var world workflow.World
	if k, ok := set.o.Registry.Lookup(name); ok {
		world = around(k)
	}
	problems := lint.ValidateContentIn(content, name, world)
	for i := range problems {
		problems[i].Path = path
	}
	return problems, nil
}

// ProblemsIn holds a skill that was loaded to the rules.
func (set *Set) ProblemsIn(content skill.Content) []lint.Problem {
	return lint.ValidateContentIn([]byte(content.Text), content.Skill.Alias, set.around(false)(content.Skill))
}
