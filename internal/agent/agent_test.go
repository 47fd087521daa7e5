package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestRun_AnswersFromATool(t *testing.T) {
	w := newFixture(t, llmtest.Call(callFor("c1", "price", `{"symbol":"AAPL"}`)), llmtest.Say("It costs ", "12.50 USD."))
	c := w.agent.Start()
	events, done, err := turnOf(t, c, "price of AAPL?")
	if err != nil || done.Reason != agent.StopAnswered || done.Answer != "It costs 12.50 USD." || done.Steps != 2 {
		t.Fatalf("turn = %+v, %v", done, err)
	}
	if done.Figures.Total != 1 || done.Figures.Traced != 1 {
		t.Errorf("figures = %+v, want 1 of 1 traced", done.Figures)
	}
	if _, ok := events[0].(agent.ToolStarted); !ok {
		t.Errorf("first event = %T, want ToolStarted", events[0])
	}
	want := []session.Kind{session.KindUser, session.KindAssistant, session.KindTool, session.KindAssistant}
	if diff := cmp.Diff(want, kinds(w.entries(t, c))); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
	second := w.model.Requests()[1].Messages
	got := second[len(second)-1]
	if got.Role != llm.RoleTool || got.ToolCallID != "c1" || got.Content != `{"price":"12.50"}` {
		t.Errorf("the model reads %+v, want the result of c1", got)
	}
	if second[0].Role != llm.RoleSystem || second[0].Content != "You are a test." {
		t.Errorf("first message = %+v, want the system prompt", second[0])
	}
}

func TestRun_SeveralCallsAreAnsweredInTheirOrder(t *testing.T) {
	w := newFixture(t, llmtest.Call(
		callFor("c1", "price", `{"symbol":"AAPL"}`), callFor("c2", "nothing", `{}`), callFor("c3", "price", `{"symbol":"NOPE"}`),
	), llmtest.Say("Done."))
	if _, _, err := turnOf(t, w.agent.Start(), "prices?"); err != nil {
		t.Fatal(err)
	}
	var ids []string
	var failed []bool
	for _, m := range w.model.Requests()[1].Messages {
		if m.Role == llm.RoleTool {
			ids, failed = append(ids, m.ToolCallID), append(failed, m.IsError)
		}
	}
	if diff := cmp.Diff([]string{"c1", "c2", "c3"}, ids); diff != "" {
		t.Errorf("order of results (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]bool{false, true, true}, failed); diff != "" {
		t.Errorf("which are errors (-want +got):\n%s", diff)
	}
}

func TestRun_CallsWithoutOrWithEqualIDsGetTheirOwn(t *testing.T) {
	w := newFixture(t, llmtest.Call(callFor("", "price", `{"symbol":"A"}`), callFor("x", "price", `{"symbol":"B"}`), callFor("x", "price", `{"symbol":"C"}`)),
		llmtest.Say("Done."))
	if _, _, err := turnOf(t, w.agent.Start(), "prices?"); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range w.model.Requests()[1].Messages {
		if m.Role == llm.RoleTool {
			if m.ToolCallID == "" || seen[m.ToolCallID] {
				t.Fatalf("a result with the ID %q, want three different ones", m.ToolCallID)
			}
			seen[m.ToolCallID] = true
		}
	}
}

func TestRun_RefusedWriteReachesTheModel(t *testing.T) {
	w := newFixture(t, llmtest.Call(callFor("a", "save", `{}`)), llmtest.Say("As you wish."))
	if _, _, err := turnOf(t, w.agent.Start(), "save it"); err != nil {
		t.Fatal(err)
	}
	messages := w.model.Requests()[1].Messages
	if last := messages[len(messages)-1]; !last.IsError || !strings.Contains(last.Content, "refused") {
		t.Fatalf("the model reads %+v, want a refusal", last)
	}
}

func TestRun_TheUsersOwnCallIsMadeBeforeTheModelIsAsked(t *testing.T) {
	w := newFixture(t, llmtest.Say("It costs 12.50 USD."))
	c := w.agent.Start()
	var done agent.TurnDone
	for e, err := range c.Run(t.Context(), agent.Input{Text: "/price AAPL", Call: &llm.ToolCall{Name: "price", Arguments: `{"symbol":"AAPL"}`}}) {
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := e.(agent.TurnDone); ok {
			done = d
		}
	}
	if done.Answer != "It costs 12.50 USD." || done.Steps != 1 || done.Figures.Traced != 1 {
		t.Errorf("turn = %+v, want one step, with its figure traced", done)
	}
	sent := w.model.Requests()[0].Messages
	if len(sent) != 4 || sent[2].ToolCalls[0].ID != sent[3].ToolCallID || !strings.Contains(sent[3].Content, "12.50") {
		t.Errorf("the model was sent %+v, want the call with its result", sent)
	}
	want := []session.Kind{session.KindUser, session.KindAssistant, session.KindTool, session.KindAssistant}
	if diff := cmp.Diff(want, kinds(w.entries(t, c))); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
}

func TestRun_CallsWithinACallAreShownAndRecordedAndNotSent(t *testing.T) {
	w := newFixture(t)
	var router *tool.Router
	outer := tool.New("outer", "Calls price.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		_, err := router.Step(ctx, "one", "price", json.RawMessage(`{"symbol":"AAPL"}`))
		return tool.Result{ForModel: "the whole"}, err
	})
	router, err := tool.NewRouter([]tool.Tool{price(), outer}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.model.Turns = []llmtest.Turn{llmtest.Call(callFor("c1", "outer", `{}`)), llmtest.Say("Done.")}
	a, err := agent.New(agent.Config{Store: w.store, Setup: setup(agent.Setup{Model: w.model, Router: router})})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	events, _, err := turnOf(t, c, "go")
	if err != nil {
		t.Fatal(err)
	}
	var started []string
	for _, e := range events {
		if s, ok := e.(agent.ToolStarted); ok {
			started = append(started, s.Call.Name)
		}
	}
	if diff := cmp.Diff([]string{"outer", "price"}, started); diff != "" {
		t.Errorf("started (-want +got):\n%s", diff)
	}
	want := []session.Kind{session.KindUser, session.KindAssistant, session.KindTool, session.KindTool, session.KindAssistant}
	if diff := cmp.Diff(want, kinds(w.entries(t, c))); diff != "" {
		t.Errorf("recorded (-want +got):\n%s", diff)
	}
	if d := agent.DisplayOf(w.entries(t, c)[2]); d.Arguments != `{"symbol":"AAPL"}` {
		t.Errorf("the step is kept as %+v, want its arguments, which no message holds", d)
	}
	for _, messages := range [][]llm.Message{w.model.Requests()[1].Messages[1:], session.Messages(w.entries(t, c))[:3]} {
		if len(messages) != 3 || messages[2].Content != "the whole" {
			t.Errorf("the model gets %+v, want the result of the whole alone", messages)
		}
	}
}

// The user's own calls and the steps of calls are recognized by their IDs, so a server must not be able to
// pass off its model's calls as either.
func TestRun_IDsThatMeanSomethingHereAreNotTheModels(t *testing.T) {
	w := newFixture(t, llmtest.Call(callFor("call_user_1", "price", `{"symbol":"A"}`)), llmtest.Call(callFor("c1»step", "price", `{"symbol":"B"}`)), llmtest.Say("Done."))
	c := w.agent.Start()
	if _, _, err := turnOf(t, c, "go"); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range w.model.Requests()[2].Messages[1:] {
		for _, call := range m.ToolCalls {
			ids = append(ids, call.ID)
		}
		if m.ToolCallID != "" && m.ToolCallID != ids[len(ids)-1] {
			t.Errorf("the call %s has the result of %s", ids[len(ids)-1], m.ToolCallID)
		}
	}
	if diff := cmp.Diff([]string{"call_1_0", "call_3_0"}, ids); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestRun_ActivatedSkillIsShownShortAndSentWhole(t *testing.T) {
	w := newFixture(t, llmtest.Say("Followed."))
	c := w.agent.Start()
	var loaded []string
	for e := range c.Run(t.Context(), agent.Input{Text: "/x AAPL", ForModel: "the whole skill", Skill: "x"}) {
		if s, ok := e.(agent.SkillLoaded); ok {
			loaded = append(loaded, s.Name)
		}
	}
	if diff := cmp.Diff([]string{"x"}, loaded); diff != "" {
		t.Errorf("loaded (-want +got):\n%s", diff)
	}
	if got := w.model.Requests()[0].Messages[1].Content; got != "the whole skill" {
		t.Errorf("the model reads %q", got)
	}
	if d := agent.DisplayOf(w.entries(t, c)[0]); d.Text != "/x AAPL" || d.Skill != "x" {
		t.Errorf("kept for the screen: %+v", d)
	}
	if s, _, _ := w.store.Load(t.Context(), c.ID()); s.Title != "/x AAPL" {
		t.Errorf("title = %q", s.Title)
	}
}

func TestResume_GoesOnWithTheSameMessages(t *testing.T) {
	w := newFixture(t, llmtest.Call(callFor("c1", "price", `{"symbol":"AAPL"}`)), llmtest.Say("12.50 USD."), llmtest.Say("Still 12.50."))
	first := w.agent.Start()
	if _, _, err := turnOf(t, first, "price?"); err != nil {
		t.Fatal(err)
	}
	resumed, entries, err := w.agent.Resume(t.Context(), first.ID())
	if err != nil || len(entries) != 4 {
		t.Fatalf("Resume = %d entries, %v, want 4", len(entries), err)
	}
	_, done, err := turnOf(t, resumed, "and now?")
	if err != nil || done.Figures.Traced != 1 {
		t.Errorf("turn = %+v, %v, want its figure traced to the earlier result", done, err)
	}
	requests := w.model.Requests()
	before := append(requests[1].Messages, llm.Message{Role: llm.RoleAssistant, Content: "12.50 USD."}, llm.Message{Role: llm.RoleUser, Content: "and now?"})
	if diff := cmp.Diff(before, requests[2].Messages, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("what the model reads after resuming (-want +got):\n%s", diff)
	}
}

func TestResume_UnknownSession(t *testing.T) {
	if _, _, err := newFixture(t).agent.Resume(t.Context(), "20200101-000000-aaaaaa"); !errors.Is(err, session.ErrNotFound) {
		t.Fatalf("Resume = %v, want ErrNotFound", err)
	}
}

func TestStart_LeavesNothingUntilSomethingIsSaid(t *testing.T) {
	w := newFixture(t)
	w.agent.Start()
	if all, _ := w.store.List(t.Context(), 0); len(all) != 0 {
		t.Fatalf("%d sessions after Start, want none", len(all))
	}
}

func TestRun_OneTurnAtATime(t *testing.T) {
	hold := make(chan struct{})
	w := newFixture(t, llmtest.Turn{Text: []string{"a"}, Hold: hold})
	c := w.agent.Start()
	for e := range c.Run(t.Context(), agent.Input{Text: "one"}) {
		if _, ok := e.(agent.TextDelta); ok {
			if _, _, err := turnOf(t, c, "two"); !errors.Is(err, agent.ErrBusy) {
				t.Errorf("a second turn = %v, want ErrBusy", err)
			}
			close(hold)
		}
	}
}

func TestRun_ToolsLearnTheirConversation(t *testing.T) {
	var receivedID string
	spy := tool.New("spy", "Listens.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		receivedID = tool.SessionID(ctx)
		return tool.Result{ForModel: "heard"}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{spy}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model := &llmtest.Script{Turns: []llmtest.Turn{llmtest.Call(callFor("a", "spy", "{}")), llmtest.Say("Done.")}}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: model, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	if _, _, err := turnOf(t, c, "go"); err != nil || receivedID != c.ID() {
		t.Fatalf("the tool received %q, %v, want %s", receivedID, err, c.ID())
	}
}

func TestRun_AsksForItsSetupOncePerTurn(t *testing.T) {
	w := newFixture(t)
	asked := 0
	router, err := tool.NewRouter([]tool.Tool{price()}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.model.Turns = []llmtest.Turn{llmtest.Call(callFor("a", "price", `{"symbol":"A"}`)), llmtest.Say("Done."), llmtest.Say("Again.")}
	a, err := agent.New(agent.Config{Store: w.store, Setup: func() (agent.Setup, error) {
		asked++
		return agent.Setup{Model: w.model, Router: router, Profile: fmt.Sprint("p", asked)}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Start()
	for turn, text := range []string{"one", "two"} {
		if _, _, err := turnOf(t, c, text); err != nil || asked != turn+1 {
			t.Fatalf("asked %d times after %d turns, %v", asked, turn+1, err)
		}
	}
	_, entries, err := a.Resume(t.Context(), c.ID())
	if got := agent.LastProfile(entries); err != nil || got != "p2" {
		t.Errorf("the session was last with %q, %v; want p2", got, err)
	}
}

func TestRun_ATurnThatCannotBeSetUpSendsNothing(t *testing.T) {
	w := newFixture(t)
	a, err := agent.New(agent.Config{Store: w.store, Setup: func() (agent.Setup, error) {
		return agent.Setup{}, errors.New("no key for the analyst's model")
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, done, err := turnOf(t, a.Start(), "hello")
	if err == nil || !strings.Contains(err.Error(), "no key for the analyst's model") || done.Reason != agent.StopProvider {
		t.Errorf("turn = %+v, %v; want the reason", done, err)
	}
	if all, err := w.store.List(t.Context(), 0); err != nil || len(all) != 0 {
		t.Errorf("sessions = %v, %v; want none", all, err)
	}
}
