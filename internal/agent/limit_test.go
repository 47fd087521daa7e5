package agent_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// cents returns a cost function of one cent per token.
func cents(u llm.Usage) decimal.Decimal {
	return decimal.New(int64(u.InputTokens+u.OutputTokens), -2)
}

func limited(t *testing.T, limits agent.Limits, cost func(llm.Usage) decimal.Decimal, turns ...llmtest.Turn) *fixture {
	t.Helper()
	w := &fixture{store: &sessiontest.Memory{}, model: &llmtest.Script{Turns: turns}}
	router, err := tool.NewRouter([]tool.Tool{price()}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.agent, err = agent.New(agent.Config{Store: w.store, Limits: limits, Setup: setup(agent.Setup{Model: w.model, ModelName: "test/script", Router: router, Cost: cost})})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func using(tokens int, turn llmtest.Turn) llmtest.Turn {
	turn.Usage = llm.Usage{InputTokens: tokens}
	return turn
}

func usd(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func TestLimits_ATurnEndsOnceItHasCostAsMuchAsItMay(t *testing.T) {
	w := limited(t, agent.Limits{Cost: usd("0.50")}, cents,
		using(30, llmtest.Call(callFor("a", "price", `{"symbol":"A"}`))),
		using(30, llmtest.Call(callFor("b", "price", `{"symbol":"B"}`))),
		llmtest.Say("never asked for"),
	)
	c := w.agent.Start()
	_, done, err := turnOf(t, c, "go")
	if err != nil || done.Reason != agent.StopCostLimit || done.Steps != 2 || !done.CostUSD.Equal(usd("0.60")) {
		t.Errorf("turn = %+v, %v; want it ended after 0.60 USD", done, err)
	}
	if _, entries, err := w.agent.Resume(t.Context(), c.ID()); err != nil || len(entries) != 6 {
		t.Errorf("%d entries, %v; want both calls with their results, and why it ended", len(entries), err)
	}
}

func TestLimits_ASessionRemembersWhatItHasCostAcrossARestart(t *testing.T) {
	w := limited(t, agent.Limits{SessionCost: usd("0.50")}, cents, using(30, llmtest.Say("One.")), using(30, llmtest.Say("Two.")))
	c := w.agent.Start()
	for _, text := range []string{"one", "two"} {
		if _, done, err := turnOf(t, c, text); err != nil || done.Reason != agent.StopAnswered {
			t.Fatalf("turn = %+v, %v", done, err)
		}
	}
	again, _, err := w.agent.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, done, err := turnOf(t, again, "three"); err != nil || done.Reason != agent.StopSessionCost || done.Steps != 0 {
		t.Errorf("turn = %+v, %v; want nothing asked any more", done, err)
	}
}

func TestLimits_OfCostWithoutAPriceAreRefused(t *testing.T) {
	w := limited(t, agent.Limits{Cost: usd("1")}, nil, llmtest.Say("Hello."))
	if _, _, err := turnOf(t, w.agent.Start(), "hello"); !errors.Is(err, agent.ErrNoPrice) || len(w.model.Requests()) != 0 {
		t.Errorf("turn = %v after %d requests; want ErrNoPrice and none", err, len(w.model.Requests()))
	}
}

func TestLimits_ATurnEndsAtItsTimeAndKeepsWhatCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hangs := llmtest.Turn{Text: []string{"Half an ", "answer"}, Hold: make(chan struct{})}
		w := limited(t, agent.Limits{Time: 3 * time.Second}, nil, hangs)
		c := w.agent.Start()
		begun := time.Now()
		_, done, err := turnOf(t, c, "go")
		if err != nil || done.Reason != agent.StopTimeLimit || time.Since(begun) != 3*time.Second {
			t.Errorf("turn = %+v, %v after %s; want it ended after 3 s", done, err, time.Since(begun))
		}
		entries := w.entries(t, c)
		if last := entries[len(entries)-1]; last.Message.Content == "" || agent.DisplayOf(last).Stop != agent.StopTimeLimit {
			t.Errorf("kept = %+v, want what came and why it was cut", last)
		}
	})
}

func TestRun_AnAnswerThatBreaksOffIsAskedForOnceMore(t *testing.T) {
	cut := func(text string) llmtest.Turn {
		return llmtest.Turn{Text: []string{text}, Err: &llm.Error{Kind: llm.KindTruncated, Message: "the server broke off"}}
	}
	w := newFixture(t, cut("Half an"), llmtest.Say("The whole."), cut("One"), cut("Two"))
	c := w.agent.Start()
	events, done, err := turnOf(t, c, "go")
	if err != nil || done.Answer != "The whole." || done.Steps != 1 {
		t.Fatalf("turn = %+v, %v; want the answer of the second try", done, err)
	}
	afresh := 0
	for _, e := range events {
		if r, ok := e.(agent.Retrying); ok && r.Restarted {
			afresh++
		}
	}
	if entries := w.entries(t, c); afresh != 1 || len(entries) != 2 || entries[1].Message.Content != "The whole." {
		t.Errorf("reported %d times, kept %+v; want once, and the whole alone", afresh, entries)
	}
	_, done, err = turnOf(t, c, "again")
	if llm.KindOf(err) != llm.KindTruncated || done.Reason != agent.StopProvider || done.Answer != "Two" {
		t.Errorf("turn = %+v, %v; want the part of the second try, and the error", done, err)
	}
	entries := w.entries(t, c)
	if last := entries[len(entries)-1]; last.Message.Content != "Two" || agent.DisplayOf(last).Stop != agent.StopProvider {
		t.Errorf("kept = %+v, want the part, marked", last)
	}
}
