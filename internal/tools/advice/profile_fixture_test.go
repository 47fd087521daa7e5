package advice_test

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
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/advice"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

type profileArgs = toolstest.Args

// profileNow is a Friday evening.
const profileNow = "2024-06-28T20:00:00Z"

// memoryProfiles keeps what a test writes, each as the JSON that a store on disk would keep.
type memoryProfiles struct {
	mu      sync.Mutex
	profile []byte
	watches map[market.Symbol]investor.WatchedSymbol
	err     error // what every call yields: a disk that is gone
	saves   int
	pause   func() // while a profile is being loaded
}

func (m *memoryProfiles) Profile(context.Context) (p investor.Profile, ok bool, err error) {
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

func (m *memoryProfiles) SaveProfile(_ context.Context, p investor.Profile) (err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.err, p.Validate()); err != nil {
		return err
	}
	m.saves++
	m.profile, err = json.Marshal(p)
	return err
}

func (m *memoryProfiles) Watches(context.Context) ([]investor.WatchedSymbol, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []investor.WatchedSymbol
	for _, w := range m.watches {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b investor.WatchedSymbol) int { return strings.Compare(string(a.Symbol), string(b.Symbol)) })
	return all, m.err
}

func (m *memoryProfiles) PutWatch(_ context.Context, w investor.WatchedSymbol) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := errors.Join(m.err, w.Validate()); err != nil {
		return err
	}
	m.saves++
	m.watches[w.Symbol] = w
	return nil
}

func (m *memoryProfiles) RemoveWatch(_ context.Context, sym market.Symbol) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.watches[sym]; !ok {
		return investor.ErrEntryNotFound
	}
	m.saves++
	delete(m.watches, sym)
	return m.err
}

// profileFixture is the week up to now: VTI went from 100 to 120 dollars, BND from 50 to 51,
// SAP from 125 to 150 euros.
type profileFixture struct {
	*memoryProfiles
	advice.ProfileDeps
	toolstest.ApprovingUser
}

func newProfileFixture(t testing.TB, more ...market.Series) *profileFixture {
	t.Helper()
	first := toolstest.Day(t, "2024-06-24")
	sap := markettest.Daily("SAP", first, "125", "126", "130", "140", "150")
	sap.Provenance.Currency = "EUR"
	source := markettest.NewSource(append([]market.Series{
		markettest.Daily("VTI", first, "100", "105", "110", "115", "120"),
		markettest.Daily("BND", first, "50", "50", "50.5", "50.5", "51"), sap,
	}, more...)...)
	w := &profileFixture{memoryProfiles: &memoryProfiles{watches: map[market.Symbol]investor.WatchedSymbol{}}, ApprovingUser: toolstest.ApprovingUser{Allow: true}}
	prices := toolkit.Prices{Bars: source, Directory: source, Now: toolstest.Clock(t, profileNow)}
	w.ProfileDeps = advice.ProfileDeps{LatestPrices: toolkit.LatestPrices{Prices: prices, Quotes: source}, Investor: w.memoryProfiles, Watchlist: w.memoryProfiles}
	return w
}

func (w *profileFixture) router(t testing.TB, scope tool.Scope) *tool.Router {
	t.Helper()
	w.Scope = scope
	return w.Router(t, advice.ProfileTools(w.ProfileDeps))
}

func (w *profileFixture) call(t testing.TB, name string, in profileArgs) tool.Result {
	t.Helper()
	return toolstest.CallRouter(t, w.router(t, tool.Once), name, in)
}

// mustCall is ask for a result that must not be an error, with its value.
func (w *profileFixture) mustCall(t testing.TB, name string, in profileArgs) (tool.Result, map[string]any) {
	t.Helper()
	res := w.call(t, name, in)
	if res.IsError {
		t.Fatalf("%s %v = error: %s", name, in, res.ErrorText())
	}
	return res, toolstest.DecodeResult(t, res)
}

func profileDecimal(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func answer(t testing.TB, w *profileFixture, answers profileArgs) (tool.Result, map[string]any) {
	t.Helper()
	return w.mustCall(t, "investor_profile", profileArgs{"action": "answer", "answers": answers})
}

func callOf(name, arguments string) llm.ToolCall {
	return llm.ToolCall{ID: "1", Name: name, Arguments: arguments}
}
