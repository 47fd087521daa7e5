package offline

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/pattern"
)

// Tools that the assistant knows how to use.
const (
	toolQuote     = "quote"
	toolHistory   = "price_history"
	toolReturns   = "returns_stats"
	toolChart     = "chart"
	toolCalculate = "calculate"
	toolTime      = "current_time"
	toolSkill     = "Skill"
	toolSkillFile = "read_skill_file"
)

// conversation is a request, read: what was asked last, and what came of it.
type conversation struct {
	messages []llm.Message
	tools    map[string]bool
	specs    map[string]llm.ToolSpec
	skills   []skillEntry
	asked    int       // index of the last user message, -1 without one
	steps    int       // rounds of calls since then
	outcomes []outcome // results since then, in their order
}

// skillEntry is a line of the catalogue in the system prompt.
type skillEntry struct{ name, description string }

// outcome is a result with the call it answers.
type outcome struct {
	call   llm.ToolCall
	result object
	err    string // what went wrong, in the tool's words
	code   string
}

func read(req llm.Request) conversation {
	c := conversation{messages: req.Messages, tools: map[string]bool{}, specs: map[string]llm.ToolSpec{}, asked: -1}
	for _, t := range req.Tools {
		c.tools[t.Name], c.specs[t.Name] = true, t
	}
	for i, m := range req.Messages {
		switch m.Role {
		case llm.RoleSystem:
			c.skills = append(c.skills, catalogue(m.Content)...)
		case llm.RoleUser:
			c.asked = i
		}
	}
	c.gather()
	return c
}

// gather ties the results of this turn to their calls.
func (c *conversation) gather() {
	calls := map[string]llm.ToolCall{}
	for _, m := range c.messages[c.asked+1:] {
		switch {
		case m.Role == llm.RoleAssistant && len(m.ToolCalls) > 0:
			c.steps++
			for _, call := range m.ToolCalls {
				calls[call.ID] = call
			}
		case m.Role == llm.RoleTool:
			call, ok := calls[m.ToolCallID]
			if !ok {
				call = llm.ToolCall{ID: m.ToolCallID, Name: m.ToolName}
			}
			c.outcomes = append(c.outcomes, outcomeOf(call, m))
		}
	}
}

func outcomeOf(call llm.ToolCall, m llm.Message) outcome {
	o := outcome{call: call, result: decodeObject(m.Content)}
	o.err, o.code = o.result.text("error"), o.result.text("code")
	switch {
	case o.err != "":
	case m.IsError:
		o.err = oneLine(m.Content, maxQuoted)
	case len(o.result.fields) == 0:
		o.err = "the result cannot be read: " + oneLine(m.Content, 80)
	}
	return o
}

// newCall makes a call whose ID no other of the conversation has, because the
// conversation grows by a message at each step.
func (c conversation) newCall(n int, name string, args any) llm.ToolCall {
	b, err := json.Marshal(args)
	if err != nil { // of strings and maps of strings it cannot happen
		b = []byte("{}")
	}
	return llm.ToolCall{ID: fmt.Sprintf("offline_%d_%d", len(c.messages), n), Name: name, Arguments: string(b)}
}

var catalogueLine = pattern.Lazy(`^[-*] ([\p{Ll}\d][\p{Ll}\d-]*)(?::\s*(.*))?$`)

// catalogue reads the skills from a system prompt: the first run of list items
// below the heading "Available skills".
func catalogue(prompt string) []skillEntry {
	var out []skillEntry
	found := false
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		if !found {
			found = strings.EqualFold(strings.Trim(line, "#*: "), "available skills")
			continue
		}
		m := catalogueLine().FindStringSubmatch(line)
		switch {
		case m != nil:
			out = append(out, skillEntry{m[1], m[2]})
		case line != "" && len(out) > 0:
			return out
		}
	}
	return out
}

var paragraphEnd = pattern.Lazy(`\n[ \t\r]*\n`)

const maxQuestion = 2000 // bytes that are read of a question

// divide tells a message's question, its first paragraph, from the text attached
// below it, whatever that holds. A question that goes on too long is cut.
func divide(message string) (question, attached string, cut bool) {
	question = strings.TrimSpace(message)
	if at := paragraphEnd().FindStringIndex(question); at != nil {
		question, attached = question[:at[0]], question[at[1]:]
	}
	return clippedAtWord(question, maxQuestion), attached, len(question) > maxQuestion
}
