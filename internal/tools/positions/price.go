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

// Price is what one unit costs, with the closes up to it.
type Price struct {
	Instrument market.Instrument
	Value      decimal.Decimal
	Provenance market.Provenance // Currency is that of Value
	// Previous is the price one interval before Value, on its scale; invalid where
	// there is none. PreviousAsOf is its day, zero where the source does not tell.
	Previous     decimal.NullDecimal
	PreviousAsOf time.Time
	// Series are the daily closes since From of the call, adjusted as their provenance
	// says; empty where there are none.
	Series   market.Series
	Warnings []string
}

// PriceSet are the prices of several securities, and why the others have none.
type PriceSet struct {
	Prices  map[market.Symbol]Price
	Missing map[market.Symbol]error
}

// FetchPrices asks for the newest prices that were known at the clock, and for the
// closes since a day. One that fails does not spoil the others; only a cancelled
// call is an error.
func (d Deps) FetchPrices(ctx context.Context, symbols []market.Symbol, from market.Date) (PriceSet, error) {
	prices, missing, err := toolkit.FetchAll(ctx, symbols, func(ctx context.Context, sym market.Symbol) (Price, error) { return d.fetchPrice(ctx, sym, from) })
	if err != nil {
		return PriceSet{}, fmt.Errorf("pricing the book: %w", err)
	}
	return PriceSet{prices, missing}, nil
}

func (d Deps) fetchPrice(ctx context.Context, sym market.Symbol, from market.Date) (Price, error) {
	sp, err := toolkit.ParsePeriod("", from.Format("2006-01-02"), "", "")
	if err != nil {
		return Price{}, err
	}
	var p Price
	series, warnings, noBars := d.HistoryOfSymbol(ctx, sym, sp)
	if noBars == nil {
		p.Series, p.Warnings = series, warnings
		if last, ok := series.Latest(); ok {
			paid, err := d.AsTraded(ctx, series, last)
			if err != nil {
				return Price{}, err
			}
			if last.Previous.Valid && !paid.Price.Equal(last.Price) {
				paid.Previous.Decimal = last.Previous.Decimal.Mul(paid.Price).DivRound(last.Price, scaledPlaces)
			}
			p.applyQuote(paid)
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
		return Price{}, errors.Join(noBars, fmt.Errorf("%w: the quote of %s is of after the clock", market.ErrNoData, sym))
	}
	return p, nil
}

// scaledPlaces are the digits of a close before that was put on the scale of the one
// after it.
const scaledPlaces = 8

func (p *Price) applyQuote(q market.Quote) {
	p.Instrument, p.Value, p.Provenance = q.Instrument, q.Price, q.Provenance
	p.Previous, p.PreviousAsOf = q.Previous, q.PreviousAsOf
}

// previousClose is the last close of a day before that of a quote, for a source that does not
// report it. A known split between the two days is applied to closes as traded.
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

// sessionDate is the day that a price is of at its own exchange, by which bars are dated:
// a morning in Sydney is of the evening before in London, and an evening in New York
// of the morning after. A moment at midnight UTC is the date of a session already.
// What has no exchange that is known, such as a coin, goes by the day in UTC.
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

// sameUnit reports whether a quote uses the unit of the closes. If two sources disagree the
// series decides, because the portfolio's past is priced with it.
func sameUnit(p Price, q market.Quote) bool {
	return p.Provenance.Source == "" || p.Provenance.Currency == q.Provenance.Currency
}
