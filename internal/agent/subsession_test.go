package agent_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// newDelegating returns a fixture whose tool delegate runs a separate session with the same model.
func newDelegating(t *testing.T, limits agent.Limits, turns ...llmtest.Turn) *fixture {
	t.Helper()
	w := &fixture{store: &sessiontest.Memory{}, model: &llmtest.Script{Turns: turns}}
	var own agent.Setup
	delegate := tool.New("delegate", "Delegates.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		answer, err := w.agent.RunSubsession(ctx, own, agent.Input{Text: "{}", ForModel: "Do it."})
		if err != nil {
			return tool.FailedError("", err), nil
		}
		return tool.Result{Value: answer.Answer, ForUser: answer.Answer, ByModel: true}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{price(), delegate}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own = agent.Setup{Model: w.model, ModelName: "test/script", Router: router, Cost: cents}
	w.agent, err = agent.New(agent.Config{Store: w.store, Limits: limits, Setup: setup(own)})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// What a skill's session uses counts toward the session that started it, even after a restart.
func TestSubsession_ItsCostAndAnswersCount(t *testing.T) {
	w := newDelegating(t, agent.Limits{SessionSteps: 4},
		using(10, llmtest.Call(callFor("a", "delegate", `{}`))),
		using(20, llmtest.Call(callFor("a", "price", `{"symbol":"A"}`))), using(30, llmtest.Say("It is 12.50.")),
		using(40, llmtest.Say("It is 12.50.")), llmtest.Say("never asked for"))
	c := w.agent.Start()
	_, done, err := turnOf(t, c, "delegate it")
	if err != nil || done.Usage.InputTokens != 100 || !done.CostUSD.Equal(usd("1")) || done.Figures.Traced != 1 {
		t.Fatalf("done = %+v, %v; want 100 tokens, 1 USD and a traced figure", done, err)
	}
	for _, of := range []*agent.Conversation{c, w.resumed(t, c.ID())} {
		if used := of.UsageSummary().Session; used.Answers != 4 || used.Tokens.InputTokens != 100 || !used.CostUSD.Equal(usd("1")) {
			t.Errorf("UsageSummary() = %+v, want 4 answers, 100 tokens, 1 USD", used)
		}
		wantStop(t, of, agent.StopSessionSteps, 0)
	}
}

func TestSubsession_EndsAtTheLimitOfTheSession(t *testing.T) {
	w := newDelegating(t, agent.Limits{Cost: usd("0.50")},
		using(30, llmtest.Call(callFor("a", "delegate", `{}`))),
		using(30, llmtest.Call(callFor("a", "price", `{"symbol":"A"}`))), llmtest.Say("never asked for"))
	if _, done, err := turnOf(t, w.agent.Start(), "delegate it"); err != nil || done.Reason != agent.StopCostLimit || done.Steps != 1 {
		t.Errorf("turn = %s after %d steps, %v; want the cost limit after 1", done.Reason, done.Steps, err)
	}
}

// A number that the other model made up is not a source for the answer.
func TestSubsession_ItsWordsAreNoSource(t *testing.T) {
	w := newDelegating(t, agent.Limits{}, llmtest.Call(callFor("a", "delegate", `{}`)), llmtest.Say("It is 99.75 USD."), llmtest.Say("It is 99.75 USD."), llmtest.Say("Still 99.75 USD."))
	c := w.agent.Start()
	if _, done, err := turnOf(t, c, "delegate it"); err != nil || len(done.Figures.Untraced) != 1 {
		t.Errorf("Untraced = %q, %v; want the number", done.Figures.Untraced, err)
	}
	if _, done, err := turnOf(t, w.resumed(t, c.ID()), "again"); err != nil || len(done.Figures.Untraced) != 1 {
		t.Errorf("after a restart: Untraced = %q, %v; want the number", done.Figures.Untraced, err)
	}
}

func TestSubsession_CallsAreStepsWithUniqueIDs(t *testing.T) {
	w := newDelegating(t, agent.Limits{},
		llmtest.Call(callFor("a", "delegate", `{}`)),
		llmtest.Call(callFor("x", "price", `{"symbol":"A"}`)), llmtest.Call(callFor("x", "price", `{"symbol":"B"}`)), llmtest.Call(callFor("y", "delegate", `{}`)),
		llmtest.Say("Both."), llmtest.Say("Done."))
	events, _, err := turnOf(t, w.agent.Start(), "delegate it")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	var nested tool.Outcome
	for _, e := range events {
		if f, ok := e.(agent.ToolFinished); ok {
			ids = append(ids, f.Outcome.Call.ID)
			if f.Outcome.Call.ID == "a»3" {
				nested = f.Outcome
			}
		}
	}
	if want := []string{"a»1", "a»2", "a»3", "a"}; !slices.Equal(ids, want) {
		t.Errorf("calls %q, want %q", ids, want)
	}
	if !nested.Result.IsError || nested.Result.ErrorText() != agent.ErrNestedSubsession.Error() {
		t.Errorf("a nested session = %+v, want it refused", nested.Result)
	}
}

func TestSubsession_NeedsASession(t *testing.T) {
	w := newDelegating(t, agent.Limits{})
	if _, err := w.agent.RunSubsession(t.Context(), agent.Setup{}, agent.Input{}); !errors.Is(err, agent.ErrNestedSubsession) {
		t.Errorf("RunSubsession outside a session = %v", err)
	}
}
