package agent_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// steadyModel is a model that writes a piece every hundredth of a second.
type steadyModel struct {
	piece string
	times int
}

func (s steadyModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for range s.times {
			time.Sleep(10 * time.Millisecond)
			if !yield(llm.Chunk{Text: s.piece}, nil) {
				return
			}
		}
	}
}

func TestRun_TextThatComesTooFastToBeReadIsShownInHalfAsManyPieces(t *testing.T) {
	for _, tt := range []struct {
		name  string
		piece string
		apart time.Duration // between what is shown, once the first was
	}{
		{"a fast model", strings.Repeat("word ", 5), agent.DefaultFlushEvery},
		{"a flood", strings.Repeat("word ", 20), 2 * agent.DefaultFlushEvery},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				router, err := tool.NewRouter(nil, tool.Options{})
				if err != nil {
					t.Fatal(err)
				}
				a, err := agent.New(agent.Config{
					Setup: setup(agent.Setup{Model: steadyModel{tt.piece, 100}, Router: router}), Store: &sessiontest.Memory{},
				})
				if err != nil {
					t.Fatal(err)
				}
				var shown []time.Time
				text := ""
				for e := range a.Start().Run(t.Context(), agent.Input{Text: "go"}) {
					if d, ok := e.(agent.TextDelta); ok {
						shown, text = append(shown, time.Now()), text+d.Text
					}
				}
				if want := strings.Repeat(tt.piece, 100); text != want {
					t.Fatalf("shown %d bytes, want all %d", len(text), len(want))
				}
				for i := 3; i < len(shown)-1; i++ {
					if apart := shown[i].Sub(shown[i-1]); apart != tt.apart {
						t.Errorf("piece %d was shown %v after the one before, want %v", i, apart, tt.apart)
					}
				}
			})
		})
	}
}
