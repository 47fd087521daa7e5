package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// The built-in assistant shows the user's amounts, because it runs on their machine. A language model
// that answers later in the same session, or in one that is resumed, does not receive them.
func TestPrivateAnswer_OfTheBuiltInAssistantIsNotSent(t *testing.T) {
	const secret = "824640"
	book := tool.New("book", "The book.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForModel: "weight 17.62 %", ForUser: "It is worth " + secret + " USD.", Private: true}, nil
	})
	book.Private = true
	router, err := tool.NewRouter([]tool.Tool{book}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rules := &llmtest.Script{Turns: []llmtest.Turn{
		llmtest.Call(llm.ToolCall{ID: "1", Name: "book", Arguments: "{}"}), llmtest.Say("It is worth " + secret + " USD."),
	}}
	hosted := &llmtest.Script{Turns: []llmtest.Turn{llmtest.Say("Fine."), llmtest.Say("Fine.")}}
	now := agent.Setup{Model: rules, ModelName: "offline", RuleBased: true, Router: router, Prompt: "P."}
	store := &sessiontest.Memory{}
	a, err := agent.New(agent.Config{
		Store: store, Setup: func() (agent.Setup, error) { return now, nil },
		HidesAmounts: func(name string) bool { return name == "book" },
	})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	answer := func(c *agent.Conversation, text string) (said string) {
		for event, err := range c.Run(t.Context(), agent.Input{Text: text}) {
			if err != nil {
				t.Fatal(err)
			}
			if done, ok := event.(agent.TurnDone); ok {
				said = done.Answer
			}
		}
		return said
	}
	if said := answer(c, "what do I own"); !strings.Contains(said, secret) {
		t.Fatalf("the user reads %q, want the amount", said)
	}
	if shown := rules.Requests()[1].Messages; shown[len(shown)-1].Shown == nil || !strings.Contains(shown[len(shown)-1].Shown.Text, secret) {
		t.Errorf("the built-in assistant got %+v, want what the user sees", shown[len(shown)-1])
	}
	now = agent.Setup{Model: hosted, ModelName: "hosted", Router: router, Prompt: "P."}
	answer(c, "and now?")
	resumed, _, err := a.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	answer(resumed, "and again?")
	for i, request := range hosted.Requests() {
		for _, m := range request.Messages {
			if strings.Contains(m.Content, secret) || m.Shown != nil && strings.Contains(m.Shown.Text, secret) {
				t.Errorf("request %d: the %s message has the amount: %q", i, m.Role, m.Content)
			}
		}
	}
}
