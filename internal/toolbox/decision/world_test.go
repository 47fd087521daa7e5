package decision_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/decision"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

type args = toolboxtest.Args

// now is a Friday evening.
const now = "2024-06-28T20:00:00Z"

// memory keeps what a test writes.
type memory struct {
	mu        sync.Mutex
	decisions map[string]journal.Decision
	saves     int
	err       error // what every call yields: a disk that is gone
}

func (m *memory) Decisions(context.Context) ([]journal.Decision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []journal.Decision
	for _, d := range m.decisions {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b journal.Decision) int {
		if c := a.Date.Compare(b.Date); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all, m.err
}

func (m *memory) PutDecision(_ context.Context, d journal.Decision) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.err, d.Validate()); err != nil {
		return err
	}
	m.saves++
	m.decisions[d.ID] = d
	return nil
}

func (m *memory) RemoveDecision(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.decisions[id]; !ok {
		return journal.ErrNotFound
	}
	m.saves++
	delete(m.decisions, id)
	return m.err
}

// world is the week up to now: VTI went from 100 to 120 dollars, BND from 50 to 51,
// SAP from 125 to 150 euros.
type world struct {
	*memory
	decision.Deps
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
	w := &world{memory: &memory{decisions: map[string]journal.Decision{}}, User: toolboxtest.User{Allow: true}}
	ids := 0
	prices := question.Prices{Bars: source, Directory: source, Now: toolboxtest.Clock(t, now)}
	w.Deps = decision.Deps{
		Newest: question.Newest{Prices: prices, Quotes: source}, Journal: w.memory,
		NewID: func() (string, error) { ids++; return fmt.Sprintf("d%d", ids), nil },
	}
	return w
}

func (w *world) router(t testing.TB) *tool.Router {
	t.Helper()
	return w.Router(t, decision.Tools(w.Deps))
}

func (w *world) ask(t testing.TB, in args) tool.Result {
	t.Helper()
	return toolboxtest.Ask(t, w.router(t), "decision_journal", in)
}

// done is ask for a result that must not be an error, with its value.
func (w *world) done(t testing.TB, in args) (tool.Result, map[string]any) {
	t.Helper()
	res := w.ask(t, in)
	if res.IsError {
		t.Fatalf("decision_journal %v = error: %s", in, res.ErrorText())
	}
	return res, toolboxtest.Decoded(t, res)
}

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func encoded(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
