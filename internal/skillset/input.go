package skillset

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
)

// Input makes what the user typed into what is sent: "/name words" activates
// that skill, anything else is sent as it stands. A name that is nearly one of a
// skill is a usage error, because what it was meant for would not be done; any
// other is sent with a notice.
func (set *Set) Input(text string, notice func(string)) (agent.Input, error) {
	name, words, ok := slashWords(text)
	if !ok {
		return agent.Input{Text: text}, nil
	}
	s, found := set.o.Registry.Lookup(name)
	near := set.o.Registry.Suggest(name)
	switch {
	case found && s.UserInvocable:
		return set.Activate(name, words)
	case found:
		notice(fmt.Sprintf("the skill %s is for the model to choose, so this is sent as text", name))
	case len(near) > 0 && typedAsSkill(name):
		return agent.Input{}, misuse.Errorf("no skill %s; did you mean /%s? To send it as text put a space before it", name, near[0])
	default:
		notice(fmt.Sprintf("there is no skill %s, so this is sent as text; nfa skills list shows them", name))
	}
	return agent.Input{Text: text}, nil
}

// typedAsSkill tells a word in the form of a skill's name from the first folder of
// a path and the like.
func typedAsSkill(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// Activate is the input that hands a skill to the model without asking it first,
// with the words after its name put in. Words that do not fit its parameters are
// a *parameter.Error.
func (set *Set) Activate(name, words string) (agent.Input, error) {
	content, err := set.Usable(name)
	if err != nil {
		return agent.Input{}, err
	}
	s := content.Skill
	arguments, err := parameter.Parse(s.Parameters, words)
	if err != nil {
		return agent.Input{}, misuse.Errorf("/%s: %w; usage: /%s %s", s.Name, err, s.Name, s.ArgumentHint)
	}
	return Activation(content, arguments, words)
}

// Usable loads a skill that the user has not switched off and whose steps, where
// it has any, can be run.
func (set *Set) Usable(name string) (skill.Content, error) {
	content, err := set.o.Registry.Load(name)
	if err == nil && set.o.State.Disabled(content.Skill.Name) {
		err = misuse.Errorf("the skill %s is disabled; allow it with: nfa skills enable %s", content.Skill.Name, content.Skill.Name)
	}
	if err == nil {
		why := set.withinReach(content.Skill)
		if why == nil {
			why = set.runnable(content.Skill)
		}
		if why != nil {
			err = misuse.Errorf("the skill %s cannot be run: %w", content.Skill.Name, why)
		}
	}
	return content, err
}

// Activation is the input that hands a skill to the model with these arguments, or
// that runs its steps. Words are what the user typed or could have typed.
func Activation(content skill.Content, arguments parameter.Arguments, words string) (agent.Input, error) {
	call, err := workflowCall(content.Skill, arguments)
	if err != nil {
		return agent.Input{}, err
	}
	typed := strings.TrimSpace("/" + content.Skill.Name + " " + words)
	return agent.Input{Text: typed, ForModel: skill.Activation(content, arguments), Skill: content.Skill.Name, SkillVersion: content.Version(), Call: call}, nil
}

// slashWords splits "/name words"; the words may go on over several lines. A
// path such as /etc/hosts is no command.
func slashWords(text string) (name, words string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", "", false
	}
	name = rest
	if cut := strings.IndexAny(rest, " \t\n"); cut >= 0 {
		name, words = rest[:cut], strings.TrimSpace(rest[cut:])
	}
	name = strings.TrimPrefix(name, "skill:")
	return name, words, name != "" && !strings.Contains(name, "/")
}
