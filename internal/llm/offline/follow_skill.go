package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// followSkill carries out a skill: its text, then the tools it lists, then the answer
// from their results. Each step is done at most once.
func (c conversation) followSkill(in intent) reply {
	content := cmp.Or(in.Activated, c.loadedSkillText(), c.skillText(in.Skill))
	switch {
	case slices.ContainsFunc(c.outcomes, func(o ToolOutcome) bool { return IsWorkflowTool(o.Tool) }):
		return textReply(WriteWorkflow(in.Skill, c.outcomes))
	case in.Activated == "" && c.workflowTool(in.Skill) != "":
		return c.callWorkflow(in, c.workflowTool(in.Skill))
	case c.toolsRan() && slices.Contains(requiredTools(content), ToolCalculate) && len(c.calculations(in)) > 0:
		return c.callAll(c.calculations(in))
	case c.toolsRan():
		first := append([]string{followNotice(in.Skill, requiredTools(content))}, in.notes()...)
		return textReply(WriteAnswer(in.answerInput(), c.outcomes, first...))
	case content != "":
		return c.callSkillTools(in, content)
	case c.steps > 0:
		return textReply(c.skillError(in.Skill))
	case !c.tools[ToolSkill]:
		return textReply(fmt.Sprintf("I understood that you want the skill %s. %s", InlineCode(in.Skill), missingToolsMessage([]string{ToolSkill})))
	}
	return reply{calls: []llm.ToolCall{c.newCall(0, ToolSkill, skillArgs{in.Skill})}}
}

// toolsRan reports whether tools beside Skill have answered in this turn.
func (c conversation) toolsRan() bool {
	return slices.ContainsFunc(c.outcomes, func(o ToolOutcome) bool { return o.Tool != ToolSkill && o.Tool != ToolSkillFile })
}

// loadedSkillText is the skill's text that this turn's Skill call gave, whatever name
// it bears: skills have aliases.
func (c conversation) loadedSkillText() string {
	for _, o := range c.outcomes {
		if content := o.Result.Raw("content"); o.Err == "" && o.Tool == ToolSkill && content != "" {
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
			if skill, content, ok := Activation(m.Content); ok && skill == name {
				return content
			}
		case llm.RoleTool:
			if m.ToolName != ToolSkill || m.IsError {
				continue
			}
			if o := DecodeResult(m.Content); o.Text("name") == name || frontMatter(o.Raw("content")).name == name {
				if content := o.Raw("content"); content != "" {
					return content
				}
			}
		}
	}
	return ""
}

// skillError explains a Skill call that gave no text.
func (c conversation) skillError(name string) string {
	for _, o := range c.outcomes {
		if o.Err != "" {
			text := DescribeFailure(o)
			if skills := c.skillNames(); skills != "" {
				text += "\n\nSkills here: " + skills + "."
			}
			return text
		}
	}
	return fmt.Sprintf("The skill %s was not given by the Skill tool, so there is nothing to follow.", InlineCode(name))
}

// callSkillTools calls those of a skill's tools that the assistant knows and
// that its arguments suffice for.
func (c conversation) callSkillTools(in intent, content string) reply {
	required := requiredTools(content)
	var tasks []task
	needsSymbol := false
	for _, name := range required {
		switch name {
		case ToolQuote, ToolHistory, ToolReturns:
			needsSymbol = true
			tasks = append(tasks, in.skillTasks(name)...)
		case ToolCalculate:
			if in.Expression != "" {
				tasks = append(tasks, task{ToolCalculate, expressionArgs{in.Expression}})
			}
		case ToolTime:
			tasks = append(tasks, task{ToolTime, noArgs{}})
		default:
			kept := in
			kept.UserData = UserDataQuery{Tool: name}
			tasks = append(tasks, kept.userDataTasks()...)
		}
	}
	switch {
	case needsSymbol && len(in.Symbols) == 0:
		return textReply(in.wantsSymbol())
	case needsSymbol && in.clarification() != "":
		return textReply(in.clarification())
	case len(tasks) == 0 && frontMatter(content).steps:
		return textReply(slashUsage(in.Skill, nil))
	case len(tasks) == 0:
		return textReply(unsupportedSteps(in.Skill, required, content))
	}
	r := c.callAll(tasks)
	if len(r.calls) == 0 {
		r.text = followNotice(in.Skill, required) + "\n\n" + r.text
	}
	return r
}

func (in intent) skillTasks(tool string) []task {
	switch {
	case len(in.Symbols) == 0:
		return nil
	case tool == ToolQuote:
		return []task{{ToolQuote, quoteArgs{in.answeredSymbols()}}}
	default:
		return in.rangeTasks(tool)
	}
}

func (in intent) wantsSymbol() string {
	text := fmt.Sprintf("The skill %s needs a symbol.", InlineCode(in.Skill))
	if len(in.UnknownNames) > 0 {
		return text + " " + unrecognizedNames(in.UnknownNames)
	}
	return text + fmt.Sprintf(" Name it by its ticker, like `/%s AAPL`.", strings.ReplaceAll(in.Skill, "`", "'"))
}

// followNotice says how far a skill is followed.
func followNotice(name string, required []string) string {
	text := fmt.Sprintf("Following the skill %s. The offline assistant follows a skill only by its listed tools", InlineCode(name))
	if len(required) == 0 {
		return text + "."
	}
	text += ": " + InlineCode(required...) + "."
	if beyond := slices.DeleteFunc(slices.Clone(required), canCall); len(beyond) > 0 {
		text += " It has no rule for " + InlineCode(beyond...) + "."
	}
	return text
}

// canCall reports whether the assistant can call a tool on a skill's behalf.
func canCall(tool string) bool {
	return slices.ContainsFunc(abilities, func(a ability) bool { return a.tool == tool })
}

// unsupportedSteps tells what a skill holds that only a language model can do.
func unsupportedSteps(name string, required []string, content string) string {
	text := fmt.Sprintf("I have the skill %s, but following it takes a language model: ", InlineCode(name))
	switch {
	case len(required) == 0:
		text += "it lists no tools."
	case slices.ContainsFunc(required, canCall):
		text += "what it needs besides tools is not in your words."
	default:
		text += "I have no rule for " + InlineCode(required...) + "."
	}
	if found := headings(content); len(found) > 0 {
		text += " It contains:\n\n" + list(found)
	}
	return text + "\n\n" + connectHint
}
