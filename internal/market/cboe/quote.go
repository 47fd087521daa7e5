package cboe

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	freshQuote = time.Minute // of what is fifteen old
	staleQuote = 24 * time.Hour
)

// ticker is the quote of one symbol.
type ticker struct {
	Symbol   string `json:"symbol"`
	Type     string `json:"security_type"`
	Price    figure `json:"current_price"`
	Previous figure `json:"prev_day_close"`
	Traded   string `json:"last_trade_time"`

	asOf time.Time
}

// Quote returns the price of sym fifteen minutes ago, and the close before it as
// the previous price; of which day that is Cboe does not say. An unlisted symbol
// yields ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	request := fetch.Request{Doing: "quote of " + string(sym), URL: "quotes/", Fresh: freshQuote, Stale: staleQuote}
	t, answer, err := get(ctx, s, sym, request, func(body []byte) (ticker, error) { return parseQuote(body, sym) })
	if err != nil {
		return market.Quote{}, err
	}
	q := market.Quote{Price: t.Price.Decimal, Previous: t.Previous.NullDecimal}
	q.Instrument, q.Provenance = described(sym, t.Type, "quotes", answer)
	q.Provenance.AsOf = t.asOf
	q.Provenance = wire.Aged(q.Provenance, wire.Day(t.asOf, wire.NewYork()), s.o.Now())
	return q, nil
}

func parseQuote(body []byte, sym market.Symbol) (ticker, error) {
	var file struct {
		Data *ticker `json:"data"`
	}
	if err := wire.Decode(body, &file); err != nil {
		return ticker{}, err
	}
	if file.Data == nil {
		return ticker{}, wire.Malformed("no data")
	}
	t := *file.Data
	if !same(sym, t.Symbol) {
		return ticker{}, wire.Malformed("%.20q in place of %s", t.Symbol, sym)
	}
	if !t.Price.Valid {
		return ticker{}, market.ErrNoData
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", t.Traded, wire.NewYork())
	if err != nil {
		return ticker{}, wire.Malformed("a price without a time: %.40q", t.Traded)
	}
	t.asOf = at.UTC()
	return t, nil
}
