package yahoo

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote = 15 * time.Second
	staleQuote = 24 * time.Hour
	// maxSessionGap is the longest time between two sessions of most exchanges: a long weekend.
	maxSessionGap = 4 * 24 * time.Hour
)

func (s *Source) freshQuote(sym market.Symbol) time.Duration {
	if s.o.Fresh == nil {
		return freshQuote
	}
	return s.o.Fresh(sym, s.o.Now())
}

// Quote returns the newest price of sym from its chart, and the close of the previous session as the previous
// price. It is as of the last trade, and flagged stale if a session has passed without one. A coin whose
// ticker Yahoo may use for another coin yields ErrNotCovered.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	op := "quote of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Quote{}, err
	}
	if isAmbiguousCoin(sym) {
		return market.Quote{}, s.coinNotCovered(op)
	}
	yahooSymbol := YahooSymbol(sym)
	// Five sessions include the one before the last trade. Yahoo's "chart previous close" is the
	// close before the chart.
	c, answer, err := get(ctx, s, apiRequest{
		op: op, url: s.chartURL(yahooSymbol, market.Daily, url.Values{"range": {"5d"}}), kind: client.JSON,
		fresh: s.freshQuote(sym), stale: staleQuote,
	}, func(body []byte) (Chart, error) { return ParseChart(body, yahooSymbol) })
	if err != nil {
		return market.Quote{}, err
	}
	q, err := c.Quote(sym, newProvenance("v8 chart", answer))
	if err != nil {
		return market.Quote{}, s.dataClients[0].NewError(op, err, "")
	}
	q.Provenance = s.markStale(q, c.Zone())
	return q, nil
}

// markStale flags a quote from before the last session as stale. Without a time zone, the session of a trade
// is unknown, so only the age is checked.
func (s *Source) markStale(q market.Quote, zone *time.Location) market.Provenance {
	now := s.o.Now()
	stale := now.Sub(q.Provenance.AsOf) > maxSessionGap
	if s.o.LastSession != nil && zone != nil {
		if last, ok := s.o.LastSession(q.Symbol, now); ok {
			stale = client.SessionDate(q.Provenance.AsOf, zone).Before(last)
		}
	}
	if !stale {
		return q.Provenance
	}
	return q.Provenance.With(market.FlagStale)
}

// maxSparkSymbols is the maximum number of symbols per request.
const maxSparkSymbols = 20

// Quotes prices many symbols, with one request for each twenty. Symbols that Yahoo does not know or has no
// price for are absent, and so are coins whose ticker it may use for another coin.
func (s *Source) Quotes(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	out := make(map[market.Symbol]market.Quote, len(symbols))
	distinct := slices.DeleteFunc(slices.Clone(symbols), isAmbiguousCoin)
	slices.Sort(distinct)
	for some := range slices.Chunk(slices.Compact(distinct), maxSparkSymbols) {
		found, err := s.fetchSparks(ctx, some)
		if err != nil && ctx.Err() == nil && !errors.Is(err, market.ErrRateLimited) {
			// The v7 quotes need a crumb, but may work when spark quotes do not.
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
		return nil, nil // none of the symbols is known
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

// sparkQuotes converts the requested rows to quotes. A row without a currency is requested again
// separately.
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
			continue // the error concerns only this symbol
		default:
			return nil, err
		}
	}
	return out, nil
}

// parseSpark parses both formats of the service: v7 wraps the metadata of each symbol, v8 maps symbols to a
// few figures.
func parseSpark(body []byte) ([]Meta, error) {
	var b map[string]json.RawMessage
	if err := client.DecodeJSON(body, &b); err != nil {
		return nil, err
	}
	if _, ok := b["spark"]; !ok {
		return parseSparkMap(b)
	}
	results, err := decodeService[[]struct {
		Symbol   string
		Response []struct{ Meta Meta }
	}](body, "spark")
	if err != nil {
		return nil, err
	}
	var out []Meta
	for _, r := range results {
		if len(r.Response) == 0 {
			continue
		}
		m := r.Response[0].Meta
		if m.Symbol == "" {
			m.Symbol = r.Symbol
		}
		if !SameYahooSymbol(r.Symbol, m.Symbol) {
			return nil, client.Malformedf("the row for %q is for %q", client.SingleLine(r.Symbol, 30), client.SingleLine(m.Symbol, 30))
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
			return nil, client.Malformedf("no quote row for %q", client.SingleLine(key, 30))
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

// listedQuote is a row of the v7 quote service.
type listedQuote struct {
	Symbol, QuoteType, Currency       string
	Exchange, FullExchangeName        string
	LongName, ShortName               string
	MarketState, ExchangeTimezoneName string
	RegularMarketPrice                Number
	RegularMarketPreviousClose        Number
	RegularMarketDayHigh              Number
	RegularMarketVolume               Number
	RegularMarketTime                 int64
	ExchangeDataDelayedBy             *int
}

// fetchListed requests v7 quotes, which need a crumb. Unknown symbols are absent from the response,
// and delisted ones have no price.
func (s *Source) fetchListed(ctx context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	requested := make([]string, len(symbols))
	for i, sym := range symbols {
		requested[i] = YahooSymbol(sym)
	}
	rows, answer, err := getWithCrumb(ctx, s, apiRequest{
		op:   quotesOp(symbols),
		url:  s.at(hostData, "/v7/finance/quote", url.Values{"symbols": {strings.Join(requested, ",")}}),
		kind: client.JSON, fresh: s.freshQuote(symbols[0]), stale: staleQuote,
	}, func(body []byte) ([]listedQuote, error) { return decodeService[[]listedQuote](body, "quoteResponse") })
	if err != nil {
		return nil, err
	}
	out := make(map[market.Symbol]market.Quote, len(rows))
	for _, sym := range symbols {
		for _, row := range rows {
			if !SameYahooSymbol(YahooSymbol(sym), row.Symbol) {
				continue
			}
			if q, err := row.quote(sym, answer); err == nil {
				q.Provenance = s.markStale(q, row.meta().Zone())
				out[sym] = q
			}
		}
	}
	return out, nil
}

func (l listedQuote) meta() Meta {
	return Meta{
		Symbol: l.Symbol, Currency: l.Currency, InstrumentType: l.QuoteType,
		ExchangeName: l.Exchange, FullExchangeName: l.FullExchangeName, LongName: l.LongName, ShortName: l.ShortName,
		RegularMarketTime: l.RegularMarketTime, RegularMarketPrice: l.RegularMarketPrice, PreviousClose: l.RegularMarketPreviousClose,
		ExchangeTimezoneName: l.ExchangeTimezoneName, RegularMarketDayHigh: l.RegularMarketDayHigh, RegularMarketVolume: l.RegularMarketVolume,
	}
}

func (l listedQuote) quote(sym market.Symbol, answer client.Response) (market.Quote, error) {
	q, err := l.meta().Quote(sym, newProvenance("v7 quote", answer))
	if err != nil {
		return market.Quote{}, err
	}
	q.Provenance.Phase = l.phase()
	if d := l.ExchangeDataDelayedBy; d != nil {
		if q.Provenance.DelayMinutes = max(*d, 0); *d > 0 {
			q.Provenance = q.Provenance.With(market.FlagDelayed)
		} else {
			q.Provenance = q.Provenance.Without(market.FlagDelayed)
		}
	}
	return q, nil
}

func (l listedQuote) phase() market.Phase {
	switch l.MarketState {
	case "REGULAR":
		return market.PhaseRegular
	case "PRE":
		return market.PhasePre
	case "POST":
		return market.PhasePost
	case "CLOSED", "PREPRE", "POSTPOST":
		return market.PhaseClosed
	}
	return market.PhaseUnknown
}
