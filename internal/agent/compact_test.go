package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// narrow returns an agent whose model has a window of this many tokens, a tool with long results, and one
// that loads a skill.
func narrow(t *testing.T, window int, turns ...llmtest.Turn) *fixture {
	t.Helper()
	w := &fixture{store: &sessiontest.Memory{}, model: &llmtest.Script{Turns: turns}}
	history := tool.New("history", "Prices.", tool.Reads, func(_ context.Context, in struct {
		Symbol string `json:"symbol"`
	}) (tool.Result, error) {
		return tool.Result{ForModel: in.Symbol + " " + strings.Repeat("101.25 ", 300)}, nil
	})
	load := tool.New("Skill", "Loads.", tool.Reads, func(_ context.Context, in struct {
		Section string `json:"section,omitempty"`
		Symbol  string `json:"symbol,omitempty"`
		Version string `json:"version,omitempty"`
	}) (tool.Result, error) {
		text := "THE SKILL TEXT, WORD BY WORD " + in.Symbol + strings.Repeat("step ", 200)
		if in.Section != "" {
			text = "SECTION " + in.Section + " " + strings.Repeat("part ", 200)
		}
		return tool.Result{ForModel: text, Skill: "by-tool", SkillVersion: in.Version, Section: in.Section}, nil
	})
	router, err := tool.NewRouter([]tool.Tool{history, load}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.agent, err = agent.New(agent.Config{
		Store: w.store,
		Setup: setup(agent.Setup{Model: w.model, ModelName: "test/script", Router: router, Prompt: "You are a test.", Window: window}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func compactions(events []agent.Event) (all []agent.Compacted) {
	for _, e := range events {
		if c, ok := e.(agent.Compacted); ok {
			all = append(all, c)
		}
	}
	return all
}

// contents returns the texts of a request after the system prompt.
func contents(req llm.Request) []string {
	var all []string
	for _, m := range req.Messages[1:] {
		all = append(all, m.Content)
	}
	return all
}

func last(w *fixture) llm.Request {
	requests := w.model.Requests()
	return requests[len(requests)-1]
}

const skillByUser = "The user activated the skill \"mine\"\n\n<skill>ALWAYS SAY THE CURRENCY</skill>"

func TestK16_LoadedSkillsSurviveCompaction(t *testing.T) {
	w := narrow(t, 100_000,
		llmtest.Say("One."),
		llmtest.Call(callFor("s", "Skill", `{}`)), llmtest.Say("Two."),
		llmtest.Say("Three."), llmtest.Say("Four."),
		llmtest.Say("NOTES OF THE MODEL"),
		llmtest.Say("Five."),
	)
	c := w.agent.Start()
	for range c.Run(t.Context(), agent.Input{Text: "/mine", ForModel: skillByUser, Skill: "mine"}) {
	}
	for _, text := range []string{"load the other", "third question", "fourth question"} {
		if _, _, err := turnOf(t, c, text); err != nil {
			t.Fatal(err)
		}
	}
	done, err := c.Compact(t.Context())
	if err != nil || !done.Summarised {
		t.Fatalf("Compact = %+v, %v; want a summary", done, err)
	}
	if done.Outline {
		t.Errorf("Compact = %+v; want that the model wrote the summary", done)
	}
	if asked := last(w); len(asked.Tools) != 0 || !strings.Contains(asked.Messages[1].Content, "load the other") {
		t.Errorf("the summary was asked for with %+v", asked)
	}
	if _, _, err := turnOf(t, c, "fifth question"); err != nil {
		t.Fatal(err)
	}
	got := contents(last(w))
	if diff := cmp.Diff([]string{"third question", "Three.", "fourth question", "Four.", "fifth question"}, got[1:]); diff != "" {
		t.Errorf("the last turns (-want +got):\n%s", diff)
	}
	for _, want := range []string{"NOTES OF THE MODEL", "ALWAYS SAY THE CURRENCY", "THE SKILL TEXT, WORD BY WORD", `"mine" was loaded`, `"by-tool" was loaded`} {
		if strings.Count(got[0], want) != 1 {
			t.Errorf("the summary holds %q %d times, want once:\n%s", want, strings.Count(got[0], want), got[0])
		}
	}
	if strings.Contains(strings.Join(got, "\n"), "load the other") {
		t.Error("what was summarised is sent too")
	}
}

// A long skill is loaded as an outline and then by section: no section replaces another. Loading the same
// text again replaces it, and all texts are kept after a restart.
func TestK16_EachSectionOfALongSkillSurvivesCompaction(t *testing.T) {
	w := narrow(t, 100_000,
		llmtest.Call(callFor("s", "Skill", `{}`)), llmtest.Call(callFor("a", "Skill", `{"section":"1"}`)), llmtest.Call(callFor("b", "Skill", `{"section":"2"}`)),
		llmtest.Call(callFor("c", "Skill", `{"section":"1"}`)), llmtest.Call(callFor("d", "Skill", `{"symbol":"MSFT"}`)), llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."),
		llmtest.Say("NOTES OF THE MODEL"), llmtest.Say("Four."), llmtest.Say("NOTES AGAIN"), llmtest.Say("Five."),
	)
	c := w.agent.Start()
	next := func(question string) {
		t.Helper()
		if _, done, err := turnOf(t, c, question); err != nil || done.Reason != agent.StopAnswered {
			t.Fatalf("%s: %+v, %v", question, done, err)
		}
	}
	compacted := func() {
		t.Helper()
		if done, err := c.Compact(t.Context()); err != nil || !done.Summarised {
			t.Fatalf("Compact = %+v, %v; want a summary", done, err)
		}
	}
	holdsAll := func() {
		t.Helper()
		got := contents(last(w))[0]
		for _, want := range []string{"THE SKILL TEXT, WORD BY WORD", "SECTION 1", "SECTION 2"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("the summary holds %q %d times, want once:\n%s", want, strings.Count(got, want), got)
			}
		}
	}
	next("load it")
	next("second question")
	next("third question")
	compacted()
	next("fourth question")
	holdsAll()
	var err error
	if c, _, err = w.agent.Resume(t.Context(), c.ID()); err != nil {
		t.Fatal(err)
	}
	compacted()
	next("fifth question")
	holdsAll()
}

func TestK16_OfASkillThatWasChangedNothingOlderStays(t *testing.T) {
	for _, row := range []struct {
		name                   string
		whole, section, change string // arguments of the calls
		stays, goes            []string
	}{
		{"a section came anew", `{"version":"1"}`, `{"section":"1","version":"1"}`, `{"section":"2","version":"2"}`, []string{"SECTION 2"}, []string{"THE SKILL TEXT", "SECTION 1"}},
		{"the whole came anew", `{"version":"1"}`, `{"section":"1","version":"1"}`, `{"version":"2"}`, []string{"THE SKILL TEXT"}, []string{"SECTION 1"}},
		{"the whole, and nobody knows of what text the section was", `{}`, `{"section":"1"}`, `{"version":"2"}`, []string{"THE SKILL TEXT"}, []string{"SECTION 1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := narrow(t, 100_000,
				llmtest.Call(callFor("a", "Skill", row.whole)), llmtest.Call(callFor("b", "Skill", row.section)), llmtest.Call(callFor("c", "Skill", row.change)),
				llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."), llmtest.Say("NOTES OF THE MODEL"), llmtest.Say("Four."),
			)
			c := w.agent.Start()
			for _, text := range []string{"load it", "second", "third"} {
				if _, _, err := turnOf(t, c, text); err != nil {
					t.Fatal(err)
				}
			}
			if done, err := c.Compact(t.Context()); err != nil || !done.Summarised {
				t.Fatalf("Compact = %+v, %v; want a summary", done, err)
			}
			if _, _, err := turnOf(t, c, "fourth"); err != nil {
				t.Fatal(err)
			}
			golden.Contains(t, contents(last(w))[0], row.stays...)
			golden.NotContains(t, contents(last(w))[0], row.goes...)
		})
	}
}

func TestCompact_AResumedConversationIsSentAsItWasAndTheTranscriptIsWhole(t *testing.T) {
	w := narrow(t, 100_000,
		llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."), llmtest.Say("NOTES"),
		llmtest.Say("Four."), llmtest.Say("Four again."),
	)
	c := w.agent.Start()
	for _, text := range []string{"first", "second", "third"} {
		if _, _, err := turnOf(t, c, text); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := turnOf(t, c, "fourth"); err != nil {
		t.Fatal(err)
	}
	want := contents(last(w))
	entries := w.entries(t, c)
	if got := entries[0].Message.Content; got != "first" {
		t.Errorf("the transcript begins with %q", got)
	}
	w.store = storeWith(t, c.ID(), entries[:len(entries)-1]) // as before the answer to the fourth
	w.agent = w.newAgent(t, agent.Config{})
	again, _, err := w.agent.Resume(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := turnOf(t, again, "and now"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(want, "and now"), contents(last(w))); diff != "" {
		t.Errorf("sent after resuming (-want +got):\n%s", diff)
	}
}

// storeWith returns a store with one session of these entries.
func storeWith(t *testing.T, id string, entries []session.Entry) *sessiontest.Memory {
	t.Helper()
	store := &sessiontest.Memory{}
	if err := store.Create(t.Context(), session.Session{ID: id}); err != nil {
		t.Fatal(err)
	}
	if err := store.Append(t.Context(), id, entries...); err != nil {
		t.Fatal(err)
	}
	return store
}

func TestCompact_OldResultsAreFoldedFirstAndSkillsNever(t *testing.T) {
	w := narrow(t, 2_400,
		llmtest.Call(callFor("s", "Skill", `{}`)),
		llmtest.Call(callFor("a", "history", `{"symbol":"AAPL"}`)),
		llmtest.Call(callFor("b", "history", `{"symbol":"MSFT"}`)),
		llmtest.Call(callFor("c", "history", `{"symbol":"IBM"}`)),
		llmtest.Say("Done."),
	)
	events, _, err := turnOf(t, w.agent.Start(), "compare")
	if err != nil {
		t.Fatal(err)
	}
	if all := compactions(events); len(all) == 0 || all[0].Summarised {
		t.Errorf("compactions = %+v, want results folded, and no summary within the only turn", all)
	}
	got := strings.Join(contents(last(w)), "\n")
	for text, want := range map[string]bool{"THE SKILL TEXT": true, "AAPL 101.25": false, "IBM 101.25": true, "Result of history": true} {
		if strings.Contains(got, text) != want {
			t.Errorf("the last request holds %q: %v, want %v", text, !want, want)
		}
	}
	if len(last(w).Messages) != 1+1+4*2 {
		t.Errorf("%d messages: each call needs its result", len(last(w).Messages))
	}
}

func TestCompact_AConversationThatIsTooLongIsShortenedOnceAndSentAgain(t *testing.T) {
	tooLong := llmtest.Fail(&llm.Error{Kind: llm.KindContextLength, Message: "at most 8192 tokens"})
	w := narrow(t, 0,
		llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."),
		tooLong, llmtest.Say("NOTES"), llmtest.Say("Four."),
		tooLong, llmtest.Say("NOTES AGAIN"), tooLong,
	)
	c := w.agent.Start()
	for _, text := range []string{"first", "second", "third"} {
		if _, _, err := turnOf(t, c, text); err != nil {
			t.Fatal(err)
		}
	}
	events, done, err := turnOf(t, c, "fourth")
	if err != nil || done.Answer != "Four." || len(compactions(events)) != 1 {
		t.Fatalf("turn = %+v, %v, compactions %v; want the answer of the second try", done, err, compactions(events))
	}
	_, done, err = turnOf(t, c, "fifth")
	if llm.KindOf(err) != llm.KindContextLength || done.Reason != agent.StopProvider {
		t.Errorf("turn = %+v, %v; want the provider's error after one more try", done, err)
	}
}

func TestCompact_WhereTheModelCannotSummariseARuleDoes(t *testing.T) {
	w := narrow(t, 100_000,
		llmtest.Say("The first answer."), llmtest.Say("Two."), llmtest.Say("Three."),
		llmtest.Fail(&llm.Error{Kind: llm.KindServer, Message: "overloaded"}), llmtest.Say("Four."),
	)
	c := w.agent.Start()
	for _, text := range []string{"first question", "second", "third"} {
		if _, _, err := turnOf(t, c, text); err != nil {
			t.Fatal(err)
		}
	}
	if done, err := c.Compact(t.Context()); err != nil || !done.Summarised {
		t.Fatalf("Compact = %+v, %v", done, err)
	}
	if _, _, err := turnOf(t, c, "fourth"); err != nil {
		t.Fatal(err)
	}
	if got := contents(last(w))[0]; !strings.Contains(got, "The user: first question") || !strings.Contains(got, "The answer began: The first answer.") {
		t.Errorf("the summary = %q", got)
	}
}

func TestCompact_NothingBeforeTheLastTurnsIsNothingToSummarise(t *testing.T) {
	w := narrow(t, 100_000, llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."), llmtest.Say("NOTES"))
	c := w.agent.Start()
	for i := range 3 {
		if _, _, err := turnOf(t, c, fmt.Sprint("question ", i)); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []bool{true, false} {
		if done, err := c.Compact(t.Context()); err != nil || done.Summarised != want {
			t.Errorf("Compact, time %d = %+v, %v; want a summary: %v", i+1, done, err, want)
		}
	}
	if n := len(w.model.Requests()); n != 4 {
		t.Errorf("%d requests, want one summary asked for", n)
	}
}

func TestCompact_CancelledItLeavesTheConversationAsItWas(t *testing.T) {
	w := narrow(t, 100_000, llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."), llmtest.Say("NOTES"), llmtest.Say("Four."))
	c := w.agent.Start()
	for i := range 3 {
		if _, _, err := turnOf(t, c, fmt.Sprint("question ", i)); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Compact(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("Compact = %v, want context.Canceled", err)
	}
	if got := w.entries(t, c); got[len(got)-1].Kind == session.KindSummary {
		t.Error("a summary was recorded")
	}
}

// If the user stops a summary while it is written, nothing is removed from the next request, including
// results of tools.
func TestCompact_StoppedWhileTheSummaryIsWrittenNothingIsLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		defer close(hold)
		w := narrow(t, 100_000,
			llmtest.Call(callFor("a", "history", `{"symbol":"AAPL"}`)), llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."),
			llmtest.Turn{Text: []string{"NOTES"}, Hold: hold}, llmtest.Say("Four."))
		c := w.agent.Start()
		for i := range 3 {
			if _, _, err := turnOf(t, c, fmt.Sprint("question ", i)); err != nil {
				t.Fatal(err)
			}
		}
		before := contents(last(w))
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan error, 1)
		go func() {
			_, err := c.Compact(ctx)
			stopped <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Fatalf("Compact = %v, want context.Canceled", err)
		}
		if _, _, err := turnOf(t, c, "and now"); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append(before, "Three.", "and now"), contents(last(w))); diff != "" {
			t.Errorf("sent after it (-want +got):\n%s", diff)
		}
	})
}

func TestCompact_ASummaryThatBreaksOffIsNotUsed(t *testing.T) {
	for name, broken := range map[string]llmtest.Turn{
		"at the limit of tokens": {Text: []string{"VTI closed at 29"}, Finish: llm.FinishLength},
		"by a filter":            {Text: []string{"VTI closed at 29"}, Finish: llm.FinishContentFilter},
		"by the server":          {Text: []string{"VTI closed at 29"}, Err: &llm.Error{Kind: llm.KindTruncated}},
	} {
		t.Run(name, func(t *testing.T) {
			w := narrow(t, 100_000, llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."), broken, llmtest.Say("Four."))
			c := w.agent.Start()
			for i := range 3 {
				if _, _, err := turnOf(t, c, fmt.Sprint("question ", i)); err != nil {
					t.Fatal(err)
				}
			}
			if done, err := c.Compact(t.Context()); err != nil || !done.Summarised || !done.Outline {
				t.Fatalf("Compact = %+v, %v; want a summary by rule, which is reported", done, err)
			}
			if _, _, err := turnOf(t, c, "fourth"); err != nil {
				t.Fatal(err)
			}
			if got := contents(last(w))[0]; strings.Contains(got, "29") || !strings.Contains(got, "The user: question 0") {
				t.Errorf("the summary = %q, want the rule's", got)
			}
		})
	}
}

// The server counts ten times as many tokens as the estimate. The tokens after the compaction must be
// reported by the server's measure too.
func TestCompact_WhatIsLeftIsMeasuredAsWhatThereWas(t *testing.T) {
	counted := func(text string) llmtest.Turn {
		turn := llmtest.Say(strings.Repeat(text+" ", 100))
		turn.Usage = llm.Usage{InputTokens: 30_000}
		return turn
	}
	w := narrow(t, 100_000, counted("one"), counted("two"), counted("three"), llmtest.Say("NOTES"))
	c := w.agent.Start()
	for i := range 3 {
		if _, _, err := turnOf(t, c, fmt.Sprint("question ", i)); err != nil {
			t.Fatal(err)
		}
	}
	done, err := c.Compact(t.Context())
	if err != nil || done.Before != 30_000 || done.After >= done.Before || done.After < done.Before/3 {
		t.Errorf("Compact = %+v, %v; want 30000 before, and after it about two turns of three", done, err)
	}
}

// A prompt cache only serves an unchanged prefix.
func TestRun_WhatWasSentBeforeIsThePrefixOfWhatIsSentNext(t *testing.T) {
	w := newFixture(t,
		llmtest.Call(callFor("a", "price", `{"symbol":"A"}`), callFor("b", "price", `{"symbol":"B"}`)), llmtest.Say("One."),
		llmtest.Call(callFor("c", "price", `{"symbol":"C"}`)), llmtest.Say("Two."))
	c := w.agent.Start()
	for _, text := range []string{"first", "second"} {
		if _, _, err := turnOf(t, c, text); err != nil {
			t.Fatal(err)
		}
	}
	requests := w.model.Requests()
	for i := 1; i < len(requests); i++ {
		before, now := requests[i-1], requests[i]
		if len(now.Messages) <= len(before.Messages) {
			t.Fatalf("request %d has %d messages after %d", i, len(now.Messages), len(before.Messages))
		}
		if diff := cmp.Diff(before.Messages, now.Messages[:len(before.Messages)]); diff != "" {
			t.Errorf("request %d begins otherwise (-before +now):\n%s", i, diff)
		}
		if diff := cmp.Diff(before.Tools, now.Tools); diff != "" {
			t.Errorf("request %d offers other tools (-before +now):\n%s", i, diff)
		}
	}
}

// threeTurns returns a conversation that can be summarized.
func threeTurns(t *testing.T, summary llmtest.Turn) (*fixture, *agent.Conversation) {
	t.Helper()
	w := narrow(t, 100_000, llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three."), summary, llmtest.Say("Four."))
	c := w.agent.Start()
	for i := range 3 {
		if _, _, err := turnOf(t, c, fmt.Sprint("question ", i)); err != nil {
			t.Fatal(err)
		}
	}
	return w, c
}

func TestRun_WaitsForASummaryThatIsBeingWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		w, c := threeTurns(t, llmtest.Turn{Text: []string{"NOTES"}, Hold: hold})
		compacted := make(chan error)
		go func() {
			_, err := c.Compact(t.Context())
			compacted <- err
		}()
		synctest.Wait()
		if _, err := c.Compact(t.Context()); !errors.Is(err, agent.ErrBusy) {
			t.Errorf("a second Compact = %v, want ErrBusy", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for e, err := range c.Run(ctx, agent.Input{Text: "never sent"}) {
			if done, ok := e.(agent.TurnDone); !ok || done.Reason != agent.StopCancelled || err != nil {
				t.Errorf("a turn cancelled while it waits = %+v, %v; want it cancelled", e, err)
			}
		}
		time.AfterFunc(time.Second, func() { close(hold) })
		_, done, err := turnOf(t, c, "meanwhile")
		if err != nil || done.Answer != "Four." || <-compacted != nil {
			t.Fatalf("turn = %+v, %v; want the answer", done, err)
		}
		if got := contents(last(w)); !strings.Contains(got[0], "NOTES") || got[len(got)-1] != "meanwhile" {
			t.Errorf("sent = %q, want the summary first and the question last", got)
		}
	})
}

// Some servers count only their output. By such a count the window would never be full.
func TestCompact_ACountOfTheAnswerAloneIsNone(t *testing.T) {
	var turns []llmtest.Turn
	for _, symbol := range []string{"A", "B", "C", "D"} {
		turn := llmtest.Call(callFor(symbol, "history", `{"symbol":"`+symbol+`"}`))
		turn.Usage = llm.Usage{OutputTokens: 9}
		turns = append(turns, turn)
	}
	w := narrow(t, 2000, append(turns, llmtest.Say("Done."))...)
	events, _, err := turnOf(t, w.agent.Start(), "go")
	if err != nil || len(compactions(events)) == 0 {
		t.Errorf("%d compactions of four long results in a small window, %v", len(compactions(events)), err)
	}
}
