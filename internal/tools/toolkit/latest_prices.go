package toolkit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
)

const maxConcurrentQuotes = 4

// LatestPrices gives the newest prices that were known at Now.
type LatestPrices struct {
	Prices
	Quotes market.QuoteSource // nil leaves the closes of Bars
}

// Today is the calendar day of Now.
func (p Prices) Today() market.Date { return Today(p.Now()) }

// Price is the newest price of a symbol: its quote, or the last close as it was paid where the
// clock was set back or the quote is of after it.
func (n LatestPrices) Price(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if q, known, err := n.KnownQuote(ctx, sym); known || err != nil {
		return q, err
	}
	last, series, err := n.LastClose(ctx, sym)
	if err != nil {
		return last, err
	}
	return n.AsTraded(ctx, series, last)
}

// KnownQuote asks for the quote of a symbol. It is not known if nobody is asked, because the clock
// was set back, or if it is of later than Now.
func (n LatestPrices) KnownQuote(ctx context.Context, sym market.Symbol) (q market.Quote, known bool, err error) {
	if n.Replay || n.Quotes == nil {
		return market.Quote{}, false, nil
	}
	if q, err = n.Quotes.Quote(ctx, sym); err != nil {
		return q, false, err
	}
	return q, n.Known(q.Provenance.AsOf), nil
}

// LastClose is the last close on or before the day of the clock, on the scale of its source, with
// the series that it ends.
func (p Prices) LastClose(ctx context.Context, sym market.Symbol) (market.Quote, market.Series, error) {
	series, _, err := p.HistoryOfSymbol(ctx, sym, Period{back: "5d", days: 5}) // whatever holidays there are
	if err != nil {
		return market.Quote{}, series, fmt.Errorf("price of %s on %s: %w", sym, FormatDate(p.Today()), err)
	}
	last, ok := series.Latest()
	if !ok {
		return market.Quote{}, series, fmt.Errorf("price of %s on %s: %w", sym, FormatDate(p.Today()), market.ErrNoData)
	}
	return last, series, nil
}

// At is p with the clock set back to the end of an earlier day; on today's it is p.
func (p Prices) At(day market.Date) Prices {
	if day.Equal(p.Today()) {
		return p
	}
	end := time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, p.Now().Location())
	p.Now, p.Replay = func() time.Time { return end }, true
	return p
}

// At is n with its clock set back likewise.
func (n LatestPrices) At(day market.Date) LatestPrices {
	n.Prices = n.Prices.At(day)
	return n
}

// FindPrice is the price of what text names, a symbol or a name, with the errors of
// LookUp: one that nobody knows is refused with what could be meant.
func (n LatestPrices) FindPrice(ctx context.Context, text string) (market.Quote, error) {
	return LookUp(ctx, n.Directory, text, func(sym market.Symbol) (market.Quote, error) { return n.Price(ctx, sym) })
}

// PriceResult is a price, or why there is none.
type PriceResult struct {
	Quote market.Quote
	Err   error
}

// PriceAll prices symbols, all at once and in one request if the source can. It returns one
// PriceResult for each symbol, in their order. One that fails does not spoil the others; only a
// canceled call is an error.
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

// QuoteBatch asks in one request, where the source can. What it leaves out, and all
// where it fails, is to be asked for one by one: then each says for itself what is wrong with it.
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

// DayOf is the calendar day of a price by the clock's own calendar: one of Tokyo's
// morning is of the evening before in New York. A moment at midnight UTC is the date
// of a session, and its own day.
func (p Prices) DayOf(asOf time.Time) market.Date {
	if asOf.Equal(asOf.Truncate(24 * time.Hour)) {
		return asOf.UTC()
	}
	return Today(asOf.In(p.Now().Location()))
}

// ErrUnknownScale means that a close is on the scale of what came later, and that there is no
// way back from it.
var ErrUnknownScale = errors.New("what was paid that day is not known")

// AsTraded is the last close of a series as it was paid that day. With the clock set
// back, what sources give of then is adjusted for what came later: a share of
// NVIDIA cost 1,200 dollars before its split of ten for one, and they say 120.
// Counts of shares filed at the time are not adjusted, so neither may the price be.
// A source that tells them on the scale of later alone is an ErrUnknownScale.
func (p Prices) AsTraded(ctx context.Context, s market.Series, q market.Quote) (market.Quote, error) {
	if !p.Replay || s.Provenance.Adjustment == market.AdjustmentRaw {
		return q, nil
	}
	last := s.Bars[len(s.Bars)-1].Date
	after := market.Range{From: last.AddDate(0, 0, 1)}
	later, err := p.Bars.Bars(ctx, s.Symbol, after)
	later = later.Within(after)
	switch {
	case err != nil && !errors.Is(err, market.ErrNoData):
		return q, fmt.Errorf("whether the close of %s was adjusted for later splits is not known: %w", FormatDate(last), err)
	case len(later.Bars) > 0 && (s.Provenance.Adjustment != market.AdjustmentSplit || later.Actions == nil):
		return q, fmt.Errorf("the close of %s is adjusted for what came later (%s), and %w", FormatDate(last), s.Provenance.Adjustment, ErrUnknownScale)
	case len(later.Bars) > 0:
		q.Price = undoSplits(later.Actions, last, q.Price)
	}
	q.Provenance.Adjustment, q.Provenance.Note = market.AdjustmentRaw, "the close as it was paid that day"
	return q, nil
}

// undoSplits undoes the splits after a day in a price of that day.
func undoSplits(actions []market.Action, day market.Date, price decimal.Decimal) decimal.Decimal {
	for _, a := range actions {
		if a.Kind != market.ActionDividend && a.Date.After(day) && a.New.IsPositive() && a.Old.IsPositive() {
			price = price.Mul(a.New).DivRound(a.Old, 8)
		}
	}
	return price
}
