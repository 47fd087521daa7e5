package agent_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestRun_ProviderErrorIsKeptAndReported(t *testing.T) {
	boom := &llm.Error{Kind: llm.KindAuth, Provider: "test", Status: 401, Message: "no such key"}
	w := newFixture(t, llmtest.Turn{Text: []string{"Half"}, Err: boom})
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
	w := newFixture(t, llmtest.Turn{})
	_, done, err := turnOf(t, w.agent.Start(), "go")
	if llm.KindOf(err) != llm.KindServer || done.Reason != agent.StopProvider {
		t.Fatalf("turn = %+v, %v, want a server error", done, err)
	}
}

func TestRun_StopsAtTheStepLimitWithEveryCallAnswered(t *testing.T) {
	w := newFixture(t,
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
	w := newFixture(t, again, again, again, again)
	_, done, err := turnOf(t, w.agent.Start(), "go")
	if err != nil || done.Reason != agent.StopRepeatedCall || done.Steps != 4 {
		t.Fatalf("turn = %+v, %v, want a stop at the fourth call", done, err)
	}
}

// The third identical call is answered with a reference to its result, and the model gets
// another step without the tool.
func TestRun_ARepeatedCallLeavesOneMoreStepWithoutItsTool(t *testing.T) {
	again := llmtest.Call(callFor("a", "price", `{"symbol":"A"}`))
	w := newFixture(t, again, again, again, llmtest.Say("It is 5."))
	_, done, err := turnOf(t, w.agent.Start(), "go")
	if err != nil || done.Reason != agent.StopAnswered || done.Answer != "It is 5." {
		t.Fatalf("turn = %+v, %v; want the answer", done, err)
	}
	requests := w.model.Requests()
	last := requests[len(requests)-1]
	if slices.ContainsFunc(last.Tools, func(s llm.ToolSpec) bool { return s.Name == "price" }) {
		t.Error("the last request still has the tool that was repeated")
	}
	if m := last.Messages[len(last.Messages)-1]; m.Role != llm.RoleTool || !strings.Contains(m.Content, "Use its result") {
		t.Errorf("the repeated call is answered with %+v", m)
	}
}

func TestRun_AnAnswerThatWasCutIsNotTakenForWhole(t *testing.T) {
	for finish, kind := range map[llm.FinishReason]llm.Kind{
		llm.FinishLength: llm.KindTruncated, llm.FinishContentFilter: llm.KindRefused,
	} {
		w := newFixture(t, llmtest.Turn{Text: []string{"It costs 99.5 and"}, Finish: finish})
		_, done, err := turnOf(t, w.agent.Start(), "price?")
		if llm.KindOf(err) != kind || done.Reason != agent.StopProvider || done.Answer != "It costs 99.5 and" {
			t.Errorf("%s: turn = %+v, %v, want the part and a %s error", finish, done, err, kind)
		}
		if diff := cmp.Diff([]string{"99.5"}, done.Figures.Untraced); diff != "" {
			t.Errorf("%s: untraced (-want +got):\n%s", finish, diff)
		}
	}
}

// flakyModel is a model that reports a retry.
type flakyModel struct{}

func (flakyModel) Stream(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.Chunk{Retry: &llm.Retry{Err: &llm.Error{Kind: llm.KindRateLimit}, Wait: time.Second}}, nil) &&
			yield(llm.Chunk{Text: "At last."}, nil)
	}
}

func TestRun_RetriesAreReported(t *testing.T) {
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := agent.New(agent.Config{Setup: setup(agent.Setup{Model: flakyModel{}, Router: router}), Store: &sessiontest.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	events, done, err := turnOf(t, a.Start(), "go")
	retry, ok := events[0].(agent.Retrying)
	if err != nil || !ok || retry.Wait != time.Second || llm.KindOf(retry.Err) != llm.KindRateLimit || done.Answer != "At last." {
		t.Fatalf("events %+v, %v, want the retry first, then the answer", events, err)
	}
}

// A skill's allowed-tools refuse other calls until the turn ends.
func TestRun_ASkillsFenceHoldsUntilTheTurnEnds(t *testing.T) {
	w := newFixture(t,
		llmtest.Call(callFor("a", "price", `{"symbol":"A"}`), callFor("b", "save", `{}`)), llmtest.Say("Refused."),
		llmtest.Call(callFor("c", "price", `{"symbol":"B"}`)), llmtest.Say("It is 5."))
	c := w.agent.Start()
	events, done := []agent.Event{}, agent.TurnDone{}
	for e, err := range c.Run(t.Context(), agent.Input{Text: "/mine", ForModel: "the skill", Skill: "mine", Fence: &tool.Fence{Skill: "mine", Tools: []string{"quote"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
		if d, ok := e.(agent.TurnDone); ok {
			done = d
		}
	}
	refused := 0
	for _, e := range events {
		if f, ok := e.(agent.ToolFinished); ok && f.Outcome.Result.Code == tool.CodeRefused && strings.Contains(f.Outcome.Result.ErrorText(), "allowed-tools of the active skill mine") {
			refused++
		}
	}
	if refused != 2 || done.Answer != "Refused." {
		t.Errorf("%d calls refused, answer %q", refused, done.Answer)
	}
	if _, done, err := turnOf(t, c, "and now?"); err != nil || done.Answer != "It is 5." {
		t.Errorf("the next turn = %+v, %v", done, err)
	}
}
