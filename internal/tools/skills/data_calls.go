package skills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// DataCalls are the calls that the body of a skill makes when it is loaded.
type DataCalls struct {
	// Parse returns the tool and the arguments of a command such as "quote AAPL".
	Parse func(command string) (name, args string, err error)
	// Router has the tools that the calls may use; nil if none can be made.
	Router *tool.Router
}

// maxDataBytes limits the result of one call in the text of a skill.
const maxDataBytes = 4 << 10

// Resolve returns a command as a call. Only tools that read and that the skill's fence allows can be called.
func (d DataCalls) Resolve(command string, fence *tool.Fence) (llm.ToolCall, error) {
	if d.Router == nil {
		return llm.ToolCall{}, errors.New("tools cannot be called here")
	}
	name, args, err := d.Parse(command)
	if err != nil {
		return llm.ToolCall{}, err
	}
	t, ok := d.Router.Lookup(name)
	switch {
	case !ok:
		return llm.ToolCall{}, fmt.Errorf("the tool %s is not available", name)
	case t.Effect != tool.Reads, t.UserOnly, t.Group == tool.WorkflowGroup:
		return llm.ToolCall{}, fmt.Errorf("%s cannot be called when a skill is loaded; only read-only tools can", name)
	}
	return llm.ToolCall{Name: name, Arguments: args}, fence.Check(name, t.Effect)
}

// ResolveAll returns the calls of a skill, and why others cannot be made.
func (d DataCalls) ResolveAll(commands []string, fence *tool.Fence) (calls []llm.ToolCall, notes []string) {
	for i, command := range commands {
		call, err := d.Resolve(command, fence)
		if err != nil {
			notes = append(notes, skill.DataMark(i, command)+" is not available: "+err.Error())
			continue
		}
		calls = append(calls, call)
	}
	return calls, notes
}

// insertData makes the calls of a skill's body as steps of the call that runs in ctx, and returns the
// content with their results.
func (d DataCalls) insertData(ctx context.Context, r skill.Rendered, fence *tool.Fence) (content string, notes []string) {
	results := make([]string, len(r.Calls))
	for i, command := range r.Calls {
		call, err := d.Resolve(command, fence)
		if err != nil {
			results[i] = skill.DataMark(i, command)
			notes = append(notes, results[i]+" is not available: "+err.Error())
			continue
		}
		o, err := d.Router.WithModelBytes(maxDataBytes).Step(ctx, "data "+strconv.Itoa(i+1), call.Name, json.RawMessage(call.Arguments))
		if err != nil {
			break // canceled
		}
		results[i] = o.Result.ModelText()
	}
	return r.Insert(results), notes
}
