package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline/answer"
	"github.com/nfa-cli/nfa/internal/llm/offline/question"
	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
)

// follow carries out a skill: its text, then the tools it lists, then the answer
// from their results. Each step is done at most once.
func (c conversation) follow(in intent) reply {
	content := cmp.Or(in.Activated, c.loadedNow(), c.skillText(in.Skill))
	switch {
	case slices.ContainsFunc(c.outcomes, func(o answer.Outcome) bool { return toolname.IsWorkflow(o.Tool) }):
		return say(answer.Workflow(in.Skill, c.outcomes))
	case in.Activated == "" && c.workflowTool(in.Skill) != "":
		return c.callWorkflow(in, c.workflowTool(in.Skill))
	case c.ran() && slices.Contains(requiredTools(content), toolname.Calculate) && len(c.calculations(in)) > 0:
		return c.callAll(c.calculations(in))
	case c.ran():
		first := append([]string{following(in.Skill, requiredTools(content))}, in.notes()...)
		return say(answer.Write(in.asked(), c.outcomes, first...))
	case content != "":
		return c.callSkillTools(in, content)
	case c.steps > 0:
		return say(c.unloaded(in.Skill))
	case !c.tools[toolname.Skill]:
		return say(fmt.Sprintf("I understood that you want the skill %s. %s", quoted.Code(in.Skill), lacking([]string{toolname.Skill})))
	}
	return reply{calls: []llm.ToolCall{c.newCall(0, toolname.Skill, skillArgs{in.Skill})}}
}

// ran reports whether tools beside Skill have answered in this turn.
func (c conversation) ran() bool {
	return slices.ContainsFunc(c.outcomes, func(o answer.Outcome) bool { return o.Tool != toolname.Skill && o.Tool != toolname.SkillFile })
}

// loadedNow is the skill's text that this turn's Skill call gave, whatever name
// it bears: skills have aliases.
func (c conversation) loadedNow() string {
	for _, o := range c.outcomes {
		if content := o.Result.Raw("content"); o.Err == "" && o.Tool == toolname.Skill && content != "" {
			return content
		}
	}
	return ""
}

// skillText is the text of a skill that was loaded earlier; the Skill tool may
// give it only once in a conversation.
func (c conversation) skillText(name string) string {
	for _, m := range slices.Backward(c.messages) {
		switch m.Role {
		case llm.RoleUser:
			if skill, content, ok := question.Activation(m.Content); ok && skill == name {
				return content
			}
		case llm.RoleTool:
			if m.ToolName != toolname.Skill || m.IsError {
				continue
			}
			if o := answer.Decode(m.Content); o.Text("name") == name || frontMatter(o.Raw("content")).name == name {
				if content := o.Raw("content"); content != "" {
					return content
				}
			}
		}
	}
	return ""
}

// unloaded explains a Skill call that gave no text.
func (c conversation) unloaded(name string) string {
	for _, o := range c.outcomes {
		if o.Err != "" {
			text := answer.Problem(o)
			if skills := c.skillNames(); skills != "" {
				text += "\n\nSkills here: " + skills + "."
			}
			return text
		}
	}
	return fmt.Sprintf("The skill %s was not given by the Skill tool, so there is nothing to follow.", quoted.Code(name))
}

// callSkillTools calls those of a skill's tools that the assistant knows and
// that its arguments suffice for.
func (c conversation) callSkillTools(in intent, content string) reply {
	required := requiredTools(content)
	var tasks []task
	needsSymbol := false
	for _, name := range required {
		switch name {
		case toolname.Quote, toolname.History, toolname.Returns:
			needsSymbol = true
			tasks = append(tasks, in.skillTasks(name)...)
		case toolname.Calculate:
			if in.Expression != "" {
				tasks = append(tasks, task{toolname.Calculate, expressionArgs{in.Expression}})
			}
		case toolname.Time:
			tasks = append(tasks, task{toolname.Time, noArgs{}})
		default:
			kept := in
			kept.Own = question.Own{Tool: name}
			tasks = append(tasks, kept.ownTasks()...)
		}
	}
	switch {
	case needsSymbol && len(in.Symbols) == 0:
		return say(in.wantsSymbol())
	case needsSymbol && in.unsettled() != "":
		return say(in.unsettled())
	case len(tasks) == 0 && frontMatter(content).steps:
		return say(runBySlash(in.Skill, nil))
	case len(tasks) == 0:
		return say(unfollowable(in.Skill, required, content))
	}
	r := c.callAll(tasks)
	if len(r.calls) == 0 {
		r.text = following(in.Skill, required) + "\n\n" + r.text
	}
	return r
}

func (in intent) skillTasks(tool string) []task {
	switch {
	case len(in.Symbols) == 0:
		return nil
	case tool == toolname.Quote:
		return []task{{toolname.Quote, quoteArgs{in.chosen()}}}
	default:
		return in.ranged(tool)
	}
}

func (in intent) wantsSymbol() string {
	text := fmt.Sprintf("The skill %s needs a symbol.", quoted.Code(in.Skill))
	if len(in.Strangers) > 0 {
		return text + " " + unrecognised(in.Strangers)
	}
	return text + fmt.Sprintf(" Name it by its ticker, like `/%s AAPL`.", strings.ReplaceAll(in.Skill, "`", "'"))
}

// following says how far a skill is followed.
func following(name string, required []string) string {
	text := fmt.Sprintf("Following the skill %s. The offline assistant follows a skill only by its listed tools", quoted.Code(name))
	if len(required) == 0 {
		return text + "."
	}
	text += ": " + quoted.Code(required...) + "."
	if beyond := slices.DeleteFunc(slices.Clone(required), usable); len(beyond) > 0 {
		text += " It has no rule for " + quoted.Code(beyond...) + "."
	}
	return text
}

// usable reports whether the assistant can call a tool on a skill's behalf.
func usable(tool string) bool {
	return slices.ContainsFunc(abilities, func(a ability) bool { return a.tool == tool })
}

// unfollowable tells what a skill holds that only a language model can do.
func unfollowable(name string, required []string, content string) string {
	text := fmt.Sprintf("I have the skill %s, but following it takes a language model: ", quoted.Code(name))
	switch {
	case len(required) == 0:
		text += "it lists no tools."
	case slices.ContainsFunc(required, usable):
		text += "what it needs besides tools is not in your words."
	default:
		text += "I have no rule for " + quoted.Code(required...) + "."
	}
	if found := headings(content); len(found) > 0 {
		text += " It contains:\n\n" + list(found)
	}
	return text + "\n\n" + connect
}
