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

// talkWith returns a conversation whose model plays these turns and whose tools answer at once. After the
// first text, all of an answer arrives within one frame.
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

// BenchmarkRun_ToolCalls measures what the loop adds to a turn in which the model calls one tool after the
// other, each answering at once.
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

// BenchmarkRun_Text measures what the loop adds to an answer of this many deltas, including the check of
// its figures.
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

// sayInDeltas returns a turn whose answer arrives in this many words, all at once.
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

// A buffering proxy sends a whole answer within one frame.
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
