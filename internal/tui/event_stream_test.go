package tui_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
)

// turnFrom returns a turn that yields the events of f.
func turnFrom(f func(ctx context.Context, yield func(agent.Event, error) bool)) tui.TurnFunc {
	return func(ctx context.Context) iter.Seq2[agent.Event, error] {
		return func(yield func(agent.Event, error) bool) { f(ctx, yield) }
	}
}

func TestEventStream_DeliversAtMostOneBatchAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tokens = 1000
		p := tui.StartStream(t.Context(), turnFrom(func(_ context.Context, yield func(agent.Event, error) bool) {
			for i := range tokens {
				yield(agent.TextDelta{Text: fmt.Sprint(i)}, nil)
				time.Sleep(time.Millisecond)
			}
		}))
		start, batches, events := time.Now(), 0, 0
		for {
			batch := p.Next()
			batches++
			for _, h := range batch.Events {
				if want := fmt.Sprint(events); h.Event.(agent.TextDelta).Text != want {
					t.Fatalf("event %v, want %s: out of order", h.Event, want)
				}
				events++
			}
			if batch.Ended {
				break
			}
		}
		if events != tokens {
			t.Errorf("%d events came, want %d", events, tokens)
		}
		if most := int(time.Since(start)/(time.Second/30)) + 2; batches > most {
			t.Errorf("%d batches in %v, want at most %d", batches, time.Since(start), most)
		}
	})
}

func TestEventStream_TheFirstEventDoesNotWaitForAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := tui.StartStream(t.Context(), turnFrom(func(ctx context.Context, yield func(agent.Event, error) bool) {
			yield(agent.TextDelta{Text: "now"}, nil)
			<-ctx.Done()
		}))
		start := time.Now()
		p.Next()
		if waited := time.Since(start); waited > 0 {
			t.Errorf("the first event waited %v", waited)
		}
		p.Cancel()
	})
}

func TestEventStream_APanicInATurnArrivesWithItsStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := tui.StartStream(t.Context(), turnFrom(func(context.Context, func(agent.Event, error) bool) { panic("CANARY") }))
		batch := p.Next()
		if len(batch.Events) != 1 || batch.Events[0].Crash == nil {
			t.Fatalf("Next = %+v, want the panic", batch)
		}
		if stack := batch.Events[0].Crash.Stack(); !strings.Contains(stack, t.Name()) || strings.Contains(stack, "CANARY") {
			t.Errorf("the stack does not name where it was:\n%s", stack)
		}
	})
}

func TestEventStream_SettleWaitsForTheTurnButNotForEver(t *testing.T) {
	const limit = 3 * time.Second
	for _, tt := range []struct {
		name       string
		lingers    time.Duration
		wantAtMost time.Duration
		wantKept   bool
	}{
		{"a turn that obeys", time.Second, time.Second, true},
		{"a turn that does not", time.Hour, limit, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				kept := make(chan struct{})
				p := tui.StartStream(t.Context(), turnFrom(func(ctx context.Context, yield func(agent.Event, error) bool) {
					<-ctx.Done()
					time.Sleep(tt.lingers)
					for range 1000 {
						yield(agent.TextDelta{Text: "late"}, nil)
					}
					close(kept)
				}))
				start := time.Now()
				p.Settle(limit)
				if took := time.Since(start); took > tt.wantAtMost {
					t.Errorf("settle took %v, want at most %v", took, tt.wantAtMost)
				}
				select {
				case <-kept:
					if !tt.wantKept {
						t.Error("settle waited for ever")
					}
				default:
					if tt.wantKept {
						t.Error("settle returned before the turn had ended")
					}
				}
				<-kept
			})
		})
	}
}

// Nobody reads events while an editor has the terminal.
func TestEventStream_ATurnContinuesWithoutAReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tokens = 10_000
		p := tui.StartStream(t.Context(), turnFrom(func(_ context.Context, yield func(agent.Event, error) bool) {
			for range tokens {
				yield(agent.TextDelta{Text: "word "}, nil)
			}
		}))
		synctest.Wait()
		batch := p.Next()
		if len(batch.Events) != tokens {
			t.Errorf("%d events were kept, want %d", len(batch.Events), tokens)
		}
	})
}
