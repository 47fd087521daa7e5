package cabinet

import (
	"context"
	"encoding/json"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/journal"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// Ledger is all that is recorded.
func (b *Book) Ledger(ctx context.Context) (portfolio.Ledger, error) {
	return read(ctx, b, portfolio.Ledger{}, func(s *sqlite.Book) (portfolio.Ledger, error) {
		l, err := s.Ledger(ctx)
		b.met(l, err)
		return l, err
	})
}

// Update changes the ledger.
func (b *Book) Update(ctx context.Context, change func(portfolio.Ledger) (portfolio.Change, error)) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.Update(ctx, change) })
}

// Mapping is how the columns of a file are read.
func (b *Book) Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error) {
	doc, err = read(ctx, b, nil, func(s *sqlite.Book) (json.RawMessage, error) {
		doc, found, err := s.Mapping(ctx, name)
		ok = found
		return doc, err
	})
	return doc, ok, err
}

// Mappings are the names of all.
func (b *Book) Mappings(ctx context.Context) ([]string, error) {
	return read(ctx, b, nil, func(s *sqlite.Book) ([]string, error) { return s.Mappings(ctx) })
}

// SaveMapping keeps one.
func (b *Book) SaveMapping(ctx context.Context, name string, doc json.RawMessage) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.SaveMapping(ctx, name, doc) })
}

// Profile is who the investor is.
func (b *Book) Profile(ctx context.Context) (p investor.Profile, ok bool, err error) {
	p, err = read(ctx, b, investor.Profile{}, func(s *sqlite.Book) (investor.Profile, error) {
		p, found, err := s.Profile(ctx)
		ok = found
		return p, err
	})
	return p, ok, err
}

// SaveProfile keeps it.
func (b *Book) SaveProfile(ctx context.Context, p investor.Profile) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.SaveProfile(ctx, p) })
}

// Watches are what the user keeps an eye on.
func (b *Book) Watches(ctx context.Context) ([]journal.Watch, error) {
	return read(ctx, b, nil, func(s *sqlite.Book) ([]journal.Watch, error) { return s.Watches(ctx) })
}

// PutWatch keeps one.
func (b *Book) PutWatch(ctx context.Context, w journal.Watch) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.PutWatch(ctx, w) })
}

// RemoveWatch takes one away.
func (b *Book) RemoveWatch(ctx context.Context, sym market.Symbol) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.RemoveWatch(ctx, sym) })
}

// Decisions are what the user decided.
func (b *Book) Decisions(ctx context.Context) ([]journal.Decision, error) {
	return read(ctx, b, nil, func(s *sqlite.Book) ([]journal.Decision, error) { return s.Decisions(ctx) })
}

// PutDecision keeps one.
func (b *Book) PutDecision(ctx context.Context, d journal.Decision) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.PutDecision(ctx, d) })
}

// RemoveDecision takes one away.
func (b *Book) RemoveDecision(ctx context.Context, id string) error {
	return b.write(ctx, func(s *sqlite.Book) error { return s.RemoveDecision(ctx, id) })
}
