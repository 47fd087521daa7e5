package library

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tools/skills"
	"github.com/nfa-cli/nfa/internal/usage"
)

// ParseInput makes what the user typed into what is sent: "/name words" activates
// that skill, anything else is sent as it stands. A name that is nearly one of a
// skill is a usage error, because what it was meant for would not be done; any
// other is sent with a notice.
func (lib *Library) ParseInput(text string, notice func(string)) (agent.Input, error) {
	name, args, ok := splitSlashCommand(text)
	if !ok {
		return agent.Input{Text: text}, nil
	}
	s, found := lib.opts.Registry.Lookup(name)
	suggestions := lib.opts.Registry.Suggest(name)
	switch {
	case found && s.UserInvocable:
		return lib.Activate(name, args)
	case found:
		notice(fmt.Sprintf("the skill %s is for the model to choose, so this is sent as text", name))
	case len(suggestions) > 0 && looksLikeSkillName(name):
		return agent.Input{}, usage.Errorf("no skill %s; did you mean /%s? To send it as text put a space before it", name, suggestions[0])
	default:
		notice(fmt.Sprintf("there is no skill %s, so this is sent as text; nfa skills list shows them", name))
	}
	return agent.Input{Text: text}, nil
}

// looksLikeSkillName tells a word in the form of a skill's name from the first folder of
// a path and the like.
func looksLikeSkillName(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// Activate is the input that hands a skill to the model without asking it first,
// with the words after its name put in. Words that do not fit its parameters are
// a *workflow.ArgumentError.
func (lib *Library) Activate(name, args string) (agent.Input, error) {
	content, err := lib.LoadUsable(name)
	if err != nil {
		return agent.Input{}, err
	}
	s := content.Skill
	arguments, err := workflow.ParseArguments(s.Parameters, args)
	if err != nil {
		return agent.Input{}, usage.Errorf("/%s: %w; usage: /%s %s", s.Name, err, s.Name, s.ArgumentHint)
	}
	return lib.ActivationInput(content, arguments, args)
}

// LoadUsable loads a skill that the user has not switched off and whose steps, where
// it has any, can be run.
func (lib *Library) LoadUsable(name string) (skill.Content, error) {
	content, err := lib.opts.Registry.Load(name)
	if err == nil && lib.opts.State.Disabled(content.Skill.Name) {
		err = usage.Errorf("the skill %s is disabled; allow it with: nfa skills enable %s", content.Skill.Name, content.Skill.Name)
	}
	if err == nil {
		why := lib.checkAgentTools(content.Skill)
		if why == nil {
			why = lib.checkRunnable(content.Skill)
		}
		if why != nil {
			err = usage.Errorf("the skill %s cannot be run: %w", content.Skill.Name, why)
		}
	}
	return content, err
}

// ActivationInput is the input that hands a skill to the model with these arguments, or
// that runs its steps. args are what the user typed or could have typed.
func (lib *Library) ActivationInput(content skill.Content, arguments workflow.Arguments, args string) (agent.Input, error) {
	call, err := workflowCall(content.Skill, arguments)
	if err != nil {
		return agent.Input{}, err
	}
	typed := strings.TrimSpace("/" + content.Skill.Name + " " + args)
	return agent.Input{
		Text: typed, ForModel: skill.ActivationMessage(content, arguments), Skill: content.Skill.Name, SkillVersion: content.Version(),
		Tools: skills.ToolsOf(content.Skill, lib.HasTool), Call: call,
	}, nil
}

// splitSlashCommand splits "/name words"; the words may go on over several lines. A
// path such as /etc/hosts is no command.
func splitSlashCommand(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "/")
	if !ok {
		return "", "", false
	}
	name = rest
	if cut := strings.IndexAny(rest, " \t\n"); cut >= 0 {
		name, args = rest[:cut], strings.TrimSpace(rest[cut:])
	}
	name = strings.TrimPrefix(name, "skill:")
	return name, args, name != "" && !strings.Contains(name, "/")
}

// ArgumentLine writes the words of a command line as one line of the chat. What
// the shell kept together is quoted, so that it stays so; a skill without
// parameters takes the words as they are.
func ArgumentLine(declared []workflow.Parameter, args []string) string {
	if len(declared) == 0 {
		return strings.Join(args, " ")
	}
	quoted := make([]string, len(args))
	for i, word := range args {
		key, value, named := strings.Cut(word, "=")
		if !named || strings.ContainsFunc(key, isInvalidInKey) {
			key, value = "", word
		} else {
			key += "="
		}
		if strings.ContainsAny(value, `"'`) || strings.ContainsFunc(value, unicode.IsSpace) {
			value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
		}
		quoted[i] = key + value
	}
	return strings.Join(quoted, " ")
}

func isInvalidInKey(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
