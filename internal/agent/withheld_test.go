package agent_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// shared is a program with one store, in which the user may change whether they share their amounts.
type shared struct {
	store *sessiontest.Memory
	model *llmtest.Script
	agent *agent.Agent
}

// sharing returns a program with three tools: book, which returns 824640 USD or only a weight, a
// calculator, and a workflow that calls book as a step.
func sharing(t *testing.T, store *sessiontest.Memory, hidden bool, turns ...llmtest.Turn) *shared {
	t.Helper()
	s := &shared{store: store, model: &llmtest.Script{Turns: turns}}
	book := tool.New("book", "The book.", tool.Reads, func(_ context.Context, in struct {
		Fail bool `json:"fail,omitempty"`
	}) (tool.Result, error) {
		if in.Fail {
			return tool.Errorf("more than the 824640 USD that there are")
		}
		value := tool.Figure{ID: "value", Label: "value", Value: decimal.NewFromInt(824640), Unit: "USD", Source: "the book"}
		res := tool.Result{ForModel: "worth 824640 USD, 17.62 %", ForUser: "It is worth 824640 USD.", Figures: []tool.Figure{value}}
		if hidden {
			res.ForModel = "weight 17.62 %"
		}
		return res, nil
	})
	book.Private = hidden
	double := tool.New("double", "Doubles.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForModel: "1649280", Figures: []tool.Figure{{ID: "twice", Label: "twice", Value: decimal.NewFromInt(1649280), Source: "calculation"}}}, nil
	})
	var router *tool.Router
	workflow := tool.New("workflow", "Runs steps.", tool.Executes, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		for _, name := range []string{"book", "double"} {
			if _, err := router.Step(ctx, name, name, json.RawMessage(`{}`)); err != nil {
				return tool.Result{}, err
			}
		}
		return tool.Result{ForModel: "twice 824640 is 1649280", Private: hidden}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{book, double, workflow, price()}, tool.Options{Approver: tool.Policy{All: true}})
	if err != nil {
		t.Fatal(err)
	}
	// The current agent does not have the tool book.
	others := router.Only(func(name string) bool { return !hidden || name == "price" })
	s.agent, err = agent.New(agent.Config{
		Store: store, Setup: setup(agent.Setup{Model: s.model, ModelName: "m", Router: others, Prompt: "P."}),
		HidesAmounts: func(name string) bool { return hidden && name == "book" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// results returns the tool results in the last request to the model.
func (s *shared) results() (texts []string) {
	requests := s.model.Requests()
	for _, m := range requests[len(requests)-1].Messages {
		if m.Role == llm.RoleTool {
			texts = append(texts, m.Content)
		}
	}
	return texts
}

func TestResume_WhatWasSharedIsNotSentOnceItIsHidden(t *testing.T) {
	store := &sessiontest.Memory{}
	open := sharing(t, store, false,
		llmtest.Call(callFor("c1", "book", `{}`), callFor("c2", "price", `{"symbol":"AAPL"}`)), llmtest.Say("It is worth 824640 USD."),
		llmtest.Call(callFor("c1", "price", `{"symbol":"MSFT"}`), callFor("c3", "book", `{"fail":true}`)), llmtest.Call(callFor("c4", "workflow", `{}`)), llmtest.Say("Done."))
	c := open.agent.Start()
	for _, question := range []string{"what do I own?", "and twice of it?"} {
		if _, _, err := turnOf(t, c, question); err != nil {
			t.Fatal(err)
		}
	}
	hidden := sharing(t, store, true, llmtest.Say("824640 USD, which you doubled to 1649280, and AAPL at 12.50."))
	again, entries, err := hidden.agent.Resume(t.Context(), c.ID())
	if err != nil || !again.Withheld() {
		t.Fatalf("Resume = %v, withheld %t", err, again.Withheld())
	}
	if why, err := again.Why("824640"); err != nil || why.Selected < 0 || why.Figures[why.Selected].Status != trace.Traced {
		t.Errorf("Why(824640) = %+v, %v; want the user to see where it came from", why, err)
	}
	_, done, err := turnOf(t, again, "say it again")
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range hidden.results() {
		if strings.Contains(text, "824640") || strings.Contains(text, "1649280") {
			t.Errorf("result %d reaches the model as %q", i, text)
		}
		// Identified by its message too, because another call has the same ID.
		if kept := i == 1 || i == 2; kept != strings.Contains(text, "12.50") || kept == strings.Contains(text, "the user's amounts are now hidden") {
			t.Errorf("result %d reaches the model as %q", i, text)
		}
	}
	if n := len(hidden.results()); n != 5 {
		t.Errorf("%d results reach the model, want all five calls answered", n)
	}
	if got := strings.Join(done.Figures.Untraced, " "); got != "824640 USD 1649280" {
		t.Errorf("untraced are %q, want both amounts: whether one is traced confirms it", got)
	}
	if !slices.ContainsFunc(entries, func(e session.Entry) bool {
		return e.Message.ToolName == "book" && e.Message.Content == "worth 824640 USD, 17.62 %"
	}) {
		t.Error("the user is not shown the result as it was")
	}
}

func TestResume_WhatWasHiddenAllAlongStaysAsItWas(t *testing.T) {
	store := &sessiontest.Memory{}
	first := sharing(t, store, true, llmtest.Say("Hello."))
	c := first.agent.Start()
	if _, _, err := turnOf(t, c, "hello"); err != nil {
		t.Fatal(err)
	}
	// A conversation with the tool book, and a call that was never run.
	private, err := json.Marshal(agent.Display{Private: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Append(t.Context(), c.ID(),
		session.Entry{Kind: session.KindAssistant, Message: llm.Message{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{callFor("c1", "book", `{}`)}}},
		session.Entry{Kind: session.KindTool, Display: private, Message: llm.Message{Role: llm.RoleTool, ToolCallID: "c1", ToolName: "book", Content: "weight 17.62 %"}},
		session.Entry{Kind: session.KindAssistant, Message: llm.Message{Role: llm.RoleAssistant, Content: "17.62 %."}},
	); err != nil {
		t.Fatal(err)
	}
	later := sharing(t, store, true, llmtest.Say("17.62 %."))
	again, _, err := later.agent.Resume(t.Context(), c.ID())
	if err != nil || again.Withheld() {
		t.Fatalf("Resume = %v, withheld %t; want nothing left out", err, again.Withheld())
	}
	if _, _, err := turnOf(t, again, "again"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(later.results(), "|"); got != "weight 17.62 %" {
		t.Errorf("results = %q, want what the model received then", got)
	}
	open := sharing(t, store, false, llmtest.Say("Yes."))
	if again, _, err = open.agent.Resume(t.Context(), c.ID()); err != nil || again.Withheld() {
		t.Errorf("with amounts shared: Resume = %v, withheld %t", err, again.Withheld())
	}
}

func TestRun_ACallThatIsNotRunIsPrivateToo(t *testing.T) {
	store := &sessiontest.Memory{}
	tools, err := tool.NewRouter([]tool.Tool{positionTool()}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{
		Store: store, HidesAmounts: func(name string) bool { return name == "holding" },
		Setup: setup(agent.Setup{Router: tools, Model: &llmtest.Script{Turns: []llmtest.Turn{
			llmtest.Call(callFor("c1", "holding", `{"misspelt":1}`)), llmtest.Say("Sorry."),
		}}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	if _, _, err := turnOf(t, c, "go"); err != nil {
		t.Fatal(err)
	}
	again, _, err := a.Resume(t.Context(), c.ID())
	if err != nil || again.Withheld() {
		t.Errorf("Resume = %v, withheld %t; want the refusal of arguments known as one that names no amount", err, again.Withheld())
	}
}
