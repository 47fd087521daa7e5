package portfoliotest

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Store is a portfolio.Store in memory; the zero value is empty. It passes RunStore.
type Store struct {
	writing sync.Mutex // held by Update; its change function may still read the ledger
	mu      sync.Mutex
	ledger  portfolio.Ledger
}

// Ledger returns a copy.
func (s *Store) Ledger(ctx context.Context) (portfolio.Ledger, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return clone(s.ledger), ctx.Err()
}

// Update applies the change returned by change.
func (s *Store) Update(ctx context.Context, change func(portfolio.Ledger) (portfolio.Change, error)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	l, err := s.Ledger(ctx)
	if err != nil {
		return err
	}
	c, err := change(l)
	if err != nil {
		return err
	}
	after, err := l.Apply(c)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ledger = clone(after)
	return nil
}

// clone protects the stored ledger from changes by callers.
func clone(l portfolio.Ledger) portfolio.Ledger {
	l.Accounts, l.Aliases = slices.Clone(l.Accounts), maps.Clone(l.Aliases)
	l.Securities, l.Targets = slices.Clone(l.Securities), slices.Clone(l.Targets)
	l.Transactions = slices.Clone(l.Transactions)
	for i := range l.Transactions {
		l.Transactions[i].Lots = slices.Clone(l.Transactions[i].Lots)
	}
	return l
}
