package screens

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// prepare activates a skill for the chat. If arguments are missing, it asks for the parameters in a
// form before any model call.
func (s Skills) prepare(name, line string) (agent.Input, error) {
	in, err := s.App.Skills.Activate(name, line)
	var invalid *workflow.ArgumentError
	if !errors.As(err, &invalid) || len(invalid.Missing)+len(invalid.Invalid) == 0 {
		return in, err
	}
	content, err := s.App.Skills.LoadUsable(name)
	if err != nil {
		return agent.Input{}, err
	}
	parsed, _ := workflow.ParseArguments(content.Skill.Parameters, line) // its error does not apply here
	values := map[string]string{}
	for parameter, value := range parsed.Values {
		values[parameter] = value.Text
	}
	return agent.Input{}, s.parameterForm(content, values, invalid)
}

// parameterForm returns the form for a skill's parameters, with the known values and their
// problems.
func (s Skills) parameterForm(content skill.Content, values map[string]string, invalid *workflow.ArgumentError) *tui.MissingInputError {
	problems := map[string]string{}
	for _, bad := range invalid.Invalid {
		problems[bad.Parameter] = bad.Reason
	}
	request := &tui.MissingInputError{Title: content.Skill.Name}
	for _, p := range content.Skill.Parameters {
		request.Fields = append(request.Fields, widget.FormField{
			Name: p.Name, About: p.Description, Hint: p.Type, Value: values[p.Name],
			Required: p.Required, Choices: p.Enum, Problem: problems[p.Name],
		})
	}
	request.Fill = func(filled map[string]string) (agent.Input, error) { return s.submitParameters(content, filled) }
	return request
}

// submitParameters accepts the values of a form, or asks again if they are invalid.
func (s Skills) submitParameters(content skill.Content, filled map[string]string) (agent.Input, error) {
	values := map[string]any{}
	for name, value := range filled {
		values[name] = value
	}
	arguments, err := workflow.ReadArguments(content.Skill.Parameters, values)
	var invalid *workflow.ArgumentError
	if errors.As(err, &invalid) {
		request := s.parameterForm(content, filled, invalid)
		for i, f := range request.Fields {
			for _, missing := range invalid.Missing {
				if f.Name == missing {
					request.Fields[i].Problem = "required"
				}
			}
		}
		return agent.Input{}, request
	}
	if err != nil {
		return agent.Input{}, err
	}
	return s.App.Skills.ActivationInput(content, arguments, argumentLine(content.Skill.Parameters, filled))
}

// argumentLine returns the line that the user could have typed instead of filling in the form.
func argumentLine(parameters []workflow.Parameter, filled map[string]string) string {
	var arguments []string
	for _, p := range parameters {
		value := filled[p.Name]
		if value == "" {
			continue
		}
		if strings.ContainsAny(value, " \t\"=") {
			value = fmt.Sprintf("%q", value)
		}
		arguments = append(arguments, p.Name+"="+value)
	}
	return strings.Join(arguments, " ")
}

// Commands returns the skills that the user can start now, as commands.
func (s Skills) Commands() []tui.Command {
	var commands []tui.Command
	for _, k := range s.App.Skills.Registry.List() {
		if !k.UserInvocable || s.App.Skills.State.Disabled(k.Name) || len(skill.MissingTools(k, s.App.Skills.HasTool)) > 0 {
			continue
		}
		commands = append(commands, tui.Command{
			Name: k.Name, DisplayName: k.DisplayName, Hint: k.ArgumentHint, About: k.Description, Kind: tui.KindSkill,
			Prepare: func(args string) (agent.Input, error) { return s.prepare(k.Name, args) },
		})
	}
	return commands
}
