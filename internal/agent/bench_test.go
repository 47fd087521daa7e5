package agent_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// talkWith is a conversation whose model plays these turns and whose tools answer at
// once. Whatever comes of an answer after its first words comes within one frame.
func talkWith(b testing.TB, turns []llmtest.Turn) *agent.Conversation {
	b.Helper()
	router, err := tool.NewRouter([]tool.Tool{price()}, tool.Options{})
	if err != nil {
		b.Fatal(err)
	}
	a, err := agent.New(agent.Config{
		Setup: setup(agent.Setup{Model: &llmtest.Script{Turns: turns}, Router: router}), Store: &sessiontest.Memory{},
		FlushEvery: time.Hour,
	})
	if err != nil {
		b.Fatal(err)
	}
	return a.Start()
}

// BenchmarkRun_ToolCalls is what the loop adds to a turn in which the model asks
// for one tool after the other, each of them answering at once.
func BenchmarkRun_ToolCalls(b *testing.B) {
	for _, n := range []int{5, 10, 20} {
		b.Run(fmt.Sprintf("calls=%d", n), func(b *testing.B) {
			var turns []llmtest.Turn
			for i := range n {
				turns = append(turns, llmtest.Call(callFor(fmt.Sprint("c", i), "price", fmt.Sprintf(`{"symbol":"S%d"}`, i))))
			}
			turns = append(turns, llmtest.Say("Done."))
			b.ReportAllocs()
			for b.Loop() {
				c, finished := talkWith(b, turns), 0
				for e, err := range c.Run(b.Context(), agent.Input{Text: "go"}) {
					if err != nil {
						b.Fatal(err)
					}
					if _, ok := e.(agent.ToolFinished); ok {
						finished++
					}
				}
				if finished != n {
					b.Fatalf("%d calls finished, want %d", finished, n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/call")
		})
	}
}

// BenchmarkRun_Text is what the loop adds to an answer of so many deltas, its
// figures checked at the end.
func BenchmarkRun_Text(b *testing.B) {
	for _, n := range []int{1_000, 2_000, 4_000} {
		b.Run(fmt.Sprintf("deltas=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sayInDeltas(b, n)
			}
		})
	}
}

// sayInDeltas is a turn whose answer comes in so many words, all at once.
func sayInDeltas(b testing.TB, n int) {
	b.Helper()
	words := strings.SplitAfter(strings.Repeat("The index rose by 12.50 in all and fell again. ", n/10), " ")
	c := talkWith(b, []llmtest.Turn{llmtest.Say(words[:n]...)})
	for _, err := range c.Run(b.Context(), agent.Input{Text: "go"}) {
		if err != nil {
			b.Fatal(err)
		}
	}
}

// A proxy that holds an answer back sends all of it within one frame.
func TestRun_AnAnswerInOneBreathTakesMemoryInProportion(t *testing.T) {
	allocated := func(n int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		sayInDeltas(t, n)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(1_000), allocated(8_000)
	if many > 20*few {
		t.Errorf("8,000 deltas take %d bytes and 1,000 take %d, want some 8 times as much", many, few)
	}
}
