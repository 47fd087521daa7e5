// Package llmtest provides fake language models for tests: Script is an llm.Model with scripted
// turns, and Server is an OpenAI-compatible server on loopback that plays the same turns over HTTP
// and can simulate faults.
package llmtest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Turn is one answer of the model, written as data. Its parts come in the order
// of the fields.
type Turn struct {
	Reasoning []string // pieces
	Text      []string // pieces
	// Hold keeps the answer open after the text until it is closed or the caller stops.
	Hold  <-chan struct{}
	Calls []llm.ToolCall
	// Finish, if empty, depends on the calls.
	Finish llm.FinishReason
	Usage  llm.Usage
	Extra  map[string]any // fields of the last chunk's Extra; values as JSON

	// Err ends the answer instead of its calls and finish. Only Script plays it;
	// a Server has replies for that.
	Err error
	// Check inspects the request before it is answered. Its error becomes that of the answer, so
	// that the loop under test ends and shows it. Only Script calls it.
	Check func(req llm.Request) error
}

// Say returns a Turn that answers with text, sent in pieces.
func Say(pieces ...string) Turn { return Turn{Text: pieces} }

// Call returns a Turn with tool calls.
func Call(calls ...llm.ToolCall) Turn { return Turn{Calls: calls} }

// Fail returns a Turn that ends with err at once.
func Fail(err error) Turn { return Turn{Err: err} }

func (t Turn) finish() llm.FinishReason {
	switch {
	case t.Finish != "":
		return t.Finish
	case len(t.Calls) > 0:
		return llm.FinishToolCalls
	default:
		return llm.FinishStop
	}
}

// Script is an llm.Model that plays its Turns, one per request, and records the requests. A request
// beyond the last turn is an error. Do not change the Turns after the first request.
type Script struct {
	Turns []Turn

	mu       sync.Mutex
	requests []llm.Request
}

var _ llm.Model = (*Script)(nil)

// Requests returns the requests so far, as they were received.
func (s *Script) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Stream plays the next turn.
func (s *Script) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		turn, err := s.next(req)
		if err == nil && turn.Check != nil {
			err = turn.Check(req)
		}
		if err == nil {
			err = turn.play(ctx, func(c llm.Chunk) bool { return yield(c, nil) })
		}
		if err != nil && err != errStopped {
			yield(llm.Chunk{}, err)
		}
	}
}

func (s *Script) next(req llm.Request) (Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The caller may append to the same messages.
	req.Messages = slices.Clone(req.Messages)
	req.Tools = slices.Clone(req.Tools)
	for i := range req.Messages {
		req.Messages[i].Extra = maps.Clone(req.Messages[i].Extra)
		req.Messages[i].ToolCalls = slices.Clone(req.Messages[i].ToolCalls)
	}
	s.requests = append(s.requests, req)
	n := len(s.requests)
	if n > len(s.Turns) {
		return Turn{}, fmt.Errorf("request %d of a script with %d turns", n, len(s.Turns))
	}
	return s.Turns[n-1], nil
}

// errStopped means that the consumer stopped reading.
var errStopped = fmt.Errorf("consumer stopped")

func (t Turn) play(ctx context.Context, send func(llm.Chunk) bool) error {
	for _, c := range t.pieces() {
		if err := sendOne(ctx, send, c); err != nil {
			return err
		}
	}
	if t.Hold != nil {
		select {
		case <-t.Hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if t.Err != nil {
		return t.Err
	}
	for _, call := range t.Calls {
		if err := sendOne(ctx, send, llm.Chunk{ToolCall: &call}); err != nil {
			return err
		}
	}
	usage := t.Usage
	return sendOne(ctx, send, llm.Chunk{Finish: t.finish(), Usage: &usage, Extra: rawFields(t.Extra)})
}

func (t Turn) pieces() []llm.Chunk {
	var out []llm.Chunk
	for _, s := range t.Reasoning {
		out = append(out, llm.Chunk{Reasoning: s})
	}
	for _, s := range t.Text {
		out = append(out, llm.Chunk{Text: s})
	}
	return out
}

func sendOne(ctx context.Context, send func(llm.Chunk) bool, c llm.Chunk) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !send(c) {
		return errStopped
	}
	return nil
}
