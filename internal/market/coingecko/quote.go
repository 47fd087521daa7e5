package coingecko

import (
	"context"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote = time.Minute
	staleQuote = time.Hour
	oneDay     = 24 * time.Hour
	// maxBatch is the maximum number of coins in one request.
	maxBatch = 100
)

// Quote returns the newest price of sym, and the price 24 hours earlier as the previous one. An
// unknown coin or currency yields ErrUnknownSymbol, a ticker of several coins of similar size
// ErrAmbiguous.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	op := "quote of " + string(sym)
	p, err := s.resolve(ctx, op, sym)
	if err != nil {
		return market.Quote{}, err
	}
	prices, answer, err := s.prices(ctx, op, []pair{p})
	if err != nil {
		return market.Quote{}, err
	}
	q, err := s.quote(p, prices, answer)
	if err != nil {
		return market.Quote{}, s.keyless.NewError(op, err, "")
	}
	return q, nil
}

// Quotes returns the quotes of many coins at once. Unknown, ambiguous and unpriced coins are absent.
func (s *Source) Quotes(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	var pairs []pair
	for _, sym := range symbols {
		p, err := s.resolve(ctx, "quote of "+string(sym), sym)
		if isUnresolved(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, p)
	}
	out := make(map[market.Symbol]market.Quote, len(pairs))
	for some := range slices.Chunk(pairs, maxBatch) {
		prices, answer, err := s.prices(ctx, "quotes of coins", some)
		if err != nil {
			return nil, err
		}
		for _, p := range some {
			if q, err := s.quote(p, prices, answer); err == nil {
				out[p.sym] = q
			}
		}
	}
	return out, nil
}

// prices requests the prices of all coins of pairs in all of their currencies. The order is always the same,
// so that a cached response can be reused.
func (s *Source) prices(ctx context.Context, op string, pairs []pair) (map[string]map[string]json.Number, client.Response, error) {
	var ids, currencies []string
	for _, p := range pairs {
		ids, currencies = append(ids, p.id), append(currencies, strings.ToLower(p.currency))
	}
	slices.Sort(ids)
	slices.Sort(currencies)
	ids, currencies = slices.Compact(ids), slices.Compact(currencies)
	return get(ctx, s, apiRequest{
		op: op, path: "simple/price", fresh: freshQuote, stale: staleQuote,
		values: url.Values{
			"ids": {strings.Join(ids, ",")}, "vs_currencies": {strings.Join(currencies, ",")}, "precision": {"full"},
			"include_24hr_change": {"true"}, "include_last_updated_at": {"true"},
		},
	}, func(body []byte) (map[string]map[string]json.Number, error) {
		var prices map[string]map[string]json.Number
		if json.Unmarshal(body, &prices) != nil || prices == nil {
			return nil, client.Malformedf("no prices")
		}
		for id := range prices {
			if !slices.Contains(ids, id) {
				return nil, client.Malformedf("response has unexpected coin %.40q", id)
			}
		}
		return prices, nil
	})
}

func (s *Source) quote(p pair, prices map[string]map[string]json.Number, answer client.Response) (market.Quote, error) {
	values, ok := prices[p.id]
	currency := strings.ToLower(p.currency)
	if !ok || values[currency] == "" {
		return market.Quote{}, market.ErrUnknownSymbol
	}
	price, err := parseNumber(values[currency])
	if err != nil {
		return market.Quote{}, err
	}
	if !price.IsPositive() {
		return market.Quote{}, market.ErrNoData
	}
	q := market.Quote{Instrument: p.instrument(), Price: price, Provenance: newProvenance(p.coin, p.currency, "v3 simple price", answer)}
	q.Provenance.AsOf = answer.FetchedAt
	if at, err := values["last_updated_at"].Int64(); err == nil && at > 0 && at < maxUnixMilli/1000 {
		q.Provenance.AsOf = time.Unix(at, 0).UTC()
	} else {
		q.Provenance = q.Provenance.WithNote("CoinGecko reported no time for this price; the as-of time is when nfa fetched it.")
	}
	if change, err := parseNumber(values[currency+"_24h_change"]); err == nil {
		q.Previous = previousPrice(price, change)
		q.PreviousAsOf = q.Provenance.AsOf.Add(-oneDay)
	}
	if !q.Previous.Valid {
		q.PreviousAsOf = time.Time{}
	}
	if s.o.Now().Sub(q.Provenance.AsOf) > oneDay {
		q.Provenance = q.Provenance.With(market.FlagStale)
	}
	return q, nil
}

// previousPrice returns the price before a change in percent, to eight digits: price / (1 + change
// / 100).
func previousPrice(price, change decimal.Decimal) decimal.NullDecimal {
	factor := change.Shift(-2).Add(decimal.NewFromInt(1))
	if !factor.IsPositive() {
		return decimal.NullDecimal{}
	}
	const digits = 8
	value := client.RoundSignificant(price.DivRound(factor, 40), digits)
	return decimal.NullDecimal{Decimal: value, Valid: value.IsPositive()}
}

// Bounds that prevent a hostile exponent from expanding to a million digits.
const (
	maxNumberLen = 60
	maxValue     = 1e21
	minValue     = 1e-21
	// maxUnixMilli is the end of the year 9999 in milliseconds; JSON cannot represent later times.
	maxUnixMilli = 253402300799999
)

// parseNumber parses a number. Small prices have an exponent.
func parseNumber(text json.Number) (decimal.Decimal, error) {
	if len(text) > maxNumberLen {
		return decimal.Decimal{}, client.Malformedf("number with %d characters", len(text))
	}
	value, err := strconv.ParseFloat(text.String(), 64)
	if size := math.Abs(value); err != nil || math.IsNaN(value) || size > maxValue || size != 0 && size < minValue {
		return decimal.Decimal{}, client.Malformedf("invalid price %.40q", text)
	}
	return decimal.NewFromString(text.String())
}
