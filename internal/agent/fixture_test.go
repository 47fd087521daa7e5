package agent_test

import (
	"context"
	"testing"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/session/sessiontest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// fixture is an agent and its dependencies, which a test may inspect.
type fixture struct {
	agent *agent.Agent
	store *sessiontest.Memory
	model *llmtest.Script
}

func newFixture(t *testing.T, turns ...llmtest.Turn) *fixture {
	t.Helper()
	w := &fixture{store: &sessiontest.Memory{}, model: &llmtest.Script{Turns: turns}}
	w.agent = w.newAgent(t, agent.Config{})
	return w
}

// newFixtureOf returns a fixture whose agent has only the given tool.
func newFixtureOf(t *testing.T, only tool.Tool, turns ...llmtest.Turn) *fixture {
	t.Helper()
	w := &fixture{store: &sessiontest.Memory{}, model: &llmtest.Script{Turns: turns}}
	w.agent = w.newAgent(t, agent.Config{}, only)
	return w
}

func (w *fixture) newAgent(t *testing.T, cfg agent.Config, tools ...tool.Tool) *agent.Agent {
	t.Helper()
	if tools == nil {
		tools = []tool.Tool{price(), save()}
	}
	router, err := tool.NewRouter(tools, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Store = w.store
	cfg.Setup = setup(agent.Setup{Model: w.model, ModelName: "test/script", Router: router, Prompt: "You are a test."})
	a, err := agent.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// setup returns a Setup that never changes.
func setup(s agent.Setup) func() (agent.Setup, error) {
	return func() (agent.Setup, error) { return s, nil }
}

func price() tool.Tool {
	type input struct {
		Symbol string `json:"symbol"`
	}
	return tool.New("price", "A price.", tool.Reads, func(_ context.Context, in input) (tool.Result, error) {
		if in.Symbol == "NOPE" {
			return tool.Errorf("unknown symbol NOPE")
		}
		return tool.Result{Value: map[string]string{"price": "12.50"}, Figures: figuresOf("12.50"), Summary: in.Symbol}, nil
	})
}

func save() tool.Tool {
	return tool.New("save", "Writes.", tool.Writes, func(context.Context, struct{}) (tool.Result, error) {
		return tool.Result{ForModel: "saved"}, nil
	})
}

func callFor(id, name, args string) llm.ToolCall {
	return llm.ToolCall{ID: id, Name: name, Arguments: args}
}

// turnOf runs a turn to its end and returns its events.
func turnOf(t *testing.T, c *agent.Conversation, text string) ([]agent.Event, agent.TurnDone, error) {
	t.Helper()
	var events []agent.Event
	var done agent.TurnDone
	var err error
	for e, eventErr := range c.Run(t.Context(), agent.Input{Text: text}) {
		events = append(events, e)
		if d, ok := e.(agent.TurnDone); ok {
			done, err = d, eventErr
		}
	}
	return events, done, err
}

func (w *fixture) entries(t *testing.T, c *agent.Conversation) []session.Entry {
	t.Helper()
	_, entries, err := w.store.Load(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

func kinds(entries []session.Entry) []session.Kind {
	var out []session.Kind
	for _, e := range entries {
		out = append(out, e.Kind)
	}
	return out
}
