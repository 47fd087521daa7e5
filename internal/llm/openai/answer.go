package openai

import (
	"encoding/json"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// originField names the provider of the other fields in a message's Extra. It is never sent. Providers
// refuse the signatures of others, and a conversation may switch providers.
const originField = "nfa_origin"

// maxAnswerBytes limits the text, reasoning and calls of one answer, so that an endless one cannot
// fill memory and disk. It is several times the longest real answers.
const maxAnswerBytes = 4 << 20

// chatAnswer assembles one streamed answer of chat completions.
type chatAnswer struct {
	origin string // the provider

	split            thinkSplitter
	calls            callBuilder
	details          details
	extra            map[string]json.RawMessage
	reasoningContent strings.Builder // received as reasoning_content
	usage            *llm.Usage
	finish           string
	prose            int  // received bytes of text and reasoning
	started          bool // anything was received
}

// add processes one event and returns what to show at once.
func (a *chatAnswer) add(raw []byte) (llm.Chunk, *serverError) {
	ev, err := decodeEvent(raw)
	if err != nil {
		return llm.Chunk{}, &serverError{message: err.Error()}
	}
	if c, ok := ev.serverError(raw); ok {
		return llm.Chunk{}, &c
	}
	if u := ev.usage(); u != nil {
		usage := u.usage()
		a.usage = &usage
	}
	var out llm.Chunk
	for _, choice := range ev.Choices {
		if choice.Index != 0 {
			continue // only one was requested
		}
		delta := choice.Delta
		if choice.Message != nil {
			delta = *choice.Message
		}
		text, thinking := a.delta(delta)
		out.Text += text
		out.Reasoning += thinking
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
	}
	return out, nil
}

func (a *chatAnswer) delta(d wireDelta) (text, thinking string) {
	a.calls.add(d.ToolCalls)
	if d.FunctionCall != nil {
		a.calls.add([]wireCall{{Function: *d.FunctionCall}})
	}
	a.details.add(d.ReasoningDetails)
	a.extra = d.addTo(keep(a.extra, "thinking_blocks", d.ThinkingBlocks))
	a.reasoningContent.WriteString(d.ReasoningContent.text)

	text, tagged := a.split.add(d.Content.text + d.Refusal.text)
	// Count received text here, because the splitter may hold it back.
	a.prose += len(d.Content.text) + len(d.Refusal.text)
	thinking = reasoningOf(d) + d.Content.thinking
	a.prose += len(thinking)
	thinking += tagged
	a.started = a.started || d.Content.text != "" || thinking != "" || len(d.ToolCalls) > 0
	return text, thinking
}

// reasoningOf returns one of the fields that may repeat the same reasoning.
func reasoningOf(d wireDelta) string {
	for _, p := range []prose{d.ReasoningContent, d.Reasoning} {
		if s := p.text + p.thinking; s != "" {
			return s
		}
	}
	return detailText(d.ReasoningDetails)
}

func (a *chatAnswer) complete() bool { return a.finish != "" }
func (a *chatAnswer) begun() bool    { return a.started || len(a.calls.partials) > 0 }

func (a *chatAnswer) heldBack() llm.Chunk {
	text, thinking := a.split.flush()
	return llm.Chunk{Text: text, Reasoning: thinking}
}

func (a *chatAnswer) size() int { return a.prose + a.calls.size() + a.details.size }

// last returns text that was held back, the tool calls and the last chunk.
func (a *chatAnswer) last() []llm.Chunk {
	chunks := []llm.Chunk{a.heldBack()}
	finish := finishOf(a.finish)
	calls := a.calls.finished(finish == llm.FinishLength)
	signed := false
	for i := range calls {
		chunks = append(chunks, llm.Chunk{ToolCall: &calls[i]})
		signed = signed || len(calls[i].Extra) > 0
	}
	// The reported finish reason is wrong too often to override what the server sent.
	switch {
	case finish == llm.FinishStop && len(calls) > 0:
		finish = llm.FinishToolCalls
	case finish == llm.FinishToolCalls && len(calls) == 0:
		finish = llm.FinishStop
	}
	extra := keep(a.extra, "reasoning_details", a.details.raw())
	// Providers that send reasoning_content require it back with the results of calls, and some refuse it
	// elsewhere.
	if len(calls) > 0 && a.reasoningContent.Len() > 0 {
		extra = keep(extra, "reasoning_content", quote(a.reasoningContent.String()))
	}
	if extra != nil || signed {
		extra = keep(extra, originField, quote(a.origin))
	}
	return append(chunks, llm.Chunk{Finish: finish, Usage: a.usage, Extra: extra})
}

// finishOf maps the known variants of finish reasons; others mean that the answer is complete.
func finishOf(reason string) llm.FinishReason {
	switch strings.ToLower(reason) {
	case "tool_calls", "tool_call", "tool_use", "function_call":
		return llm.FinishToolCalls
	case "length", "max_tokens", "model_length":
		return llm.FinishLength
	case "content_filter", "safety", "refusal", "sensitive", "recitation", "prohibited_content":
		return llm.FinishContentFilter
	default:
		return llm.FinishStop
	}
}
