package cboe

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote = time.Minute // the data is delayed anyway
	staleQuote = 24 * time.Hour
)

// ticker is the quote of one symbol.
type ticker struct {
	Symbol   string `json:"symbol"`
	Type     string `json:"security_type"`
	Price    price  `json:"current_price"`
	Previous price  `json:"prev_day_close"`
	Traded   string `json:"last_trade_time"`

	asOf time.Time
}

// Quote returns the price of sym, delayed by fifteen minutes, and the previous close, whose date
// Cboe does not report. An unlisted symbol yields ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	request := client.Request{Op: "quote of " + string(sym), URL: "quotes/", Fresh: freshQuote, Stale: staleQuote}
	t, answer, err := get(ctx, s, sym, request, func(body []byte) (ticker, error) { return parseQuote(body, sym) })
	if err != nil {
		return market.Quote{}, err
	}
	q := market.Quote{Price: t.Price.Decimal, Previous: t.Previous.NullDecimal}
	q.Instrument, q.Provenance = newInstrument(sym, t.Type, "quotes", answer)
	q.Provenance.AsOf = t.asOf
	q.Provenance = client.MarkStale(q.Provenance, client.SessionDate(t.asOf, client.NewYork()), s.o.Now())
	return q, nil
}

func parseQuote(body []byte, sym market.Symbol) (ticker, error) {
	var file struct {
		Data *ticker `json:"data"`
	}
	if err := client.DecodeJSON(body, &file); err != nil {
		return ticker{}, err
	}
	if file.Data == nil {
		return ticker{}, client.Malformedf("no data")
	}
	t := *file.Data
	if !sameSymbol(sym, t.Symbol) {
		return ticker{}, client.Malformedf("response is for %.20q instead of %s", t.Symbol, sym)
	}
	if !t.Price.Valid {
		return ticker{}, market.ErrNoData
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", t.Traded, client.NewYork())
	if err != nil {
		return ticker{}, client.Malformedf("price without a time: %.40q", t.Traded)
	}
	t.asOf = at.UTC()
	return t, nil
}
