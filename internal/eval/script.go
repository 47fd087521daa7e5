package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
)

// errScriptOver means that the loop asked for more than was written.
var errScriptOver = errors.New("the script is over")

// scriptedModel is the llm.Model of a case: it plays turns, one for each request.
type scriptedModel struct {
	turns    []Turn
	requests atomic.Int64
}

// Stream plays the next turn.
func (s *scriptedModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		n := int(s.requests.Add(1))
		if n > len(s.turns) {
			yield(llm.Chunk{}, errScriptOver)
			return
		}
		for _, chunk := range s.turns[n-1].chunks(n) {
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

func (t Turn) chunks(n int) []llm.Chunk {
	finish := llm.FinishStop
	var out []llm.Chunk
	if t.Text != "" {
		out = append(out, llm.Chunk{Text: t.Text})
	}
	for i, call := range t.Calls {
		finish = llm.FinishToolCalls
		out = append(out, llm.Chunk{ToolCall: &llm.ToolCall{
			ID: fmt.Sprintf("turn_%d_call_%d", n, i+1), Name: call.Tool, Arguments: call.json(),
		}})
	}
	return append(out, llm.Chunk{Finish: finish})
}

// discardStore is the session.Store of a case. The conversation itself remembers as
// long as it lasts; nothing of a test belongs among the user's sessions.
type discardStore struct{}

func (discardStore) Create(context.Context, session.Session, ...session.Entry) error { return nil }
func (discardStore) Append(context.Context, string, ...session.Entry) error          { return nil }
func (discardStore) List(context.Context, int) ([]session.Session, error)            { return nil, nil }
func (discardStore) Delete(context.Context, string) error                            { return session.ErrNotFound }
func (discardStore) Load(context.Context, string) (session.Session, []session.Entry, error) {
	return session.Session{}, nil, session.ErrNotFound
}
