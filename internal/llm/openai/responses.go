package openai

import (
	"encoding/json"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/nfa-cli/nfa/internal/llm"
)

// outputField, within a message's Extra, holds the order of the items of an answer of the Responses API:
// "message", the ID of a call, or a reasoning item, which must be sent back unchanged.
const outputField = "nfa_output"

const messageItem = "message"

// responsesBody encodes a request of the Responses API. Nothing is stored on the server, so reasoning
// arrives encrypted and is sent back with the next request.
func (m *Model) responsesBody(req llm.Request) ([]byte, error) {
	body := map[string]json.RawMessage{"model": quote(m.cfg.Model), "stream": json.RawMessage("true"), "store": json.RawMessage("false")}
	if m.cfg.Reasoning {
		body["include"] = encode([]goopenai.ResponseInclude{goopenai.ResponseIncludeReasoningEncryptedContent})
	}
	if req.MaxTokens > 0 {
		body["max_output_tokens"] = encode(req.MaxTokens)
	}
	var instructions []string
	input := []any{}
	for _, msg := range req.Messages {
		if msg.Role == llm.RoleSystem {
			instructions = append(instructions, msg.Content)
			continue
		}
		input = append(input, m.inputItems(msg)...)
	}
	body["input"] = encode(input)
	if len(instructions) > 0 {
		body["instructions"] = quote(strings.Join(instructions, "\n\n"))
	}
	if len(req.Tools) > 0 {
		var tools []goopenai.ResponseTool
		for _, spec := range req.Tools {
			parameters := spec.Parameters
			if len(parameters) == 0 {
				parameters = json.RawMessage(noParameters)
			}
			tools = append(tools, goopenai.NewResponseFunctionTool(goopenai.FunctionDefinition{
				Name: spec.Name, Description: spec.Description, Parameters: parameters,
			}))
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

// inputItems encodes one message. An answer of this server keeps the order of its items.
func (m *Model) inputItems(msg llm.Message) []any {
	switch msg.Role {
	case llm.RoleTool:
		return []any{goopenai.ResponseFunctionCallOutput{Type: "function_call_output", CallID: m.quirk.acceptedID(msg.ToolCallID), Output: orEmpty(msg.Content)}}
	case llm.RoleUser:
		return []any{inputMessage(msg)}
	}
	var order []json.RawMessage
	if scalar(msg.Extra[originField]) == m.cfg.Provider {
		_ = json.Unmarshal(msg.Extra[outputField], &order) // if items have another shape, only text and calls are sent
	}
	order = append(order, quote(messageItem))
	for _, call := range msg.ToolCalls {
		order = append(order, quote(call.ID))
	}
	var items []any
	sent := map[string]bool{}
	for _, item := range order {
		name := scalar(item)
		if sent[name] {
			continue
		}
		sent[name] = name != ""
		switch {
		case name == "":
			items = append(items, item)
		case name == messageItem && msg.Content != "":
			items = append(items, inputMessage(msg))
		default:
			for _, call := range msg.ToolCalls {
				if call.ID == name {
					items = append(items, functionCall{"function_call", m.quirk.acceptedID(call.ID), acceptedName(call.Name), acceptedArguments(call.Arguments)})
				}
			}
		}
	}
	return items
}

// functionCall is a call of an earlier answer.
type functionCall struct {
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func inputMessage(msg llm.Message) goopenai.ResponseInputMessage {
	return goopenai.ResponseInputMessage{Role: string(msg.Role), Content: orEmpty(msg.Content)}
}

func orEmpty(content string) string {
	if content == "" {
		return emptyContent
	}
	return content
}

// responseEvent is one event of a stream of the Responses API, or a whole response.
type responseEvent struct {
	Type         string          `json:"type"`
	Delta        string          `json:"delta"`
	SummaryIndex int             `json:"summary_index"`
	Item         json.RawMessage `json:"item"`
	Response     json.RawMessage `json:"response"`
	Object       string          `json:"object"`
}

// responseAnswer assembles one streamed answer of the Responses API.
type responseAnswer struct {
	origin string

	calls  callBuilder
	order  []json.RawMessage // see outputField
	usage  *llm.Usage
	finish llm.FinishReason
	bytes  int  // received
	prose  bool // text or reasoning was received
}

// add processes one event and returns what to show at once.
func (a *responseAnswer) add(raw []byte) (llm.Chunk, *serverError) {
	var ev responseEvent
	if err := decode(raw, &ev); err != nil {
		return llm.Chunk{}, &serverError{message: err.Error()}
	}
	switch ev.Type {
	case "response.output_text.delta", "response.refusal.delta":
		a.bytes, a.prose = a.bytes+len(ev.Delta), true
		return llm.Chunk{Text: ev.Delta}, nil
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		a.bytes, a.prose = a.bytes+len(ev.Delta), true
		return llm.Chunk{Reasoning: ev.Delta}, nil
	case "response.reasoning_summary_part.added":
		if ev.SummaryIndex > 0 {
			return llm.Chunk{Reasoning: "\n\n"}, nil
		}
	case "response.output_item.done":
		a.addItem(ev.Item)
	case "response.completed", "response.incomplete", "response.failed":
		return llm.Chunk{}, a.end(ev.Response)
	case "error":
		c := parseServerError(raw)
		return llm.Chunk{}, &c
	case "": // no event: an error, or a whole answer
		if ev.Object == "response" {
			return a.whole(raw)
		}
		if c := parseServerError(raw); c.message != "" {
			return llm.Chunk{}, &c
		}
	}
	return llm.Chunk{}, nil
}

// outputItem is an item of an answer.
type outputItem struct {
	Type      string                           `json:"type"`
	CallID    string                           `json:"call_id"`
	Name      string                           `json:"name"`
	Arguments arguments                        `json:"arguments"`
	Content   []goopenai.ResponseOutputContent `json:"content"`
}

// addItem records an item that is complete and returns it.
func (a *responseAnswer) addItem(raw json.RawMessage) outputItem {
	var item outputItem
	if decode(raw, &item) != nil {
		return item
	}
	a.bytes += len(raw)
	switch item.Type {
	case messageItem:
		a.order = append(a.order, quote(messageItem))
	case "reasoning":
		a.order = append(a.order, append(json.RawMessage(nil), raw...))
	case "function_call":
		a.calls.add([]wireCall{{ID: item.CallID, Function: wireFunction{Name: item.Name, Arguments: item.Arguments}}})
		a.order = append(a.order, quote(item.CallID))
	}
	return item
}

// end processes the last event of an answer.
func (a *responseAnswer) end(raw json.RawMessage) *serverError {
	var response struct {
		Status     string          `json:"status"`
		Error      json.RawMessage `json:"error"`
		Usage      *responseUsage  `json:"usage"`
		Incomplete struct {
			Reason string `json:"reason"`
		} `json:"incomplete_details"`
	}
	if err := decode(raw, &response); err != nil {
		return &serverError{message: err.Error()}
	}
	if u := response.Usage; u != nil {
		a.usage = &llm.Usage{InputTokens: count(u.Input), OutputTokens: count(u.Output), CachedTokens: count(u.Details.Cached)}
	}
	switch {
	case isPresent(response.Error):
		c := serverErrorIn(response.Error)
		return &c
	case response.Status == "failed", response.Status == "cancelled":
		return &serverError{message: "the provider ended the answer with an error"}
	case response.Status == "incomplete" && response.Incomplete.Reason == "content_filter":
		a.finish = llm.FinishContentFilter
	case response.Status == "incomplete":
		a.finish = llm.FinishLength
	default:
		a.finish = llm.FinishStop
	}
	return nil
}

type responseUsage struct {
	Input   float64 `json:"input_tokens"`
	Output  float64 `json:"output_tokens"`
	Details struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"input_tokens_details"`
}

// whole processes the answer of a server that does not stream.
func (a *responseAnswer) whole(raw []byte) (llm.Chunk, *serverError) {
	var response struct{ Output []json.RawMessage }
	if decode(raw, &response) != nil {
		return llm.Chunk{}, &serverError{message: errMalformedEvent.Error()}
	}
	var chunk llm.Chunk
	for _, item := range response.Output {
		for _, part := range a.addItem(item).Content {
			chunk.Text += part.Text + part.Refusal
		}
	}
	a.prose = chunk.Text != ""
	return chunk, a.end(raw)
}

func (a *responseAnswer) size() int           { return a.bytes }
func (a *responseAnswer) complete() bool      { return a.finish != "" }
func (a *responseAnswer) begun() bool         { return a.prose || len(a.calls.partials) > 0 }
func (a *responseAnswer) heldBack() llm.Chunk { return llm.Chunk{} }

func (a *responseAnswer) last() []llm.Chunk {
	calls := a.calls.finished(a.finish == llm.FinishLength)
	var chunks []llm.Chunk
	for i := range calls {
		chunks = append(chunks, llm.Chunk{ToolCall: &calls[i]})
	}
	if a.finish == llm.FinishStop && len(calls) > 0 {
		a.finish = llm.FinishToolCalls
	}
	var extra map[string]json.RawMessage
	for _, item := range a.order {
		if scalar(item) == "" { // without reasoning the order does not matter
			extra = map[string]json.RawMessage{outputField: encode(a.order), originField: quote(a.origin)}
		}
	}
	return append(chunks, llm.Chunk{Finish: a.finish, Usage: a.usage, Extra: extra})
}
