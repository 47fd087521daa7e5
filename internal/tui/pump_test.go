package tui

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
)

// spoken is a Conversation of one turn.
type spoken func(ctx context.Context, yield func(agent.Event, error) bool)

func (spoken) ID() string { return "p" }

func (s spoken) Run(ctx context.Context, _ agent.Input) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) { s(ctx, yield) }
}

func TestPump_HandsOverAtMostOneBatchAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tokens = 1000
		p := startPump(t.Context(), spoken(func(_ context.Context, yield func(agent.Event, error) bool) {
			for i := range tokens {
				yield(agent.TextDelta{Text: fmt.Sprint(i)}, nil)
				time.Sleep(time.Millisecond)
			}
		}), agent.Input{})
		start, batches, events := time.Now(), 0, 0
		for {
			msg := p.next().(turnMsg)
			batches++
			for _, h := range msg.batch {
				if want := fmt.Sprint(events); h.event.(agent.TextDelta).Text != want {
					t.Fatalf("event %v, want %s: out of order", h.event, want)
				}
				events++
			}
			if msg.ended {
				break
			}
		}
		if events != tokens {
			t.Errorf("%d events came, want %d", events, tokens)
		}
		if most := int(time.Since(start)/frame) + 2; batches > most {
			t.Errorf("%d batches in %v, want at most %d", batches, time.Since(start), most)
		}
	})
}

func TestPump_TheFirstEventDoesNotWaitForAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := startPump(t.Context(), spoken(func(ctx context.Context, yield func(agent.Event, error) bool) {
			yield(agent.TextDelta{Text: "now"}, nil)
			<-ctx.Done()
		}), agent.Input{})
		start := time.Now()
		p.next()
		if waited := time.Since(start); waited > 0 {
			t.Errorf("the first event waited %v", waited)
		}
		p.cancel()
	})
}

func TestPump_APanicInATurnArrivesAsACrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := startPump(t.Context(), spoken(func(context.Context, func(agent.Event, error) bool) { panic("boom") }), agent.Input{})
		msg := p.next().(turnMsg)
		if len(msg.batch) != 1 || msg.batch[0].crash == nil || msg.batch[0].crash.Value != "boom" {
			t.Fatalf("next = %+v, want the crash", msg)
		}
	})
}

func TestPump_SettleWaitsForTheTurnButNotForEver(t *testing.T) {
	for _, tt := range []struct {
		name       string
		lingers    time.Duration
		wantAtMost time.Duration
		wantKept   bool
	}{
		{"a turn that obeys", time.Second, time.Second, true},
		{"a turn that does not", time.Hour, settleTime, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				kept := make(chan struct{})
				p := startPump(t.Context(), spoken(func(ctx context.Context, yield func(agent.Event, error) bool) {
					<-ctx.Done()
					time.Sleep(tt.lingers)
					for range 1000 {
						yield(agent.TextDelta{Text: "late"}, nil)
					}
					close(kept)
				}), agent.Input{})
				start := time.Now()
				p.settle(settleTime)
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

// While an editor has the terminal nobody takes anything.
func TestPump_ATurnGoesOnThoughNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const tokens = 10_000
		p := startPump(t.Context(), spoken(func(_ context.Context, yield func(agent.Event, error) bool) {
			for range tokens {
				yield(agent.TextDelta{Text: "word "}, nil)
			}
		}), agent.Input{})
		synctest.Wait()
		msg := p.next().(turnMsg)
		if len(msg.batch) != tokens {
			t.Errorf("%d events were kept, want %d", len(msg.batch), tokens)
		}
	})
}
