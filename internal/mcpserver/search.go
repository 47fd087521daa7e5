package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// The tools that call the other tools.
const (
	callTool      = "call_tool"
	callWriteTool = "call_write_tool"
)

const callSchema = `{"type":"object","required":["name"],"properties":{"name":{"type":"string","description":"name from find_tools"},"arguments":{"type":"object","description":"arguments that match the schema from find_tools"}}}`

// foundTool is a tool that find_tools found, with what is needed to call it.
type foundTool struct {
	Name      string          `json:"name"`
	Does      string          `json:"does"`
	CallWith  string          `json:"call_with"`
	Arguments json.RawMessage `json:"arguments"` // JSON schema
}

// addSearch adds find_tools and the tools that call what it finds.
func (s *Server) addSearch() {
	yes, no := true, false
	s.server.AddTool(&mcp.Tool{
		Name: tool.FindToolsName, Description: "Finds nfa's other tools by what they do, with their argument schemas. Use it before you say that nfa cannot do something.",
		InputSchema: json.RawMessage(`{"type":"object","required":["query"],"properties":{"query":{"type":"string","description":"what the user needs, in their words"}}}`),
		Annotations: &mcp.ToolAnnotations{Title: "find tools", ReadOnlyHint: true, OpenWorldHint: &no},
	}, s.find)
	s.server.AddTool(&mcp.Tool{
		Name: callTool, Description: "Calls a read-only tool found by find_tools.", InputSchema: json.RawMessage(callSchema),
		Annotations: &mcp.ToolAnnotations{Title: "call a tool", ReadOnlyHint: true, OpenWorldHint: &yes},
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return s.callFound(ctx, req, false), nil
	})
	if s.options.Write {
		s.server.AddTool(&mcp.Tool{
			Name: callWriteTool, Description: "Calls a tool, found by find_tools, that changes the user's data. Asks the user first.", InputSchema: json.RawMessage(callSchema),
			Annotations: &mcp.ToolAnnotations{Title: "call a tool that writes", DestructiveHint: &yes, OpenWorldHint: &no},
		}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.callFound(ctx, req, true), nil
		})
	}
}

func (s *Server) find(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	outcome, err := s.offered.Call(ctx, llm.ToolCall{ID: "mcp", Name: tool.FindToolsName, Arguments: string(req.Params.Arguments)})
	if err != nil {
		return failed(err.Error()), nil
	}
	found, ok := outcome.Result.Value.(tool.Found)
	if outcome.Result.IsError || !ok {
		return result(outcome.Result), nil
	}
	tools := []foundTool{}
	for _, f := range found.Tools {
		t, ok := s.offered.Lookup(f.Name)
		if !ok {
			continue
		}
		with := callTool
		if mayWrite(t) && s.options.Write {
			with = callWriteTool
		}
		tools = append(tools, foundTool{t.Name, t.Description, with, t.ModelSpec().Parameters})
	}
	raw, err := json.Marshal(map[string]any{"tools": tools})
	if err != nil {
		return failed(err.Error()), nil
	}
	return result(tool.Result{ForModel: string(raw)}), nil
}

// callFound calls a tool by its name.
func (s *Server) callFound(ctx context.Context, req *mcp.CallToolRequest, write bool) *mcp.CallToolResult {
	var in struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return failed("send name and arguments: " + err.Error())
	}
	t, ok := s.offered.Lookup(in.Name)
	switch {
	case !ok || in.Name == tool.FindToolsName:
		return failed(fmt.Sprintf("no tool named %q is offered; search with find_tools", in.Name))
	case t.Effect != tool.Reads && !write:
		return failed(in.Name + " changes data; call it with " + callWriteTool)
	}
	return s.run(ctx, req, llm.ToolCall{ID: "mcp", Name: in.Name, Arguments: string(in.Arguments)})
}
