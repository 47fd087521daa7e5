package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// follow carries out a skill: its text, then the tools it lists, then the answer
// from their results. Each step is done at most once.
func (c conversation) follow(in intent) reply {
	content := cmp.Or(in.activated, c.loadedNow(), c.skillText(in.skill))
	switch {
	case slices.ContainsFunc(c.outcomes, isWorkflow):
		return say(c.workflowReport(in))
	case in.activated == "" && c.workflowTool(in.skill) != "":
		return c.callWorkflow(in, c.workflowTool(in.skill))
	case c.ran() && slices.Contains(requiredTools(content), toolCalculate) && len(c.calculations(in)) > 0:
		return c.callAll(c.calculations(in))
	case c.ran():
		return say(joined(append([]string{following(in.skill, requiredTools(content))}, append(in.notes(), in.report(c.outcomes)...)...)))
	case content != "":
		return c.callSkillTools(in, content)
	case c.steps > 0:
		return say(c.unloaded(in.skill))
	case !c.tools[toolSkill]:
		return say(fmt.Sprintf("I understood that you want the skill %s. %s", quoted([]string{in.skill}), lacking([]string{toolSkill})))
	}
	return reply{calls: []llm.ToolCall{c.newCall(0, toolSkill, skillArgs{in.skill})}}
}

// ran reports whether tools beside Skill have answered in this turn.
func (c conversation) ran() bool {
	return slices.ContainsFunc(c.outcomes, func(o outcome) bool { return o.call.Name != toolSkill && o.call.Name != toolSkillFile })
}

// loadedNow is the skill's text that this turn's Skill call gave, whatever name
// it bears: skills have aliases.
func (c conversation) loadedNow() string {
	for _, o := range c.outcomes {
		if content := o.result.raw("content"); o.err == "" && o.call.Name == toolSkill && content != "" {
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
			if act, ok := parseActivation(m.Content); ok && act.name == name {
				return act.content
			}
		case llm.RoleTool:
			if m.ToolName != toolSkill || m.IsError {
				continue
			}
			if o := decodeObject(m.Content); o.text("name") == name || frontMatter(o.raw("content")).name == name {
				if content := o.raw("content"); content != "" {
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
		if o.err != "" {
			text := alike([]outcome{o})[0].told()
			if skills := c.skillNames(); skills != "" {
				text += "\n\nSkills here: " + skills + "."
			}
			return text
		}
	}
	return fmt.Sprintf("The skill %s was not given by the Skill tool, so there is nothing to follow.", quoted([]string{name}))
}

// callSkillTools calls those of a skill's tools that the assistant knows and
// that its arguments suffice for.
func (c conversation) callSkillTools(in intent, content string) reply {
	required := requiredTools(content)
	var tasks []task
	needsSymbol := false
	for _, name := range required {
		switch name {
		case toolQuote, toolHistory, toolReturns:
			needsSymbol = true
			tasks = append(tasks, in.skillTasks(name)...)
		case toolCalculate:
			if in.expression != "" {
				tasks = append(tasks, task{toolCalculate, expressionArgs{in.expression}})
			}
		case toolTime:
			tasks = append(tasks, task{toolTime, noArgs{}})
		default:
			kept := in
			kept.own = ownQuestion{tool: name}
			tasks = append(tasks, kept.ownTasks()...)
		}
	}
	switch {
	case needsSymbol && len(in.symbols) == 0:
		return say(in.wantsSymbol())
	case len(tasks) == 0 && frontMatter(content).steps:
		return say(runBySlash(in.skill, nil))
	case len(tasks) == 0:
		return say(unfollowable(in.skill, required, content))
	}
	r := c.callAll(tasks)
	if len(r.calls) == 0 {
		r.text = following(in.skill, required) + "\n\n" + r.text
	}
	return r
}

func (in intent) skillTasks(tool string) []task {
	switch {
	case len(in.symbols) == 0:
		return nil
	case tool == toolQuote:
		return []task{{toolQuote, quoteArgs{in.chosen()}}}
	default:
		return in.ranged(tool)
	}
}

func (in intent) wantsSymbol() string {
	text := fmt.Sprintf("The skill %s needs a symbol.", quoted([]string{in.skill}))
	if len(in.strangers) > 0 {
		return text + " " + unrecognised(in.strangers)
	}
	return text + fmt.Sprintf(" Name it by its ticker, like `/%s AAPL`.", strings.ReplaceAll(in.skill, "`", "'"))
}

// following says how far a skill is followed.
func following(name string, required []string) string {
	text := fmt.Sprintf("Following the skill %s. The offline assistant follows a skill only by its listed tools", quoted([]string{name}))
	if len(required) == 0 {
		return text + "."
	}
	text += ": " + quoted(required) + "."
	if beyond := slices.DeleteFunc(slices.Clone(required), usable); len(beyond) > 0 {
		text += " It has no rule for " + quoted(beyond) + "."
	}
	return text
}

// usable reports whether the assistant can call a tool on a skill's behalf.
func usable(tool string) bool {
	return slices.ContainsFunc(abilities, func(a ability) bool { return a.tool == tool })
}

// unfollowable tells what a skill holds that only a language model can do.
func unfollowable(name string, required []string, content string) string {
	text := fmt.Sprintf("I have the skill %s, but following it takes a language model: ", quoted([]string{name}))
	switch {
	case len(required) == 0:
		text += "it lists no tools."
	case slices.ContainsFunc(required, usable):
		text += "what it needs besides tools is not in your words."
	default:
		text += "I have no rule for " + quoted(required) + "."
	}
	if found := headings(content); len(found) > 0 {
		text += " It contains:\n\n" + list(found)
	}
	return text + "\n\n" + connect
}
