package toolkit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
)

const maxConcurrentQuotes = 4

// LatestPrices returns the newest prices known at Now.
type LatestPrices struct {
	Prices
	Quotes market.QuoteSource // nil: only the closes of Bars
}

// Today returns the calendar day of Now.
func (p Prices) Today() market.Date { return Today(p.Now()) }

// Price returns the newest price of a symbol: its quote, or the last close as traded if the clock
// was set back or the quote is later than Now.
func (n LatestPrices) Price(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if q, known, err := n.KnownQuote(ctx, sym); known || err != nil {
		return q, err
	}
	last, series, err := n.LastClose(ctx, sym)
	if err != nil {
		return last, err
	}
	return n.AsTraded(series, last)
}

// KnownQuote fetches the quote of a symbol. known is false if the clock was set back, in which case
// no source is asked, or if the quote is later than Now.
func (n LatestPrices) KnownQuote(ctx context.Context, sym market.Symbol) (q market.Quote, known bool, err error) {
	if n.Replay || n.Quotes == nil {
		return market.Quote{}, false, nil
	}
	if q, err = n.Quotes.Quote(ctx, sym); err != nil {
		return q, false, err
	}
	return q, n.Known(q.Provenance.AsOf), nil
}

// LastClose returns the last close on or before Today, adjusted as its source adjusts it, and the
// series that ends with it.
func (p Prices) LastClose(ctx context.Context, sym market.Symbol) (market.Quote, market.Series, error) {
	series, _, err := p.HistoryOfSymbol(ctx, sym, Period{back: "5d", days: 5}) // enough to span holidays
	if err != nil {
		return market.Quote{}, series, fmt.Errorf("price of %s on %s: %w", sym, FormatDate(p.Today()), err)
	}
	last, ok := series.Latest()
	if !ok {
		return market.Quote{}, series, fmt.Errorf("price of %s on %s: %w", sym, FormatDate(p.Today()), market.ErrNoData)
	}
	return last, series, nil
}

// At returns p with the clock set back to the end of day, or p itself if day is today.
func (p Prices) At(day market.Date) Prices {
	if day.Equal(p.Today()) {
		return p
	}
	end := time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, p.Now().Location())
	p.Now, p.Replay = func() time.Time { return end }, true
	return p
}

// At returns n with the clock set back like [Prices.At].
func (n LatestPrices) At(day market.Date) LatestPrices {
	n.Prices = n.Prices.At(day)
	return n
}

// FindPrice returns the price of a symbol or name, with the errors of LookUp.
func (n LatestPrices) FindPrice(ctx context.Context, text string) (market.Quote, error) {
	return LookUp(ctx, n.Directory, text, func(sym market.Symbol) (market.Quote, error) { return n.Price(ctx, sym) })
}

// PriceResult is a price, or why there is none.
type PriceResult struct {
	Quote market.Quote
	Err   error
}

// PriceAll fetches prices in parallel, or in one request if the source can. It returns one
// PriceResult for each symbol, in order. Only a canceled call is an error.
func (n LatestPrices) PriceAll(ctx context.Context, symbols []market.Symbol) ([]PriceResult, error) {
	out, together := make([]PriceResult, len(symbols)), n.QuoteBatch(ctx, symbols)
	var group crash.Group
	group.SetLimit(maxConcurrentQuotes)
	for i, sym := range symbols {
		if q, ok := together[sym]; ok && n.Known(q.Provenance.AsOf) {
			out[i].Quote = q
			continue
		}
		group.Go(func() error {
			out[i].Quote, out[i].Err = n.Price(ctx, sym)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// QuoteBatch fetches quotes in one request, if the source can. Symbols that are missing from the
// result must be fetched one by one, which also returns the error for each.
func (n LatestPrices) QuoteBatch(ctx context.Context, symbols []market.Symbol) map[market.Symbol]market.Quote {
	source, ok := n.Quotes.(market.BatchQuoteSource)
	if !ok || n.Replay || len(symbols) < 2 {
		return nil
	}
	quotes, err := source.Quotes(ctx, symbols)
	if err != nil {
		return nil
	}
	return quotes
}

// DayOf returns the calendar day of a price in the time zone of the clock: a morning price in Tokyo
// is from the evening before in New York. A time at midnight UTC is the date of a session and
// stays that date.
func (p Prices) DayOf(asOf time.Time) market.Date {
	if asOf.Equal(asOf.Truncate(24 * time.Hour)) {
		return asOf.UTC()
	}
	return Today(asOf.In(p.Now().Location()))
}

// ErrUnknownScale means that a close is adjusted for later events and cannot be converted back to
// the price that was traded.
var ErrUnknownScale = errors.New("the traded price of that day is unknown")

// AsTraded returns the last close of a series of History as traded on that day. Share counts filed at
// the time are not adjusted for later splits, so the price must not be either. If the source has only
// prices that cannot be converted, the error is ErrUnknownScale.
func (p Prices) AsTraded(s market.Series, q market.Quote) (market.Quote, error) {
	switch {
	case !p.Replay || s.Provenance.Adjustment == market.AdjustmentRaw:
		return q, nil
	case s.Provenance.ShareBasis.IsZero():
		last := FormatDate(s.Bars[len(s.Bars)-1].Date)
		return q, fmt.Errorf("the close of %s is adjusted for later events (%s): %w", last, s.Provenance.Adjustment, ErrUnknownScale)
	}
	q.Provenance.Adjustment, q.Provenance.Note = market.AdjustmentRaw, "close as traded that day"
	return q, nil
}
