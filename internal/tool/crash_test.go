package tool_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// unencodable is a value that can be neither shown nor encoded.
type unencodable struct{}

func (unencodable) MarshalJSON() ([]byte, error) { panic("no such CANARY") }
func (unencodable) Error() string                { panic("no such CANARY") }

// safeLog keeps the log output. It is safe for concurrent use.
type safeLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *safeLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *safeLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func TestRouter_ACrashAroundTheRunIsAResultToo(t *testing.T) {
	save := named("bad", tool.Writes, say("saved"))
	for _, tt := range []struct {
		name     string
		bad      tool.Tool
		approver tool.Approver
		started  func()
		silent   bool // no panic to log
	}{
		{name: "the tool", bad: named("bad", tool.Reads, func(context.Context) (tool.Result, error) { panic(unencodable{}) })},
		{name: "the tool ends its goroutine", silent: true, bad: named("bad", tool.Reads, func(context.Context) (tool.Result, error) {
			runtime.Goexit()
			return tool.Result{}, nil
		})},
		{name: "the encoding of its value", bad: named("bad", tool.Reads, func(context.Context) (tool.Result, error) {
			return tool.Result{Value: unencodable{}}, nil
		})},
		{name: "its schema", bad: tool.New("bad", "A tool.", tool.Reads, func(context.Context, struct{ C chan int }) (tool.Result, error) {
			return tool.Result{}, nil
		})},
		{name: "the approver", bad: save, approver: tool.ApproverFunc(func(context.Context, tool.Approval) (tool.Answer, error) {
			panic("no screen for CANARY")
		})},
		{name: "the observer of the start", bad: save, approver: tool.Policy{All: true}, started: func() { panic("no screen for CANARY") }},
		{name: "a text", bad: named("bad", tool.Reads, func(context.Context) (tool.Result, error) { panic("CANARY") })},
		{name: "a goroutine of the tool", bad: named("bad", tool.Reads, func(context.Context) (tool.Result, error) {
			var group crash.Group
			group.Go(func() error { panic("CANARY") })
			return tool.Result{}, group.Wait()
		})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log safeLog
			r := newRouter(t, tool.Options{Approver: tt.approver, Log: zerolog.New(&log)}, tt.bad, named("good", tool.Reads, say("fine")))
			var finished atomic.Int32
			outcomes, err := r.Dispatch(t.Context(), []llm.ToolCall{{Name: "good"}, {Name: "bad"}, {Name: "good"}}, tool.Observer{
				Started: func(c llm.ToolCall) {
					if c.Name == "bad" && tt.started != nil {
						tt.started()
					}
				},
				Finished: func(tool.Outcome) { finished.Add(1) },
			})
			if err != nil || finished.Load() != 3 {
				t.Errorf("Dispatch = %v with %d calls reported as finished, want nil with 3", err, finished.Load())
			}
			if got := outcomes[1].Result; got.Code != tool.CodeCrashed || !strings.Contains(got.ForModel, "Bad crashed") {
				t.Errorf("bad = %+v, want a crashed result for the model", got)
			}
			if outcomes[0].Result.ForModel != "fine" || outcomes[2].Result.ForModel != "fine" {
				t.Errorf("its neighbours = %+v and %+v, want both fine", outcomes[0].Result, outcomes[2].Result)
			}
			text := log.String()
			if logged := strings.Contains(text, "tool crashed") && strings.Contains(text, "internal/tool"); logged == tt.silent {
				t.Errorf("the log holds %q, want where it crashed", text)
			}
			if strings.Contains(text, "CANARY") {
				t.Errorf("the log holds what was panicked with: %s", text)
			}
		})
	}
}

func TestRouter_ACrashOfAnObserverOfTheEndKeepsTheResult(t *testing.T) {
	r := newRouter(t, tool.Options{}, named("good", tool.Reads, say("fine")))
	outcomes, err := r.Dispatch(t.Context(), []llm.ToolCall{{Name: "good"}, {Name: "good"}}, tool.Observer{
		Finished: func(tool.Outcome) { panic("no screen") },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Call.Name != "good" || o.Result.ForModel != "fine" {
			t.Errorf("outcome %+v, want what the tool answered", o)
		}
	}
}

func TestRouter_DoesNotWaitForAToolThatIgnoresItsContext(t *testing.T) {
	for name, effect := range map[string]tool.Effect{"reads": tool.Reads, "writes": tool.Writes} {
		for _, tt := range []struct {
			name  string
			stop  time.Duration // when the user cancels
			code  string
			after time.Duration
			late  func() (tool.Result, error)
		}{
			{"over its time", time.Hour, tool.CodeTimeout, 5 * time.Second, func() (tool.Result, error) { return tool.Result{ForModel: "late"}, nil }},
			{"cancelled", time.Second, tool.CodeCancelled, time.Second, func() (tool.Result, error) { return tool.Result{}, unencodable{} }},
			{"crashing late", time.Second, tool.CodeCancelled, time.Second, func() (tool.Result, error) { panic("late") }},
		} {
			t.Run(name+" "+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ctx, cancel := context.WithCancel(t.Context())
					defer time.AfterFunc(tt.stop, cancel).Stop()
					deaf := named("deaf", effect, func(context.Context) (tool.Result, error) {
						time.Sleep(time.Minute)
						return tt.late()
					})
					deaf.Timeout = 5 * time.Second
					var log safeLog
					r := newRouter(t, tool.Options{Approver: tool.Policy{All: true}, Log: zerolog.New(&log)}, deaf)
					start := time.Now()
					o, _ := r.Call(ctx, llm.ToolCall{Name: "deaf"})
					took := time.Since(start)
					if o.Result.Code != tt.code || took < tt.after || took > tt.after+100*time.Millisecond {
						t.Errorf("deaf = %+v after %s, want %s after %s", o.Result, took, tt.code, tt.after)
					}
					if !strings.Contains(o.Result.ErrorText(), "still running") {
						t.Errorf("deaf says %q, want it to say that it still runs", o.Result.ErrorText())
					}
					time.Sleep(time.Minute)
					if n := strings.Count(log.String(), "late result dropped"); n != 1 {
						t.Errorf("%d late results in the log, want 1: %s", n, log.String())
					}
				})
			})
		}
	}
}

func TestRouter_AToolThatEndsWithItsContextAnswersInItsOwnWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		careful := named("careful", tool.Writes, func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			time.Sleep(50 * time.Millisecond) // a rename that was in progress
			return tool.Result{ForModel: "saved"}, nil
		})
		r := newRouter(t, tool.Options{Approver: tool.Policy{All: true}}, careful)
		if got := call(t, r, "careful", "{}"); got.ForModel != "saved" {
			t.Errorf("careful = %+v, want it to say that it has saved", got)
		}
	})
}

func TestRouter_ForgetApprovalsAsksAgain(t *testing.T) {
	requests := 0
	r := newRouter(t, tool.Options{Approver: answering(tool.Answer{Allowed: true, Scope: tool.Session}, &requests)},
		named("save", tool.Writes, say("saved")))
	call(t, r, "save", "{}")
	call(t, r, "save", "{}")
	r.ForgetApprovals()
	call(t, r, "save", "{}")
	if requests != 2 {
		t.Errorf("asked %d times, want once before and once after", requests)
	}
}
