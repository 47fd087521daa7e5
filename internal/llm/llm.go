package llm

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Role is the author of a Message.
type Role string

// The four roles every chat-completions server understands.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is one entry of the conversation as a model sees it.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
	// Reasoning is the model's thinking, if the server reveals it. It is shown, and sent back only if the
	// provider requires it.
	Reasoning string `json:"reasoning,omitempty"`
	// ToolCalls are the tool calls of an assistant message.
	ToolCalls []ToolCall `json:"tool_calls,omitempty"`
	// ToolCallID and ToolName tie a tool message to the call it answers.
	ToolCallID string `json:"tool_call_id,omitempty"`
	ToolName   string `json:"tool_name,omitempty"`
	// IsError marks a tool message that reports a failure.
	IsError bool `json:"is_error,omitempty"`
	// Private marks an answer of the built-in assistant that may name amounts the user hides from
	// models. It is never sent.
	Private bool `json:"private,omitempty"`
	// Shown is what people see of a tool's result. Only the built-in assistant reads it; it is
	// neither sent nor stored.
	Shown *Shown `json:"-"`
	// Extra is provider data that must be sent back verbatim in the next
	// request, keyed by its JSON field name (thought signatures and the like).
	Extra map[string]json.RawMessage `json:"extra,omitempty"`
}

// Shown is what people see of a tool's result.
type Shown struct {
	Headline, HeadlineZH string // one sentence, in English and Chinese; may be empty
	Text                 string // Markdown
	Error                string // what failed, in full; empty unless it failed
	Opened               bool   // it is already on the screen
}

// ToolCall is a model's request to run one tool.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is the JSON text exactly as the model wrote it. It may be invalid; the code that
	// decodes it reports that to the model, so that it can correct the call.
	Arguments string                     `json:"arguments"`
	Extra     map[string]json.RawMessage `json:"extra,omitempty"`
}

// ToolSpec describes a tool to the model.
type ToolSpec struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON Schema object
}

// Request is one call of a model: the whole conversation and the available tools.
type Request struct {
	Messages []Message
	Tools    []ToolSpec
	// MaxTokens bounds the answer; zero leaves it to the server.
	MaxTokens int
}

// FinishReason is why the model stopped writing.
type FinishReason string

// Finish reasons as the chat-completions API names them.
const (
	FinishStop          FinishReason = "stop"
	FinishToolCalls     FinishReason = "tool_calls"
	FinishLength        FinishReason = "length"
	FinishContentFilter FinishReason = "content_filter"
)

// Usage counts the tokens of a request. Zero means that the server did not report the count.
type Usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
	CachedTokens int `json:"cached_tokens"`
}

// Add returns the sum of u and v.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:  u.InputTokens + v.InputTokens,
		OutputTokens: u.OutputTokens + v.OutputTokens,
		CachedTokens: u.CachedTokens + v.CachedTokens,
	}
}

// Chunk is one piece of a streamed answer. Text and Reasoning continue those of earlier chunks. A ToolCall
// is always complete, because only the client knows how its server splits calls. The last chunk has Finish,
// Usage, and the Extra to keep in the assistant message.
type Chunk struct {
	Text string
	// Result is the ID of the call whose result Text repeats; only the built-in assistant sets it.
	Result    string
	Reasoning string
	ToolCall  *ToolCall
	Finish    FinishReason
	Usage     *Usage
	Extra     map[string]json.RawMessage
	// Outcome is the result of the question; only the built-in assistant sets it.
	Outcome *Outcome
	// Retry means that the request failed temporarily and is sent again. Such a chunk contains nothing else
	// and comes first.
	Retry *Retry
}

// OutcomeKind is the kind of outcome of a question.
type OutcomeKind string

// The outcomes of a question.
const (
	OutcomeAnswered OutcomeKind = "answered"
	OutcomeAsked    OutcomeKind = "asked"    // a value is missing
	OutcomeDeclined OutcomeKind = "declined" // not understood, or not a question for nfa
	OutcomeFailed   OutcomeKind = "failed"   // no tool could answer
)

// Outcome is the outcome of a question, with the arguments that are missing and the words that were
// not understood.
type Outcome struct {
	Kind          OutcomeKind
	Missing       []string
	NotUnderstood []string
}

// Retry reports why a request is sent again, and after what wait.
type Retry struct {
	Err  error
	Wait time.Duration
}

// Model answers requests in a stream.
//
// The sequence ends after the first error. An error that callers branch on is an *Error. If the server cuts
// a stream off, it ends with KindTruncated after the chunks received so far. Canceling ctx ends the stream
// with ctx's error. A Model is safe for concurrent use.
type Model interface {
	Stream(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}
