package agent_test

import (
	"context"
	"iter"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// floodModel is a model that writes without end and ignores its context.
type floodModel struct{ chunk llm.Chunk }

func (f floodModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for yield(f.chunk, nil) {
		}
	}
}

// stalledModel is a model that writes one text and then nothing.
type stalledModel struct{ released chan struct{} }

func (s stalledModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if yield(llm.Chunk{Text: "Half"}, nil) {
			<-s.released
		}
	}
}

func TestRun_ACancelledTurnIsOverAtOnceWhateverTheModelDoes(t *testing.T) {
	released := make(chan struct{})
	defer close(released)
	for _, tt := range []struct {
		name  string
		model llm.Model
	}{
		{"it stalls", stalledModel{released}},
		{"it floods with text", floodModel{llm.Chunk{Text: "more and more and more "}}},
		{"it floods with thoughts", floodModel{llm.Chunk{Reasoning: "hm "}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cancelTurn(t, tt.model)
		})
	}
}

// cancelTurn runs a turn and cancels it as its first text is shown. It returns when the turn is over.
func cancelTurn(t *testing.T, model llm.Model) {
	t.Helper()
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: model, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cancelled := false
	for e, err := range a.Start().Run(ctx, agent.Input{Text: "go"}) {
		switch e := e.(type) {
		case agent.TextDelta, agent.ReasoningDelta:
			cancelled = true
			cancel()
		case agent.TurnDone:
			if e.Reason != agent.StopCancelled || err != nil || !cancelled {
				t.Fatalf("turn = %+v, %v; want it cancelled in the middle", e, err)
			}
		}
	}
}

// batches is a store that records which entries were appended together.
type batches struct {
	*sessiontest.Memory
	mu  sync.Mutex
	got [][]session.Kind
}

func (b *batches) Append(ctx context.Context, id string, entries ...session.Entry) error {
	b.mu.Lock()
	b.got = append(b.got, kinds(entries))
	b.mu.Unlock()
	return b.Memory.Append(ctx, id, entries...)
}

func TestRun_CallsThatAreCutGetTheirResultsTogether(t *testing.T) {
	store := &batches{Memory: &sessiontest.Memory{}}
	model := &llmtest.Script{Turns: []llmtest.Turn{llmtest.Call(
		callFor("a", "price", `{"symbol":"A"}`), callFor("b", "waits", `{}`), callFor("c", "waits", `{}`), callFor("d", "save", `{}`))}}
	waits := tool.New("waits", "Waits.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	router, err := tool.NewRouter([]tool.Tool{price(), waits, save()}, tool.Options{Approver: tool.Policy{All: true}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Store: store, Setup: setup(agent.Setup{Model: model, Router: router})})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := a.Start()
	shown := 0
	for e := range c.Run(ctx, agent.Input{Text: "go"}) {
		if _, ok := e.(agent.ToolFinished); ok {
			shown++
			cancel()
		}
	}
	want := [][]session.Kind{
		{session.KindUser}, {session.KindAssistant}, {session.KindTool},
		{session.KindTool, session.KindTool, session.KindTool}, {session.KindNote},
	}
	if diff := cmp.Diff(want, store.got); diff != "" || shown != 4 {
		t.Errorf("kept together (-want +got), %d results shown:\n%s", shown, diff)
	}
	_, entries, err := store.Load(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range session.Messages(entries) {
		if m.Content == session.Interrupted {
			t.Errorf("the call %s has no result of its own", m.ToolCallID)
		}
	}
}

func TestRun_CallsThatAreRefusedForComingAgainGetTheirResultsTogether(t *testing.T) {
	store := &batches{Memory: &sessiontest.Memory{}}
	again := llmtest.Call(callFor("a", "price", `{"symbol":"A"}`), callFor("b", "price", `{"symbol":"B"}`))
	w := &fixture{model: &llmtest.Script{Turns: []llmtest.Turn{again, again, again}}, store: store.Memory}
	router, err := tool.NewRouter([]tool.Tool{price()}, tool.Options{Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	w.agent, err = agent.New(agent.Config{Store: store, Setup: setup(agent.Setup{Model: w.model, Router: router})})
	if err != nil {
		t.Fatal(err)
	}
	wantStop(t, w.agent.Start(), agent.StopRepeatedCall, 3)
	last := store.got[len(store.got)-2:]
	if diff := cmp.Diff([][]session.Kind{{session.KindTool, session.KindTool}, {session.KindNote}}, last); diff != "" {
		t.Errorf("kept last (-want +got):\n%s", diff)
	}
}

func TestRun_CancellingKeepsWhatCameAndTheNextMessageWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t, llmtest.Turn{Text: []string{"Half an ans"}, Hold: make(chan struct{})}, llmtest.Say("Again."))
		c := w.agent.Start()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		start := time.Now()
		var done agent.TurnDone
		for e, err := range c.Run(ctx, agent.Input{Text: "go"}) {
			switch e := e.(type) {
			case agent.TextDelta:
				cancel()
			case agent.TurnDone:
				if done = e; err != nil {
					t.Errorf("a cancelled turn ends with %v", err)
				}
			}
		}
		if done.Reason != agent.StopCancelled || done.Answer != "Half an ans" || time.Since(start) > 100*time.Millisecond {
			t.Fatalf("turn = %+v after %s", done, time.Since(start))
		}
		entries := w.entries(t, c)
		if d := agent.DisplayOf(entries[len(entries)-1]); d.Stop != agent.StopCancelled {
			t.Errorf("the kept part is marked %+v, want cancelled", d)
		}
		if _, done, err := turnOf(t, c, "once more"); err != nil || done.Answer != "Again." {
			t.Fatalf("next turn = %+v, %v", done, err)
		}
		roles := []llm.Role{}
		for _, m := range w.model.Requests()[1].Messages {
			roles = append(roles, m.Role)
		}
		if diff := cmp.Diff([]llm.Role{llm.RoleSystem, llm.RoleUser, llm.RoleAssistant, llm.RoleUser}, roles); diff != "" {
			t.Errorf("the next request (-want +got):\n%s", diff)
		}
	})
}

// stuckModel is a model that ignores its context.
type stuckModel struct{ release chan struct{} }

func (d stuckModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(func(llm.Chunk, error) bool) { <-d.release }
}

func TestRun_CancellingWorksOnAModelThatHangs(t *testing.T) {
	w := newFixture(t)
	model := stuckModel{make(chan struct{})}
	defer close(model.release)
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: model, Router: router}), Store: w.store})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for e, err := range a.Start().Run(ctx, agent.Input{Text: "go"}) {
		if done, ok := e.(agent.TurnDone); ok && (done.Reason != agent.StopCancelled || err != nil) {
			t.Errorf("turn = %+v, %v, want cancelled", done, err)
		}
	}
}

func TestRun_ATurnCancelledBetweenMessagesLeavesANoteThatIsNotSent(t *testing.T) {
	w := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cancelling := tool.New("cancelling", "Is cancelled.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		cancel()
		return tool.Result{}, context.Canceled
	})
	router, err := tool.NewRouter([]tool.Tool{cancelling}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.model.Turns = []llmtest.Turn{llmtest.Call(callFor("c1", "cancelling", `{}`))}
	a, err := agent.New(agent.Config{Store: w.store, Setup: setup(agent.Setup{Model: w.model, Router: router})})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	for range c.Run(ctx, agent.Input{Text: "go"}) {
	}
	entries := w.entries(t, c)
	last := entries[len(entries)-1]
	if last.Kind != session.KindNote || agent.DisplayOf(last).Stop != agent.StopCancelled {
		t.Fatalf("the record ends with %+v, want a note that the turn was cancelled", last)
	}
	if sent := session.Messages(entries); len(sent) != 3 || sent[2].Role != llm.RoleTool {
		t.Errorf("sent next: %+v; want the note left out", sent)
	}
}

func TestRun_LeavingTheRangeCancels(t *testing.T) {
	w := newFixture(t, llmtest.Turn{Text: []string{"One"}, Hold: make(chan struct{})})
	c := w.agent.Start()
	for e := range c.Run(t.Context(), agent.Input{Text: "go"}) {
		if _, ok := e.(agent.TextDelta); ok {
			break
		}
	}
	entries := w.entries(t, c)
	if last := entries[len(entries)-1]; last.Kind != session.KindAssistant || last.Message.Content != "One" {
		t.Fatalf("the record ends with %+v, want the part that came", last)
	}
}
