package advice_test

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

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type journalArgs = toolstest.Args

// journalNow is a Friday evening.
const journalNow = "2024-06-28T20:00:00Z"

// memoryJournal keeps what a test writes.
type memoryJournal struct {
	mu        sync.Mutex
	decisions map[string]investor.Decision
	saves     int
	err       error // what every call yields: a disk that is gone
}

func (m *memoryJournal) Decisions(context.Context) ([]investor.Decision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []investor.Decision
	for _, d := range m.decisions {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b investor.Decision) int {
		if c := a.Date.Compare(b.Date); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all, m.err
}

func (m *memoryJournal) PutDecision(_ context.Context, d investor.Decision) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.err, d.Validate()); err != nil {
		return err
	}
	m.saves++
	m.decisions[d.ID] = d
	return nil
}

func (m *memoryJournal) RemoveDecision(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.decisions[id]; !ok {
		return investor.ErrEntryNotFound
	}
	m.saves++
	delete(m.decisions, id)
	return m.err
}

// journalFixture is the week up to now: VTI went from 100 to 120 dollars, BND from 50 to 51,
// SAP from 125 to 150 euros.
type journalFixture struct {
	*memoryJournal
	advice.JournalDeps
	toolstest.ApprovingUser
}

func newJournalFixture(t testing.TB, more ...market.Series) *journalFixture {
	t.Helper()
	first := toolstest.Day(t, "2024-06-24")
	sap := markettest.Daily("SAP", first, "125", "126", "130", "140", "150")
	sap.Provenance.Currency = "EUR"
	source := markettest.NewSource(append([]market.Series{
		markettest.Daily("VTI", first, "100", "105", "110", "115", "120"),
		markettest.Daily("BND", first, "50", "50", "50.5", "50.5", "51"), sap,
	}, more...)...)
	w := &journalFixture{memoryJournal: &memoryJournal{decisions: map[string]investor.Decision{}}, ApprovingUser: toolstest.ApprovingUser{Allow: true}}
	ids := 0
	prices := toolkit.Prices{Bars: source, Directory: source, Now: toolstest.Clock(t, journalNow)}
	w.JournalDeps = advice.JournalDeps{
		LatestPrices: toolkit.LatestPrices{Prices: prices, Quotes: source}, Journal: w.memoryJournal,
		NewID: func() (string, error) { ids++; return fmt.Sprintf("d%d", ids), nil },
	}
	return w
}

func (w *journalFixture) router(t testing.TB) *tool.Router {
	t.Helper()
	return w.Router(t, advice.JournalTools(w.JournalDeps))
}

func (w *journalFixture) call(t testing.TB, in journalArgs) tool.Result {
	t.Helper()
	return toolstest.CallRouter(t, w.router(t), "decision_journal", in)
}

// mustCall is ask for a result that must not be an error, with its value.
func (w *journalFixture) mustCall(t testing.TB, in journalArgs) (tool.Result, map[string]any) {
	t.Helper()
	res := w.call(t, in)
	if res.IsError {
		t.Fatalf("decision_journal %v = error: %s", in, res.ErrorText())
	}
	return res, toolstest.DecodeResult(t, res)
}

func journalDecimal(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func encodeJournal(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
