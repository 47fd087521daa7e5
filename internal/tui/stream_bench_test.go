package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/agent"
)

// BenchmarkStream handles tokens that arrive at 1,000 a second, 33 per frame, and draws each frame. It is in
// the internal package because with an EventStream it would wait for the frames; it measures only their cost.
func BenchmarkStream(b *testing.B) {
	for _, tokens := range []int{5_000, 10_000, 20_000} {
		b.Run(fmt.Sprintf("tokens=%d", tokens), func(b *testing.B) {
			batches := streamBatches(tokens, 33)
			b.ReportAllocs()
			for b.Loop() {
				m := New(context.Background(), Config{Theme: ThemeDark})
				m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
				m.turn = &runningTurn{Turn: &Turn{EventStream: &EventStream{}}, view: m.transcript.Begin("go on")}
				m.activity.Begin("writing")
				for _, batch := range batches {
					m.Update(turnMsg{turn: m.turn, EventBatch: batch})
					m.View()
				}
				m.Update(turnMsg{turn: m.turn, EventBatch: EventBatch{Ended: true}})
			}
		})
	}
}

func streamBatches(tokens, perFrame int) []EventBatch {
	words := strings.Fields(strings.Repeat("The index rose 98.6% in total, with a **max drawdown** of 53.3%. ", 8))
	var batches []EventBatch
	for i := range tokens {
		if i%perFrame == 0 {
			batches = append(batches, EventBatch{})
		}
		word := words[i%len(words)] + " "
		if i%60 == 59 {
			word = "\n\n"
		}
		last := &batches[len(batches)-1]
		last.Events = append(last.Events, StreamEvent{Event: agent.TextDelta{Text: word}})
	}
	return batches
}
