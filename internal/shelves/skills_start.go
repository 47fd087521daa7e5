package shelves

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
	"github.com/nfa-cli/nfa/internal/skillset"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// prepare is Activate for the chat: where the words do not suffice it asks for
// the parameters, before any call of the model.
func (s Skills) prepare(name, words string) (agent.Input, error) {
	in, err := s.Set.Activate(name, words)
	var wrong *parameter.Error
	if !errors.As(err, &wrong) || len(wrong.Missing)+len(wrong.Invalid) == 0 {
		return in, err
	}
	content, err := s.Set.Usable(name)
	if err != nil {
		return agent.Input{}, err
	}
	given, _ := parameter.Parse(content.Skill.Parameters, words) // its error is wrong
	values := map[string]string{}
	for parameter, value := range given.Values {
		values[parameter] = value.Text
	}
	return agent.Input{}, needs(content, values, wrong)
}

// needs is the form for a skill's parameters, with what is known already and
// what is wrong with it.
func needs(content skill.Content, values map[string]string, wrong *parameter.Error) *tui.NeedsError {
	problems := map[string]string{}
	for _, bad := range wrong.Invalid {
		problems[bad.Parameter] = bad.Reason
	}
	asked := &tui.NeedsError{Title: content.Skill.Name}
	for _, p := range content.Skill.Parameters {
		asked.Fields = append(asked.Fields, form.Field{
			Name: p.Name, About: p.Description, Hint: p.Type, Value: values[p.Name],
			Required: p.Required, Choices: p.Enum, Problem: problems[p.Name],
		})
	}
	asked.Fill = func(filled map[string]string) (agent.Input, error) { return fill(content, filled) }
	return asked
}

// fill takes the values of a form, and asks again where they do not fit.
func fill(content skill.Content, filled map[string]string) (agent.Input, error) {
	given := map[string]any{}
	for name, value := range filled {
		given[name] = value
	}
	arguments, err := parameter.Read(content.Skill.Parameters, given)
	var wrong *parameter.Error
	if errors.As(err, &wrong) {
		again := needs(content, filled, wrong)
		for i, f := range again.Fields {
			for _, missing := range wrong.Missing {
				if f.Name == missing {
					again.Fields[i].Problem = "a value is needed"
				}
			}
		}
		return agent.Input{}, again
	}
	if err != nil {
		return agent.Input{}, err
	}
	return skillset.Activation(content, arguments, filledWords(content.Skill.Parameters, filled))
}

// filledWords is what the user could have typed instead of filling in the form.
func filledWords(parameters []parameter.Parameter, filled map[string]string) string {
	var words []string
	for _, p := range parameters {
		value := filled[p.Name]
		if value == "" {
			continue
		}
		if strings.ContainsAny(value, " \t\"=") {
			value = fmt.Sprintf("%q", value)
		}
		words = append(words, p.Name+"="+value)
	}
	return strings.Join(words, " ")
}

// Commands are the skills that the user can start now.
func (s Skills) Commands() []tui.Command {
	var commands []tui.Command
	for _, k := range s.Registry.List() {
		if !k.UserInvocable || s.State.Disabled(k.Name) || len(skill.MissingTools(k, s.Set.HasTool)) > 0 {
			continue
		}
		commands = append(commands, tui.Command{
			Name: k.Name, DisplayName: k.DisplayName, Hint: k.ArgumentHint, About: k.Description, Kind: tui.KindSkill,
			Prepare: func(args string) (agent.Input, error) { return s.prepare(k.Name, args) },
		})
	}
	return commands
}
