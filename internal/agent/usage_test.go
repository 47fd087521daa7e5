package agent_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// sums returns the usage of the turn and of the session, without the size of the next request.
func sums(a agent.UsageSummary) [2]agent.Usage { return [2]agent.Usage{a.Turn, a.Session} }

func TestAccount_SumsATurnAndTheSessionAlsoAfterARestart(t *testing.T) {
	// cents returns a cost of one cent per token.
	w := limited(t, agent.Limits{}, cents,
		using(3, llmtest.Call(callFor("a", "price", `{"symbol":"A"}`))), using(4, llmtest.Say("One.")), using(5, llmtest.Say("Two.")))
	c := w.agent.Start()
	if got := c.UsageSummary(); got != (agent.UsageSummary{}) {
		t.Errorf("Account before anything = %+v", got)
	}
	used := func(tokens, answers int, cost string) agent.Usage {
		return agent.Usage{Tokens: llm.Usage{InputTokens: tokens}, CostUSD: usd(cost), Answers: answers}
	}
	wantStop(t, c, agent.StopAnswered, 2)
	if diff := cmp.Diff([2]agent.Usage{used(7, 2, "0.07"), used(7, 2, "0.07")}, sums(c.UsageSummary())); diff != "" {
		t.Errorf("after the first turn (-want +got):\n%s", diff)
	}
	wantStop(t, c, agent.StopAnswered, 1)
	if diff := cmp.Diff([2]agent.Usage{used(5, 1, "0.05"), used(12, 3, "0.12")}, sums(c.UsageSummary())); diff != "" {
		t.Errorf("after the second turn (-want +got):\n%s", diff)
	}
	again := w.resumed(t, c.ID()).UsageSummary()
	if diff := cmp.Diff(used(12, 3, "0.12"), again.Session); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
}

func TestAccount_SaysWhatIsNotInIt(t *testing.T) {
	w := newFixture(t, using(3, llmtest.Say("One.")), llmtest.Say("Two."))
	c := w.agent.Start()
	wantStop(t, c, agent.StopAnswered, 1)
	if got := c.UsageSummary().Session; !got.Unpriced || got.Uncounted || !got.CostUSD.IsZero() {
		t.Errorf("without a price: %+v, want it unpriced and nothing else", got)
	}
	wantStop(t, c, agent.StopAnswered, 1)
	if got := c.UsageSummary().Session; !got.Uncounted {
		t.Errorf("after an answer that the server did not count: %+v, want it said", got)
	}
	if got := w.resumed(t, c.ID()).UsageSummary().Session; !got.Uncounted || !got.Unpriced {
		t.Errorf("after a restart: %+v, want both said", got)
	}
}

func TestAccount_SaysHowFullTheNextRequestIs(t *testing.T) {
	w := newFixture(t, using(300, llmtest.Say("One.")))
	c := w.agent.Start()
	wantStop(t, c, agent.StopAnswered, 1)
	if got := c.UsageSummary().Context; got != 300 {
		t.Errorf("Context = %d, want what the server counted, 300", got)
	}
}
