package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/nfa-cli/nfa/internal/llm"
)

// emptyContent replaces empty content, which go-openai leaves out and servers refuse.
const emptyContent = "(empty)"

// missingAnswer replaces the answer of a turn that was stopped before there was one. Models of
// Mistral, and the chat templates of many local ones, refuse a user message that follows another one
// or a tool's result.
const missingAnswer = "(no answer)"

// noParameters is the schema of a tool without parameters.
const noParameters = `{"type":"object","properties":{}}`

// requestBody encodes a request.
func (m *Model) requestBody(req llm.Request) ([]byte, error) {
	if m.cfg.Wire == WireResponses {
		return m.responsesBody(req)
	}
	return m.chatBody(req)
}

// path returns the path of requests below the base URL.
func (m *Model) path() string {
	if m.cfg.Wire == WireResponses {
		return "/responses"
	}
	return "/chat/completions"
}

func (m *Model) newAnswer() answer {
	if m.cfg.Wire == WireResponses {
		return &responseAnswer{origin: m.cfg.Provider}
	}
	return &chatAnswer{origin: m.cfg.Provider}
}

// chatBody encodes a request of chat completions. The fields that go-openai's types do not have are
// added to its JSON.
func (m *Model) chatBody(req llm.Request) ([]byte, error) {
	body := map[string]json.RawMessage{
		"model": quote(m.cfg.Model), "stream": json.RawMessage("true"), "stream_options": json.RawMessage(`{"include_usage":true}`),
	}
	if req.MaxTokens > 0 {
		name := "max_tokens"
		if m.quirk.maxTokens != "" {
			name = m.quirk.maxTokens
		}
		body[name] = json.RawMessage(strconv.Itoa(req.MaxTokens))
	}
	var messages []json.RawMessage
	last := llm.Role("")
	add := func(msg llm.Message) error {
		encoded, err := m.encodeMessage(msg)
		if err != nil {
			return fmt.Errorf("message %d: %w", len(messages), err)
		}
		if encoded != nil {
			messages, last = append(messages, encoded), msg.Role
		}
		return nil
	}
	for _, msg := range req.Messages {
		if msg.Role == llm.RoleUser && (last == llm.RoleUser || last == llm.RoleTool) {
			if err := add(llm.Message{Role: llm.RoleAssistant, Content: missingAnswer}); err != nil {
				return nil, err
			}
		}
		if err := add(msg); err != nil {
			return nil, err
		}
	}
	body["messages"] = encode(messages)
	if len(req.Tools) > 0 {
		var tools []goopenai.Tool
		for _, spec := range req.Tools {
			parameters := spec.Parameters
			if len(parameters) == 0 {
				parameters = json.RawMessage(noParameters)
			}
			tools = append(tools, goopenai.Tool{
				Type:     goopenai.ToolTypeFunction,
				Function: &goopenai.FunctionDefinition{Name: spec.Name, Description: spec.Description, Parameters: parameters},
			})
		}
		encoded, err := json.Marshal(tools)
		if err != nil {
			return nil, err
		}
		body["tools"] = encoded
	}
	m.addExtraBody(body)
	return encode(body), nil
}

func (m *Model) addExtraBody(body map[string]json.RawMessage) {
	for name, value := range m.cfg.ExtraBody {
		body[name] = value
		if string(bytes.TrimSpace(value)) == "null" {
			delete(body, name)
		}
	}
}

// encodeMessage encodes one message, or returns nil for an assistant message without text and
// calls, which many servers refuse.
func (m *Model) encodeMessage(msg llm.Message) (json.RawMessage, error) {
	sent := goopenai.ChatCompletionMessage{Role: string(msg.Role), Content: msg.Content, ToolCallID: m.quirk.acceptedID(msg.ToolCallID)}
	var fields map[string]json.RawMessage
	switch {
	case msg.Content != "":
	case msg.Role != llm.RoleAssistant:
		sent.Content = emptyContent
	case len(msg.ToolCalls) == 0:
		return nil, nil
	default:
		// Strict servers require the field, and others refuse "".
		fields = map[string]json.RawMessage{"content": json.RawMessage("null")}
	}
	origin, marked := msg.Extra[originField]
	own := !marked || scalar(origin) == m.cfg.Provider
	if own {
		for name, value := range msg.Extra {
			// A field that cannot be sent must not make the whole conversation fail.
			if name != originField && name != outputField && json.Valid(value) {
				fields = keep(fields, name, value)
			}
		}
	}
	if m.quirk.reasoning && len(msg.ToolCalls) > 0 && fields["reasoning_content"] == nil {
		fields = keep(fields, "reasoning_content", quote(reasoningPlaceholder))
	}
	extras := make([]map[string]json.RawMessage, len(msg.ToolCalls))
	for i, call := range msg.ToolCalls {
		sent.ToolCalls = append(sent.ToolCalls, goopenai.ToolCall{
			ID: m.quirk.acceptedID(call.ID), Type: goopenai.ToolTypeFunction,
			Function: goopenai.FunctionCall{Name: acceptedName(call.Name), Arguments: acceptedArguments(call.Arguments)},
		})
		if own {
			extras[i] = call.Extra
		}
	}
	if m.quirk.signature && len(extras) > 0 && !isSigned(extras[0]) && !isSigned(fields) {
		extras[0] = keep(maps.Clone(extras[0]), "extra_content", json.RawMessage(placeholderSignature))
	}
	return withFields(sent, fields, extras)
}

// withFields encodes a message with additional fields for it and its calls.
func withFields(sent goopenai.ChatCompletionMessage, fields map[string]json.RawMessage, calls []map[string]json.RawMessage) (json.RawMessage, error) {
	message, err := json.Marshal(sent)
	signed := false
	for _, extra := range calls {
		signed = signed || len(extra) > 0
	}
	if err != nil || !signed && len(fields) == 0 {
		return message, err
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(message, &object); err != nil {
		return nil, err
	}
	maps.Copy(object, fields)
	if signed {
		var list []map[string]json.RawMessage
		if err := json.Unmarshal(object["tool_calls"], &list); err != nil {
			return nil, err
		}
		for i, extra := range calls {
			maps.Copy(list[i], extra)
		}
		object["tool_calls"] = encode(list)
	}
	return encode(object), nil
}

func isSigned(extra map[string]json.RawMessage) bool {
	return isPresent(extra["extra_content"]) || isPresent(extra["thought_signature"])
}

// acceptedName returns the name of a call in a form that every server accepts. A name that a model made up
// may contain other characters.
func acceptedName(name string) string {
	const longest = 64
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), longest)]
}

// acceptedArguments wraps arguments that are not a JSON object, because some servers parse the
// calls in the history and reject the whole conversation.
func acceptedArguments(args string) string {
	var object map[string]json.RawMessage
	switch {
	case args == "":
		return "{}"
	case json.Unmarshal([]byte(args), &object) != nil || object == nil:
		return string(encode(map[string]string{"invalid_arguments": args}))
	}
	return args
}
