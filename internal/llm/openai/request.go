package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/nfa-cli/nfa/internal/llm"
)

// modelPlaceholder stands in for the model's id until the body is filled:
// go-openai guesses from the id what a model can do, and refuses on the client's
// side what the server would take.
const modelPlaceholder = "model"

// emptyContent stands for content that is empty, which go-openai leaves out and
// servers refuse.
const emptyContent = "(empty)"

// missingAnswer stands for the answer of a turn that was stopped before there was one.
// Models of Mistral, and the chat templates of many local ones, refuse a message of
// the user that follows another, or a tool's result.
const missingAnswer = "(no answer)"

// request is go-openai's part of a request, and what the exchange fills in.
type request struct {
	chat goopenai.ChatCompletionRequest
	fill bodyFill
}

func (m *Model) request(req llm.Request) request {
	out := request{
		chat: goopenai.ChatCompletionRequest{
			Model:         modelPlaceholder,
			StreamOptions: &goopenai.StreamOptions{IncludeUsage: true},
		},
		fill: bodyFill{fields: map[string]json.RawMessage{"model": quote(m.cfg.Model)}},
	}
	// The newer name is demanded by OpenAI's reasoning models and unknown to
	// many other servers.
	if req.MaxTokens > 0 {
		name := "max_tokens"
		if m.host == "api.openai.com" {
			name = "max_completion_tokens"
		}
		out.fill.fields[name] = json.RawMessage(strconv.Itoa(req.MaxTokens))
	}
	maps.Copy(out.fill.fields, m.cfg.ExtraBody)
	for _, msg := range req.Messages {
		if msg.Role == llm.RoleUser && out.needsAnswer() {
			m.addMessage(&out, llm.Message{Role: llm.RoleAssistant, Content: missingAnswer})
		}
		m.addMessage(&out, msg)
	}
	for _, spec := range req.Tools {
		out.chat.Tools = append(out.chat.Tools, toolOf(spec))
	}
	return out
}

// needsAnswer reports whether the model would have the next word.
func (r *request) needsAnswer() bool {
	n := len(r.chat.Messages)
	if n == 0 {
		return false
	}
	last := llm.Role(r.chat.Messages[n-1].Role)
	return last == llm.RoleUser || last == llm.RoleTool
}

func (m *Model) addMessage(out *request, msg llm.Message) {
	sent := goopenai.ChatCompletionMessage{Role: string(msg.Role), Content: msg.Content, ToolCallID: m.callID(msg.ToolCallID)}
	fill := messageFill{}
	switch {
	case msg.Role != llm.RoleAssistant && msg.Content == "":
		sent.Content = emptyContent
	case msg.Role == llm.RoleAssistant && msg.Content == "" && len(msg.ToolCalls) == 0:
		return // it says nothing, and is refused by many
	case msg.Role == llm.RoleAssistant && msg.Content == "":
		// Left out, it is missed by strict servers; "" is refused by others.
		fill.fields = map[string]json.RawMessage{"content": json.RawMessage("null")}
	}
	ours := m.isOwnExtra(msg.Extra)
	if ours {
		for name, value := range msg.Extra {
			// A field that cannot be sent must not take the conversation with it.
			if name != originField && json.Valid(value) {
				fill.fields = keep(fill.fields, name, value)
			}
		}
	}
	if len(msg.ToolCalls) > 0 {
		fill.fields = m.withReasoning(fill.fields)
	}
	for i, call := range msg.ToolCalls {
		call.ID = m.callID(call.ID)
		sent.ToolCalls = append(sent.ToolCalls, callOf(call))
		extra := call.Extra
		if !ours {
			extra = nil
		}
		if i == 0 {
			extra = m.withSignature(extra, fill.fields)
		}
		fill.calls = append(fill.calls, extra)
	}
	out.chat.Messages = append(out.chat.Messages, sent)
	out.fill.messages = append(out.fill.messages, fill)
}

// isOwnExtra says whether extra fields came from this provider. Without a mark they
// are taken as meant.
func (m *Model) isOwnExtra(extra map[string]json.RawMessage) bool {
	origin, marked := extra[originField]
	return !marked || scalar(origin) == m.cfg.Provider
}

// callOf sends arguments that are no JSON object as one that holds them: some
// servers parse the calls of the history and refuse the whole conversation.
func callOf(call llm.ToolCall) goopenai.ToolCall {
	args, name := call.Arguments, call.Name
	var object map[string]json.RawMessage
	switch {
	case args == "":
		args = "{}"
	case json.Unmarshal([]byte(args), &object) != nil || object == nil:
		args = string(encode(map[string]string{"invalid_arguments": args}))
	}
	if name = acceptedName(name); name == "" {
		name = "unnamed"
	}
	return goopenai.ToolCall{
		ID: call.ID, Type: goopenai.ToolTypeFunction,
		Function: goopenai.FunctionCall{Name: name, Arguments: args},
	}
}

func toolOf(spec llm.ToolSpec) goopenai.Tool {
	parameters := spec.Parameters
	if len(parameters) == 0 {
		parameters = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return goopenai.Tool{
		Type:     goopenai.ToolTypeFunction,
		Function: &goopenai.FunctionDefinition{Name: spec.Name, Description: spec.Description, Parameters: parameters},
	}
}

// bodyFill is what goes into the request's body beside go-openai's fields.
type bodyFill struct {
	fields   map[string]json.RawMessage
	messages []messageFill // one for each message sent
}

type messageFill struct {
	fields map[string]json.RawMessage
	calls  []map[string]json.RawMessage // one for each tool call
}

// apply fills body in. A null takes a top-level field out.
func (f bodyFill) apply(body []byte) ([]byte, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	for name, value := range f.fields {
		if string(bytes.TrimSpace(value)) == "null" {
			delete(object, name)
			continue
		}
		object[name] = value
	}
	var messages []json.RawMessage
	if err := json.Unmarshal(object["messages"], &messages); err != nil {
		return nil, err
	}
	if len(messages) != len(f.messages) {
		return nil, fmt.Errorf("%d messages became %d", len(f.messages), len(messages))
	}
	for i, fill := range f.messages {
		filled, err := fill.apply(messages[i])
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		messages[i] = filled
	}
	object["messages"] = encode(messages)
	return encode(object), nil
}

func (f messageFill) apply(message json.RawMessage) (json.RawMessage, error) {
	signed := false
	for _, extra := range f.calls {
		signed = signed || len(extra) > 0
	}
	if !signed && len(f.fields) == 0 {
		return message, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(message, &object); err != nil {
		return nil, err
	}
	maps.Copy(object, f.fields)
	if signed {
		var list []map[string]json.RawMessage
		if err := json.Unmarshal(object["tool_calls"], &list); err != nil {
			return nil, err
		}
		for i, extra := range f.calls {
			maps.Copy(list[i], extra)
		}
		object["tool_calls"] = encode(list)
	}
	return encode(object), nil
}
