package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// originField marks, within a message's Extra, whose extra fields these are. It
// is never sent: signatures of one provider are refused by the next, and a
// conversation may change providers in its middle.
const originField = "nfa_origin"

// maxAnswerBytes bounds what one answer may hold, as text, reasoning and calls
// together: a server that never stops must not fill memory and disk. It is
// several times what the longest answers of models come to.
const maxAnswerBytes = 4 << 20

// answerTooLongError is the error of an answer that is longer than that.
func (m *Model) answerTooLongError() *llm.Error {
	return &llm.Error{
		Kind: llm.KindTruncated, Provider: m.cfg.Provider, Err: llm.ErrAnswerTooLong,
		Message: fmt.Sprintf("the answer was cut off: it is longer than %d MiB", maxAnswerBytes>>20),
	}
}

// answerBuilder puts one streamed answer together.
type answerBuilder struct {
	origin string

	split            thinkSplitter
	calls            callBuilder
	details          details
	extra            map[string]json.RawMessage
	reasoningContent strings.Builder // what came as reasoning_content
	usage            *llm.Usage
	finish           string
	prose            int  // bytes of text and reasoning that came
	started          bool // anything at all came
}

// add takes one event in and gives out what of it is to be shown at once.
func (a *answerBuilder) add(ev wireEvent) llm.Chunk {
	if u := ev.usage(); u != nil {
		usage := u.usage()
		a.usage = &usage
	}
	var out llm.Chunk
	for _, choice := range ev.Choices {
		if choice.Index != 0 {
			continue // only one was asked for
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
	return out
}

func (a *answerBuilder) delta(d wireDelta) (text, thinking string) {
	a.calls.add(d.ToolCalls)
	if d.FunctionCall != nil {
		a.calls.add([]wireCall{{Function: *d.FunctionCall}})
	}
	a.details.add(d.ReasoningDetails)
	a.extra = d.addTo(keep(a.extra, "thinking_blocks", d.ThinkingBlocks))
	a.reasoningContent.WriteString(d.ReasoningContent.text)

	text, tagged := a.split.add(d.Content.text + d.Refusal.text)
	// Counted as it came, as the splitter may hold it back.
	a.prose += len(d.Content.text) + len(d.Refusal.text)
	thinking = reasoningOf(d) + d.Content.thinking
	a.prose += len(thinking)
	thinking += tagged
	a.started = a.started || d.Content.text != "" || thinking != "" || len(d.ToolCalls) > 0
	return text, thinking
}

// reasoningOf takes one of the names under which the same reasoning may come
// twice.
func reasoningOf(d wireDelta) string {
	for _, p := range []prose{d.ReasoningContent, d.Reasoning} {
		if s := p.text + p.thinking; s != "" {
			return s
		}
	}
	return detailText(d.ReasoningDetails)
}

// tooLong says that more came than one answer may hold.
func (a *answerBuilder) tooLong() bool { return a.size() > maxAnswerBytes }

// size is how many bytes have come of it.
func (a *answerBuilder) size() int { return a.prose + a.calls.size() + a.details.size }

// empty says that nothing came, not even the word that this is all.
func (a *answerBuilder) empty() bool {
	return !a.started && a.finish == "" && len(a.calls.partials) == 0
}

// flush gives out what was held back, when no more comes.
func (a *answerBuilder) flush() llm.Chunk {
	text, thinking := a.split.flush()
	return llm.Chunk{Text: text, Reasoning: thinking}
}

// end gives out the tool calls and the last chunk of a whole answer.
func (a *answerBuilder) end() []llm.Chunk {
	finish := finishOf(a.finish)
	calls := a.calls.finished(finish == llm.FinishLength)
	chunks := make([]llm.Chunk, 0, len(calls)+1)
	signed := false
	for i := range calls {
		chunks = append(chunks, llm.Chunk{ToolCall: &calls[i]})
		signed = signed || len(calls[i].Extra) > 0
	}
	// What a server says about its reason to stop is wrong too often to be
	// believed against what it sent.
	switch {
	case finish == llm.FinishStop && len(calls) > 0:
		finish = llm.FinishToolCalls
	case finish == llm.FinishToolCalls && len(calls) == 0:
		finish = llm.FinishStop
	}
	return append(chunks, llm.Chunk{Finish: finish, Usage: a.usage, Extra: a.finalExtra(len(calls) > 0, signed)})
}

// finalExtra adds reasoning_content where calls were made: providers that send
// it demand it back with the results, and some refuse it elsewhere.
func (a *answerBuilder) finalExtra(called, signed bool) map[string]json.RawMessage {
	extra := keep(a.extra, "reasoning_details", a.details.raw())
	if called && a.reasoningContent.Len() > 0 {
		extra = keep(extra, "reasoning_content", quote(a.reasoningContent.String()))
	}
	if extra != nil || signed {
		extra = keep(extra, originField, quote(a.origin))
	}
	return extra
}

// finishOf reads the dialects of finish reasons; what it does not know is an
// answer that is done.
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
