package cabinet

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// BookPath is the file of the book of a home.
func BookPath(home string) string { return filepath.Join(home, "book.db") }

// Book is the user's own things: what they own, who they are as investors, what they watch
// and what they decided. Reading makes no file: a book that was never written is empty. It
// is safe for concurrent use.
type Book struct {
	path   string
	now    func() time.Time
	notice func(string)

	mu     sync.Mutex
	opened *sqlite.Book
	// What this run met: why the file could not be used, and the ledger it read last.
	failed error
	last   *portfolio.Ledger
}

// NewBook is the book of a home, which notice is told of what its owner should know: that
// no backup could be made.
func NewBook(home string, now func() time.Time, notice func(string)) *Book {
	return &Book{path: BookPath(home), now: now, notice: notice}
}

// open gives the one handle, and makes the file where it is missing.
func (b *Book) open(ctx context.Context) (*sqlite.Book, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened != nil {
		return b.opened, nil
	}
	book, err := sqlite.OpenBook(context.WithoutCancel(ctx), b.path, sqlite.Options{Now: b.now, Notice: b.notice})
	if err == nil {
		b.opened = book
	}
	b.failed = cmp.Or(b.failed, err)
	return book, err
}

// met remembers what a reading of the ledger came to.
func (b *Book) met(l portfolio.Ledger, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last, b.failed = &l, cmp.Or(b.failed, err)
}

// Fault is why nothing can be made of the book as this run met it: a file that does
// not read, or entries that do not hold together. Nil is a book that is sound, or was
// not looked at.
func (b *Book) Fault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed != nil || b.last == nil {
		return b.failed
	}
	return replay.Check(*b.last)
}

// read is what the book says, and none where there is no file.
func read[T any](ctx context.Context, b *Book, none T, ask func(*sqlite.Book) (T, error)) (T, error) {
	if _, err := os.Lstat(b.path); os.IsNotExist(err) {
		return none, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return none, err
	}
	return ask(book)
}

func (b *Book) write(ctx context.Context, do func(*sqlite.Book) error) error {
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return do(book)
}

// Close gives the file back, where it was opened.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened == nil {
		return nil
	}
	return b.opened.Close()
}
