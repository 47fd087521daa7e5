package book

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/shopspring/decimal"
	"golang.org/x/sync/errgroup"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// atOneTime is how many securities are asked for at once.
const atOneTime = 4

// Price is what one unit costs, with the closes up to it.
type Price struct {
	Instrument market.Instrument
	Value      decimal.Decimal
	Provenance market.Provenance // Currency is that of Value
	// Series are the daily closes since From of the call, adjusted for splits; empty
	// where there are none.
	Series   market.Series
	Warnings []string
}

// Priced are the prices of several securities, and why the others have none.
type Priced struct {
	Prices  map[market.Symbol]Price
	Missing map[market.Symbol]error
}

// PricesOf asks for the newest prices that were known at the clock, and for the
// closes since a day. One that fails does not spoil the others; only a cancelled
// call is an error.
func (d Deps) PricesOf(ctx context.Context, symbols []market.Symbol, from market.Date) (Priced, error) {
	out := Priced{Prices: map[market.Symbol]Price{}, Missing: map[market.Symbol]error{}}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOneTime)
	for _, sym := range symbols {
		group.Go(func() error {
			p, err := d.priceOf(ctx, sym, from)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				out.Missing[sym] = err
				return nil
			}
			out.Prices[sym] = p
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return out, fmt.Errorf("pricing the book: %w", err)
	}
	return out, nil
}

func (d Deps) priceOf(ctx context.Context, sym market.Symbol, from market.Date) (Price, error) {
	sp, err := question.ParseSpan("", from.Format("2006-01-02"), "", "")
	if err != nil {
		return Price{}, err
	}
	var p Price
	series, warnings, noBars := d.HistoryOf(ctx, sym, sp)
	if noBars == nil {
		p.Series, p.Warnings = series, warnings
		if last, ok := series.Latest(); ok {
			last, err := d.AsPaid(ctx, series, last)
			if err != nil {
				return Price{}, err
			}
			p.Instrument, p.Value, p.Provenance = last.Instrument, last.Price, last.Provenance
		}
	}
	if d.Replay || d.Quotes == nil {
		return p, noBars
	}
	q, err := d.Quotes.Quote(ctx, sym)
	switch {
	case err == nil && d.Known(q.Provenance.AsOf) && !q.Provenance.AsOf.Before(p.Provenance.AsOf) && sameUnit(p, q):
		p.Instrument, p.Value, p.Provenance = q.Instrument, q.Price, q.Provenance
	case p.Provenance.Source == "" && err != nil:
		return Price{}, err
	case p.Provenance.Source == "":
		return Price{}, errors.Join(noBars, fmt.Errorf("%w: the quote of %s is of after the clock", market.ErrNoData, sym))
	}
	return p, nil
}

// sameUnit reports whether a quote counts in what the closes do: where two sources
// disagree, the series decides, since the book's past is priced with it.
func sameUnit(p Price, q market.Quote) bool {
	return p.Provenance.Source == "" || p.Provenance.Currency == q.Provenance.Currency
}
