package personal

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

const (
	atOneTime = 4
	// aFewDays reach back to a close, whatever holidays there are.
	aFewDays = "5d"
)

// price is the newest price that was known at the clock.
func (d Deps) price(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if d.Replay || d.Quotes == nil {
		return d.lastClose(ctx, sym)
	}
	q, err := d.Quotes.Quote(ctx, sym)
	switch {
	case err != nil:
		return q, err
	case d.Known(q.Provenance.AsOf):
		return q, nil
	}
	return d.lastClose(ctx, sym)
}

// lastClose is the last close on or before the day of the clock, as it was paid.
func (d Deps) lastClose(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	sp, err := question.ParseSpan(aFewDays, "", "", "")
	if err != nil {
		return market.Quote{}, err
	}
	series, _, err := d.HistoryOf(ctx, sym, sp)
	if err != nil {
		return market.Quote{}, fmt.Errorf("price of %s on %s: %w", sym, present.Dated(d.today()), err)
	}
	last, ok := series.Latest()
	if !ok {
		return market.Quote{}, fmt.Errorf("price of %s on %s: %w", sym, present.Dated(d.today()), market.ErrNoData)
	}
	return d.AsPaid(ctx, series, last)
}

// on is d with the clock at the end of an earlier day.
func (d Deps) on(day market.Date) Deps {
	if day.Equal(d.today()) {
		return d
	}
	end := time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, d.Now().Location())
	d.Now, d.Replay = func() time.Time { return end }, true
	return d
}

// find is the price of what text names, a symbol or a name. One that nobody knows is
// refused with what could be meant.
func (d Deps) find(ctx context.Context, text string) (market.Quote, error) {
	return question.LookUp(ctx, d.Directory, text, func(sym market.Symbol) (market.Quote, error) {
		return d.price(ctx, sym)
	})
}

// priced is a price, or why there is none.
type priced struct {
	quote market.Quote
	err   error
}

// prices asks for all at once. One that fails does not spoil the others; only a
// cancelled call is an error.
func (d Deps) prices(ctx context.Context, symbols []market.Symbol) ([]priced, error) {
	out, together := make([]priced, len(symbols)), d.together(ctx, symbols)
	var group errgroup.Group
	group.SetLimit(atOneTime)
	for i, sym := range symbols {
		if q, ok := together[sym]; ok && d.Known(q.Provenance.AsOf) {
			out[i].quote = q
			continue
		}
		group.Go(func() error {
			out[i].quote, out[i].err = d.price(ctx, sym)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("pricing the watchlist: %w", err)
	}
	return out, nil
}

// together asks in one request, where the source can. What it leaves out, and all
// where it fails, is asked for one by one.
func (d Deps) together(ctx context.Context, symbols []market.Symbol) map[market.Symbol]market.Quote {
	source, ok := d.Quotes.(market.QuoteBatch)
	if !ok || d.Replay || len(symbols) < 2 {
		return nil
	}
	found, err := source.Quotes(ctx, symbols)
	if err != nil {
		return nil
	}
	return found
}

// dayOf is the calendar day of a price by the clock's own calendar: one of Tokyo's
// morning is of the evening before in New York.
func (d Deps) dayOf(asOf time.Time) market.Date {
	if asOf.Equal(asOf.Truncate(24 * time.Hour)) {
		return asOf.UTC()
	}
	return question.Today(asOf.In(d.Now().Location()))
}

// unitOf is what a price is counted in. A source that does not tell it must not have
// its price read in the reader's own currency.
func unitOf(p market.Provenance) string {
	if unit := present.UnitOf(p); unit != "" && unit != "price" {
		return unit
	}
	return "of unknown currency"
}
