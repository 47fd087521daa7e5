package binance

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote = 15 * time.Second
	staleQuote = time.Hour
)

// Quote returns the last price of sym, and the price 24 hours earlier as the previous one. A pair
// that Binance does not trade yields ErrUnknownSymbol, one without trades ErrNoData.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	op := "quote of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Quote{}, err
	}
	p, ok := pairOf(sym)
	if !ok {
		return market.Quote{}, s.client.NewError(op, market.ErrUnknownSymbol, "not a pair of a coin and a currency")
	}
	t, answer, err := get(ctx, s, apiRequest{
		op: op, path: "/api/v3/ticker/24hr", values: url.Values{"symbol": {p.apiSymbol}}, fresh: freshQuote, stale: staleQuote,
	}, tickerParser(p.apiSymbol))
	if err != nil {
		return market.Quote{}, err
	}
	if !t.price.IsPositive() {
		return market.Quote{}, s.client.NewError(op, market.ErrNoData, "no trades")
	}
	q := market.Quote{Instrument: p.instrument(), Price: t.price, Provenance: p.provenance("v3 ticker", answer)}
	q.Provenance.AsOf = t.closed
	if t.before.IsPositive() && t.opened.Before(t.closed) {
		q.Previous, q.PreviousAsOf = decimal.NewNullDecimal(t.before), t.opened
	}
	if s.o.Now().Sub(t.closed) > oneDay {
		q.Provenance = q.Provenance.With(market.FlagStale)
	}
	return q, nil
}

// ticker holds the prices of a pair over the last 24 hours.
type ticker struct {
	price, before  decimal.Decimal
	opened, closed time.Time
}

func tickerParser(apiSymbol string) func([]byte) (ticker, error) {
	return func(body []byte) (ticker, error) {
		var b struct {
			Symbol              string
			LastPrice           string
			OpenPrice           string
			OpenTime, CloseTime int64
		}
		if json.Unmarshal(body, &b) != nil {
			return ticker{}, client.Malformedf("no ticker")
		}
		switch {
		case b.Symbol != apiSymbol:
			return ticker{}, client.Malformedf("response is for %.20q instead of %s", b.Symbol, apiSymbol)
		case b.CloseTime <= 0 || b.OpenTime <= 0 || b.CloseTime > latest || b.OpenTime > latest:
			return ticker{}, client.Malformedf("price has no timestamp")
		}
		price, err := parseNumber(b.LastPrice)
		if err != nil {
			return ticker{}, err
		}
		before, err := parseNumber(b.OpenPrice)
		if err != nil {
			return ticker{}, err
		}
		return ticker{price, before, time.UnixMilli(b.OpenTime).UTC(), time.UnixMilli(b.CloseTime).UTC()}, nil
	}
}

// latest is the end of the year 9999 in milliseconds of Unix time; JSON cannot represent later times.
const latest = 253402300799999
