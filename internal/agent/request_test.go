package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// A session keeps the prompt of its first day, so that a provider's cached prefix stays valid. The first
// message of another day states the date, which only the model reads.
func TestRequest_ThePromptStaysAndANewDayIsTold(t *testing.T) {
	w := newFixture(t, llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."))
	now := time.Date(2026, 11, 22, 22, 0, 0, 0, time.UTC)
	prompt := func(day time.Time) string { return "Prompt of " + day.Format(time.DateOnly) }
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{
		Now: func() time.Time { return now }, Store: w.store,
		Setup: setup(agent.Setup{Model: w.model, ModelName: "test/script", Router: router, PromptOn: prompt}),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	turnOf(t, c, "first")
	now = now.Add(4 * time.Hour)
	turnOf(t, c, "second")
	now = now.Add(time.Hour)
	turnOf(t, c, "third")
	for i, want := range []string{"first", "[Today is 2026-11-23.]\n\nsecond", "third"} {
		r := w.model.Requests()[i]
		last := r.Messages[len(r.Messages)-1]
		if r.Messages[0].Content != "Prompt of 2026-11-22" || last.Role != llm.RoleUser || last.Content != want {
			t.Errorf("request %d has the prompt %q and ends with %q, want %q", i+1, r.Messages[0].Content, last.Content, want)
		}
	}
	for _, e := range w.entries(t, c) {
		if d := agent.DisplayOf(e); e.Message.Role == llm.RoleUser && strings.HasPrefix(e.Message.Content, "[Today") && d.Text != "second" {
			t.Errorf("people read %q, want only their words", d.Text)
		}
	}
	resumed, _, err := a.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	if size, err := resumed.RequestSize(); err != nil || size.Parts[0].Bytes != len("Prompt of 2026-11-22") {
		t.Errorf("resumed: %+v, %v", size, err)
	}
}

// The built-in assistant has a clock and would take the date for part of the question.
func TestRequest_TheBuiltInAssistantIsToldNoDay(t *testing.T) {
	w := newFixture(t, llmtest.Say("One."), llmtest.Say("Two."))
	now := time.Date(2026, 11, 22, 22, 0, 0, 0, time.UTC)
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{
		Now: func() time.Time { return now }, Store: w.store,
		Setup: setup(agent.Setup{Model: w.model, ModelName: "offline", RuleBased: true, Router: router, PromptOn: func(time.Time) string { return "" }}),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	turnOf(t, c, "first")
	now = now.Add(48 * time.Hour)
	turnOf(t, c, "second")
	r := w.model.Requests()[1]
	if got := r.Messages[len(r.Messages)-1].Content; got != "second" {
		t.Errorf("on another day the request ends with %q, want only what was asked", got)
	}
}

// The built-in assistant repeats a tool's headline, which may contain counts that are not figures.
func TestTurn_TheNumbersOfAHeadlineNeedNoSource(t *testing.T) {
	watched := tool.New("watched", "Watches.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForUser: "AAPL", Headline: "0 of 1 target reached."}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{watched}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := newFixture(t, llmtest.Call(llm.ToolCall{ID: "1", Name: "watched", Arguments: "{}"}), llmtest.Say("0 of 1 target reached. 7 are open."))
	a, err := agent.New(agent.Config{Store: w.store, Setup: setup(agent.Setup{Model: w.model, ModelName: "offline", RuleBased: true, Router: router})})
	if err != nil {
		t.Fatal(err)
	}
	_, done, _ := turnOf(t, a.Start(), "watch AAPL")
	if got := done.Figures.Untraced; !slices.Equal(got, []string{"7"}) {
		t.Errorf("untraced are %q, want only 7", got)
	}
}
