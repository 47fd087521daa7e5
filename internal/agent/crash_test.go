package agent_test

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// crashingModel is a model client that panics with its request and the key.
type crashingModel struct{ said string }

func (b crashingModel) Stream(_ context.Context, r llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if b.said != "" && !yield(llm.Chunk{Text: b.said}, nil) {
			return
		}
		panic(fmt.Errorf("sk-CANARY and %+v", r.Messages))
	}
}

// A panic value of a model client may contain its key and the whole conversation. The turn ends and keeps
// the text so far, but shows neither; the log has only the location.
func TestRun_AnAdapterThatCrashesShowsNothingOfWhatItSent(t *testing.T) {
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{"", "It is"} {
		var log bytes.Buffer
		store := &sessiontest.Memory{}
		a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: crashingModel{said}, Router: router}), Store: store, Log: zerolog.New(&log)})
		if err != nil {
			t.Fatal(err)
		}
		c := a.Start()
		events, done, err := turnOf(t, c, "I own CANARY shares")
		if err == nil || !strings.Contains(err.Error(), "the model client crashed") || done.Reason != agent.StopProvider {
			t.Errorf("after %q the turn ends with %v, %q; want that the adapter crashed", said, err, done.Reason)
		}
		if shown := fmt.Sprintf("%+v %v %+v", events, err, done); strings.Contains(shown, "CANARY") {
			t.Errorf("after %q shown: %s", said, shown)
		}
		if text := log.String(); strings.Contains(text, "CANARY") || !strings.Contains(text, "crashingModel.Stream") || !strings.Contains(text, "crash_test.go:") {
			t.Errorf("after %q the log has %s; want the place and no value", said, text)
		}
	}
}
