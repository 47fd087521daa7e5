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
)

// PortfolioPath is the file of the book of a home.
func PortfolioPath(home string) string { return filepath.Join(home, "book.db") }

// PortfolioStore is the user's own things: what they own, who they are as investors, what they watch
// and what they decided. Reading makes no file: a book that was never written is empty. It
// is safe for concurrent use.
type PortfolioStore struct {
	path   string
	now    func() time.Time
	notice func(string)

	mu     sync.Mutex
	opened *sqlite.PortfolioStore
	// What this run met: why the file could not be used, and the ledger it read last.
	fault  error
	ledger *portfolio.Ledger
}

// NewPortfolioStore is the book of a home, which notice is told of what its owner should know: that
// no backup could be made.
func NewPortfolioStore(home string, now func() time.Time, notice func(string)) *PortfolioStore {
	return &PortfolioStore{path: PortfolioPath(home), now: now, notice: notice}
}

// open gives the one handle, and makes the file where it is missing.
func (b *PortfolioStore) open(ctx context.Context) (*sqlite.PortfolioStore, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened != nil {
		return b.opened, nil
	}
	book, err := sqlite.OpenPortfolioStore(context.WithoutCancel(ctx), b.path, sqlite.Options{Now: b.now, Notice: b.notice})
	if err == nil {
		b.opened = book
	}
	b.fault = cmp.Or(b.fault, err)
	return book, err
}

// remember remembers what a reading of the ledger came to.
func (b *PortfolioStore) remember(l portfolio.Ledger, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ledger, b.fault = &l, cmp.Or(b.fault, err)
}

// Fault is why nothing can be made of the book as this run met it: a file that does
// not read, or entries that do not hold together. Nil is a book that is sound, or was
// not looked at.
func (b *PortfolioStore) Fault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fault != nil || b.ledger == nil {
		return b.fault
	}
	return lots.Check(*b.ledger)
}

// readPortfolio is what the book says, and none where there is no file.
func readPortfolio[T any](ctx context.Context, b *PortfolioStore, empty T, query func(*sqlite.PortfolioStore) (T, error)) (T, error) {
	if _, err := os.Lstat(b.path); os.IsNotExist(err) {
		return empty, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return empty, err
	}
	return query(book)
}

func (b *PortfolioStore) write(ctx context.Context, update func(*sqlite.PortfolioStore) error) error {
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return update(book)
}

// Close gives the file back, where it was opened.
func (b *PortfolioStore) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened == nil {
		return nil
	}
	return b.opened.Close()
}
