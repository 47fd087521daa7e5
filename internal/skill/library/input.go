package library

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tools/skills"
	"github.com/nfa-cli/nfa/internal/usage"
)

// ParseInput converts typed text to agent input: "/name words" activates that skill, anything else
// is sent unchanged. A name that is almost a skill's name is a usage error; any other unknown name
// is sent with a notice.
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
		notice(fmt.Sprintf("skill %s can be started only by the model, so this is sent as text", name))
	case len(suggestions) > 0 && looksLikeSkillName(name):
		return agent.Input{}, usage.Errorf("no skill named %s; did you mean /%s? To send it as text, put a space before it", name, suggestions[0])
	default:
		notice(fmt.Sprintf("no skill named %s, so this is sent as text; to list skills, run: nfa skills list", name))
	}
	return agent.Input{Text: text}, nil
}

// looksLikeSkillName distinguishes a skill name from the first folder of a path and similar words.
func looksLikeSkillName(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// Activate returns the input that gives a skill to the model, with the words after its name as
// arguments. Invalid arguments are a *workflow.ArgumentError.
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

// UseNotes returns what limits the use of a skill here, for the user and the model: expired facts,
// missing tools, and what a skill of another agent asks for.
func (lib *Library) UseNotes(content skill.Content) []string {
	var notes []string
	s := content.Skill
	if stale := s.StaleWarning(lib.opts.Now()); stale != "" {
		notes = append(notes, stale)
	}
	for _, name := range skill.MissingTools(s, lib.HasTool) {
		notes = append(notes, skills.MissingToolWarning(name))
	}
	return append(notes, lib.Workflows().Notes(context.Background(), content)...)
}

// LoadUsable loads a skill that is enabled and whose steps, if any, can be run.
func (lib *Library) LoadUsable(name string) (skill.Content, error) {
	content, err := lib.opts.Registry.Load(name)
	if err == nil && lib.opts.State.Disabled(content.Skill.Name) {
		err = usage.Errorf("skill %s is disabled; enable it with: nfa skills enable %s", content.Skill.Name, content.Skill.Name)
	}
	if err == nil {
		why := lib.checkAgentTools(content.Skill)
		if why == nil {
			why = lib.checkRunnable(content.Skill)
		}
		if why != nil {
			err = usage.Errorf("cannot run skill %s: %w", content.Skill.Name, why)
		}
	}
	return content, err
}

// ActivationInput returns the input that gives a skill to the model with these arguments, that runs its
// steps, or that runs it in a separate session. args are the arguments as typed.
func (lib *Library) ActivationInput(content skill.Content, arguments workflow.Arguments, args string) (agent.Input, error) {
	call, err := lib.runCall(content.Skill, arguments)
	if err != nil {
		return agent.Input{}, err
	}
	in := lib.skillInput(content, arguments)
	in.Text, in.Call = strings.TrimSpace("/"+content.Skill.Name+" "+args), call
	if call != nil && content.Skill.Subsession {
		in.ForModel, in.Fence = fmt.Sprintf("The user activated the skill %q. It runs in a separate session; the result of the next call is its answer. Give that answer to the user.\n\n%s", content.Skill.Name, in.Text), nil
		in.Data = nil // the other session makes these calls
	}
	return in, nil
}

// skillInput returns the input that gives a skill to a model.
func (lib *Library) skillInput(content skill.Content, arguments workflow.Arguments) agent.Input {
	notes := lib.UseNotes(content)
	fence := skills.FenceOf(content.Skill)
	data, unavailable := lib.Workflows().Data.ResolveAll(skill.RenderData(content, arguments).Calls, fence)
	notes = append(notes, unavailable...)
	forModel := notes
	if len(data) > 0 {
		forModel = append(slices.Clip(forModel), "the tool calls after this message return the data for the text, in order")
	}
	if fence != nil {
		forModel = append(slices.Clip(forModel), skills.FenceWarning(fence))
	}
	return agent.Input{
		ForModel: skill.ActivationMessage(content, arguments, forModel), Skill: content.Skill.Name, Template: content.Text, SkillVersion: content.Version(), SkillNotes: notes, Fence: fence,
		Tools: skills.ToolsOf(content.Skill, lib.HasTool), Data: data,
	}
}

// splitSlashCommand splits "/name words", where words may span several lines. A path such as
// /etc/hosts is not a command.
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

// ArgumentLine joins command-line arguments into one chat line. Arguments with spaces are quoted; a
// skill without parameters gets the words unchanged.
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
