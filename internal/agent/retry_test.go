package agent_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
)

// truncatedTurn returns an answer whose server disconnects after this text.
func truncatedTurn(text string) llmtest.Turn {
	return llmtest.Turn{Text: []string{text}, Err: &llm.Error{Kind: llm.KindTruncated, Message: "the server broke off"}}
}

// finalText returns the text after the last restart of the answer.
func finalText(events []agent.Event) string {
	shown := ""
	for _, e := range events {
		switch e := e.(type) {
		case agent.TextDelta:
			shown += e.Text
		case agent.Retrying:
			if e.Restarted {
				shown = ""
			}
		}
	}
	return shown
}

func TestRun_ThePartStaysWhenTheSecondTryBringsNothing(t *testing.T) {
	hangs := func() llmtest.Turn { return llmtest.Turn{Hold: make(chan struct{})} }
	always := func(turn llmtest.Turn) func() llmtest.Turn { return func() llmtest.Turn { return turn } }
	for _, tt := range []struct {
		name   string
		second func() llmtest.Turn // made where its time runs
		reason agent.StopReason
		kind   llm.Kind
	}{
		{"refused", always(llmtest.Fail(&llm.Error{Kind: llm.KindAuth, Status: 401})), agent.StopProvider, llm.KindAuth},
		{"broken off before a word", always(llmtest.Fail(&llm.Error{Kind: llm.KindTruncated})), agent.StopProvider, llm.KindTruncated},
		{"empty", always(llmtest.Say()), agent.StopProvider, llm.KindServer},
		{"out of time", hangs, agent.StopTimeLimit, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := limited(t, agent.Limits{Time: time.Minute}, nil, truncatedTurn("Half an answer."), tt.second(), llmtest.Say("Fine."))
				c := w.agent.Start()
				events, done, err := turnOf(t, c, "go")
				if done.Answer != "Half an answer." || done.Reason != tt.reason || llm.KindOf(err) != tt.kind {
					t.Errorf("turn = %+v, %v; want the first part, %s and an error of kind %q", done, err, tt.reason, tt.kind)
				}
				if got := finalText(events); got != "Half an answer." {
					t.Errorf("shown in the end is %q, want the first part", got)
				}
				entries := w.entries(t, c)
				if got := agent.DisplayOf(entries[len(entries)-1]).Stop; got != tt.reason || len(entries) != 2 {
					t.Errorf("kept are %v, marked %q; want one message marked %q", kinds(entries), got, tt.reason)
				}
				if _, _, err := turnOf(t, c, "go on"); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{"go", "Half an answer.", "go on"}, contents(last(w))); diff != "" {
					t.Errorf("sent next (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestRun_ThePartStaysWhenTheSecondTryIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t, truncatedTurn("Half an answer."), llmtest.Turn{Hold: make(chan struct{})})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var done agent.TurnDone
		for e := range w.agent.Start().Run(ctx, agent.Input{Text: "go"}) {
			switch e := e.(type) {
			case agent.Retrying:
				cancel()
			case agent.TurnDone:
				done = e
			}
		}
		if done.Reason != agent.StopCancelled || done.Answer != "Half an answer." {
			t.Errorf("turn = %+v, want it cancelled with what came", done)
		}
	})
}

func TestRun_APartThatWasReplacedDoesNotComeBack(t *testing.T) {
	w := newFixture(t,
		truncatedTurn("Half a step."), llmtest.Call(callFor("a", "price", `{"symbol":"A"}`)),
		llmtest.Fail(&llm.Error{Kind: llm.KindAuth, Status: 401}),
	)
	c := w.agent.Start()
	if _, done, err := turnOf(t, c, "go"); llm.KindOf(err) != llm.KindAuth || done.Answer != "" {
		t.Errorf("turn = %+v, %v; want no answer and the error", done, err)
	}
	want := []session.Kind{session.KindUser, session.KindAssistant, session.KindTool, session.KindNote}
	if diff := cmp.Diff(want, kinds(w.entries(t, c))); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

func TestRun_NotEveryAnswerThatBreaksOffIsAskedForAgain(t *testing.T) {
	endless := truncatedTurn("word word word")
	endless.Err = &llm.Error{Kind: llm.KindTruncated, Err: llm.ErrAnswerTooLong}
	for name, turn := range map[string]llmtest.Turn{
		"one that would not end":                             endless,
		"one that never began, which the adapter asks again": llmtest.Fail(&llm.Error{Kind: llm.KindTruncated}),
		"one cut at its limit of tokens":                     {Text: []string{"Half"}, Finish: llm.FinishLength},
	} {
		w := newFixture(t, turn, llmtest.Say("never asked for"))
		_, done, err := turnOf(t, w.agent.Start(), "go")
		if n := len(w.model.Requests()); n != 1 || llm.KindOf(err) != llm.KindTruncated || done.Reason != agent.StopProvider {
			t.Errorf("%s: %d requests, turn = %+v, %v; want one and the error", name, n, done, err)
		}
	}
}
