package toolstest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
)

// InvestorStore keeps the profile, the watchlist and the decision journal in memory. The
// zero value is empty. Set its fields before it is used.
type InvestorStore struct {
	Err           error  // of every call
	ProfileJSON   []byte // the profile as a store on disk has it, nil for none
	WatchBySymbol map[market.Symbol]investor.WatchedSymbol
	DecisionByID  map[string]investor.Decision
	Saves         int    // how often something was written
	AfterLoad     func() // if set, runs at the end of each Profile call

	mu sync.Mutex
}

// NewInvestorStore returns a store with a profile, nil for none.
func NewInvestorStore(t testing.TB, p *investor.Profile) *InvestorStore {
	t.Helper()
	s := &InvestorStore{}
	if p != nil {
		s.ProfileJSON = []byte(JSON(t, p))
	}
	return s
}

// Profile returns the profile, and false if there is none.
func (s *InvestorStore) Profile(context.Context) (p investor.Profile, ok bool, err error) {
	if s.AfterLoad != nil {
		defer s.AfterLoad()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Err != nil || s.ProfileJSON == nil {
		return p, false, s.Err
	}
	err = json.Unmarshal(s.ProfileJSON, &p)
	return p, err == nil, err
}

// SaveProfile replaces the profile.
func (s *InvestorStore) SaveProfile(_ context.Context, p investor.Profile) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(s.Err, p.Validate()); err != nil {
		return err
	}
	s.Saves++
	s.ProfileJSON, err = json.Marshal(p)
	return err
}

// Watches returns the watchlist by symbol.
func (s *InvestorStore) Watches(context.Context) ([]investor.WatchedSymbol, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.WatchBySymbol), func(a, b investor.WatchedSymbol) int {
		return strings.Compare(string(a.Symbol), string(b.Symbol))
	}), s.Err
}

// PutWatch adds or replaces an entry of the watchlist.
func (s *InvestorStore) PutWatch(_ context.Context, w investor.WatchedSymbol) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return put(s, &s.WatchBySymbol, w.Symbol, w, w.Validate())
}

// RemoveWatch removes an entry of the watchlist.
func (s *InvestorStore) RemoveWatch(_ context.Context, sym market.Symbol) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return remove(s, s.WatchBySymbol, sym)
}

// Decisions returns the journal by date.
func (s *InvestorStore) Decisions(context.Context) ([]investor.Decision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.DecisionByID), func(a, b investor.Decision) int {
		if c := a.Date.Compare(b.Date); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	}), s.Err
}

// PutDecision adds or replaces an entry of the journal.
func (s *InvestorStore) PutDecision(_ context.Context, d investor.Decision) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return put(s, &s.DecisionByID, d.ID, d, d.Validate())
}

// RemoveDecision removes an entry of the journal.
func (s *InvestorStore) RemoveDecision(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return remove(s, s.DecisionByID, id)
}

func put[K comparable, V any](s *InvestorStore, entries *map[K]V, key K, value V, invalid error) error {
	if err := errors.Join(s.Err, invalid); err != nil {
		return err
	}
	if *entries == nil {
		*entries = map[K]V{}
	}
	s.Saves++
	(*entries)[key] = value
	return nil
}

func remove[K comparable, V any](s *InvestorStore, entries map[K]V, key K) error {
	if _, ok := entries[key]; !ok {
		return investor.ErrEntryNotFound
	}
	s.Saves++
	delete(entries, key)
	return s.Err
}
