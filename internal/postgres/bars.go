package postgres

import (
	"context"
	"errors"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/sqlstore"
)

// Bars returns the person's own price history, whichever book is open. With shared, Load also returns
// series saved by others who share their portfolio with this person.
func (s *Store) Bars(shared bool) market.BarStore { return bars{s, shared} }

type bars struct {
	*Store
	shared bool
}

// of returns the price history that a person has saved.
func (b bars) of(person string) sqlstore.Bars {
	return sqlstore.NewBars(engine{Store: b.Store, book: person}, nil)
}

// Load returns the person's own series, otherwise the one that was fetched last.
func (b bars) Load(ctx context.Context, k market.BarKey, r market.Range) (rec market.StoredBars, ok bool, err error) {
	rec, ok, err = b.of(b.target.User).Load(ctx, k, r)
	if err != nil || ok || !b.shared {
		return rec, ok, err
	}
	_, received, err := b.Permissions(ctx)
	for _, from := range received {
		other, found, err := b.of(from.Book).Load(ctx, k, r)
		if err != nil {
			return rec, ok, err
		}
		if found && (!ok || other.Series.Provenance.FetchedAt.After(rec.Series.Provenance.FetchedAt)) {
			rec, ok = other, true
		}
	}
	return rec, ok, err
}

// Save changes only the person's own series. One that continues a series of another person is saved
// whole.
func (b bars) Save(ctx context.Context, k market.BarKey, rec market.StoredBars, since market.Date) error {
	own := b.of(b.target.User)
	err := own.Save(ctx, k, rec, since)
	if !b.shared || !errors.Is(err, market.ErrBarsChanged) {
		return err
	}
	if _, ok, loadErr := own.Load(ctx, k, market.Range{From: rec.Last}); ok || loadErr != nil {
		return errors.Join(err, loadErr)
	}
	return own.Save(ctx, k, rec, market.Date{})
}
