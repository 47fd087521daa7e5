package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

const wordEvent = `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"more "},"finish_reason":null}]}` + "\n\n"

// faultyServers returns servers that do not end an answer. Each calls begun at the point from which a user might
// cancel.
func faultyServers() map[string]func(begun func()) llmtest.Reply {
	open := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
	}
	return map[string]func(begun func()) llmtest.Reply{
		"says nothing at all": func(begun func()) llmtest.Reply {
			return func(_ http.ResponseWriter, r *http.Request) {
				begun()
				<-r.Context().Done()
			}
		},
		"stalls in the middle": func(begun func()) llmtest.Reply {
			return func(w http.ResponseWriter, r *http.Request) {
				open(w)
				_, _ = io.WriteString(w, wordEvent)
				_ = http.NewResponseController(w).Flush()
				begun()
				<-r.Context().Done()
			}
		},
		"floods": func(begun func()) llmtest.Reply {
			return func(w http.ResponseWriter, r *http.Request) {
				open(w)
				for n := 0; r.Context().Err() == nil; n++ {
					if n == 10_000 {
						begun()
					}
					if _, err := io.WriteString(w, wordEvent); err != nil {
						return
					}
				}
			}
		},
	}
}

// cancelTime asks a server through the whole program, including its store, cancels as Esc does once the
// server has begun, and returns how long the turn then took to end.
func cancelTime(tb testing.TB, reply func(begun func()) llmtest.Reply) time.Duration {
	tb.Helper()
	begun := make(chan struct{})
	server := llmtest.StartServer(reply(func() { close(begun) }))
	defer server.Close()
	home := tb.TempDir()
	tb.Setenv("HOME", filepath.Join(home, "user"))
	env := map[string]string{"NFA_BASE_URL": server.URL, "NFA_MODEL": "m", "NFA_API_KEY": "sk-canary-1234567890", "NFA_KEY_STORE": "file"}
	g := &globals{home: filepath.Join(home, "nfa")}
	g.env = func(name string) string { return env[name] }
	p, err := g.open(tb.Context(), app.Options{Agent: true})
	if err != nil {
		tb.Fatal(err)
	}
	defer p.Close()
	ctx, cancel := context.WithCancel(tb.Context())
	defer cancel()
	cancelled := make(chan time.Time, 1)
	go func() {
		<-begun
		cancelled <- time.Now()
		cancel()
	}()
	for e, err := range p.StartConversation(tb.Context()).Run(ctx, agent.Input{Text: "go"}) {
		if done, ok := e.(agent.TurnDone); ok && (done.Reason != agent.StopCancelled || err != nil) {
			tb.Fatalf("turn = %+v, %v; want it cancelled", done, err)
		}
	}
	return time.Since(<-cancelled)
}

func TestCancel_TheTurnIsOverAtOnceWhateverTheServerDoes(t *testing.T) {
	const most = 30 * time.Second // a turn that ignores the cancellation waits for 90 s, the idle timeout
	for name, reply := range faultyServers() {
		t.Run(name, func(t *testing.T) {
			if took := cancelTime(t, reply); took > most {
				t.Errorf("the turn was over %v after it was canceled", took)
			}
		})
	}
}

// BenchmarkCancel reports how long a turn takes to end after Esc, including its store.
func BenchmarkCancel(b *testing.B) {
	for name, reply := range faultyServers() {
		b.Run(name, func(b *testing.B) {
			var sum, worst time.Duration
			for b.Loop() {
				took := cancelTime(b, reply)
				sum, worst = sum+took, max(worst, took)
			}
			b.ReportMetric(float64(sum.Microseconds())/1000/float64(b.N), "ms/cancel")
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-worst")
			b.ReportMetric(0, "ns/op")
		})
	}
}
