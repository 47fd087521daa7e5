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

// script is the llm.Model of a case: it plays turns, one for each request.
type script struct {
	turns []Turn
	asked atomic.Int64
}

// Stream plays the next turn.
func (s *script) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		n := int(s.asked.Add(1))
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

// forgetful is the session.Store of a case. The conversation itself remembers as
// long as it lasts; nothing of a test belongs among the user's sessions.
type forgetful struct{}

func (forgetful) Create(context.Context, session.Session, ...session.Entry) error { return nil }
func (forgetful) Append(context.Context, string, ...session.Entry) error          { return nil }
func (forgetful) List(context.Context, int) ([]session.Session, error)            { return nil, nil }
func (forgetful) Delete(context.Context, string) error                            { return session.ErrNotFound }
func (forgetful) Load(context.Context, string) (session.Session, []session.Entry, error) {
	return session.Session{}, nil, session.ErrNotFound
}
