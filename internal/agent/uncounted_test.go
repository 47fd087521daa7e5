package agent_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// manyWords is the length of an answer that costs more than the whole limit, at a cent per token
// and by the estimate of a token for three bytes.
const manyWords = 300 // "word " each: 500 tokens

func TestLimits_OfCostHoldWhereTheServerCountsNothing(t *testing.T) {
	words := strings.Repeat("word ", manyWords)
	cut := llmtest.Turn{Text: []string{words}, Err: &llm.Error{Kind: llm.KindServer, Message: "down"}}
	for name, first := range map[string]llmtest.Turn{
		"a whole answer":         llmtest.Say(words),
		"an answer that was cut": cut,
	} {
		t.Run(name, func(t *testing.T) {
			w := limited(t, agent.Limits{SessionCost: usd("5")}, cents, first, llmtest.Say("never asked for"))
			c := w.agent.Start()
			_, done, _ := turnOf(t, c, "go")
			if done.CostUSD == nil || !done.CostUSD.IsZero() {
				t.Errorf("the turn cost %v, want what the server counted, which is nothing", done.CostUSD)
			}
			wantStop(t, c, agent.StopSessionCost, 0)
			wantStop(t, w.resumed(t, c.ID()), agent.StopSessionCost, 0)
			wantStop(t, w.forked(t, c.ID(), 1), agent.StopSessionCost, 0)
		})
	}
}

func TestLimits_OfATurnsCostHoldWhereTheServerCountsNothing(t *testing.T) {
	call := llmtest.Call(callFor("a", "price", `{"symbol":"A"}`))
	call.Text = []string{strings.Repeat("word ", manyWords)}
	w := limited(t, agent.Limits{Cost: usd("5")}, cents, call, llmtest.Say("never asked for"))
	wantStop(t, w.agent.Start(), agent.StopCostLimit, 1)
}

func TestLimits_OfCostCountNothingThatWasRefused(t *testing.T) {
	refused := llmtest.Fail(&llm.Error{Kind: llm.KindAuth, Status: 401})
	w := limited(t, agent.Limits{SessionCost: usd("0.01")}, cents, refused, llmtest.Say("Fine."))
	c := w.agent.Start()
	if _, done, err := turnOf(t, c, "go"); llm.KindOf(err) != llm.KindAuth {
		t.Fatalf("turn = %+v, %v", done, err)
	}
	wantStop(t, c, agent.StopAnswered, 1)
}

func TestLimits_OfCostCountASummaryThatTheServerDidNotCount(t *testing.T) {
	summary := llmtest.Say(strings.Repeat("note ", manyWords))
	w := limited(t, agent.Limits{SessionCost: usd("5")}, cents,
		using(1, llmtest.Say("One.")), using(1, llmtest.Say("Two.")), using(1, llmtest.Say("Three.")), summary)
	c := w.agent.Start()
	for range 3 {
		wantStop(t, c, agent.StopAnswered, 1)
	}
	if done, err := c.Compact(t.Context()); err != nil || !done.Summarised {
		t.Fatalf("Compact = %+v, %v; want a summary", done, err)
	}
	wantStop(t, c, agent.StopSessionCost, 0)
	wantStop(t, w.resumed(t, c.ID()), agent.StopSessionCost, 0)
}
