package llm_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

func play(ctx context.Context, m llm.Model, req llm.Request) (chunks []llm.Chunk, err error) {
	for c, e := range m.Stream(ctx, req) {
		if e != nil {
			return chunks, e
		}
		chunks = append(chunks, c)
	}
	return chunks, nil
}

func userRequest(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: text}}}
}

func TestScript_PlaysItsTurnsInOrder(t *testing.T) {
	quote := llm.ToolCall{ID: "c1", Name: "quote", Arguments: "{}"}
	script := &llmtest.Script{Turns: []llmtest.Turn{
		{Reasoning: []string{"hm"}, Text: []string{"one", "two"}, Calls: []llm.ToolCall{quote}, Usage: llm.Usage{InputTokens: 3}, Extra: map[string]any{"sig": "x"}},
		llmtest.Say("done"),
	}}
	want := []llm.Chunk{
		{Reasoning: "hm"}, {Text: "one"}, {Text: "two"}, {ToolCall: &quote},
		{Finish: llm.FinishToolCalls, Usage: &llm.Usage{InputTokens: 3}, Extra: map[string]jsonText{"sig": jsonText(`"x"`)}},
		{Text: "done"}, {Finish: llm.FinishStop, Usage: &llm.Usage{}},
	}
	var got []llm.Chunk
	for range 2 {
		chunks, err := play(t.Context(), script, userRequest("a"))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, chunks...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := play(t.Context(), script, userRequest("b")); err == nil || err.Error() != "request 3 of a script with 2 turns" {
		t.Errorf("a request too many = %v", err)
	}
}

func TestScript_RecordsRequestsAsTheyWere(t *testing.T) {
	script := &llmtest.Script{Turns: []llmtest.Turn{llmtest.Say("a")}}
	req := userRequest("before")
	if _, err := play(t.Context(), script, req); err != nil {
		t.Fatal(err)
	}
	req.Messages[0].Content = "after"
	if got := script.Requests(); len(got) != 1 || got[0].Messages[0].Content != "before" {
		t.Errorf("recorded %+v", got)
	}
}

func TestScript_FailsAsDeclared(t *testing.T) {
	boom, odd := errors.New("boom"), errors.New("odd request")
	script := &llmtest.Script{Turns: []llmtest.Turn{
		{Text: []string{"so far"}, Err: boom, Calls: []llm.ToolCall{{ID: "never"}}},
		{Text: []string{"never"}, Check: func(req llm.Request) error {
			if req.Messages[0].Content != "b" {
				return nil
			}
			return odd
		}},
		llmtest.Fail(boom),
	}}
	for i, want := range []struct {
		words  string
		chunks int
		err    error
	}{{"a", 1, boom}, {"b", 0, odd}, {"c", 0, boom}} {
		chunks, err := play(t.Context(), script, userRequest(want.words))
		if len(chunks) != want.chunks || !errors.Is(err, want.err) {
			t.Errorf("turn %d: %d chunks and %v, want %d and %v", i, len(chunks), err, want.chunks, want.err)
		}
	}
}

func TestScript_HoldsUntilReleasedOrCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		turn := llmtest.Turn{Text: []string{"a"}, Hold: hold}
		script := &llmtest.Script{Turns: []llmtest.Turn{turn, turn}}
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, 1)
		start := func(ctx context.Context) {
			go func() {
				_, err := play(ctx, script, userRequest("a"))
				results <- err
			}()
			synctest.Wait()
			if len(results) != 0 {
				t.Fatal("the turn did not hold")
			}
		}
		start(ctx)
		cancel()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled turn = %v", err)
		}
		start(t.Context())
		close(hold)
		if err := <-results; err != nil {
			t.Errorf("released turn = %v", err)
		}
	})
}

func TestScript_StopsWhereTheConsumerDoes(t *testing.T) {
	script := &llmtest.Script{Turns: []llmtest.Turn{llmtest.Say("a", "b")}}
	seen := 0
	for range script.Stream(t.Context(), userRequest("a")) {
		seen++
		break
	}
	if seen != 1 {
		t.Errorf("%d chunks after a break", seen)
	}
}
