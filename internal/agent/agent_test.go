package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/figures"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// world is an agent with everything around it that a test may look at.
type world struct {
	agent *agent.Agent
	store *sessiontest.Memory
	model *llmtest.Script
}

func newWorld(t *testing.T, turns ...llmtest.Turn) *world {
	t.Helper()
	w := &world{store: &sessiontest.Memory{}, model: &llmtest.Script{Turns: turns}}
	w.agent = w.newAgent(t, agent.Config{})
	return w
}

func (w *world) newAgent(t *testing.T, cfg agent.Config) *agent.Agent {
	t.Helper()
	router, err := tool.NewRouter([]tool.Tool{price(), save()}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Store = w.store
	cfg.Setup = setup(agent.Setup{Model: w.model, ModelName: "test/script", Router: router, Prompt: "You are a test."})
	a, err := agent.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// setup is one that stays the same.
func setup(s agent.Setup) func() (agent.Setup, error) {
	return func() (agent.Setup, error) { return s, nil }
}

func price() tool.Tool {
	type input struct {
		Symbol string `json:"symbol"`
	}
	return tool.New("price", "A price.", tool.Reads, func(_ context.Context, in input) (tool.Result, error) {
		if in.Symbol == "NOPE" {
			return tool.Errorf("unknown symbol NOPE")
		}
		return tool.Result{Value: map[string]string{"price": "12.50"}, Figures: given("12.50"), Summary: in.Symbol}, nil
	})
}

func save() tool.Tool {
	return tool.New("save", "Writes.", tool.Writes, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForModel: "saved"}, nil
	})
}

func callFor(id, name, args string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: name, Arguments: args}
}

// turnOf runs a turn to its end and gives its events.
func turnOf(t *testing.T, c *agent.Conversation, text string) ([]agent.Event, agent.TurnDone, error) {
	t.Helper()
	var events []agent.Event
	var done agent.TurnDone
	var err error
	for e, eventErr := range c.Run(t.Context(), agent.Input{Text: text}) {
		events = append(events, e)
		if d, ok := e.(agent.TurnDone); ok {
			done, err = d, eventErr
		}
	}
	return events, done, err
}

func (w *world) entries(t *testing.T, c *agent.Conversation) []session.Entry {
	t.Helper()
	_, entries, err := w.store.Load(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func kinds(entries []session.Entry) []session.Kind {
	var out []session.Kind
	for _, e := range entries {
		out = append(out, e.Kind)
	}
	return out
}

func TestRun_AnswersFromATool(t *testing.T) {
	w := newWorld(t, llmtest.Call(callFor("c1", "price", `{"symbol":"AAPL"}`)), llmtest.Say("It costs ", "12.50 USD."))
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

func TestRun_TheReportOnItsFiguresIsRecordedWithTheAnswer(t *testing.T) {
	w := newWorld(t,
		llmtest.Turn{Text: []string{"I look at 3 things."}, Calls: []llm.ToolCall{callFor("c1", "price", `{"symbol":"AAPL"}`)}},
		llmtest.Say("It costs 12.50 USD, ", "7.5% more."), llmtest.Say("You are welcome."),
	)
	c := w.agent.Start()
	_, done, err := turnOf(t, c, "price of AAPL?")
	if err != nil {
		t.Fatal(err)
	}
	want := agent.FiguresReport{
		Total: 2, Traced: 1, Untraced: []string{"7.5%"},
		Numbers: []figures.Matched{
			{Start: 9, End: 18, Text: "12.50 USD", Status: figures.Traced, Note: 1},
			{Start: 20, End: 24, Text: "7.5%", Status: figures.Untraced},
		},
		Notes: []agent.Note{{
			Number: 1, Figure: given("12.50")[0], Call: agent.NotedCall{ID: "c1", Name: "price", Arguments: `{"symbol":"AAPL"}`},
		}},
	}
	if diff := cmp.Diff(want, done.Figures); diff != "" {
		t.Errorf("reported (-want +got):\n%s", diff)
	}
	if _, _, err := turnOf(t, c, "thank you"); err != nil {
		t.Fatal(err)
	}
	var recorded []*agent.FiguresReport
	for _, e := range w.entries(t, c) {
		if e.Kind == session.KindAssistant {
			recorded = append(recorded, agent.DisplayOf(e).Report)
		}
	}
	// The step that only asks for a call is no answer; thanks hold no figures.
	want.Notes = nil // kept with the results
	if diff := cmp.Diff([]*agent.FiguresReport{nil, &want, nil}, recorded); diff != "" {
		t.Errorf("recorded with the messages (-want +got):\n%s", diff)
	}
}

func TestRun_SeveralCallsAreAnsweredInTheirOrder(t *testing.T) {
	w := newWorld(t, llmtest.Call(
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
	w := newWorld(t, llmtest.Call(callFor("", "price", `{"symbol":"A"}`), callFor("x", "price", `{"symbol":"B"}`), callFor("x", "price", `{"symbol":"C"}`)),
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

func TestRun_TextIsRecordedBeforeItIsShown(t *testing.T) {
	hold := make(chan struct{})
	w := newWorld(t, llmtest.Turn{Text: []string{"First words"}, Hold: hold})
	c := w.agent.Start()
	for e := range c.Run(t.Context(), agent.Input{Text: "go on"}) {
		if d, ok := e.(agent.TextDelta); ok {
			entries := w.entries(t, c)
			if last := entries[len(entries)-1]; last.Kind != session.KindDelta || last.Message.Content != d.Text {
				t.Errorf("shown %q while the record ends with %+v", d.Text, last)
			}
			// As if the program died here: the words are there for the next start.
			if m := session.Messages(entries); m[len(m)-1].Content != "First words" {
				t.Errorf("the record reads back as %+v", m)
			}
			close(hold)
		}
	}
}

func TestRun_TextIsShownWhileTheNextIsAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		w := newWorld(t, llmtest.Turn{Text: []string{"One, ", "two, ", "three"}, Hold: hold})
		shown := ""
		for e := range w.agent.Start().Run(t.Context(), agent.Input{Text: "count"}) {
			if d, ok := e.(agent.TextDelta); ok {
				if shown += d.Text; shown == "One, two, three" {
					close(hold)
				}
			}
		}
		if shown != "One, two, three" {
			t.Fatalf("shown %q before the stream ended, want all that had come", shown)
		}
	})
}

func TestRun_CancellingKeepsWhatCameAndTheNextMessageWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, llmtest.Turn{Text: []string{"Half an ans"}, Hold: make(chan struct{})}, llmtest.Say("Again."))
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

// deaf is a model that does not hear its context.
type deaf struct{ release chan struct{} }

func (d deaf) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(func(llm.Chunk, error) bool) { <-d.release }
}

func TestRun_CancellingWorksOnAModelThatHangs(t *testing.T) {
	w := newWorld(t)
	model := deaf{make(chan struct{})}
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
	w := newWorld(t)
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
	w := newWorld(t, llmtest.Turn{Text: []string{"One"}, Hold: make(chan struct{})})
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

func TestRun_ProviderErrorIsKeptAndReported(t *testing.T) {
	boom := &llm.Error{Kind: llm.KindAuth, Provider: "test", Status: 401, Message: "no such key"}
	w := newWorld(t, llmtest.Turn{Text: []string{"Half"}, Err: boom})
	c := w.agent.Start()
	_, done, err := turnOf(t, c, "go")
	if !errors.Is(err, boom) || done.Reason != agent.StopProvider || done.Answer != "Half" {
		t.Fatalf("turn = %+v, %v, want the provider's error beside the part", done, err)
	}
	entries := w.entries(t, c)
	if d := agent.DisplayOf(entries[len(entries)-1]); d.Stop != agent.StopProvider || !strings.Contains(d.Error, "no such key") {
		t.Errorf("kept as %+v", d)
	}
}

func TestRun_AnEmptyAnswerIsAnErrorNotAnAnswer(t *testing.T) {
	w := newWorld(t, llmtest.Turn{})
	_, done, err := turnOf(t, w.agent.Start(), "go")
	if llm.KindOf(err) != llm.KindServer || done.Reason != agent.StopProvider {
		t.Fatalf("turn = %+v, %v, want a server error", done, err)
	}
}

func TestRun_StopsAtTheStepLimitWithEveryCallAnswered(t *testing.T) {
	w := newWorld(t,
		llmtest.Call(callFor("a", "price", `{"symbol":"A"}`)),
		llmtest.Call(callFor("b", "price", `{"symbol":"B"}`)),
		llmtest.Call(callFor("c", "price", `{"symbol":"C"}`)))
	c := w.newAgent(t, agent.Config{Limits: agent.Limits{Steps: 2}}).Start()
	_, done, err := turnOf(t, c, "go")
	if err != nil || done.Reason != agent.StopStepLimit || done.Steps != 2 {
		t.Fatalf("turn = %+v, %v, want the step limit after 2", done, err)
	}
	if last := session.Messages(w.entries(t, c)); last[len(last)-1].Role != llm.RoleTool {
		t.Errorf("the record ends with %+v, want the result of the last call", last[len(last)-1])
	}
}

func TestRun_StopsWhenTheSameCallComesAThirdTime(t *testing.T) {
	again := llmtest.Call(callFor("a", "price", `{"symbol":"A"}`))
	w := newWorld(t, again, again, again, again)
	_, done, err := turnOf(t, w.agent.Start(), "go")
	if err != nil || done.Reason != agent.StopRepeatedCall || done.Steps != 3 {
		t.Fatalf("turn = %+v, %v, want a stop at the third call", done, err)
	}
}

func TestRun_StorageFailureEndsTheTurnBeforeAnythingIsAsked(t *testing.T) {
	w := newWorld(t, llmtest.Say("never"))
	w.store.FailAppend = errors.New("disk full")
	_, done, err := turnOf(t, w.agent.Start(), "go")
	if done.Reason != agent.StopStorage || err == nil || len(w.model.Requests()) != 0 {
		t.Fatalf("turn = %+v, %v with %d requests, want a storage error and none", done, err, len(w.model.Requests()))
	}
}

func TestRun_RefusedWriteReachesTheModel(t *testing.T) {
	w := newWorld(t, llmtest.Call(callFor("a", "save", `{}`)), llmtest.Say("As you wish."))
	if _, _, err := turnOf(t, w.agent.Start(), "save it"); err != nil {
		t.Fatal(err)
	}
	messages := w.model.Requests()[1].Messages
	if last := messages[len(messages)-1]; !last.IsError || !strings.Contains(last.Content, "refused") {
		t.Fatalf("the model reads %+v, want a refusal", last)
	}
}

func TestRun_TheUsersOwnCallIsMadeBeforeTheModelIsAsked(t *testing.T) {
	w := newWorld(t, llmtest.Say("It costs 12.50 USD."))
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
	w := newWorld(t)
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

func TestRun_ActivatedSkillIsShownShortAndSentWhole(t *testing.T) {
	w := newWorld(t, llmtest.Say("Followed."))
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
	w := newWorld(t, llmtest.Call(callFor("c1", "price", `{"symbol":"AAPL"}`)), llmtest.Say("12.50 USD."), llmtest.Say("Still 12.50."))
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
	if _, _, err := newWorld(t).agent.Resume(t.Context(), "20200101-000000-aaaaaa"); !errors.Is(err, session.ErrNotFound) {
		t.Fatalf("Resume = %v, want ErrNotFound", err)
	}
}

func TestStart_LeavesNothingUntilSomethingIsSaid(t *testing.T) {
	w := newWorld(t)
	w.agent.Start()
	if all, _ := w.store.List(t.Context(), 0); len(all) != 0 {
		t.Fatalf("%d sessions after Start, want none", len(all))
	}
}

func TestRun_OneTurnAtATime(t *testing.T) {
	hold := make(chan struct{})
	w := newWorld(t, llmtest.Turn{Text: []string{"a"}, Hold: hold})
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


// flaky is a model that says that it is asked again.
type flaky struct{}

func (flaky) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.Chunk{Retry: &llm.Retry{Err: &llm.Error{Kind: llm.KindRateLimit}, Wait: time.Second}}, nil) &&
			yield(llm.Chunk{Text: "At last."}, nil)
	}
}

func TestRun_RetriesAreTold(t *testing.T) {
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: flaky{}, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	events, done, err := turnOf(t, a.Start(), "go")
	retry, ok := events[0].(agent.Retrying)
	if err != nil || !ok || retry.Wait != time.Second || llm.KindOf(retry.Err) != llm.KindRateLimit || done.Answer != "At last." {
		t.Fatalf("events %+v, %v, want the retry first, then the answer", events, err)
	}
}

func TestRun_ToolsLearnTheirConversation(t *testing.T) {
	var told string
	spy := tool.New("spy", "Listens.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
		told = tool.Conversation(ctx)
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
	if _, _, err := turnOf(t, c, "go"); err != nil || told != c.ID() {
		t.Fatalf("the tool was told %q, %v, want %s", told, err, c.ID())
	}
}

func TestRun_NumbersOfAToolsOwnProseNeedNoFigure(t *testing.T) {
	noted := tool.New("noted", "Has a note.", tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForModel: "{}", ForUser: "| 77.5 |\n\nThat month is about 10 % too low."}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{noted}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model := &llmtest.Script{Turns: []llmtest.Turn{llmtest.Call(callFor("a", "noted", "{}")), llmtest.Say("It is 10 % too low, so 77.5.")}}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: model, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	_, done, err := turnOf(t, a.Start(), "go")
	if diff := cmp.Diff(agent.FiguresReport{Total: 1, Untraced: []string{"77.5"}}, counts(done.Figures)); diff != "" || err != nil {
		t.Fatalf("figures, %v (-want +got):\n%s", err, diff)
	}
}

func TestRun_AnAnswerThatWasCutIsNotTakenForWhole(t *testing.T) {
	for finish, kind := range map[llm.FinishReason]llm.Kind{
		llm.FinishLength: llm.KindTruncated, llm.FinishContentFilter: llm.KindRefused,
	} {
		w := newWorld(t, llmtest.Turn{Text: []string{"It costs 99.5 and"}, Finish: finish})
		_, done, err := turnOf(t, w.agent.Start(), "price?")
		if llm.KindOf(err) != kind || done.Reason != agent.StopProvider || done.Answer != "It costs 99.5 and" {
			t.Errorf("%s: turn = %+v, %v, want the part and a %s error", finish, done, err, kind)
		}
		if diff := cmp.Diff([]string{"99.5"}, done.Figures.Untraced); diff != "" {
			t.Errorf("%s: untraced (-want +got):\n%s", finish, diff)
		}
	}
}

func TestRun_ReasoningIsRecordedBeforeItIsShown(t *testing.T) {
	hold := make(chan struct{})
	w := newWorld(t, llmtest.Turn{Reasoning: []string{"Let me think"}, Text: []string{"Done."}, Hold: hold})
	c := w.agent.Start()
	thought := ""
	for e := range c.Run(t.Context(), agent.Input{Text: "go"}) {
		switch e := e.(type) {
		case agent.ReasoningDelta:
			thought += e.Text
			kept := ""
			for _, entry := range w.entries(t, c) {
				kept += entry.Message.Reasoning
			}
			if kept != thought {
				t.Errorf("shown %q while the record has %q", thought, kept)
			}
		case agent.TextDelta:
			close(hold)
		}
	}
	if thought != "Let me think" {
		t.Errorf("shown %q", thought)
	}
}

func TestRun_EachStepTellsItsOwnUsage(t *testing.T) {
	w := newWorld(t,
		llmtest.Turn{Calls: []llm.ToolCall{callFor("a", "price", `{"symbol":"A"}`)}, Usage: llm.Usage{InputTokens: 10, OutputTokens: 1}},
		llmtest.Turn{Text: []string{"Done."}, Usage: llm.Usage{InputTokens: 20, OutputTokens: 2}})
	events, done, err := turnOf(t, w.agent.Start(), "go")
	if err != nil || done.Usage.InputTokens != 30 || done.Usage.OutputTokens != 3 {
		t.Fatalf("turn = %+v, %v, want the sum of both steps", done, err)
	}
	var steps []int
	for _, e := range events {
		if e, ok := e.(agent.StepDone); ok {
			steps = append(steps, e.Usage.InputTokens)
		}
	}
	if diff := cmp.Diff([]int{10, 20}, steps); diff != "" {
		t.Errorf("usage of the steps (-want +got):\n%s", diff)
	}
}

func TestRun_TheTextOfASkillIsNoSourceOfFigures(t *testing.T) {
	w := newWorld(t, llmtest.Say("It trades at 999.99."))
	var done agent.TurnDone
	for e := range w.agent.Start().Run(t.Context(), agent.Input{Text: "/x", ForModel: "for example 999.99", Skill: "x"}) {
		if d, ok := e.(agent.TurnDone); ok {
			done = d
		}
	}
	if diff := cmp.Diff([]string{"999.99"}, done.Figures.Untraced); diff != "" {
		t.Fatalf("untraced (-want +got):\n%s", diff)
	}
}

func TestRun_WhatCannotBeKeptIsNotShown(t *testing.T) {
	w := newWorld(t, llmtest.Call(callFor("a", "price", `{"symbol":"A"}`)))
	shown := 0
	var last error
	for e, err := range w.agent.Start().Run(t.Context(), agent.Input{Text: "go"}) {
		switch e.(type) {
		case agent.ToolStarted:
			w.store.FailAppend = errors.New("disk full")
		case agent.ToolFinished:
			shown++
		case agent.TurnDone:
			last = err
		}
	}
	if shown != 0 || last == nil {
		t.Fatalf("%d results shown, error %v; want none and the disk's error", shown, last)
	}
}

func TestRun_AsksForItsSetupOncePerTurn(t *testing.T) {
	w := newWorld(t)
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
	w := newWorld(t)
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
