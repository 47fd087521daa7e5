package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Price is the price of one unit, with the closes up to it.
type Price struct {
	Instrument market.Instrument
	Value      decimal.Decimal
	Provenance market.Provenance // Currency is that of Value
	// Previous is the price one interval before Value, on its scale; invalid if absent.
	// PreviousAsOf is its day, zero if the source does not report it.
	Previous     decimal.NullDecimal
	PreviousAsOf time.Time
	// Series holds the daily closes since the requested day, adjusted as its provenance states. It
	// may be empty.
	Series market.Series
}

// PriceSet holds the prices of several securities, and the reasons for those that are missing.
type PriceSet struct {
	Prices  map[market.Symbol]Price
	Missing map[market.Symbol]error
}

// FetchPrices fetches the latest prices known at the clock and the closes since a day. A security
// that fails does not affect the others; only a canceled context is an error.
func (d Deps) FetchPrices(ctx context.Context, symbols []market.Symbol, from market.Date) (PriceSet, error) {
	prices, missing, err := toolkit.FetchAll(ctx, symbols, func(ctx context.Context, sym market.Symbol) (Price, error) { return d.fetchPrice(ctx, sym, from) })
	if err != nil {
		return PriceSet{}, fmt.Errorf("fetch prices: %w", err)
	}
	if missing == nil {
		missing = map[market.Symbol]error{}
	}
	return PriceSet{prices, missing}, nil
}

func (d Deps) fetchPrice(ctx context.Context, sym market.Symbol, from market.Date) (Price, error) {
	var p Price
	series, _, noBars := d.HistoryOfSymbol(ctx, sym, toolkit.Since(from))
	if noBars == nil {
		p.Series = series
		if last, ok := series.Latest(); ok {
			traded, err := d.AsTraded(series, last)
			if err != nil {
				return Price{}, err
			}
			p.applyQuote(traded)
		}
	}
	if d.Replay || d.Quotes == nil {
		return p, noBars
	}
	q, err := d.Quotes.Quote(ctx, sym)
	session := sessionDate(sym, q.Provenance.AsOf)
	switch {
	case err == nil && d.Known(q.Provenance.AsOf) && !session.Before(p.Provenance.AsOf) && sameUnit(p, q):
		before := p
		p.applyQuote(q)
		if !q.Previous.Valid {
			p.Previous, p.PreviousAsOf = before.previousClose(session)
		}
	case p.Provenance.Source == "" && err != nil:
		return Price{}, err
	case p.Provenance.Source == "":
		return Price{}, errors.Join(noBars, fmt.Errorf("%w: the quote of %s is dated after the requested day", market.ErrNoData, sym))
	}
	return p, nil
}

func (p *Price) applyQuote(q market.Quote) {
	p.Instrument, p.Value, p.Provenance = q.Instrument, q.Price, q.Provenance
	p.Previous, p.PreviousAsOf = q.Previous, q.PreviousAsOf
}

// previousClose returns the last close before the day of a quote, for a source that does not report
// it. A known split between the two days is applied to unadjusted closes.
func (p Price) previousClose(session market.Date) (decimal.NullDecimal, time.Time) {
	for _, bar := range slices.Backward(p.Series.Bars) {
		if !bar.Date.Before(session) {
			continue
		}
		pair := p.Series
		pair.Bars = []market.Bar{bar, {Date: session}}
		if adjusted, err := pair.SplitAdjusted(); err == nil {
			bar = adjusted.Bars[0]
		}
		return decimal.NewNullDecimal(bar.Close), bar.Date
	}
	return decimal.NullDecimal{}, time.Time{}
}

// sessionDate returns the date of a price at its own exchange, which is also the date of bars. A
// morning in Sydney is still the evening before in London. Midnight UTC already denotes the date of
// a session. Without a known exchange, as for a coin, it is the UTC date.
func sessionDate(sym market.Symbol, asOf time.Time) market.Date {
	day := asOf.UTC().Truncate(24 * time.Hour)
	if asOf.Equal(day) {
		return day
	}
	if localDate, ok := reference.DateOf(sym, asOf); ok {
		return localDate
	}
	return day
}

// sameUnit reports whether a quote uses the unit of the closes. If two sources disagree, the series
// decides, because past values of the portfolio use it.
func sameUnit(p Price, q market.Quote) bool {
	return p.Provenance.Source == "" || p.Provenance.Currency == q.Provenance.Currency
}
