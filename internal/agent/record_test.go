package agent_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
)

func TestRun_TextIsRecordedBeforeItIsShown(t *testing.T) {
	hold := make(chan struct{})
	w := newFixture(t, llmtest.Turn{Text: []string{"First words"}, Hold: hold})
	c := w.agent.Start()
	for e := range c.Run(t.Context(), agent.Input{Text: "go on"}) {
		if d, ok := e.(agent.TextDelta); ok {
			entries := w.entries(t, c)
			if last := entries[len(entries)-1]; last.Kind != session.KindDelta || last.Message.Content != d.Text {
				t.Errorf("shown %q while the record ends with %+v", d.Text, last)
			}
			// As if the program died here: the next start finds the text.
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
		w := newFixture(t, llmtest.Turn{Text: []string{"One, ", "two, ", "three"}, Hold: hold})
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

func TestRun_ReasoningIsRecordedBeforeItIsShown(t *testing.T) {
	hold := make(chan struct{})
	w := newFixture(t, llmtest.Turn{Reasoning: []string{"Let me think"}, Text: []string{"Done."}, Hold: hold})
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

func TestRun_WhatCannotBeKeptIsNotShown(t *testing.T) {
	w := newFixture(t, llmtest.Call(callFor("a", "price", `{"symbol":"A"}`)))
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

func TestRun_StorageFailureEndsTheTurnBeforeAnythingIsAsked(t *testing.T) {
	w := newFixture(t, llmtest.Say("never"))
	w.store.FailAppend = errors.New("disk full")
	_, done, err := turnOf(t, w.agent.Start(), "go")
	if done.Reason != agent.StopStorage || err == nil || len(w.model.Requests()) != 0 {
		t.Fatalf("turn = %+v, %v with %d requests, want a storage error and none", done, err, len(w.model.Requests()))
	}
}

func TestRun_EachStepTellsItsOwnUsage(t *testing.T) {
	w := newFixture(t,
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

// A provider refuses calls without the extra fields that it sent with them.
func TestRun_AMessageThatWasCutKeepsNothingOfItsCalls(t *testing.T) {
	w := newFixture(t, llmtest.Turn{
		Text: []string{"Half an answer."}, Calls: []llm.ToolCall{callFor("a", "price", `{"symbol":"A"}`)}, Finish: llm.FinishLength,
		Extra: map[string]any{"reasoning_content": "hm"},
	}, llmtest.Say("Fine."))
	c := w.agent.Start()
	if _, _, err := turnOf(t, c, "go"); llm.KindOf(err) != llm.KindTruncated {
		t.Fatalf("the turn ended with %v, want that the answer was cut", err)
	}
	for _, again := range []*agent.Conversation{c, w.resumed(t, c.ID())} {
		w.model.Turns = append(w.model.Turns, llmtest.Say("Fine."))
		if _, _, err := turnOf(t, again, "go on"); err != nil {
			t.Fatal(err)
		}
		requests := w.model.Requests()
		if cut := requests[len(requests)-1].Messages[2]; cut.Content != "Half an answer." || cut.ToolCalls != nil || cut.Extra != nil {
			t.Errorf("what was cut is sent as %+v, want its text alone", cut)
		}
	}
}
