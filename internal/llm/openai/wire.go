package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// wireEvent is one event of the stream. Fields of unexpected types stay zero; see decodeEvent.
type wireEvent struct {
	Choices []wireChoice    `json:"choices"`
	Usage   *wireUsage      `json:"usage"`
	XGroq   *wireGroq       `json:"x_groq"`
	Error   json.RawMessage `json:"error"`
	Object  string          `json:"object"`
}

type wireGroq struct {
	Usage *wireUsage `json:"usage"`
}

type wireChoice struct {
	Index        int             `json:"index"`
	Delta        wireDelta       `json:"delta"`
	Message      *wireDelta      `json:"message"` // of servers that do not stream
	FinishReason string          `json:"finish_reason"`
	Usage        *wireUsage      `json:"usage"`
	Error        json.RawMessage `json:"error"`
}

type wireDelta struct {
	Content          prose         `json:"content"`
	Refusal          prose         `json:"refusal"`
	Reasoning        prose         `json:"reasoning"`
	ReasoningContent prose         `json:"reasoning_content"`
	ToolCalls        []wireCall    `json:"tool_calls"`
	FunctionCall     *wireFunction `json:"function_call"`

	ReasoningDetails []json.RawMessage `json:"reasoning_details"`
	ThinkingBlocks   json.RawMessage   `json:"thinking_blocks"`
	wireSignatures
}

// wireSignatures holds the fields that providers want returned.
type wireSignatures struct {
	ExtraContent           json.RawMessage `json:"extra_content"`
	ThoughtSignature       json.RawMessage `json:"thought_signature"`
	ProviderSpecificFields json.RawMessage `json:"provider_specific_fields"`
}

func (s wireSignatures) addTo(extra map[string]json.RawMessage) map[string]json.RawMessage {
	extra = keep(extra, "extra_content", s.ExtraContent)
	extra = keep(extra, "thought_signature", s.ThoughtSignature)
	return keep(extra, "provider_specific_fields", s.ProviderSpecificFields)
}

func keep(extra map[string]json.RawMessage, name string, value json.RawMessage) map[string]json.RawMessage {
	if !isPresent(value) {
		return extra
	}
	if extra == nil {
		extra = map[string]json.RawMessage{}
	}
	extra[name] = value
	return extra
}

type wireCall struct {
	Index    *int         `json:"index"`
	ID       string       `json:"id"`
	Function wireFunction `json:"function"`
	wireSignatures
}

type wireFunction struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

type wireUsage struct {
	PromptTokens         float64 `json:"prompt_tokens"`
	CompletionTokens     float64 `json:"completion_tokens"`
	PromptCacheHitTokens float64 `json:"prompt_cache_hit_tokens"`
	CachedTokens         float64 `json:"cached_tokens"`
	PromptTokensDetails  struct {
		CachedTokens float64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (u wireUsage) usage() llm.Usage {
	cached := max(u.PromptTokensDetails.CachedTokens, u.PromptCacheHitTokens, u.CachedTokens)
	return llm.Usage{InputTokens: count(u.PromptTokens), OutputTokens: count(u.CompletionTokens), CachedTokens: count(cached)}
}

// count limits a reported count so that sums cannot overflow.
func count(n float64) int { return int(min(max(n, 0), 1e12)) }

// prose is text that arrives as a string, null, one part, or a list of parts, some of which may be
// thinking.
type prose struct{ text, thinking string }

// maxProseDepth limits the nesting of lists and parts; servers are known to use five levels. Each
// level is parsed again by the one around it, so a thousand levels around a long text would take
// minutes.
const maxProseDepth = 8

// UnmarshalJSON never fails: other values count as empty.
func (p *prose) UnmarshalJSON(b []byte) error {
	var r proseReader
	r.read(&r.text, b, maxProseDepth)
	p.text += r.text.String()
	p.thinking += r.thinking.String()
	return nil
}

// proseReader collects the text of parts efficiently, because there may be a million parts of one
// letter.
type proseReader struct{ text, thinking strings.Builder }

// read appends the text in b, up to a nesting depth of levels.
func (r *proseReader) read(into *strings.Builder, b []byte, levels int) {
	if len(b) == 0 || levels == 0 {
		return
	}
	switch b[0] {
	case '"':
		var text string
		_ = json.Unmarshal(b, &text)
		into.WriteString(text)
	case '[':
		var parts []json.RawMessage
		_ = json.Unmarshal(b, &parts)
		for _, part := range parts {
			r.read(into, part, levels-1)
		}
	case '{':
		r.part(into, b, levels-1)
	}
}

func (r *proseReader) part(into *strings.Builder, b []byte, levels int) {
	var part struct {
		Type     string          `json:"type"`
		Text     json.RawMessage `json:"text"`
		Content  json.RawMessage `json:"content"`
		Thinking json.RawMessage `json:"thinking"`
	}
	_ = json.Unmarshal(b, &part)
	r.read(&r.thinking, part.Thinking, levels)
	if part.Type == "thinking" || part.Type == "reasoning" {
		into = &r.thinking
	}
	r.read(into, part.Text, levels)
	r.read(into, part.Content, levels)
}

// arguments are a fragment of a call's JSON text, or the whole as an object.
type arguments struct {
	text  string
	whole bool
}

// UnmarshalJSON never fails, as json has found b well-formed.
func (a *arguments) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		_ = json.Unmarshal(b, &a.text)
	case 'n':
	default:
		var flat bytes.Buffer
		_ = json.Compact(&flat, b)
		a.text, a.whole = flat.String(), true
	}
	return nil
}

var errMalformedEvent = errors.New("a stream event is not JSON")

// decodeEvent fails only if the event is not JSON. A plain string (a "ping") is an empty event.
func decodeEvent(raw []byte) (wireEvent, error) {
	var ev wireEvent
	raw = bytes.TrimSpace(raw)
	if bytes.HasPrefix(raw, []byte("[")) {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			return ev, errMalformedEvent
		}
		raw = list[0]
	}
	if !bytes.HasPrefix(raw, []byte("{")) {
		return ev, nil
	}
	return ev, decode(raw, &ev)
}

// decode reads JSON and ignores fields of another type, so that an odd field does not lose the answer.
func decode(raw []byte, v any) error {
	var mismatch *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, v); err != nil && !errors.As(err, &mismatch) {
		return errMalformedEvent
	}
	return nil
}

// serverError returns the error in an event, if there is one.
func (ev wireEvent) serverError(raw []byte) (serverError, bool) {
	if isPresent(ev.Error) || ev.Object == "error" {
		return parseServerError(raw), true
	}
	for _, c := range ev.Choices {
		if isPresent(c.Error) {
			return serverErrorIn(c.Error), true
		}
		if strings.EqualFold(c.FinishReason, "error") {
			return serverError{message: "the provider ended the answer with an error"}, true
		}
	}
	return serverError{}, false
}

func (ev wireEvent) usage() *wireUsage {
	if ev.Usage != nil {
		return ev.Usage
	}
	if ev.XGroq != nil && ev.XGroq.Usage != nil {
		return ev.XGroq.Usage
	}
	for _, c := range ev.Choices {
		if c.Usage != nil {
			return c.Usage
		}
	}
	return nil
}
