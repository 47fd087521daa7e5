package offline

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
)

// conversation is a request, read: what was asked last, and what came of it.
type conversation struct {
	messages      []llm.Message
	tools         map[string]bool
	specs         map[string]llm.ToolSpec
	skills        []string      // the names of those in the catalogue of the system prompt
	questionIndex int           // index of the last user message, -1 without one
	steps         int           // rounds of calls since then
	outcomes      []ToolOutcome // results since then, in their order
}

func readConversation(req llm.Request) conversation {
	c := conversation{messages: req.Messages, tools: map[string]bool{}, specs: map[string]llm.ToolSpec{}, questionIndex: -1}
	for _, t := range req.Tools {
		c.tools[t.Name], c.specs[t.Name] = true, t
	}
	for i, m := range req.Messages {
		switch m.Role {
		case llm.RoleSystem:
			c.skills = append(c.skills, listedSkills(m.Content)...)
		case llm.RoleUser:
			c.questionIndex = i
		}
	}
	c.collectOutcomes()
	return c
}

// collectOutcomes ties the results of this turn to their calls.
func (c *conversation) collectOutcomes() {
	called := map[string]string{}
	for _, m := range c.messages[c.questionIndex+1:] {
		switch {
		case m.Role == llm.RoleAssistant && len(m.ToolCalls) > 0:
			c.steps++
			for _, call := range m.ToolCalls {
				called[call.ID] = call.Name
			}
		case m.Role == llm.RoleTool:
			name, ok := called[m.ToolCallID]
			if !ok {
				name = m.ToolName
			}
			c.outcomes = append(c.outcomes, ParseToolOutcome(name, m.Content, m.IsError))
		}
	}
}

// userMessages are the user's messages up to the question.
func (c conversation) userMessages() []string {
	var out []string
	for _, m := range c.messages[:c.questionIndex+1] {
		if m.Role == llm.RoleUser {
			out = append(out, m.Content)
		}
	}
	return out
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

var skillLine = lazyregexp.New(`^[-*] ([\p{Ll}\d][\p{Ll}\d-]*)(?::.*)?$`)

// listedSkills reads the skills from a system prompt: the first run of list items
// below the heading "Available skills".
func listedSkills(prompt string) []string {
	var out []string
	found := false
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		if !found {
			found = strings.EqualFold(strings.Trim(line, "#*: "), "available skills")
			continue
		}
		m := skillLine().FindStringSubmatch(line)
		switch {
		case m != nil:
			out = append(out, m[1])
		case line != "" && len(out) > 0:
			return out
		}
	}
	return out
}
