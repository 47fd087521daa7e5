package app

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// PortfolioPath returns the path of the portfolio database in a data folder.
func PortfolioPath(home string) string { return filepath.Join(home, "book.db") }

// PortfolioStore stores the ledger, the investor profile, the watchlist and the decision journal.
// Reading creates no file: a missing file reads as empty. It is safe for concurrent use.
type PortfolioStore struct {
	path   string
	now    func() time.Time
	notice func(string)
	shared *SharedStore // instead of the file; or nil

	mu     sync.Mutex
	opened *sqlite.PortfolioStore
	// State of this run: why the file could not be used, and the last ledger.
	fault  error
	ledger *portfolio.Ledger
}

// NewPortfolioStore returns the portfolio store of a data folder without opening it. notice
// receives warnings, such as a failed backup.
func NewPortfolioStore(home string, now func() time.Time, notice func(string)) *PortfolioStore {
	return &PortfolioStore{path: PortfolioPath(home), now: now, notice: notice}
}

// open opens the database, creates the file if it is missing, and returns the same handle on every
// call.
func (b *PortfolioStore) open(ctx context.Context) (*sqlite.PortfolioStore, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened != nil {
		return b.opened, nil
	}
	store, err := sqlite.OpenPortfolioStore(context.WithoutCancel(ctx), b.path, sqlite.Options{Now: b.now, Notice: b.notice})
	if err == nil {
		b.opened = store
	}
	b.fault = cmp.Or(b.fault, err)
	return store, err
}

// remember records the result of reading the ledger, for Fault.
func (b *PortfolioStore) remember(l portfolio.Ledger, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ledger, b.fault = &l, cmp.Or(b.fault, err)
}

func (b *PortfolioStore) rememberFault(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fault = cmp.Or(b.fault, err)
}

// Fault returns why the portfolio could not be used in this run: the file cannot be read, or its
// transactions contradict each other. It returns nil if the portfolio is valid or was not read.
func (b *PortfolioStore) Fault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fault != nil || b.ledger == nil {
		return b.fault
	}
	return lots.Check(*b.ledger)
}

// readPortfolio returns the result of query, or empty if there is no file.
func readPortfolio[T any](ctx context.Context, b *PortfolioStore, empty T, query func(sqlstore.Portfolio) (T, error)) (T, error) {
	if b.shared != nil {
		store, err := b.shared.Portfolio(ctx)
		if err != nil {
			b.rememberFault(err)
			return empty, err
		}
		return query(store)
	}
	if _, err := os.Lstat(b.path); os.IsNotExist(err) {
		err := sqlite.CheckPortfolioMissing(b.path)
		b.rememberFault(err)
		return empty, err
	}
	store, err := b.open(ctx)
	if err != nil {
		return empty, err
	}
	return query(store.Portfolio)
}

func (b *PortfolioStore) write(ctx context.Context, update func(sqlstore.Portfolio) error) error {
	if b.shared.viewsAll() {
		return errViewsAll
	}
	if b.shared != nil {
		store, err := b.shared.Portfolio(ctx)
		if err != nil {
			return err
		}
		return update(store)
	}
	store, err := b.open(ctx)
	if err != nil {
		return err
	}
	return update(store.Portfolio)
}

// Close closes the file if it was opened.
func (b *PortfolioStore) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened == nil {
		return nil
	}
	return b.opened.Close()
}
