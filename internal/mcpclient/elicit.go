package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// elicit shows the user a question of the server. Only a person may agree, and only to a question
// without a form: nfa sends the defaults of the fields, which it shows, and fills in nothing else.
func (s *connection) elicit(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	resume, ok := s.clock.pause()
	if !ok {
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	defer resume()
	content, missing := defaults(req.Params.RequestedSchema)
	question := fmt.Sprintf("The MCP server %s asks: %s", nameLabel(s.Name), quoted(req.Params.Message))
	if len(missing) > 0 || s.client.opts.Approver == nil {
		s.client.opts.Warn(fmt.Sprintf("%s The request was declined, because nfa does not fill in forms (%s).", question, quoted(strings.Join(missing, ", "))))
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	// No tool has this name, so no permission for a tool answers.
	name := "mcp_" + s.Name
	sent, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	answer, err := s.client.opts.Approver.Approve(ctx, tool.Approval{
		Call: llm.ToolCall{ID: name, Name: name, Arguments: string(sent)}, Effect: tool.Executes, Question: question,
		Touch: tool.Touch{Network: "your answer goes to the server"},
	})
	switch {
	case err != nil:
		return &mcp.ElicitResult{Action: "cancel"}, nil //nolint:nilerr // the server learns only that there is no answer
	case !answer.Allowed || !answer.Person:
		return &mcp.ElicitResult{Action: "decline"}, nil
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// defaults returns the default values of a form, and the required fields without one.
func defaults(schema any) (content map[string]any, missing []string) {
	content = map[string]any{}
	var form struct {
		Properties map[string]struct {
			Default any `json:"default"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	text, err := json.Marshal(schema)
	if err != nil || json.Unmarshal(text, &form) != nil {
		return content, []string{"unknown"}
	}
	for _, name := range slices.Sorted(maps.Keys(form.Properties)) {
		if value := form.Properties[name].Default; value != nil {
			content[name] = value
		} else if slices.Contains(form.Required, name) {
			missing = append(missing, name)
		}
	}
	return content, missing
}
