package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
	"github.com/nfa-cli/nfa/internal/portfolio/replay"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox"
	"github.com/nfa-cli/nfa/internal/workspace"
)

// bookStore opens the file of the book when it is first needed. Reading makes none:
// a book that was never written is empty.
type bookStore struct {
	path   string
	notice func(string) // told what the user should know: that no backup could be made

	mu     sync.Mutex
	opened *sqlite.Book
	// What this run met: why the file could not be used, and the ledger it read last.
	failed error
	last   *portfolio.Ledger
}

func newBookStore(home string, notice func(string)) *bookStore {
	return &bookStore{path: filepath.Join(home, "book.db"), notice: notice}
}

var _ toolbox.Book = (*bookStore)(nil)

// withBook gives the tools the user's own things.
func (h *house) withBook(g *globals, d toolbox.Deps) toolbox.Deps {
	d.Book, d.Base, d.Benchmark, d.HideAmounts = h.book, h.cfg.BaseCurrency, h.cfg.Benchmark, !h.cfg.ShareAmounts && !h.byHand
	d.NewIDs = func(n int) ([]string, error) { return portfolio.NewIDs(clock(), rand.Reader, n) }
	files := workspace.New(workspace.Options{Dir: ".", Home: h.home})
	d.ReadFile = func(path string) (string, []byte, error) {
		switch {
		case h.byHand && path == "-":
			return readStandard(g.in)
		case h.byHand:
			return readWhole(path)
		}
		return files.Bytes(path, sheet.Most)
	}
	return d
}

// readWhole reads a file that the user named on the command line.
func readWhole(path string) (name string, raw []byte, err error) {
	// Looked at first: opening a pipe waits for who writes to it, whatever the signal.
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if !info.Mode().IsRegular() {
		return "", nil, fmt.Errorf("%s is no ordinary file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	raw, err = readBounded(f, path)
	return filepath.Base(path), raw, err
}

// readStandard reads a file that the user sends in.
func readStandard(in *os.File) (name string, raw []byte, err error) {
	const from = "standard input"
	if console.IsTerminal(in) {
		return "", nil, fmt.Errorf("nothing is sent to %s: nfa portfolio import - < FILE", from)
	}
	raw, err = readBounded(in, from)
	return from, raw, err
}

func readBounded(from io.Reader, name string) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(from, sheet.Most+1))
	if err == nil && len(raw) > sheet.Most {
		err = fmt.Errorf("%s is larger than %d MiB", name, sheet.Most>>20)
	}
	return raw, err
}

// open gives the one handle, and makes the file where it is missing.
func (b *bookStore) open(ctx context.Context) (*sqlite.Book, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened != nil {
		return b.opened, nil
	}
	book, err := sqlite.OpenBook(context.WithoutCancel(ctx), b.path, sqlite.Options{Now: clock, Notice: b.notice})
	if err == nil {
		b.opened = book
	}
	b.failed = cmp.Or(b.failed, err)
	return book, err
}

// met remembers what a reading of the ledger came to.
func (b *bookStore) met(l portfolio.Ledger, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last, b.failed = &l, cmp.Or(b.failed, err)
}

// fault is why nothing can be made of the book as this run met it: a file that does
// not read, or entries that do not hold together. Nil is a book that is sound, or was
// not looked at.
func (b *bookStore) fault() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed != nil || b.last == nil {
		return b.failed
	}
	return replay.Check(*b.last)
}

// blamed takes the code from a failure for which the book itself is the reason: no
// other call would have done better.
func (h *house) blamed(r tool.Result) tool.Result {
	if r.IsError && (r.Code == tool.CodeValidation || r.Code == tool.CodeNoData) && h.book.fault() != nil {
		r.Code = ""
	}
	return r
}

// read is what the book says, and none where there is no file.
func read[T any](ctx context.Context, b *bookStore, none T, ask func(*sqlite.Book) (T, error)) (T, error) {
	if _, err := os.Lstat(b.path); os.IsNotExist(err) {
		return none, nil
	}
	book, err := b.open(ctx)
	if err != nil {
		return none, err
	}
	return ask(book)
}

func (b *bookStore) write(ctx context.Context, do func(*sqlite.Book) error) error {
	book, err := b.open(ctx)
	if err != nil {
		return err
	}
	return do(book)
}

func (b *bookStore) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.opened == nil {
		return nil
	}
	return b.opened.Close()
}

// Ledger is all that is recorded.
func (b *bookStore) Ledger(ctx context.Context) (portfolio.Ledger, error) {
	return read(ctx, b, portfolio.Ledger{}, func(s *sqlite.Book) (portfolio.Ledger, error) {
		l, err := s.Ledger(ctx)
		b.met(l, err)
		return l, err
	})
}

// Update changes the ledger.
func (b *bookStore) Update(ctx context.Context, change func(portfolio.Ledger) (portfolio.Change, error)) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.Update(ctx, change) })
}

// Mapping is how the columns of a file are read.
func (b *bookStore) Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error) {
	doc, err = read(ctx, b, nil, func(s *sqlite.Book) (json.RawMessage, error) {
		doc, found, err := s.Mapping(ctx, name)
		ok = found
		return doc, err
	})
	return doc, ok, err
}

// Mappings are the names of all.
func (b *bookStore) Mappings(ctx context.Context) ([]string, error) {
	return read(ctx, b, nil, func(s *sqlite.Book) ([]string, error) { return s.Mappings(ctx) })
}

// SaveMapping keeps one.
func (b *bookStore) SaveMapping(ctx context.Context, name string, doc json.RawMessage) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.SaveMapping(ctx, name, doc) })
}

// Profile is who the investor is.
func (b *bookStore) Profile(ctx context.Context) (p investor.Profile, ok bool, err error) {
	p, err = read(ctx, b, investor.Profile{}, func(s *sqlite.Book) (investor.Profile, error) {
		p, found, err := s.Profile(ctx)
		ok = found
		return p, err
	})
	return p, ok, err
}

// SaveProfile keeps it.
func (b *bookStore) SaveProfile(ctx context.Context, p investor.Profile) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.SaveProfile(ctx, p) })
}

// Watches are what the user keeps an eye on.
func (b *bookStore) Watches(ctx context.Context) ([]journal.Watch, error) {
	return read(ctx, b, nil, func(s *sqlite.Book) ([]journal.Watch, error) { return s.Watches(ctx) })
}

// PutWatch keeps one.
func (b *bookStore) PutWatch(ctx context.Context, w journal.Watch) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.PutWatch(ctx, w) })
}

// RemoveWatch takes one away.
func (b *bookStore) RemoveWatch(ctx context.Context, sym market.Symbol) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.RemoveWatch(ctx, sym) })
}

// Decisions are what the user decided.
func (b *bookStore) Decisions(ctx context.Context) ([]journal.Decision, error) {
	return read(ctx, b, nil, func(s *sqlite.Book) ([]journal.Decision, error) { return s.Decisions(ctx) })
}

// PutDecision keeps one.
func (b *bookStore) PutDecision(ctx context.Context, d journal.Decision) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.PutDecision(ctx, d) })
}

// RemoveDecision takes one away.
func (b *bookStore) RemoveDecision(ctx context.Context, id string) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.RemoveDecision(ctx, id) })
}
