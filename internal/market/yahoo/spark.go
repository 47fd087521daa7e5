package yahoo

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// maxSparkSymbols is how many symbols Yahoo takes at once.
const maxSparkSymbols = 20

// Quotes prices many symbols with a request for each twenty. Symbols that Yahoo
// does not know, or has no price of, are absent, and so are coins whose ticker it may
// have given to another.
func (s *Source) Quotes(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	out := make(map[market.Symbol]market.Quote, len(symbols))
	distinct := slices.DeleteFunc(slices.Clone(symbols), isAmbiguousCoin)
	slices.Sort(distinct)
	for some := range slices.Chunk(slices.Compact(distinct), maxSparkSymbols) {
		found, err := s.fetchSparks(ctx, some)
		if err != nil && ctx.Err() == nil && !errors.Is(err, market.ErrRateLimited) {
			// The listed quotes need a crumb, which may work where sparks do not.
			if listed, listErr := s.fetchListed(ctx, some); listErr == nil {
				found, err = listed, nil
			}
		}
		if err != nil {
			return nil, err
		}
		maps.Copy(out, found)
	}
	return out, nil
}

func (s *Source) fetchSparks(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	requested, fresh := make([]string, len(symbols)), s.freshQuote(symbols[0])
	for i, sym := range symbols {
		requested[i] = YahooSymbol(sym)
		fresh = min(fresh, s.freshQuote(sym))
	}
	rows, answer, err := get(ctx, s, apiRequest{
		op: quotesOp(symbols),
		url: s.at(hostData, "/v7/finance/spark", url.Values{
			"symbols": {strings.Join(requested, ",")}, "range": {"1d"}, "interval": {"5m"},
		}),
		kind: client.JSON, fresh: fresh, stale: staleQuote,
	}, parseSpark)
	if errors.Is(err, market.ErrUnknownSymbol) {
		return nil, nil // none of them is known
	}
	if err != nil {
		return nil, err
	}
	return s.sparkQuotes(ctx, symbols, rows, answer)
}

func quotesOp(symbols []market.Symbol) string {
	if len(symbols) == 1 {
		return "quote of " + string(symbols[0])
	}
	return "quotes of " + string(symbols[0]) + " to " + string(symbols[len(symbols)-1])
}

// sparkQuotes makes quotes of the rows that were asked for. A row that does not
// tell its currency is asked for again by itself: a price without one is none.
func (s *Source) sparkQuotes(ctx context.Context, symbols []market.Symbol, rows []Meta, answer client.Response) (map[market.Symbol]market.Quote, error) {
	out := make(map[market.Symbol]market.Quote, len(symbols))
	for _, sym := range symbols {
		i := slices.IndexFunc(rows, func(m Meta) bool { return SameYahooSymbol(YahooSymbol(sym), m.Symbol) })
		if i < 0 {
			continue
		}
		var q market.Quote
		var err error
		if row := rows[i]; row.Currency == "" && row.Kind() != "index" {
			q, err = s.Quote(ctx, sym)
		} else if q, err = row.Quote(sym, newProvenance("v7 spark", answer)); err == nil {
			q.Provenance = s.markStale(q, row.Zone())
		}
		switch {
		case err == nil:
			out[sym] = q
		case errors.Is(err, market.ErrNoData) || errors.Is(err, market.ErrMalformed) || errors.Is(err, market.ErrUnknownSymbol):
			continue // of this symbol alone
		default:
			return nil, err
		}
	}
	return out, nil
}

// parseSpark reads either shape of the service: v7 wraps the meta data of each
// symbol, v8 is a map of a few figures by symbol.
func parseSpark(body []byte) ([]Meta, error) {
	var b map[string]json.RawMessage
	if err := client.DecodeJSON(body, &b); err != nil {
		return nil, err
	}
	wrapped, ok := b["spark"]
	if !ok {
		return parseSparkMap(b)
	}
	var spark struct {
		Result []struct {
			Symbol   string
			Response []struct{ Meta Meta }
		}
		Error *ServiceError
	}
	if err := client.DecodeJSON(wrapped, &spark); err != nil {
		return nil, err
	}
	if spark.Error != nil {
		return nil, spark.Error.Sentinel(0)
	}
	var out []Meta
	for _, r := range spark.Result {
		if len(r.Response) == 0 {
			continue
		}
		m := r.Response[0].Meta
		if m.Symbol == "" {
			m.Symbol = r.Symbol
		}
		if !SameYahooSymbol(r.Symbol, m.Symbol) {
			return nil, client.Malformedf("the row of %q is about %q", client.SingleLine(r.Symbol, 30), client.SingleLine(m.Symbol, 30))
		}
		out = append(out, m)
	}
	return out, nil
}

func parseSparkMap(b map[string]json.RawMessage) ([]Meta, error) {
	out := make([]Meta, 0, len(b))
	for key, row := range b {
		var one struct {
			Symbol        string
			Timestamp     []int64
			Close         []Number
			PreviousClose Number
		}
		if err := client.DecodeJSON(row, &one); err != nil || !SameYahooSymbol(key, one.Symbol) {
			return nil, client.Malformedf("not a row of quotes for %q", client.SingleLine(key, 30))
		}
		if len(one.Timestamp) != len(one.Close) {
			return nil, client.Malformedf("%d prices at %d times", len(one.Close), len(one.Timestamp))
		}
		m := Meta{Symbol: one.Symbol, PreviousClose: one.PreviousClose}
		for i := len(one.Close) - 1; i >= 0 && m.RegularMarketTime == 0; i-- {
			if one.Close[i].Positive() {
				m.RegularMarketPrice, m.RegularMarketTime = one.Close[i], one.Timestamp[i]
			}
		}
		if pair, ok := market.Symbol(key).CurrencyPair(); ok {
			m.Currency, m.InstrumentType = pair.Quote, "CURRENCY"
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Meta) int { return strings.Compare(a.Symbol, b.Symbol) })
	return out, nil
}
