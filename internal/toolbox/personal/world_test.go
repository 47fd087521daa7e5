package personal_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/personal"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = toolboxtest.Args

// now is a Friday evening.
const now = "2024-06-28T20:00:00Z"

// memory keeps what a test writes, each as the JSON that a store on disk would keep.
type memory struct {
	mu      sync.Mutex
	profile []byte
	watches map[market.Symbol]journal.Watch
	err     error // what every call yields: a disk that is gone
	saves   int
	pause   func() // while a profile is being loaded
}

func (m *memory) Profile(context.Context) (p investor.Profile, ok bool, err error) {
	if m.pause != nil {
		defer m.pause()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err != nil || m.profile == nil {
		return p, false, m.err
	}
	err = json.Unmarshal(m.profile, &p)
	return p, err == nil, err
}

func (m *memory) SaveProfile(_ context.Context, p investor.Profile) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.err, p.Validate()); err != nil {
		return err
	}
	m.saves++
	m.profile, err = json.Marshal(p)
	return err
}

func (m *memory) Watches(context.Context) ([]journal.Watch, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []journal.Watch
	for _, w := range m.watches {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b journal.Watch) int { return strings.Compare(string(a.Symbol), string(b.Symbol)) })
	return all, m.err
}

func (m *memory) PutWatch(_ context.Context, w journal.Watch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.err, w.Validate()); err != nil {
		return err
	}
	m.saves++
	m.watches[w.Symbol] = w
	return nil
}

func (m *memory) RemoveWatch(_ context.Context, sym market.Symbol) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.watches[sym]; !ok {
		return journal.ErrNotFound
	}
	m.saves++
	delete(m.watches, sym)
	return m.err
}

// world is the week up to now: VTI went from 100 to 120 dollars, BND from 50 to 51,
// SAP from 125 to 150 euros.
type world struct {
	*memory
	personal.Deps
	toolboxtest.User
}

func newWorld(t testing.TB, more ...market.Series) *world {
	t.Helper()
	first := toolboxtest.Day(t, "2024-06-24")
	sap := markettest.Daily("SAP", first, "125", "126", "130", "140", "150")
	sap.Provenance.Currency = "EUR"
	source := markettest.NewSource(append([]market.Series{
		markettest.Daily("VTI", first, "100", "105", "110", "115", "120"),
		markettest.Daily("BND", first, "50", "50", "50.5", "50.5", "51"), sap,
	}, more...)...)
	w := &world{memory: &memory{watches: map[market.Symbol]journal.Watch{}}, User: toolboxtest.User{Allow: true}}
	prices := question.Prices{Bars: source, Directory: source, Now: toolboxtest.Clock(t, now)}
	w.Deps = personal.Deps{Newest: question.Newest{Prices: prices, Quotes: source}, Investor: w.memory, Watchlist: w.memory}
	return w
}

func (w *world) router(t testing.TB, scope tool.Scope) *tool.Router {
	t.Helper()
	w.Scope = scope
	return w.Router(t, personal.Tools(w.Deps))
}

func (w *world) ask(t testing.TB, name string, in args) tool.Result {
	t.Helper()
	return toolboxtest.Ask(t, w.router(t, tool.Once), name, in)
}

// done is ask for a result that must not be an error, with its value.
func (w *world) done(t testing.TB, name string, in args) (tool.Result, map[string]any) {
	t.Helper()
	res := w.ask(t, name, in)
	if res.IsError {
		t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res, toolboxtest.Decoded(t, res)
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func answer(t testing.TB, w *world, answers args) (tool.Result, map[string]any) {
	t.Helper()
	return w.done(t, "investor_profile", args{"action": "answer", "answers": answers})
}

func callOf(name, arguments string) llm.ToolCall {
	return llm.ToolCall{ID: "1", Name: name, Arguments: arguments}
}
