package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// resumed continues a session, as after a restart.
func (w *fixture) resumed(t *testing.T, id string) *agent.Conversation {
	t.Helper()
	c, _, err := w.agent.Resume(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// forked continues in a copy of the first turns of a session.
func (w *fixture) forked(t *testing.T, id string, turns int) *agent.Conversation {
	t.Helper()
	fork, err := session.Fork(t.Context(), w.store, session.ForkPoint{SessionID: id, Turns: turns, At: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return w.resumed(t, fork.ID)
}

// wantStop runs a turn and checks that it ends for this reason, after this many answers.
func wantStop(t *testing.T, c *agent.Conversation, reason agent.StopReason, steps int) {
	t.Helper()
	_, done, err := turnOf(t, c, "go on")
	if err != nil || done.Reason != reason || done.Steps != steps {
		t.Errorf("turn = %s after %d steps, %v; want %s after %d", done.Reason, done.Steps, err, reason, steps)
	}
}

func TestLimits_OfASessionsStepsHoldOverTurnsRestartsAndForks(t *testing.T) {
	w := limited(t, agent.Limits{SessionSteps: 3}, nil,
		llmtest.Say("One."),
		llmtest.Call(callFor("a", "price", `{"symbol":"A"}`)), llmtest.Call(callFor("b", "price", `{"symbol":"B"}`)),
		llmtest.Say("Two."), llmtest.Say("Three."), llmtest.Say("never asked for"))
	c := w.agent.Start()
	wantStop(t, c, agent.StopAnswered, 1)
	wantStop(t, c, agent.StopSessionSteps, 2)
	wantStop(t, c, agent.StopSessionSteps, 0)
	wantStop(t, w.resumed(t, c.ID()), agent.StopSessionSteps, 0)
	wantStop(t, w.forked(t, c.ID(), 0), agent.StopSessionSteps, 0)
	// A fork of the first turn has used one answer.
	fork := w.forked(t, c.ID(), 1)
	wantStop(t, fork, agent.StopAnswered, 1)
	wantStop(t, fork, agent.StopAnswered, 1)
	wantStop(t, fork, agent.StopSessionSteps, 0)
	entries := w.entries(t, fork)
	if last := entries[len(entries)-1]; agent.DisplayOf(last).Stop != agent.StopSessionSteps {
		t.Errorf("the record ends with %+v, want why the turn ended", last)
	}
}

func TestLimits_TheUsersOwnCallIsNoStepOfTheSession(t *testing.T) {
	w := limited(t, agent.Limits{SessionSteps: 2}, nil, llmtest.Say("One."), llmtest.Say("Two."))
	c := w.agent.Start()
	call := callFor("", "price", `{"symbol":"A"}`)
	for range c.Run(t.Context(), agent.Input{Text: "/price A", Call: &call}) {
	}
	wantStop(t, w.resumed(t, c.ID()), agent.StopAnswered, 1)
}

func TestLimits_OfASessionsTimeCountItsTurnsAndNotTheWaitBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second, third := make(chan struct{}), make(chan struct{}), make(chan struct{})
		w := limited(t, agent.Limits{Time: time.Minute, SessionTime: 3 * time.Second}, nil,
			llmtest.Turn{Text: []string{"One."}, Hold: first}, llmtest.Turn{Text: []string{"Half"}, Hold: second},
			llmtest.Turn{Text: []string{"Half"}, Hold: third})
		took := func(c *agent.Conversation, reason agent.StopReason, steps int, want time.Duration) {
			t.Helper()
			begun := time.Now()
			wantStop(t, c, reason, steps)
			if got := time.Since(begun); got != want {
				t.Errorf("the turn took %s, want %s", got, want)
			}
		}
		c := w.agent.Start()
		time.AfterFunc(2*time.Second, func() { close(first) })
		took(c, agent.StopAnswered, 1, 2*time.Second)
		time.Sleep(time.Hour)
		took(w.resumed(t, c.ID()), agent.StopSessionTime, 1, time.Second)
		time.Sleep(time.Hour)
		took(w.resumed(t, c.ID()), agent.StopSessionTime, 0, 0)
		took(w.forked(t, c.ID(), 0), agent.StopSessionTime, 0, 0)
		took(w.forked(t, c.ID(), 1), agent.StopSessionTime, 1, time.Second)
	})
}

func TestLimits_AClockSetBackGivesASessionNoTimeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		w := limited(t, agent.Limits{SessionTime: 3 * time.Second}, nil, llmtest.Say("One."), llmtest.Turn{Text: []string{"Half"}, Hold: hold})
		back := time.Now()
		a := w.newAgent(t, agent.Config{Limits: agent.Limits{SessionTime: 3 * time.Second}, Now: func() time.Time {
			back = back.Add(-time.Hour)
			return back
		}})
		c := a.Start()
		wantStop(t, c, agent.StopAnswered, 1)
		begun := time.Now()
		wantStop(t, w.resumed(t, c.ID()), agent.StopSessionTime, 1)
		if took := time.Since(begun); took != 3*time.Second {
			t.Errorf("the second turn took %s, want the 3 s of the session and no more", took)
		}
	})
}

func TestLimits_OfASessionsCostCountSummariesRestartsAndForks(t *testing.T) {
	w := limited(t, agent.Limits{SessionCost: usd("0.50")}, cents,
		using(10, llmtest.Say("One.")), using(10, llmtest.Say("Two.")), using(10, llmtest.Say("Three.")),
		using(25, llmtest.Say("Notes.")), using(10, llmtest.Say("Four.")))
	c := w.agent.Start()
	for range 3 {
		wantStop(t, c, agent.StopAnswered, 1)
	}
	before := c.ID()
	if done, err := c.Compact(t.Context()); err != nil || !done.Summarised {
		t.Fatalf("Compact = %+v, %v; want a summary", done, err)
	}
	wantStop(t, c, agent.StopSessionCost, 0)
	wantStop(t, w.resumed(t, before), agent.StopSessionCost, 0)
	wantStop(t, w.forked(t, before, 0), agent.StopSessionCost, 0)
	if _, err := w.resumed(t, before).Compact(t.Context()); !errors.Is(err, agent.ErrLimitReached) || len(w.model.Requests()) != 4 {
		t.Errorf("Compact = %v after %d requests; want ErrSpent, and no further one", err, len(w.model.Requests()))
	}
	wantStop(t, w.forked(t, before, 1), agent.StopAnswered, 1)
}

func TestCompact_IsRefusedWhereNoTurnCouldBegin(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits agent.Limits
		want   error
	}{
		{"a limit of cost without a price", agent.Limits{SessionCost: usd("1")}, agent.ErrNoPrice},
		{"steps", agent.Limits{SessionSteps: 1}, agent.ErrLimitReached},
		{"time", agent.Limits{SessionTime: time.Second}, agent.ErrLimitReached},
		{"nothing", agent.Limits{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := limited(t, agent.Limits{}, nil, llmtest.Say("One."))
			now := time.Now()
			c := w.newAgent(t, agent.Config{Now: func() time.Time {
				now = now.Add(time.Second)
				return now
			}}).Start()
			wantStop(t, c, agent.StopAnswered, 1)
			again, _, err := w.newAgent(t, agent.Config{Limits: tt.limits}).Resume(t.Context(), c.ID())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := again.Compact(t.Context()); !errors.Is(err, tt.want) {
				t.Errorf("Compact = %v, want %v", err, tt.want)
			}
		})
	}
}

func TestLimits_OfASessionCountAnAnswerThatWasCut(t *testing.T) {
	cut := llmtest.Turn{Text: []string{"Half"}, Err: &llm.Error{Kind: llm.KindServer, Message: "down"}}
	w := limited(t, agent.Limits{SessionSteps: 1}, nil, cut, llmtest.Say("never asked for"))
	c := w.agent.Start()
	if _, done, err := turnOf(t, c, "go"); err == nil || done.Reason != agent.StopProvider {
		t.Fatalf("turn = %+v, %v", done, err)
	}
	wantStop(t, c, agent.StopSessionSteps, 0)
	wantStop(t, w.resumed(t, c.ID()), agent.StopSessionSteps, 0)
}

func TestLimits_AToolThatIsStoppedByOneSaysByWhich(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits agent.Limits
		reason agent.StopReason
		says   string
	}{
		{"of the turn", agent.Limits{Time: time.Second}, agent.StopTimeLimit, "stopped at the time limit of the turn"},
		{"of the session", agent.Limits{Time: time.Minute, SessionTime: time.Second}, agent.StopSessionTime, "stopped at the time limit of the session"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				waits := tool.New("waits", "Waits.", tool.Reads, func(ctx context.Context, _ struct{}) (tool.Result, error) {
					<-ctx.Done()
					return tool.Result{}, ctx.Err()
				})
				router, err := tool.NewRouter([]tool.Tool{waits}, tool.Options{})
				if err != nil {
					t.Fatal(err)
				}
				w := &fixture{store: &sessiontest.Memory{}, model: &llmtest.Script{Turns: []llmtest.Turn{llmtest.Call(callFor("a", "waits", `{}`))}}}
				w.agent, err = agent.New(agent.Config{Store: w.store, Limits: tt.limits, Setup: setup(agent.Setup{Model: w.model, Router: router})})
				if err != nil {
					t.Fatal(err)
				}
				c := w.agent.Start()
				wantStop(t, c, tt.reason, 1)
				result := w.entries(t, c)[2]
				if d := agent.DisplayOf(result); d.Code != tool.CodeTimeout || !strings.Contains(result.Message.Content, tt.says) {
					t.Errorf("result = %s, code %s; want %q", result.Message.Content, d.Code, tt.says)
				}
			})
		})
	}
}
